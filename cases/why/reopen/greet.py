"""Writes a letter to each guest from a template."""
import sys


def letter(template, guest):
    with open(template) as text:
        return text.read().replace("NAME", guest)


def main(template):
    for number in range(5000):
        print(letter(template, f"guest {number}"), end="")


main(sys.argv[1])
