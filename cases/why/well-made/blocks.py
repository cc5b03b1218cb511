"""The checksum of a file, by large blocks."""

import hashlib
import sys

digest = hashlib.sha256()
with open(sys.argv[1], "rb", buffering=0) as file:
    while block := file.read(1 << 18):
        digest.update(block)
print(digest.hexdigest())
