"""Counts the empty files of a mailbox: one file a message."""
import sys


def first_line(path):
    with open(path, "rb") as message:
        return message.readline()


def main(folder):
    print(sum(not first_line(f"{folder}/f{number}") for number in range(5000)), "are empty")


main(sys.argv[1])
