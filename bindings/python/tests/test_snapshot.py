"""Snapshots, against what os.walk sees before and after."""

from __future__ import annotations

import errno
import gc
import os
import threading
from pathlib import Path

import pytest
from conftest import everything

import fewer


def found(changes: "fewer.Changes[str]", root: Path) -> "list[tuple[str, ...]]":
    def below(path: "str | None") -> "tuple[str, ...]":
        return () if path is None else (os.path.relpath(path, root),)

    return [(one.change, *below(one.from_path), *below(one.path)) for one in changes]


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_walk_since_a_snapshot_has_what_os_walk_has(tree: Path, as_bytes: bool) -> None:
    root = os.fsencode(tree) if as_bytes else str(tree)
    before = fewer.Snapshot.make(root)  # type: ignore
    assert len(before) == len(everything(root)) - 1
    assert before.directories == sum(1 for _ in os.walk(root))
    assert before.paths == [root] and not before.has_stat
    (tree / "a" / "b" / "new").mkdir()
    (tree / "a" / "1.txt").unlink()
    (tree / "d").rename(tree / "e")
    for keywords in ({}, {"threads": 1}, {"sort": True}, {"kinds": "f"}, {"glob": "*.txt"}):
        fresh = fewer.paths(root, **keywords)  # type: ignore
        assert sorted(fewer.paths(root, since=before, **keywords)) == sorted(fresh)  # type: ignore
    assert sorted(fewer.paths(root, since=before)) == sorted(everything(root))
    assert sorted(e.path for e in fewer.walk(root, since=before)) == sorted(everything(root))
    assert sorted(fewer.iter_paths(root, since=before)) == sorted(everything(root))
    assert fewer.paths(root, since=None, sort=True) == fewer.paths(root, sort=True)


def test_changes(tree: Path) -> None:
    before = fewer.Snapshot.make(tree)
    assert list(before.changes()) == []
    (tree / "a" / "b" / "new").mkdir()
    (tree / "a" / "b" / "new" / "file").touch()
    (tree / "a" / "1.txt").unlink()
    (tree / "d").rename(tree / "e")
    expected = [
        ("removed", "a/1.txt"),
        ("added", "a/b/new"),
        ("added", "a/b/new/file"),
        ("renamed", "d", "e"),
    ]
    changes = before.changes()
    after = changes.snapshot
    assert found(changes, tree) == expected and found(changes, tree) == []
    assert found(before.changes(after), tree) == expected
    assert found(before.changes(tree), tree) == expected
    assert found(before.changes(str(tree)), tree) == expected
    kinds = [change.kind for change in before.changes(after)]
    assert kinds == ["file", "directory", "file", "directory"]
    assert after == changes.snapshot and after != before
    assert list(after.changes(fewer.Snapshot.make(tree, since=before))) == []
    assert list(after.changes()) == []
    assert repr(next(before.changes())) == f"<fewer.Change: removed '{tree}/a/1.txt'>"
    assert repr(list(before.changes())[-1]) == f"<fewer.Change: renamed '{tree}/d' to '{tree}/e'>"


def test_with_stat_contents_and_permissions_count(tree: Path) -> None:
    before = fewer.Snapshot.make(tree, stat=True)
    assert before.has_stat
    (tree / "6").write_text("more than before")
    (tree / "a" / "1.txt").chmod(0o600)
    assert found(before.changes(), tree) == [("changed", "6"), ("changed", "a/1.txt")]
    assert list(fewer.Snapshot.make(tree).changes()) == []


def test_what_is_left_out_stays_left_out(tree: Path) -> None:
    (tree / ".gitignore").write_text("*.o\n")
    before = fewer.Snapshot.make(tree, gitignore=True, exclude=["b"], hidden=True)
    (tree / "a" / "x.o").touch()
    (tree / "a" / "x.c").touch()
    (tree / "a" / "b" / "y").touch()
    file = tree.parent / "snapshot"
    before.write(file)
    for snapshot in (before, fewer.Snapshot.read(file)):
        assert found(snapshot.changes(), tree) == [("added", "a/x.c")]
    only = fewer.Snapshot.make(tree, max_depth=1)
    (tree / "d" / "z").touch()
    assert found(only.changes(), tree) == [] and only.directories == 4


