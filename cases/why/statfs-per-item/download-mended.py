"""Looks once whether there is room for all parts of a download."""
import shutil
import sys


def parts_that_fit(folder, sizes):
    free = shutil.disk_usage(folder).free
    return sum(free > size for size in sizes)


print(parts_that_fit(sys.argv[1], range(1500)))
