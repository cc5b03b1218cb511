"""Takes from a socket what is there, without waiting."""
import socket


def take(sock):
    sock.setblocking(False)
    try:
        return sock.recv(100)
    finally:
        sock.setblocking(True)


ours, theirs = socket.socketpair()
taken = 0
for _ in range(1000):
    theirs.send(b"word")
    taken += len(take(ours))
print(taken)
