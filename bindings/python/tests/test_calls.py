"""What it costs: by its own count, and by strace, which is believed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fewer


COMMAND = Path(__file__).parents[3] / "target" / "release" / "fewer"


def grow(root: Path, directories: int) -> None:
    for number in range(directories):
        (root / f"d{number}").mkdir(parents=True)
        for other in range(3):
            (root / f"d{number}" / f"f{other}").touch()


def price(work: str, root: Path, before: str = "") -> "dict[str, int]":
    """System calls between two marks that the program makes, by strace. What is done before does
    not count."""
    program = f"""
import os, fewer
fewer.count_lines("/dev/null"); fewer.paths("/dev/null"); list(fewer.os_walk("/dev/null"))
root = {str(root)!r}
{before}
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
@pytest.mark.parametrize(
    "work",
    [
        "fewer.paths(root, max_threads=1)",
        "list(fewer.walk(root, max_threads=1))",
        "fewer.Snapshot.make(root, max_threads=1)",
    ],
)
def test_no_more_threads_than_wished_for(tmp_path: Path, work: str) -> None:
    grow(tmp_path / "root", 500)
    counts = price(work, tmp_path / "root")
    assert counts["openat"] >= 501 and counts.get("clone3", 0) + counts.get("clone", 0) == 0, counts


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


def price_of_command(*words: "str | Path") -> "dict[str, int]":
    """The calls of the command, by its own count: strace's is compared with it elsewhere."""
    command = Path(os.environ.get("FEWER_COMMAND") or COMMAND)
    if not command.exists():
        pytest.skip(f"{command} is not built")
    done = subprocess.run([command, *words], capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stderr.splitlines()]
    return {row[1]: int(row[0]) for row in rows if len(row) == 2}


@traced
@pytest.mark.parametrize("changed", [0, 7])
def test_a_walk_since_a_snapshot_costs_what_the_command_does(tmp_path: Path, changed: int) -> None:
    root, file = tmp_path / "root", tmp_path / "snapshot"
    grow(root, 200)
    time.sleep(0.1)
    fewer.Snapshot.make(root).write(file)
    for number in range(changed):
        (root / f"d{number}" / "new").touch()
    counts = price(
        "fewer.paths(root, since=before, threads=1)",
        root,
        f"before = fewer.Snapshot.read({str(file)!r})",
    )
    # Each of those that changed is read; the root that they lie in is opened for them.
    around = 8
    assert 201 <= counts["statx"] <= 201 + around, counts
    assert changed <= counts.get("openat", 0) <= changed + around, counts
    assert counts.get("getdents64", 0) == changed, counts
    words = ["walk", "--since", file, "-j", "1", "--calls", "--count", root]
    command = price_of_command(*words)
    for call in ("statx", "openat", "getdents64", "close"):
        # The command opens, looks at and closes the file of the snapshot.
        for_file = {"statx": 1, "openat": 1, "close": 1}.get(call, 0)
        assert counts.get(call, 0) <= command.get(call, 0) - for_file, (call, counts, command)


@traced
def test_a_snapshot_costs_one_statx_a_directory_more(tmp_path: Path) -> None:
    grow(tmp_path / "root", 300)
    counts = price("fewer.Snapshot.make(root, threads=1)", tmp_path / "root")
    for call in ("openat", "getdents64", "close", "statx"):
        assert 301 <= counts[call] <= 301 + 12, counts


@traced
@pytest.mark.parametrize("work", ["fewer.size(root)", "fewer.summary(root)"])
def test_measuring_costs_one_statx_an_entry(tmp_path: Path, work: str) -> None:
    grow(tmp_path / "root", 100)
    counts = price(work, tmp_path / "root")
    assert 401 <= counts["statx"] <= 401 + 12, counts
    assert 101 <= counts["openat"] <= 101 + 12, counts


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
