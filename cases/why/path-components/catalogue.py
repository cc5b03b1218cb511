"""Makes the catalogue of a photo archive: the real path of each picture."""
import os
import sys


def catalogue(directory):
    for folder, _, names in sorted(os.walk(directory)):
        for name in sorted(names):
            yield os.path.realpath(os.path.join(folder, name))


print("\n".join(catalogue(sys.argv[1])))
