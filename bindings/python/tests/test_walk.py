"""walk, paths and iter_paths against os.walk, pathlib and fnmatch."""

from __future__ import annotations

import errno
import fnmatch
import gc
import os
import stat
import threading
from pathlib import Path

import pytest

import fewer
from conftest import everything


def test_paths_are_those_of_os_walk(tree: Path) -> None:
    assert sorted(fewer.paths(str(tree))) == sorted(everything(str(tree)))


def test_bytes_in_bytes_out(tree: Path) -> None:
    root = os.fsencode(tree)
    assert sorted(fewer.paths(root)) == sorted(everything(root))


def test_a_path_object_gives_str(tree: Path) -> None:
    assert sorted(fewer.paths(tree)) == sorted(everything(str(tree)))
    assert set(fewer.iter_paths(tree)) == set(fewer.paths(tree))


def test_names_that_are_not_utf_8_come_out_as_os_fsdecode_has_them(tree: Path) -> None:
    name = os.fsdecode(b"\xff\xfe")
    assert [entry.name for entry in fewer.walk(tree / "d", glob="[!0-9u]*", min_depth=1)] == [name]


def test_sorted_is_depth_first_by_bytes(tree: Path) -> None:
    found = fewer.paths(os.fsencode(tree), sort=True)
    assert found == sorted(found, key=lambda path: path.split(b"/"))
    assert found == fewer.paths(os.fsencode(tree), sort=True, threads=1)


def test_entries_know_what_they_are(tree: Path) -> None:
    kinds = {
        stat.S_IFREG: "file",
        stat.S_IFDIR: "directory",
        stat.S_IFLNK: "symlink",
        stat.S_IFIFO: "fifo",
    }
    for entry in fewer.walk(tree):
        expected = os.lstat(entry)
        assert entry.kind == kinds[stat.S_IFMT(expected.st_mode)]
        assert entry.inode == expected.st_ino
        assert entry.name == os.path.basename(entry.path)
        assert entry.depth == len(Path(entry.path).relative_to(tree).parts)
        assert os.fspath(entry) == entry.path
        assert repr(entry) == f"<fewer.Entry {entry.path!r}, {entry.kind}>"
        answer = entry.stat()
        for field in (
            "st_mode st_ino st_dev st_nlink st_uid st_gid st_size st_blocks st_rdev st_mtime_ns "
            "st_ctime_ns st_mtime st_ctime"
        ).split():
            assert getattr(answer, field) == getattr(expected, field), field


def test_links_say_where_they_point(tree: Path) -> None:
    links = {entry.name: entry.read_link() for entry in fewer.walk(tree, kinds="l")}
    assert links.pop("up") == ".."
    assert links == {name: os.readlink(tree / name) for name in links}
    with pytest.raises(OSError) as caught:
        next(fewer.walk(tree)).read_link()
    assert caught.value.errno == errno.EINVAL


@pytest.mark.parametrize("kinds", ["dir", "link", "f", "file", ["f"], ("d", "symlink"), {"p"}, "l"])
def test_kinds(tree: Path, kinds: "str | list[str]") -> None:
    letters = {"file": "f", "symlink": "l", "directory": "d", "fifo": "p", "dir": "d", "link": "l"}
    wanted = {letters.get(word, word) for word in ([kinds] if isinstance(kinds, str) else kinds)}
    expected = [e.path for e in fewer.walk(tree) if letters[e.kind] in wanted]
    assert sorted(fewer.paths(tree, kinds=kinds)) == sorted(expected)


def test_globs_and_depths(tree: Path) -> None:
    names = [entry.name for entry in fewer.walk(tree)]
    assert sorted(e.name for e in fewer.walk(tree, glob="*.txt")) == sorted(
        fnmatch.filter(names, "*.txt")
    )
    found = [entry.name for entry in fewer.walk(tree, glob=["*.TXT", "6"], ignore_case=True)]
    assert sorted(found) == sorted(
        fnmatch.filter(names, "*.txt") + ["6"]
    )
    assert not [e for e in fewer.walk(tree, exclude="b") if "/b" in e.path]
    assert {e.depth for e in fewer.walk(tree, min_depth=1, max_depth=2)} == {1, 2}
    assert fewer.paths(tree, max_depth=0) == [str(tree)]
    assert not [p for p in fewer.paths(tree, hidden=False) if ".hidden" in p]


