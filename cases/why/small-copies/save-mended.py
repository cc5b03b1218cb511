"""Saves a file under another name."""
import shutil
import sys


def save(source, target):
    with open(source, "rb", buffering=0) as a, open(target, "wb", buffering=0) as b:
        shutil.copyfileobj(a, b, length=1 << 18)


save(sys.argv[1], sys.argv[2])
print("saved")
