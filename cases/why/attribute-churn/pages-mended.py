"""Writes the pages of a site."""
import os
import sys


def publish(folder, number):
    path = os.path.join(folder, f"page{number}.html")
    with open(path, "w") as page:
        page.write(f"<h1>{number}</h1>\n")
    return number


print(sum(publish(sys.argv[1], number) for number in range(600)))
