"""Lists a folder by time: one look at each entry."""

import os

with os.scandir("flat") as entries:
    times = [(entry.stat().st_mtime, entry.name) for entry in entries]
print("\n".join(name for _, name in sorted(times)))
