"""Entries, answers and listings as objects: equal, hashed, copied, pickled, sliced, closed."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import threading
import time
import weakref
from pathlib import Path
from typing import Callable

import pytest

import fewer


def test_entries_are_equal_if_they_say_the_same(tree: Path) -> None:
    first, second = (list(fewer.walk(tree, sort=True)) for _ in range(2))
    assert first == second and set(first) == set(second) and len(set(first)) == len(first)
    assert first[0] != first[1] and first[0] != str(tree) and not first[0] == None  # noqa: E711
    assert first[0] != next(fewer.walk(os.fsencode(tree)))
    with pytest.raises(TypeError):
        first[0] < second[0]  # type: ignore[operator]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_entries_are_pickled(tree: Path, protocol: int) -> None:
    for root in (str(tree), os.fsencode(tree)):
        for follow in (False, True):
            for entry in fewer.walk(root, follow=follow, on_error="ignore"):
                again = pickle.loads(pickle.dumps(entry, protocol))
                assert (again, repr(again), hash(again)) == (entry, repr(entry), hash(entry))
                assert (again.path, again.name) == (entry.path, entry.name)
                if os.fsencode(entry.name) != b"to-nothing":
                    assert again.stat() == entry.stat()
                    assert hash(again.stat()) == hash(entry.stat())
                assert copy.copy(entry) is entry and copy.deepcopy([entry])[0] is entry


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_answers_are_pickled(tree: Path, protocol: int) -> None:
    os.utime(tree / "6", ns=(-1_500_000_001, 2**62))
    for row in fewer.list(tree):
        answer = row.stat
        assert answer is not None
        again = pickle.loads(pickle.dumps(answer, protocol))
        assert again == answer and repr(again) == repr(answer) and again is not answer
        for name in dir(answer):
            if not name.startswith("_"):
                assert getattr(again, name) == getattr(answer, name), name
        assert copy.copy(answer) is answer and copy.deepcopy(answer) is answer
    assert fewer.Scope().stat(tree) != fewer.Scope().stat(tree / "6")


def test_what_is_bound_to_this_process_is_not_pickled(tree: Path) -> None:
    scope = fewer.Scope(tree)
    entry = next(fewer.walk(".", scope=scope))
    for thing in (entry, scope, fewer.walk(tree), fewer.list(tree), fewer.lines(tree / "6")):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(thing)
    assert copy.copy(entry) is entry


def test_a_pickle_that_somebody_has_changed_is_refused() -> None:
    from fewer import _fewer

    make = getattr(_fewer, "_entry")
    with pytest.raises(ValueError, match="no pickled entry"):
        make("a", (0, 2), "file", 0, 0, False)
    with pytest.raises(ValueError, match="no pickled entry"):
        make("a", (2**32 - 1, 2**32 - 1), "file", 0, 0, False)
    with pytest.raises(ValueError, match="no pickled entry"):
        make("a", (0, 1), "nonsense", 0, 0, False)


def test_kinds_as_direntry_has_them(tree: Path) -> None:
    known = {entry.name: entry for entry in os.scandir(tree)}
    entries = {entry.name: entry for entry in fewer.walk(tree, min_depth=1, max_depth=1)}
    rows = {row.name: row for row in fewer.list(tree, fields=[])}
    assert known.keys() == entries.keys() == rows.keys()
    for name, theirs in known.items():
        for ours in (entries[name], rows[name]):
            assert ours.is_symlink() == theirs.is_symlink()
            assert ours.is_dir() == theirs.is_dir()
            assert ours.is_file() == theirs.is_file()
            for follow in (False, True):
                assert ours.is_dir(follow_symlinks=follow) == theirs.is_dir(follow_symlinks=follow)
                assert ours.is_file(follow_symlinks=follow) == theirs.is_file(
                    follow_symlinks=follow
                )
    (tree / "loop").symlink_to("loop")
    with pytest.raises(OSError):
        next(fewer.walk(tree, glob="loop")).is_dir()
    with fewer.Cost() as cost:
        entries["a"].is_dir(), entries["6"].is_file(), entries["to-file"].is_symlink()
        entries["to-file"].is_dir(follow_symlinks=False)
    assert cost.sum == 0
    with fewer.Cost() as cost:
        assert entries["to-file"].is_file()
    assert cost == {"statx": 1}


def test_kinds_relative_to_a_scope(tree: Path) -> None:
    scope = fewer.Scope(tree)
    assert next(fewer.walk("to-directory", scope=scope)).is_dir()
    assert {row.name: row for row in fewer.list("d", scope=scope)}["up"].is_dir()


def test_listings_are_sliced_as_lists_are(tree: Path) -> None:
    listing = fewer.list(tree)
    names = sorted(os.listdir(tree))
    edges = [None, 0, 1, 3, len(names), 100, -1, -3, -100]
    for start in edges:
        for stop in edges:
            for step in (None, 1, 2, 3, -1, -2, 100, -100):
                part = slice(start, stop, step)
                ours = listing[part]
                assert [row.name for row in ours] == names[part], part
                assert len(ours) == len(names[part])
                for again in (slice(1, None), slice(None, None, -1), slice(-2, 0, -1)):
                    assert [row.name for row in ours[again]] == names[part][again], (part, again)
    assert listing[2:][0].name == names[2] and listing[::-1][-1].name == names[0]
    assert [row.name for row in reversed(listing)] == names[::-1]
    assert repr(listing[:2]) == f"<fewer.Listing of {str(tree)!r}, 2 entries>"
    with pytest.raises(ValueError, match="zero"):
        listing[::0]
    for wrong in ("x", 1.5, None):
        with pytest.raises(TypeError, match="expected an integer or a slice, not"):
            listing[wrong]  # type: ignore[call-overload]
    for far in (len(names), -len(names) - 1, 2**100, -(2**100)):
        with pytest.raises(IndexError):
            listing[far]


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def come_to(count: int, what: Callable[[], int]) -> None:
    """A thread that has ended is listed for a moment yet."""
    for _ in range(3000):
        if what() <= count:
            return
        time.sleep(0.01)
    assert what() <= count


def test_with_ends_it_early(tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / str(number)).mkdir()
    running, held = threads(), descriptors()
    for begin in (fewer.walk, fewer.iter_paths, fewer.os_walk):
        with begin(tmp_path) as walk:
            assert iter(walk) is walk
            for _ in range(700 if begin is not fewer.os_walk else 3):
                next(walk)
        come_to(running, threads)
        assert descriptors() == held
        assert list(walk) == []
        walk.close()
        with pytest.raises(KeyError), begin(tmp_path) as walk:
            raise KeyError
        assert next(walk, None) is None


def test_what_is_dropped_half_way_is_ended(tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / str(number)).mkdir()

    def first(walk: "fewer.Walk[str]") -> "object":
        for entry in walk:
            yield entry

    running, held = threads(), descriptors()
    for _ in range(5):
        generator = first(fewer.walk(tmp_path))
        next(generator)  # type: ignore[call-overload]
        del generator
        next(fewer.lines("/proc/self/maps"))
    gc.collect()
    come_to(running, threads)
    assert descriptors() == held


def test_a_cycle_through_a_callback_is_collected(tree: Path) -> None:
    class Listener:
        walk: object = None

        def __call__(self, error: OSError) -> None:
            pass

    gc.collect()
    gc.disable()
    try:
        for begin in (fewer.walk, fewer.iter_paths):
            listener = Listener()
            listener.walk = begin(tree, on_error=listener)
            gone = weakref.ref(listener)
            del listener
            gc.collect()
            assert gone() is None, begin
        listener = Listener()
        listener.walk = fewer.os_walk(tree, onerror=listener)
        gone = weakref.ref(listener)
        del listener
        gc.collect()
        assert gone() is None
    finally:
        gc.enable()


def test_several_roots(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, d = tree / "a", tree / "d"
    assert fewer.paths(d, a, sort=True) == fewer.paths(d, sort=True) + fewer.paths(a, sort=True)
    assert [e.path for e in fewer.walk(str(d), a, max_depth=0, sort=True)] == [str(d), str(a)]
    with pytest.raises(TypeError, match="all str or all bytes"):
        fewer.paths(str(a), os.fsencode(d))  # type: ignore[call-overload]
    monkeypatch.chdir(tree)
    for everything in (fewer.paths(), list(fewer.iter_paths()), [e.path for e in fewer.walk()]):
        assert sorted(everything) == sorted(fewer.paths("."))


def test_what_becomes_of_errors(tree: Path) -> None:
    for begin in (fewer.paths, lambda *a, **k: list(fewer.iter_paths(*a, **k))):
        whole = begin(tree, follow=True, on_error="ignore")
        errors: "list[OSError]" = []
        assert sorted(begin(tree, follow=True, on_error=errors.append)) == sorted(whole)
        assert len(errors) == 1
        for word in ("raise", None):
            with pytest.raises(OSError):
                begin(tree, follow=True, on_error=word)
        for wrong in ("call", 1, b"raise", True):
            with pytest.raises(TypeError, match="on_error must be 'raise', 'ignore' or callable"):
                begin(tree, on_error=wrong)
    assert len(fewer.list(tree, on_error="ignore")) == len(fewer.list(tree))
    with pytest.raises(TypeError, match="on_error must be"):
        fewer.list(tree, on_error=3)  # type: ignore[call-overload]


def test_threads_of_python_share_one_walk_that_is_closed_meanwhile(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / str(number)).mkdir()
    walk = fewer.walk(tmp_path)
    seen = []
    workers = [threading.Thread(target=lambda: seen.extend(walk)) for _ in range(4)]
    for worker in workers:
        worker.start()
    walk.close()
    for worker in workers:
        worker.join(30)
        assert not worker.is_alive()
    assert len(set(seen)) == len(seen)
