"""Packs the reports of a month, and says how large they have become."""
import os
import sys


def pack(path):
    status = os.system(f"gzip -c '{path}' > '{path}.gz' && test -s '{path}.gz'")
    return status == 0


def main(folder):
    packed = sum(pack(f"{folder}/f{number}") for number in range(100))
    print(packed, "packed")


main(sys.argv[1])
