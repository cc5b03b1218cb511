"""Says what a backup would copy: number and size of the files named."""
import os
import sys


def main(folder):
    files = size = 0
    for number in range(3000):
        path = f"{folder}/f{number}"
        if os.path.isfile(path):
            files += 1
            size += os.path.getsize(path)
    print(files, "files,", size, "bytes")


main(sys.argv[1])
