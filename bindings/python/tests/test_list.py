"""list against os.scandir, os.lstat, pwd and grp."""

from __future__ import annotations

import datetime
import errno
import grp
import os
import pwd
from pathlib import Path

import pytest

import fewer


def test_rows_are_those_of_scandir(tree: Path) -> None:
    rows = fewer.list(tree)
    entries = {entry.name: entry for entry in os.scandir(tree)}
    assert [row.name for row in rows] == sorted(entries)
    for row in rows:
        entry, expected = entries[row.name], os.lstat(row)
        assert (row.path, row.inode) == (entry.path, entry.inode())
        assert row.stat is not None and row.error is None and row.target is None
        assert row.stat.st_mode == expected.st_mode and row.stat.size == expected.st_size
        assert row.stat.modified_ns == expected.st_mtime_ns
        assert row.stat.modified == datetime.datetime.fromtimestamp(
            expected.st_mtime_ns // 1000 / 1_000_000, datetime.timezone.utc
        ).replace(microsecond=expected.st_mtime_ns // 1000 % 1_000_000)
        assert row.stat.device == expected.st_dev and row.stat.links == expected.st_nlink


def test_it_is_a_sequence(tree: Path) -> None:
    rows = fewer.list(tree)
    assert len(rows) == len(os.listdir(tree))
    assert rows[-1].name == rows[len(rows) - 1].name
    assert [row.name for row in reversed(rows)] == sorted(os.listdir(tree), reverse=True)
    for place in (len(rows), -len(rows) - 1):
        with pytest.raises(IndexError):
            rows[place]
    assert repr(rows) == f"<fewer.Listing of {str(tree)!r}, {len(rows)} entries>"


def test_orders(tmp_path: Path) -> None:
    for name, size, time in (("f10", 1, 30), ("f9.a", 3, 20), ("f1.b", 2, 10)):
        (tmp_path / name).write_bytes(b"x" * size)
        os.utime(tmp_path / name, (time, time))
    (tmp_path / "z").mkdir()
    os.utime(tmp_path / "z", (0, 0))

    def names(**how: object) -> "list[str]":
        return [row.name for row in fewer.list(tmp_path, **how)]  # type: ignore[call-overload]

    assert names() == ["f1.b", "f10", "f9.a", "z"]
    assert names(reverse=True) == ["z", "f9.a", "f10", "f1.b"]
    assert names(sort="version") == ["f1.b", "f9.a", "f10", "z"]
    assert names(sort="modified") == ["f10", "f9.a", "f1.b", "z"]
    assert names(sort="size", fields=())[1:] == ["f9.a", "f1.b", "f10"]
    assert names(directories_first=True)[0] == "z"
    assert names(sort=None) == os.listdir(tmp_path)
    with pytest.raises(ValueError, match="'colour' is no order"):
        names(sort="colour")


def test_links_owners_and_fields(tree: Path) -> None:
    rows = {row.name: row for row in fewer.list(tree, links=True, owners=True)}
    assert rows["to-nothing"].target == "nowhere" and rows["6"].target is None
    assert rows["6"].user_name == pwd.getpwuid(os.getuid()).pw_name
    assert rows["6"].group_name == grp.getgrgid(os.stat(tree / "6").st_gid).gr_name
    assert all(row.stat is None for row in fewer.list(tree, fields=[], sort=None))
    assert {row.kind for row in fewer.list(tree, fields=[])} >= {"file", "directory", "fifo"}
    only_size = fewer.list(tree, fields="size")[1]
    assert only_size.stat is not None and only_size.stat.created is None
    with pytest.raises(ValueError, match="'colour' is no field"):
        fewer.list(tree, fields=["colour"])  # type: ignore[list-item]


def test_following(tree: Path) -> None:
    rows = {row.name: row for row in fewer.list(tree, follow=True)}
    assert rows["to-directory"].kind == "directory"
    error = rows["to-nothing"].error
    assert isinstance(error, FileNotFoundError) and error.errno == errno.ENOENT
    assert error.filename == str(tree / "to-nothing")


def test_hidden_bytes_and_default_path(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [row.name for row in fewer.list()] == sorted(os.listdir())
    assert ".hidden" not in [row.name for row in fewer.list(hidden=False)]
    assert [row.name for row in fewer.list(b"d")] == sorted(os.listdir(b"d"))
    assert os.fsencode(fewer.list("d")[-1].name) == b"\xff\xfe"


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        fewer.list(tmp_path / "missing")
    assert caught.value.filename == str(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        fewer.list(tmp_path / "file")


def test_a_large_directory(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"{number:05}").touch()
    rows = fewer.list(tmp_path)
    assert [row.name for row in rows] == [f"{number:05}" for number in range(3000)]
    assert all(row.stat is not None and row.stat.inode == row.inode for row in rows)
