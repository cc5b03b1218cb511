"""Writes a queue of jobs to disk."""
import os
import sys


def main(path):
    with open(path, "w") as queue:
        for job in range(500):
            queue.write(f"job {job}\n")
        queue.flush()
        os.fsync(queue.fileno())
    print("500 jobs")


main(sys.argv[1])
