"""How much space trees take, against du; and what there is in them."""

from __future__ import annotations

import datetime
import errno
import os
import subprocess
from pathlib import Path

import pytest

import fewer


@pytest.fixture
def full(tree: Path) -> Path:
    """A tree with a large file, a hole, and files with several names."""
    (tree / "a" / "large.bin").write_bytes(b"x" * 70000)
    (tree / "a" / "b" / "hole").touch()
    os.truncate(tree / "a" / "b" / "hole", 1 << 20)
    os.link(tree / "a" / "large.bin", tree / "d" / "second.txt")
    return tree


def du(*words: "str | Path") -> "dict[str, int]":
    said = subprocess.run(["du", *map(os.fspath, words)], check=True, stdout=subprocess.PIPE)
    rows = [line.split(b"\t", 1) for line in said.stdout.split(b"\0") if line]
    return {os.fsdecode(path): int(number) for number, path in rows}


def test_sums_are_those_of_du(full: Path) -> None:
    (row,) = fewer.size(full)
    assert row.path == str(full) and row.kind == "directory" and row.depth == 0
    assert row.allocated == du("-0sB1", full)[row.path]
    assert row.size == du("-0s", "--apparent-size", "-B1", full)[row.path]
    (row,) = fewer.size(full, count_links=True)
    assert row.allocated == du("-0slB1", full)[row.path]
    rows = fewer.size(full, depth=None, files=True)
    assert {row.path: row.allocated for row in rows} == du("-0aB1", full)
    rows = fewer.size(full, depth=2)
    assert {row.path: row.allocated for row in rows} == du("-0B1", "-d2", full)
    assert [row.path for row in rows] == sorted(row.path for row in rows)
    assert {row.depth for row in rows} == {0, 1, 2}
    here = fewer.size(os.fsencode(full / "a"), os.fsencode(full / "d"))
    sums = du("-0sB1", full / "a", full / "d")
    assert {os.fsdecode(row.path): row.allocated for row in here} == sums


def test_keywords_say_what_counts(full: Path) -> None:
    (row,) = fewer.size(full, kinds="f", glob="*.txt")
    texts = {os.stat(path).st_ino: path.stat().st_size for path in full.rglob("*.txt")}
    assert row.size == sum(texts.values()) and row.entries == len(texts)
    for word in ("sort", "since"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{word}'"):
            fewer.size(full, **{word: None})  # type: ignore
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{word}'"):
            fewer.summary(full, **{word: None})  # type: ignore
    with pytest.raises(ValueError):
        fewer.size(full, depth=-1)


def test_a_summary(full: Path) -> None:
    found = fewer.summary(full)
    (row,) = fewer.size(full)
    assert found.all.allocated == row.allocated and found.all.size == row.size
    below = [Path(top) / name for top, dirs, names in os.walk(full) for name in dirs + names]
    files = [path for path in below if path.is_file() and not path.is_symlink()]
    assert found.files.entries == len(files)
    assert found.links.entries == sum(path.is_symlink() for path in below)
    assert found.other == fewer.Space(1, 0, 0)
    sizes = {os.stat(path).st_ino: path.stat().st_size for path in files}
    assert found.files.size == sum(sizes.values())
    assert found.largest[:2] == [(f"{full}/a/b/hole", 1 << 20), (f"{full}/a/large.bin", 70000)]
    assert len(found.largest) == len(sizes)
    assert found.extensions["py"].size == len("a/b/c/3.py")
    assert found.extensions["bin"].size == 70000 and found.extensions["txt"].entries == 4
    assert found.deepest is not None and found.deepest[1] == 4
    assert found.newest is not None
    path = max(files, key=lambda path: path.stat().st_mtime_ns)
    seconds = path.stat().st_mtime_ns // 10**9
    assert found.newest[1].replace(microsecond=0) == datetime.datetime.fromtimestamp(
        seconds, datetime.timezone.utc
    )
    empty = fewer.summary(full, glob="no such name")
    assert empty.all == fewer.Space(0, 0, 0) and empty.oldest is None and empty.extensions == {}


def test_errors(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for measure in (fewer.size, fewer.summary):
        with pytest.raises(FileNotFoundError) as caught:
            measure(missing)
        assert caught.value.filename == str(missing)
        errors: "list[OSError]" = []
        measure(missing, tmp_path, on_error=errors.append)
        assert [error.errno for error in errors] == [errno.ENOENT]
        measure(missing, on_error="ignore")

        def refuse(error: OSError) -> None:
            raise KeyError

        with pytest.raises(KeyError):
            measure(missing, on_error=refuse)
    with fewer.Scope(tmp_path) as scope:
        assert fewer.size(scope=scope)[0].path == "."
