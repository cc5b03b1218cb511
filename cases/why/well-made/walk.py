"""Counts the files of a tree by extension: what a listing says needs no stat."""

import collections
import os
import sys


def walk(folder, counts):
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                walk(entry.path, counts)
            else:
                counts[os.path.splitext(entry.name)[1]] += 1


counts = collections.Counter()
walk(sys.argv[1], counts)
print(sorted(counts.items()))
