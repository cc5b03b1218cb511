"""Makes 300 pages of a template that is read once."""

import os
import string

with open("template.html") as file:
    template = string.Template(file.read())
os.makedirs("site-python", exist_ok=True)
for number in range(300):
    with open(f"site-python/{number}.html", "w") as page:
        page.write(template.substitute(title=f"Page {number}", body="a paragraph " * number))
