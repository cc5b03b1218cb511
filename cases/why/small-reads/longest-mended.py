"""Prints the longest line of a log."""
import sys


def main(path):
    with open(path, "rb", buffering=1 << 17) as lines:
        print(max((line.rstrip(b"\n") for line in lines), key=len).decode())


main(sys.argv[1])
