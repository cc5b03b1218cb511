"""Prints a directory tree with os.scandir, the loop of those who know that it is faster."""

import os
import sys

root = sys.argv[1]
write = sys.stdout.write
write(root + "\n")
stack = [root]
while stack:
    with os.scandir(stack.pop()) as entries:
        for entry in entries:
            write(entry.path + "\n")
            if entry.is_dir(follow_symlinks=False):
                stack.append(entry.path)
