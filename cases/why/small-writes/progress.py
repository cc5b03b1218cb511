"""Prints each even number as soon as it is known."""
for number in range(10000):
    if number % 2 == 0:
        print(number, flush=True)
