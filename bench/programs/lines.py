"""Reads the lines of a file as people do in Python.

lines.py count FILE            the number of lines
lines.py collect ROUNDS FILE   list(open(FILE)), three times and then ROUNDS times more: the number
                               of lines and the median of the latter's times
lines.py invalid FILE          the numbers of the lines that are not UTF-8
"""

import statistics
import sys
import time

WARM_UP = 3


def count(path):
    with open(path, "rb") as file:
        print(sum(1 for _ in file))


def collect(rounds, path):
    times = []
    for _ in range(WARM_UP + int(rounds)):
        start = time.perf_counter()
        with open(path) as file:
            lines = list(file)
        times.append((time.perf_counter() - start) * 1e3)
        number = len(lines)
        del lines
    print(f"{number} lines, {statistics.median(times[WARM_UP:]):.3f} ms")


def invalid(path):
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                print(number)


{"count": count, "collect": collect, "invalid": invalid}[sys.argv[1]](*sys.argv[2:])
