"""Prints each even number."""
for number in range(10000):
    if number % 2 == 0:
        print(number)
