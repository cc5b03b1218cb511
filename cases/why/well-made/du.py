"""The size of a tree: each file is looked at once."""

import os
import sys

total = 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        total += os.path.getsize(os.path.join(folder, name))
print(total)
