"""What it costs: by its own count, and by strace, which is believed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fewer


def grow(root: Path, directories: int) -> None:
    for number in range(directories):
        (root / f"d{number}").mkdir(parents=True)
        for other in range(3):
            (root / f"d{number}" / f"f{other}").touch()


def price(work: str, root: Path) -> "dict[str, int]":
    """System calls between two marks that the program makes, by strace."""
    program = f"""
import os, fewer
fewer.count_lines("/dev/null"); fewer.paths("/dev/null"); list(fewer.os_walk("/dev/null"))
root = {str(root)!r}
os.access("/mark/begin", 0)
result = {work}
os.access("/mark/end", 0)
"""
    trace = root.parent / "trace"
    done = subprocess.run(
        ["strace", "-f", "-o", trace, sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    between = re.split(r"/mark/\w+", trace.read_text())[1]
    counts: "dict[str, int]" = {}
    for call in re.findall(r"^\d+ +(\w+)\(", between, re.MULTILINE):
        counts[call] = counts.get(call, 0) + 1
    return counts


traced = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
works = {
    "paths": "fewer.paths(root, threads=1)",
    "paths by threads": "fewer.paths(root)",
    "walk": "list(fewer.walk(root))",
    "os_walk": "list(fewer.os_walk(root))",
    "os_walk bottom-up": "list(fewer.os_walk(root, topdown=False))",
}


@traced
@pytest.mark.parametrize("name", works)
def test_three_calls_a_directory(tmp_path: Path, name: str) -> None:
    # More than 400, so that threads start where they may.
    grow(tmp_path / "root", 500)
    counts = price(works[name], tmp_path / "root")
    around = 12
    for call in ("openat", "getdents64", "close"):
        assert 501 <= counts[call] <= 501 + around, counts
    assert counts.get("statx", 0) + counts.get("newfstatat", 0) <= around, counts


@traced
def test_a_link_costs_os_walk_one_statx(tmp_path: Path) -> None:
    grow(tmp_path / "root", 10)
    for number in range(200):
        (tmp_path / "root" / "d1" / f"link{number}").symlink_to("/")
    counts = price("list(fewer.os_walk(root))", tmp_path / "root")
    assert 200 <= counts["statx"] <= 212 and counts["openat"] <= 16, counts


@traced
def test_one_statx_an_entry(tmp_path: Path) -> None:
    grow(tmp_path / "root", 300)
    assert price("fewer.list(root)", tmp_path / "root")["statx"] == 300
    assert "statx" not in price("fewer.list(root, fields=[])", tmp_path / "root")


@traced
def test_one_read_for_256_kib(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789abcde\n" * (5 << 16))
    counts = price(f"fewer.read_lines({str(path)!r}, threads=1)", path)
    assert (counts["openat"], counts["read"], counts["close"]) == (1, 21, 1), counts
    assert "statx" not in counts
    # The C library looks up how many processors there are when a thread allocates.
    counts = price(f"fewer.read_lines({str(path)!r})", path)
    assert counts["openat"] <= 2 and counts["read"] <= 22 and counts["statx"] == 1, counts


def test_its_own_count_is_that_of_strace(tmp_path: Path) -> None:
    grow(tmp_path / "root", 50)
    with fewer.Cost() as cost:
        fewer.paths(tmp_path / "root")
    assert cost["getdents64"] == 51 and 51 <= cost["openat"] <= 55
    assert cost.sum == sum(cost.values()) and set(cost) <= set(fewer.calls())
