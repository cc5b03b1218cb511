"""Prints a directory tree with os.walk, the loop most people write."""

import os
import sys

root = sys.argv[1]
write = sys.stdout.write
write(root + "\n")
for directory, directories, files in os.walk(root):
    for name in directories:
        write(directory + "/" + name + "\n")
    for name in files:
        write(directory + "/" + name + "\n")
