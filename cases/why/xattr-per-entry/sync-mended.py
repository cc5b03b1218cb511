"""Makes the list that two machines compare: names and, with -X, extended attributes."""
import os
import sys


def attributes(path):
    return {name: os.getxattr(path, name) for name in os.listxattr(path, follow_symlinks=False)}


def main(folder, *options):
    for name in sorted(os.listdir(folder)):
        print(name, "-X" in options and attributes(f"{folder}/{name}") or "")


main(*sys.argv[1:])
