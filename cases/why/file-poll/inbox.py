"""Takes in what other programs put into a directory, for a while."""

import os
import sys
import time


def consume(inbox):
    known = set()
    for _ in range(250):
        for name in sorted(set(os.listdir(inbox)) - known):
            known.add(name)
            print(name)
        time.sleep(0.002)


consume(sys.argv[1])
