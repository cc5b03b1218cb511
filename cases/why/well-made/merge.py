# Letters, each written to a file of its own under a name that nobody sees before it is whole.
import os
import string
import tempfile

with open("template.html") as text:
    template = string.Template(text.read())
os.makedirs("outbox", exist_ok=True)
for number in range(600):
    descriptor, name = tempfile.mkstemp(dir="outbox")
    with os.fdopen(descriptor, "w") as letter:
        letter.write(template.safe_substitute(title=number, body="text"))
    os.rename(name, f"outbox/{number}.html")
