"""The same: the address is remembered."""
import functools
import socket


@functools.lru_cache(maxsize=64)
def address(host):
    found = socket.getaddrinfo(host, 80, socket.AF_INET, socket.SOCK_STREAM)
    return found[0][4][0]


def main():
    sent = {}
    for _ in range(500):
        to = address("localhost")
        sent[to] = sent.get(to, 0) + 1
    print(sent)


main()
