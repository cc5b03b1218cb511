# Copies the lines of a list that name a user into a log.
import sys


def record(log, line):
    with open(log, "a") as file:
        file.write(line + "\n")


users = 0
for number in range(3000):
    record(sys.argv[1], f"user-{number} logged in")
    users += 1
print(users)
