"""Takes a message out of an inbox."""
import select
import socket


def has_message(inbox):
    return bool(select.select([inbox], [], [], 0)[0])


inbox, sender = socket.socketpair()
for attempt in range(2500):
    if has_message(inbox):
        break
    if attempt == 2498:
        sender.send(b"hello")
print(inbox.recv(100).decode())
