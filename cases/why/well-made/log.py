"""Writes a log through one file that stays open."""

import logging

logging.basicConfig(filename="well-made.log", filemode="w", level=logging.INFO)
for number in range(20):
    logging.info("started %d", number)
with open("well-made.out", "w") as out:
    for number in range(20000):
        out.write(f"{number}\n")
