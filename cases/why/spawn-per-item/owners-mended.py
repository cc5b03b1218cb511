"""Counts files by their owners."""
import collections
import os
import sys


def main(folder):
    owners = collections.Counter(os.stat(f"{folder}/f{number}").st_uid for number in range(300))
    print(dict(owners))


main(sys.argv[1])
