"""A program that is made of many modules, found in one of many places."""
import importlib
import sys


def main(places, modules):
    sys.path[:0] = [f"{places}/place{place}" for place in range(30)]
    total = 0
    for number in range(int(modules)):
        total += importlib.import_module(f"part{number}").VALUE
    print(total)


main(*sys.argv[1:])
