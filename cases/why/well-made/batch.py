"""Lets one process do the whole batch."""

import os
import subprocess

paths = [entry.path for entry in os.scandir("flat")][:500]
done = subprocess.run(["sha256sum", *paths], check=True, capture_output=True, text=True)
print(len(done.stdout.splitlines()))
