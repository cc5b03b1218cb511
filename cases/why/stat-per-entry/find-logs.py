"""Finds logs: all files below a directory whose names end in .log."""
import os
import sys


def logs(directory):
    found = []
    for name in os.listdir(directory):
        path = os.path.join(directory, name)
        if os.path.isdir(path):
            found += logs(path)
        elif name.endswith(".log"):
            found.append(path)
    return found


print("\n".join(sorted(logs(sys.argv[1]))))
