"""Makes tokens."""
import os


def token():
    return os.urandom(16).hex()


print(len({token() for _ in range(3000)}))
