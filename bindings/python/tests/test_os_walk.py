"""os_walk is compared with os.walk itself, tuple by tuple and in the same order."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import fewer


def grow(root: Path, seed: int) -> None:
    """A tree of directories, files and links, other than the last one."""
    chance = random.Random(seed)
    directories = [root]
    root.mkdir()
    for number in range(chance.randrange(1, 120)):
        parent = chance.choice(directories)
        what = chance.random()
        if what < 0.4:
            directories.append(parent / f"d{number}")
            directories[-1].mkdir()
        elif what < 0.8:
            (parent / f"f{number}é").touch()
        else:
            # Never to what is above: os.walk would go round and round.
            (parent / f"l{number}").symlink_to(
                chance.choice(["missing", "/etc/hostname", "/usr/include/linux/can"])
            )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("topdown", [True, False])
@pytest.mark.parametrize("followlinks", [True, False])
def test_the_tuples_are_the_same(
    tmp_path: Path, seed: int, topdown: bool, followlinks: bool
) -> None:
    root = tmp_path / "root"
    grow(root, seed)
    for top in (root, str(root), os.fsencode(root), f"{root}/", f"{root}//"):
        ours: "list[Any]" = list(fewer.os_walk(top, topdown, None, followlinks))
        theirs: "list[Any]" = list(os.walk(top, topdown, None, followlinks))
        assert ours == theirs


def test_relative_tops(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    for top in (".", "a", "a/", "./a", "..", "to-directory"):
        assert list(fewer.os_walk(top)) == list(os.walk(top))


def changed(walker: Any, root: str, change: Any) -> "list[Any]":
    seen = []
    for path, directories, files in walker(root):
        change(path, directories)
        seen.append((path, list(directories), files))
    return seen


def prune(path: str, directories: "list[str]") -> None:
    if "b" in directories:
        directories.remove("b")


def reorder(path: str, directories: "list[str]") -> None:
    directories.sort(reverse=True)


def replace(path: str, directories: "list[str]") -> None:
    directories[:] = [name for name in directories if name > "b"]


def clear(path: str, directories: "list[str]") -> None:
    directories.clear()


def add(path: str, directories: "list[str]") -> None:
    if path.endswith("/d"):
        os.makedirs(os.path.join(path, "new", "inner"), exist_ok=True)
        directories += ["new", "missing"]


def double(path: str, directories: "list[str]") -> None:
    directories += directories[:1]


@pytest.mark.parametrize("change", [prune, reorder, replace, clear, add, double])
def test_dirnames_may_be_changed_in_place(tree: Path, change: Any) -> None:
    theirs = changed(os.walk, str(tree), change)
    if change is add:
        # A second time it is there already.
        os.removedirs(tree / "d" / "new" / "inner")
    assert changed(fewer.os_walk, str(tree), change) == theirs


def test_what_is_added_must_be_a_name(tree: Path) -> None:
    walk = fewer.os_walk(tree)
    next(walk)[1].append("a/b")
    with pytest.raises(ValueError, match="name of a directory"):
        next(walk)


def test_errors_go_to_onerror(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for top in ("missing", "file", ""):
        for path in (top and str(tmp_path / top), os.fsencode(top and tmp_path / top)):
            ours: "list[OSError]" = []
            theirs: "list[OSError]" = []
            assert list(fewer.os_walk(path, onerror=ours.append)) == []
            assert list(os.walk(path, onerror=theirs.append)) == []
            assert [(type(e), e.errno, e.filename) for e in ours] == [
                (type(e), e.errno, e.filename) for e in theirs
            ]
            assert list(fewer.os_walk(path)) == []


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_directory_that_may_not_be_read_is_passed_over(tree: Path) -> None:
    (tree / "a").chmod(0)
    try:
        ours: "list[OSError]" = []
        theirs: "list[OSError]" = []
        assert list(fewer.os_walk(tree, onerror=ours.append)) == list(
            os.walk(tree, onerror=theirs.append)
        )
        assert [e.filename for e in ours] == [e.filename for e in theirs] == [str(tree / "a")]
    finally:
        (tree / "a").chmod(0o755)


def test_a_directory_that_vanishes_is_told(tree: Path) -> None:
    errors: "list[OSError]" = []
    for path, directories, _ in fewer.os_walk(tree, onerror=errors.append):
        if path == str(tree / "a"):
            os.rmdir(tree / "a" / "empty")
    assert [error.filename for error in errors] == [str(tree / "a" / "empty")]


def test_a_link_round_and_round_is_an_error(tree: Path) -> None:
    errors: "list[OSError]" = []
    list(fewer.os_walk(tree, followlinks=True, onerror=errors.append))
    assert [error.filename for error in errors] == [str(tree / "d" / "up")]


def test_what_onerror_raises_comes_out(tmp_path: Path) -> None:
    def refuse(error: OSError) -> None:
        raise error

    with pytest.raises(FileNotFoundError):
        list(fewer.os_walk(tmp_path / "missing", onerror=refuse))
