"""Takes from a socket what is there, without waiting."""
import socket

ours, theirs = socket.socketpair()
taken = 0
for _ in range(1000):
    theirs.send(b"word")
    taken += len(ours.recv(100, socket.MSG_DONTWAIT))
print(taken)
