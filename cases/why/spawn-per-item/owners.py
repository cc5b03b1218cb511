"""Counts files by their owners."""
import collections
import subprocess
import sys


def owner(path):
    stat = subprocess.run(["stat", "-c", "%u", path], capture_output=True, check=True, text=True)
    return int(stat.stdout)


def main(folder):
    owners = collections.Counter(owner(f"{folder}/f{number}") for number in range(300))
    print(dict(owners))


main(sys.argv[1])
