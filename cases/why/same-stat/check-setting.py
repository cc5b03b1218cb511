"""Adds up the amounts of a ledger, and looks whether somebody has asked it to stop."""
import os
import sys


def wanted(stop_file):
    return not os.path.exists(stop_file)


def main(ledger, stop_file):
    total = 0
    with open(ledger) as lines:
        for line in lines:
            if not wanted(stop_file):
                break
            total += int(line.split()[-1])
    print(total)


main(*sys.argv[1:])
