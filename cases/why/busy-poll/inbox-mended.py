"""Takes a message out of an inbox."""
import select
import socket

inbox, sender = socket.socketpair()
sender.send(b"hello")
select.select([inbox], [], [])
print(inbox.recv(100).decode())
