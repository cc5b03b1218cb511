"""Adds up the amounts of a ledger, unless somebody has asked it not to."""
import os
import sys


def main(ledger, stop_file):
    total = 0
    if os.path.exists(stop_file):
        return
    with open(ledger) as lines:
        for line in lines:
            total += int(line.split()[-1])
    print(total)


main(*sys.argv[1:])
