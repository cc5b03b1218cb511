"""Prints the longest line of a log."""
import os
import sys


def lines(file):
    line = b""
    while letter := os.read(file, 1):
        if letter == b"\n":
            yield line
            line = b""
        else:
            line += letter


def main(path):
    file = os.open(path, os.O_RDONLY)
    print(max(lines(file), key=len).decode())
    os.close(file)


main(sys.argv[1])
