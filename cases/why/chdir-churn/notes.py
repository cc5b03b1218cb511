"""Says how long the notes of many projects are."""
import contextlib
import os
import sys


@contextlib.contextmanager
def inside(folder):
    back = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(back)


def main(projects):
    size = 0
    for number in range(1000):
        with inside(f"{projects}/d{number}"):
            size += os.stat("note").st_size
    print(size, "bytes")


main(sys.argv[1])
