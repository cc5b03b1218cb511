# Which of 3,000 articles have a picture?
import os
import sys


def has_picture(pictures, article):
    return f"{article}.png" in pictures


pictures = set(os.listdir(sys.argv[1]))
print(sum(has_picture(pictures, article) for article in range(3000)))
