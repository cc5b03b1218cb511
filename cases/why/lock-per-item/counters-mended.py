"""Counts events in a file that other programs count in, too."""
import fcntl
import os
import sys

COUNTERS = 50


def count(file, number):
    record = os.pread(file, 8, number * 8)
    value = int.from_bytes(record, "little") + 1
    os.pwrite(file, value.to_bytes(8, "little"), number * 8)
    return value


file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
fcntl.lockf(file, fcntl.LOCK_EX)
print(sum(count(file, number % COUNTERS) for number in range(2500)))
fcntl.lockf(file, fcntl.LOCK_UN)
