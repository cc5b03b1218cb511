# Puts each of 2,000 numbers into the folder of its last digit.
import os

made = set()


def store(number):
    folder = f"digits/{number % 10}"
    if folder not in made:
        os.makedirs(folder, exist_ok=True)
        made.add(folder)
    with open(f"{folder}/{number}", "wb", buffering=0) as file:
        file.write(b"x")


for number in range(2000):
    store(number)
print("2000 numbers")
