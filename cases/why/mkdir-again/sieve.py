# Puts each of 2,000 numbers into the folder of its last digit.
import os


def store(number):
    folder = f"digits/{number % 10}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{number}", "wb", buffering=0) as file:
        file.write(b"x")


for number in range(2000):
    store(number)
print("2000 numbers")
