# Copies the lines of a list that name a user into a log.
import sys


def record(log, line):
    log.write(line + "\n")


users = 0
with open(sys.argv[1], "a") as log:
    for number in range(3000):
        record(log, f"user-{number} logged in")
        users += 1
print(users)
