"""Writes a letter to each guest from a template."""
import sys


def letter(template, guest):
    return template.replace("NAME", guest)


def main(template):
    with open(template) as text:
        template = text.read()
    for number in range(5000):
        print(letter(template, f"guest {number}"), end="")


main(sys.argv[1])
