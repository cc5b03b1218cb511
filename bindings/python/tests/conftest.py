"""Trees and files that several tests look at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Directories, files, links of every sort, and a name that is not UTF-8."""
    root = tmp_path / "tree"
    for directory in ("a/b/c", "a/empty", "d", ".hidden/x"):
        (root / directory).mkdir(parents=True)
    for file in ("a/1.txt", "a/b/2.txt", "a/b/c/3.py", "d/4.txt", ".hidden/x/5", "6"):
        (root / file).write_text(file)
    (root / "to-file").symlink_to("6")
    (root / "to-directory").symlink_to("a")
    (root / "to-nothing").symlink_to("nowhere")
    (root / "d" / "up").symlink_to("..")
    os.mkfifo(root / "fifo")
    with open(os.fsencode(root) + b"/d/\xff\xfe", "wb"):
        pass
    return root


def everything(root: "str | bytes") -> "list[str | bytes]":
    """What os.walk finds, as paths, the root included."""
    found = [root]
    for path, directories, files in os.walk(root):
        found += [os.path.join(path, name) for name in directories + files]
    return found
