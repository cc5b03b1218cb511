# Which of 3,000 articles have a picture?
import os
import sys


def has_picture(folder, article):
    return f"{article}.png" in os.listdir(folder)


print(sum(has_picture(sys.argv[1], article) for article in range(3000)))
