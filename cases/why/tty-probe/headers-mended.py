"""Counts the empty files of a mailbox: one file a message."""
import os
import sys


def first_bytes(path):
    message = os.open(path, os.O_RDONLY)
    try:
        return os.read(message, 65536)
    finally:
        os.close(message)


def main(folder):
    print(sum(not first_bytes(f"{folder}/f{number}") for number in range(5000)), "are empty")


main(sys.argv[1])
