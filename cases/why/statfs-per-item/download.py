"""Looks before each part of a download whether there is room for it."""
import shutil
import sys


def has_room(folder, size):
    return shutil.disk_usage(folder).free > size


print(sum(has_room(sys.argv[1], part) for part in range(1500)))