def test_following_links_finds_loops(tree: Path) -> None:
    errors: "list[OSError]" = []
    found = fewer.paths(tree, follow=True, on_error=errors.append)
    assert str(tree / "to-directory" / "1.txt") in found
    assert {error.errno for error in errors} == {errno.ELOOP}


def test_an_error_is_raised_in_its_place_and_the_walk_goes_on(tree: Path) -> None:
    walk = fewer.walk(tree, follow=True)
    seen, errors = [], []
    while True:
        try:
            seen.append(next(walk).path)
        except StopIteration:
            break
        except OSError as error:
            errors.append(error)
    assert len(errors) == 1 and errors[0].filename == str(tree / "d" / "up")
    assert len(seen) == len(fewer.paths(tree, follow=True, on_error=lambda _: None))


def test_a_missing_root(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        fewer.paths(missing)
    assert caught.value.errno == errno.ENOENT
    assert caught.value.strerror == os.strerror(errno.ENOENT)
    assert caught.value.filename == str(missing)
    assert fewer.message(caught.value).endswith(f"'{missing}': No such file or directory")
    with pytest.raises(FileNotFoundError) as caught_bytes:
        fewer.paths(os.fsencode(missing))
    assert caught_bytes.value.filename == os.fsencode(missing)


def test_what_is_wrong_with_arguments_is_said() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'sorted'"):
        fewer.walk(".", sorted=True)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not int"):
        fewer.paths(3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="embedded null byte"):
        fewer.paths("a\0b")
    with pytest.raises(ValueError, match="'x' is no kind"):
        fewer.paths(".", kinds="x")
    with pytest.raises(ValueError):
        fewer.paths(".", glob="[")
    with pytest.raises(TypeError, match="on_error"):
        fewer.paths(".", on_error=1)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="expected a number from 0 on, not -1"):
        fewer.paths(".", max_depth=-1)


def test_what_a_callback_raises_ends_the_list(tree: Path) -> None:
    class Enough(Exception):
        pass

    def refuse(error: OSError) -> None:
        raise Enough from error

    with pytest.raises(Enough):
        fewer.paths(tree, follow=True, on_error=refuse)


def test_a_callback_cannot_take_from_the_walk_it_is_called_by(tree: Path) -> None:
    errors = []

    def collect(error: OSError) -> None:
        with pytest.raises(RuntimeError, match="already in use"):
            next(walk)
        errors.append(error)

    walk = fewer.walk(tree, follow=True, on_error=collect)
    assert list(walk) and len(errors) == 1


def test_a_path_longer_than_the_kernel_takes(tmp_path: Path) -> None:
    top = os.open(tmp_path, os.O_RDONLY)
    at, depth = os.dup(top), 60
    for _ in range(depth):
        os.mkdir("n" * 100, dir_fd=at)
        inner = os.open("n" * 100, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    os.close(top)
    entries = list(fewer.walk(tmp_path, sort=True))
    assert len(entries) == depth + 1 and len(entries[-1].path) > 6000
    assert entries[-1].stat(fields=["kind"]).kind == "directory"
    fewer.Scope(tmp_path).run(["rm", "-r", "n" * 100], check=True)


def test_many_threads_walk_at_once_and_share_one_walk(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "file").touch()
    expected = sorted(fewer.paths(tmp_path))
    shared = fewer.iter_paths(tmp_path)
    own: "list[list[str]]" = []
    parts: "list[list[str]]" = []

    def work() -> None:
        own.append(fewer.paths(tmp_path))
        parts.append(list(shared))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sorted(paths) == expected for paths in own)
    assert sorted(path for part in parts for path in part) == expected


def test_a_walk_that_is_given_up_leaves_no_descriptors(tmp_path: Path) -> None:
    for number in range(600):
        (tmp_path / str(number)).mkdir()
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        next(fewer.walk(tmp_path))
        next(fewer.iter_paths(tmp_path))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
