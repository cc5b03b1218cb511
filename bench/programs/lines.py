"""Reads the lines of a file as people do in Python.

lines.py count FILE            the number of lines
lines.py invalid FILE          the numbers of the lines that are not UTF-8
lines.py HOW ROUNDS FILE       the lines as a list of str, three times and then ROUNDS times more:
                               the number of lines and the median of the latter's times

HOW is collect: list(open(FILE)); split: all of it, split at newlines; fewer: fewer.read_lines;
fewer-iterator: list(fewer.lines(FILE)).
"""

import statistics
import sys
import time

WARM_UP = 3


def count(path):
    with open(path, "rb") as file:
        print(sum(1 for _ in file))


def collect(path):
    with open(path) as file:
        return list(file)


def split(path):
    with open(path) as file:
        return file.read().splitlines()


def fewer_list(path):
    import fewer

    return fewer.read_lines(path)


def fewer_iterator(path):
    import fewer

    return list(fewer.lines(path))


def measure(read, rounds, path):
    times = []
    for _ in range(WARM_UP + int(rounds)):
        start = time.perf_counter()
        lines = read(path)
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


LISTS = {
    "collect": collect,
    "split": split,
    "fewer": fewer_list,
    "fewer-iterator": fewer_iterator,
}

if sys.argv[1] in LISTS:
    measure(LISTS[sys.argv[1]], *sys.argv[2:])
else:
    {"count": count, "invalid": invalid}[sys.argv[1]](*sys.argv[2:])
