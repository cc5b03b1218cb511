"""Makes tokens."""
import os


def tokens(count, pool=b""):
    for _ in range(count):
        pool = pool or os.urandom(4096)
        yield pool[:16].hex()
        pool = pool[16:]


print(len(set(tokens(3000))))
