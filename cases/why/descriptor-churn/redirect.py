"""Adds up numbers, and keeps a library that talks too much quiet meanwhile."""
import os


def quietly(number):
    keep = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
    try:
        return number * 2
    finally:
        os.dup2(keep, 2)
        os.close(keep)


print(sum(quietly(number) for number in range(2000)))
