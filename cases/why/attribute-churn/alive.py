"""Handles items, and touches a file so that one can see how far it is."""
import os
import sys


def handle(item, stamp):
    os.utime(stamp)
    return item * item


print(sum(handle(item, sys.argv[1]) for item in range(2000)))
