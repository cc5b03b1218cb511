"""The same: the answer is remembered."""
import socket

LIST = ("127.77.77.77", 53)     # it is not there: that is quick, and the same everywhere


def question(name, number):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    header = number.to_bytes(2, "big") + b"\1\0\0\1\0\0\0\0\0\0"
    return header + labels + b"\0\0\1\0\1"


def is_blocked(client, number):
    name = ".".join(reversed(client.split("."))) + ".list.example.org"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.connect(LIST)
        server.send(question(name, number))
        try:
            return bool(server.recv(512)[3] & 15)
        except ConnectionRefusedError:
            return False


def main():
    blocked, known = 0, {}
    for line in range(600):
        client = "192.0.2.%d" % (line % 5)
        if client not in known:
            known[client] = is_blocked(client, line)
        blocked += known[client]
    print(blocked)


main()
