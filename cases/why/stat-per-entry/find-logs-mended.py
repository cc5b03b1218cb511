"""Finds logs: all files below a directory whose names end in .log."""
import os
import sys


def logs(directory):
    found = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_dir():
                found += logs(entry.path)
            elif entry.name.endswith(".log"):
                found.append(entry.path)
    return found


print("\n".join(sorted(logs(sys.argv[1]))))
