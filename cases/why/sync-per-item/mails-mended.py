"""The same: all mails are written, then the disk is waited for once."""
import os
import sys


def deliver(folder, number):
    path = os.path.join(folder, f"mail{number}")
    with open(path, "x") as mail:
        mail.write(f"Subject: {number}\n\nThis is mail {number}.\n")


def main(folder):
    for number in range(200):
        deliver(folder, number)
    os.sync()
    print("200 mails")


main(sys.argv[1])
