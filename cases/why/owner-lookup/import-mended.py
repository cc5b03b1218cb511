"""Imports a list of files into a backup's catalogue: owner, size and name of each."""
import functools
import os
import pwd
import sys


@functools.cache
def owner(user):
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def main(directory):
    rows = []
    held = os.open(directory, os.O_RDONLY)
    for name in os.listdir(held):
        about = os.stat(name, dir_fd=held, follow_symlinks=False)
        rows.append(f"{owner(about.st_uid)}\t{about.st_size}\t{name}")
    os.close(held)
    print("\n".join(sorted(rows)))


main(sys.argv[1])
