"""Notes which files were read, by what they are called."""
import os
import sys

names = set()
for number in range(1000):
    path = f"{sys.argv[1]}/f{number}"
    descriptor = os.open(path, os.O_RDONLY)
    names.add(path)
    os.close(descriptor)
print(len(names))
