"""Walks a tree into a list of paths, as str, with fewer and as people do without.

tree.py MODE ROUNDS TREE   once, and then ROUNDS times more: prints the number of paths and the
                           median of the latter's times; with 0 rounds each path
"""

import os
import statistics
import sys
import time


def os_walk(tree, walk=os.walk):
    paths = [tree]
    for directory, directories, files in walk(tree):
        for name in directories:
            paths.append(directory + "/" + name)
        for name in files:
            paths.append(directory + "/" + name)
    return paths


def scandir(tree):
    paths = [tree]
    stack = [tree]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                paths.append(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
    return paths


def paths(tree):
    import fewer

    return fewer.paths(tree)


def walk(tree):
    import fewer

    return [entry.path for entry in fewer.walk(tree)]


def fewer_os_walk(tree):
    import fewer

    return os_walk(tree, fewer.os_walk)


MODES = {
    "os-walk": os_walk,
    "scandir": scandir,
    "paths": paths,
    "walk": walk,
    "fewer-os-walk": fewer_os_walk,
}

work, rounds, tree = MODES[sys.argv[1]], int(sys.argv[2]), sys.argv[3]
found = work(tree)
times = []
for _ in range(rounds):
    # Whoever keeps one list does not pay for throwing another away.
    del found
    start = time.perf_counter()
    found = work(tree)
    times.append((time.perf_counter() - start) * 1e3)
if rounds:
    print(f"{len(found)} paths, {statistics.median(times):.3f} ms")
else:
    found.append("")
    sys.stdout.buffer.write(os.fsencode("\n".join(found)))
