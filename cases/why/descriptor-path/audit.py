"""Notes which files were read, by what they are called."""
import os
import sys


def note(descriptor, names):
    names.add(os.readlink(f"/proc/self/fd/{descriptor}"))


names = set()
for number in range(1000):
    descriptor = os.open(f"{sys.argv[1]}/f{number}", os.O_RDONLY)
    note(descriptor, names)
    os.close(descriptor)
print(len(names))
