"""Adds up numbers, and keeps a library that talks too much quiet meanwhile."""
import contextlib
import os


@contextlib.contextmanager
def quiet():
    keep = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
    try:
        yield
    finally:
        os.dup2(keep, 2)
        os.close(keep)


with quiet():
    total = sum(number * 2 for number in range(2000))
print(total)
