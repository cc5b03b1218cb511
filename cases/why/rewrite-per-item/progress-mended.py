# Adds up 1,500 numbers, and saves the sum.
import os
import sys


def save(path, total):
    with open(path + ".new", "w") as file:
        file.write(f"{total}\n")
    os.replace(path + ".new", path)


total = 0
for number in range(1500):
    total += number
save(sys.argv[1], total)
print(total)
