"""Saves a file under another name."""
import sys


def save(source, target):
    with open(source, "rb", buffering=0) as a, open(target, "wb", buffering=0) as b:
        while block := a.read(8192):
            b.write(block)


save(sys.argv[1], sys.argv[2])
print("saved")
