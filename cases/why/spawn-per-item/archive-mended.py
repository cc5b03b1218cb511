"""Packs the reports of a month, and says how large they have become."""
import gzip
import sys


def pack(path):
    with open(path, "rb", buffering=0) as report, open(path + ".gz", "wb", buffering=0) as packed:
        packed.write(gzip.compress(report.read()))
    return True


def main(folder):
    packed = sum(pack(f"{folder}/f{number}") for number in range(100))
    print(packed, "packed")


main(sys.argv[1])