def test_one_of_several_paths(tree: Path) -> None:
    before = fewer.Snapshot.make(tree / "a", tree / "d")
    assert before.paths == [str(tree / "a"), str(tree / "d")]
    (tree / "a" / "x").touch()
    (tree / "d" / "y").touch()
    assert found(before.changes(), tree) == [("added", "a/x"), ("added", "d/y")]
    assert found(before.changes(tree / "d"), tree) == [("added", "d/y")]
    with pytest.raises(ValueError, match="not made of this path"):
        before.changes(tree)
    with pytest.raises(TypeError, match="expected a snapshot"):
        before.changes(3)  # type: ignore


def test_a_file_keeps_it(tree: Path, tmp_path: Path) -> None:
    before = fewer.Snapshot.make(tree)
    file = tmp_path / "snapshot"
    before.write(file)
    assert file.read_bytes() == bytes(before)
    read = fewer.Snapshot.read(file)
    assert read == before and bytes(read) == bytes(before) and read.paths == before.paths
    assert fewer.Snapshot.read(os.fsencode(file)).paths == [os.fsencode(tree)]
    assert repr(read) == f"<fewer.Snapshot: {len(read)} entries, {read.directories} directories>"


def test_what_is_no_snapshot(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"no snapshot")
    with pytest.raises(OSError) as caught:
        fewer.Snapshot.read(file)
    assert caught.value.errno == errno.EBADMSG and caught.value.filename == str(file)
    assert fewer.action(caught.value) == "read snapshot"
    assert fewer.message(caught.value) == f"cannot use snapshot '{file}': it is not a snapshot"
    with pytest.raises(FileNotFoundError) as missing:
        fewer.Snapshot.read(tmp_path / "none")
    assert missing.value.filename == str(tmp_path / "none")
    snapshot = fewer.Snapshot.make(tmp_path)
    with pytest.raises(FileNotFoundError) as unwritten:
        snapshot.write(tmp_path / "none" / "snapshot")
    assert unwritten.value.errno == errno.ENOENT


def test_errors_of_the_walk(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        fewer.Snapshot.make(missing)
    assert caught.value.filename == str(missing)
    errors: "list[OSError]" = []
    snapshot = fewer.Snapshot.make(missing, tmp_path, on_error=errors.append)
    assert [error.errno for error in errors] == [errno.ENOENT]
    assert snapshot.paths == [str(missing), str(tmp_path)]
    nothing = fewer.Snapshot.make(missing, on_error="ignore")
    assert len(nothing) == 0 and list(nothing.changes(on_error="ignore")) == []
    missing.touch()
    assert found(nothing.changes(), tmp_path) == [("added", "missing")]
    with pytest.raises(ValueError):
        fewer.Snapshot.make(tmp_path, exclude="[")
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        fewer.Snapshot.make(tmp_path, kinds="f")  # type: ignore
    with pytest.raises(TypeError, match="all str or all bytes"):
        fewer.Snapshot.make("a", b"b")  # type: ignore


def test_paths_are_relative_to_a_scope(tree: Path) -> None:
    with fewer.Scope(tree) as scope:
        before = fewer.Snapshot.make("a", scope=scope)
        (tree / "a" / "x").touch()
        assert [change.path for change in before.changes(scope=scope)] == ["a/x"]
        assert "a/x" in fewer.paths("a", since=before, scope=scope)


def test_threads_share_one(tree: Path) -> None:
    before, expected = fewer.Snapshot.make(tree), sorted(fewer.paths(tree))
    wrong: "list[object]" = []

    def work() -> None:
        for _ in range(20):
            if sorted(fewer.paths(tree, since=before)) != expected or list(before.changes()):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_go_on_while_it_is_made(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / str(number)).mkdir()
    ended = threading.Event()
    turns = 0

    def work() -> None:
        for _ in range(20):
            fewer.Snapshot.make(tmp_path).changes()
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        turns += 1
    thread.join()
    assert turns > 20


def test_nothing_stays_open(tree: Path) -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        snapshot = fewer.Snapshot.make(tree)
        next(fewer.walk(tree, since=snapshot))
        next(snapshot.changes(), None)
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
