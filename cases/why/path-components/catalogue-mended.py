"""Makes the catalogue of a photo archive: the real path of each picture."""
import os
import sys


def real_path(entry):
    return os.path.realpath(entry.path) if entry.is_symlink() else entry.path


def catalogue(folder):
    """The folder is real already, so only links in it lead elsewhere."""
    with os.scandir(folder) as entries:
        entries = sorted(entries, key=lambda entry: entry.name)
    yield from (real_path(entry) for entry in entries if not entry.is_dir(follow_symlinks=False))
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from catalogue(entry.path)


print("\n".join(catalogue(os.path.realpath(sys.argv[1]))))
