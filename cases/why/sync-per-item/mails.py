"""Delivers mails into a folder: each is safe on the disk before the next is taken."""
import os
import sys


def deliver(folder, number):
    path = os.path.join(folder, f"mail{number}")
    with open(path, "x") as mail:
        mail.write(f"Subject: {number}\n\nThis is mail {number}.\n")
        mail.flush()
        os.fsync(mail.fileno())
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(held)
    os.close(held)


def main(folder):
    for number in range(200):
        deliver(folder, number)
    print("200 mails")


main(sys.argv[1])
