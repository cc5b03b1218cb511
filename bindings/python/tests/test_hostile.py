"""What a program may do to it: wrong types, odd names, little memory, forks, threads. Nothing
aborts, hangs, or is left behind; and what is said is what Python would say."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import fewer


def run(program: str, *arguments: object, timeout: float = 120) -> str:
    """What a program of its own prints; it must say nothing else, and end well."""
    words = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


class Thing:
    pass


class Lying:
    def __fspath__(self) -> int:
        return 3


class Raising:
    def __fspath__(self) -> str:
        raise KeyError("on purpose")

    def __index__(self) -> int:
        raise KeyError("on purpose")


PATH = "expected str, bytes or os.PathLike object, not "
INPUT = "expected str, bytes, os.PathLike or integer, not "
WRONG: "list[tuple[Callable[[], object], type[BaseException], str]]" = [
    *[
        (lambda take=take, wrong=wrong: take(wrong), TypeError, PATH + name)
        for take in (fewer.walk, fewer.paths, fewer.iter_paths, fewer.list, fewer.os_walk)
        for wrong, name in (
            (3, "int"),
            (True, "bool"),
            (1.5, "float"),
            ([], "list"),
            (Thing(), "Thing"),
            (bytearray(b"."), "bytearray"),
        )
    ],
    *[
        (lambda take=take, wrong=wrong: take(wrong), TypeError, INPUT + name)
        for take in (fewer.lines, fewer.read_lines, fewer.last_lines, fewer.count_lines)
        for wrong, name in (
            (None, "NoneType"),
            (True, "bool"),
            (1.5, "float"),
            ([], "list"),
            (Thing(), "Thing"),
        )
    ],
    (lambda: fewer.paths(Lying()), TypeError, "__fspath__() must return str or bytes, not int"),
    (lambda: fewer.read_lines(Lying()), TypeError, "must return str or bytes, not int"),
    (lambda: fewer.paths(Raising()), KeyError, "on purpose"),
    (lambda: fewer.read_lines(2**31), OverflowError, "too large"),
    (lambda: fewer.read_lines(-(2**70)), OverflowError, "too large"),
    (lambda: fewer.paths("."[:0] + "a\0b"), ValueError, "embedded null byte"),
    (lambda: fewer.paths(b"a\0b"), ValueError, "embedded null byte"),
    (lambda: fewer.read_lines("a\0b"), ValueError, "embedded null byte"),
    (lambda: fewer.read_lines("x", "a\0b"), ValueError, "embedded null"),
    (lambda: fewer.Scope("a\0b"), ValueError, "embedded null byte"),
    (lambda: fewer.paths("\ud800"), UnicodeEncodeError, "surrogates not allowed"),
    (lambda: fewer.paths(sort="x"), TypeError, "expected bool, not str"),
    (lambda: fewer.paths(sort=1), TypeError, "expected bool, not int"),
    (lambda: fewer.paths(sort=None), TypeError, "expected bool, not NoneType"),
    (lambda: fewer.paths(follow="no"), TypeError, "expected bool, not str"),
    (lambda: fewer.paths(gitignore="no"), TypeError, "expected bool, not str"),
    (lambda: fewer.paths(hidden=0), TypeError, "expected bool, not int"),
    (lambda: fewer.paths(ignore_case=0), TypeError, "expected bool, not int"),
    (lambda: fewer.paths(full_path=[]), TypeError, "expected bool, not list"),
    (lambda: fewer.paths(one_file_system="x"), TypeError, "expected bool, not str"),
    (lambda: fewer.list(reverse="x"), TypeError, "expected bool, not str"),
    (lambda: fewer.list(sort="x"), ValueError, "'x' is no order"),
    (lambda: fewer.read_lines("x", keep_ends="x"), TypeError, "expected bool, not str"),
    (lambda: fewer.os_walk(".", topdown="x"), TypeError, "expected bool, not str"),
    (lambda: fewer.os_walk(".", onerror=3), TypeError, "a callable or None as onerror, not int"),
    (lambda: fewer.paths(threads="x"), TypeError, "expected int, not str"),
    (lambda: fewer.paths(threads=True), TypeError, "expected int, not bool"),
    (lambda: fewer.paths(threads=-1), ValueError, "from 0 on, not -1"),
    (lambda: fewer.paths(max_depth=-(2**70)), ValueError, "from 0 on, not -1180591620717411303424"),
    (lambda: fewer.paths(min_depth=1.5), TypeError, "expected int, not float"),
    (lambda: fewer.list(threads=-1), ValueError, "from 0 on, not -1"),
    (lambda: fewer.last_lines("x", -1), ValueError, "from 0 on, not -1"),
    (lambda: fewer.last_lines("x", "y"), TypeError, "expected int, not str"),
    (lambda: fewer.paths(kinds=3), TypeError, "expected str or an iterable of str, not int"),
    (lambda: fewer.paths(kinds="x"), ValueError, "'x' is no kind"),
    (lambda: fewer.paths(glob=b"*"), TypeError, "expected str or an iterable of str, not bytes"),
    (lambda: fewer.paths(glob=[b"*"]), TypeError, "expected str or an iterable of str, not bytes"),
    (lambda: fewer.list(fields=3), TypeError, "expected str or an iterable of str, not int"),
    (lambda: fewer.list(fields="x"), ValueError, "'x' is no field"),
    (lambda: fewer.Scope().stat(".", fields=[3]), TypeError, "iterable of str, not int"),
    (lambda: fewer.Scope().run("ls"), TypeError, "a program and its arguments, not str"),
    (lambda: fewer.paths(scope="x"), TypeError, "'Scope'"),
    (lambda: fewer.read_lines("x", "no such encoding"), LookupError, "no such encoding"),
    (lambda: fewer.read_lines("x", "utf-16"), ValueError, "no newline in utf-16"),
    (lambda: fewer.read_lines("x", crlf=True, nul=True), ValueError, "exclude each other"),
    (lambda: fewer.paths(path="."), TypeError, "unexpected keyword argument 'path'"),
    (lambda: fewer.Entry(), TypeError, "cannot create"),
    (lambda: fewer.Stat(), TypeError, "cannot create"),
]


@pytest.mark.parametrize("index", range(len(WRONG)))
def test_what_is_wrong_is_said_as_python_says_it(index: int) -> None:
    work, kind, text = WRONG[index]
    with pytest.raises(kind) as caught:
        work()
    said = str(caught.value)
    assert text in said
    for internal in ("extract", "variant", "enum", "Vec", "PyBool", "panicked"):
        assert internal not in said


def test_the_keyword_is_named_in_a_note() -> None:
    if sys.version_info < (3, 11):
        pytest.skip("notes came with Python 3.11")
    for work in (lambda: fewer.paths(sort="x"), lambda: fewer.list(reverse="x")):  # type: ignore
        with pytest.raises(TypeError) as caught:
            work()
        assert "'sort'" in str(caught.value.__notes__) or "'reverse'" in str(caught.value.__notes__)


def test_descriptors_that_are_none() -> None:
    for number in (-1, 999_999):
        for read in (fewer.lines, fewer.read_lines, fewer.last_lines, fewer.count_lines):
            with pytest.raises(OSError) as caught:
                read(number)
            assert caught.value.errno == 9 and caught.value.filename == str(number)
    with open("/dev/null") as file:
        pass
    with pytest.raises(ValueError, match="closed"):
        fewer.read_lines(file.fileno())
    with pytest.raises(TypeError, match=INPUT + "TextIOWrapper"):
        fewer.read_lines(file)  # type: ignore[call-overload]


def test_numbers_beyond_all_measure_are_no_limit(tree: Path) -> None:
    everything = sorted(fewer.paths(tree))
    assert sorted(fewer.paths(tree, max_depth=10**30, threads=10**30)) == everything
    assert fewer.paths(tree, min_depth=10**30) == [] == fewer.last_lines(tree / "6", 0)
    assert fewer.last_lines(tree / "6", 10**30) == ["6"] == fewer.last_lines("/dev/fd/0", 1)[:0] + [
        "6"
    ]
    assert fewer.count_lines(tree / "6", threads=0) == 1


def test_names_of_all_sorts(tmp_path: Path) -> None:
    names = [b"\xff", b"\xed\xa0\x80", b"\n", b" ", b"-", b"\\", b"\xf0\x9f\x90\x8d", b"'", b'"']
    root = os.fsencode(tmp_path)
    for name in names:
        with open(os.path.join(root, name), "wb") as file:
            file.write(name + b"\n")
    assert sorted(fewer.paths(root, min_depth=1)) == sorted(os.path.join(root, n) for n in names)
    for entry in fewer.walk(tmp_path, min_depth=1):
        assert os.fsencode(entry.name) in names
        assert entry.stat().size == len(os.fsencode(entry.name)) + 1
        repr(entry)
    for name in names:
        path = os.path.join(root, name)
        for spelled in (path, os.fsdecode(path), Path(os.fsdecode(path))):
            assert fewer.count_lines(spelled) == 1 + (name == b"\n")
            assert fewer.Scope(tmp_path).stat(os.fsdecode(name)).size == len(name) + 1
    assert sorted(os.fsencode(row.name) for row in fewer.list(tmp_path)) == sorted(names)


def test_keyword_errors_do_not_leak(tree: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = descriptors()
    for work, kind, _ in WRONG * 3:
        with pytest.raises(kind):
            work()
    for _ in range(50):
        with pytest.raises(OSError):
            fewer.paths(tree, follow=True)
        with pytest.raises(UnicodeDecodeError):
            fewer.read_lines(sys.executable)
    assert descriptors() == before


MEMORY = """
import os, resource, sys, threading
import fewer
root, sparse, large = sys.argv[1:]
def held():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * 4096
works = {
    "a line without an end": lambda: fewer.read_lines("/dev/zero"),
    "the same, one by one": lambda: next(fewer.lines("/dev/zero")),
    "the last line of them": lambda: fewer.last_lines("/dev/zero"),
    "a line of a sparse file": lambda: fewer.read_lines(sparse),
    "many lines": lambda: fewer.read_lines(large, None),
    "many lines, read ahead": lambda: fewer.lines(large, None).read(),
}
fewer.paths(root)
limit = held() + (96 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for name, work in works.items():
    try:
        work()
    except MemoryError as error:
        print(name)
"""


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1 << 40)
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(b"\n" * 20_000_000)
    return path


def test_too_little_memory_is_a_memory_error(tree: Path, sparse: Path, large: Path) -> None:
    printed = run(MEMORY, tree, sparse, large).splitlines()
    assert printed == [
        "a line without an end",
        "the same, one by one",
        "the last line of them",
        "a line of a sparse file",
        "many lines",
        "many lines, read ahead",
    ]


def test_too_little_memory_for_a_table(sparse: Path, large: Path) -> None:
    program = """
import resource, sys
import pyarrow, fewer
sparse, large = sys.argv[1:]
pyarrow.table(fewer.lines("/dev/null"))
with open("/proc/self/statm") as statm:
    limit = int(statm.read().split()[0]) * 4096 + (96 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for path in (sparse, large, "/dev/zero"):
    for encoding in ("utf-8", None):
        try:
            pyarrow.table(fewer.lines(path, encoding))
        except MemoryError:
            print(path)
"""
    expected = [str(sparse)] * 2 + [str(large)] * 2 + ["/dev/zero"] * 2
    assert run(program, sparse, large).splitlines() == expected


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    for number in range(1500):
        (tmp_path / "wide" / str(number)).mkdir(parents=True)
    return tmp_path / "wide"


FORKS = """
import gc, json, os, sys
import fewer
root = sys.argv[1]
walk, paths, fresh = fewer.walk(root), fewer.iter_paths(root), fewer.walk(root)
os_walk, lines = fewer.os_walk(root), fewer.lines("/proc/self/maps")
for _ in range(700):
    next(walk), next(paths)
next(os_walk), next(lines)
child = os.fork()
if child == 0:
    said = []
    for begun in (walk, paths):
        try:
            list(begun)
        except RuntimeError as error:
            said.append("forked off" in str(error))
    said.append(len(list(fresh)) == len(fewer.paths(root)) == 1501)
    said.append(len(list(os_walk)) == 1500 and len(list(lines)) > 0)
    del walk, paths
    gc.collect()
    print(json.dumps(said), flush=True)
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(json.dumps([status, len(list(walk)), len(list(paths))]))
"""


def test_a_fork_leaves_a_walk_with_the_parent(wide: Path) -> None:
    child, parent = map(json.loads, run(FORKS, wide).splitlines())
    assert child == [True, True, True, True]
    assert parent == [0, 801, 801]


def test_a_fork_while_another_thread_is_at_work(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    program = """
import fcntl, os, sys, termios, threading, time
import fewer
both = os.open(sys.argv[1], os.O_RDWR)
lines = fewer.lines(sys.argv[1])
reader = threading.Thread(target=lambda: next(lines), daemon=True)
reader.start()
# It reads when it has taken what is there, and waits for the rest of the line.
os.write(both, b"o")
while fcntl.ioctl(both, termios.FIONREAD, bytes(4)) != bytes(4):
    time.sleep(0.01)
child = os.fork()
if child == 0:
    try:
        next(lines)
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
os.write(both, b"ne\\n")
reader.join()
"""
    # Python itself warns of forks with threads, from 3.12 on.
    said = run("import warnings; warnings.simplefilter('ignore')\n" + program, tmp_path / "fifo")
    assert "forked off" in said


def walked(root: str) -> int:
    return len(fewer.paths(root))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(wide: Path, method: str) -> None:
    program = """
import multiprocessing, sys, warnings
warnings.simplefilter("ignore")
import fewer
def work(root):
    return len(fewer.paths(root)), next(fewer.walk(root))
if __name__ == "__main__":
    fewer.paths(sys.argv[1])
    with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
        for count, entry in pool.map(work, [sys.argv[1]] * 4):
            assert count == 1501 and entry == next(fewer.walk(sys.argv[1])), count
    print("done")
"""
    path = wide.parent / "program.py"
    path.write_text(program)
    done = subprocess.run(
        [sys.executable, path, wide, method], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


def test_asyncio(wide: Path, tree: Path) -> None:
    async def main() -> "list[int]":
        walks = [asyncio.to_thread(fewer.paths, wide) for _ in range(8)]
        counts = [asyncio.to_thread(fewer.count_lines, tree / "6") for _ in range(8)]
        return [len(paths) for paths in await asyncio.gather(*walks)] + list(
            await asyncio.gather(*counts)
        )

    assert asyncio.run(main()) == [1501] * 8 + [1] * 8


def test_threads_share_one_of_each(wide: Path, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("".join(f"{number}\n" for number in range(200_000)))
    listing = fewer.list(wide)
    shared: "list[Iterator[Any]]" = [
        fewer.walk(wide),
        fewer.iter_paths(wide),
        fewer.os_walk(str(wide)),
        fewer.lines(text),
        iter(listing),
    ]
    for one in shared:
        parts: "list[list[Any]]" = [[] for _ in range(6)]
        workers = [threading.Thread(target=part.extend, args=(one,)) for part in parts]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
            assert not worker.is_alive()
        counts = {"Lines": 200_000, "OsWalk": 1501, "Rows": 1500}
        assert sum(map(len, parts)) == counts.get(type(one).__name__, 1501)


def test_an_interpreter_inside_is_refused_not_crashed() -> None:
    program = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
inner = interpreters.create()
try:
    failed = interpreters.run_string(inner, "import fewer")
    print("ImportError" if failed is None or "ImportError" in str(failed) else failed)
except Exception as error:
    print("ImportError" if "ImportError" in str(error) else error)
"""
    assert run(program) == "ImportError\n"


def test_the_end_of_the_interpreter(wide: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    program = """
import os, sys, threading, time
import fewer
both = os.open(sys.argv[2], os.O_RDWR)
walk = fewer.walk(sys.argv[1])
for _ in range(700):
    next(walk)
works = [
    lambda: fewer.read_lines(sys.argv[2]),
    lambda: fewer.count_lines("/dev/zero"),
    lambda: [fewer.paths(sys.argv[1]) for _ in range(100_000)],
    lambda: [0 for _ in fewer.lines("/dev/urandom", None)],
]
for work in works:
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
print("end")
"""
    for _ in range(3):
        assert run(program, wide, tmp_path / "fifo") == "end\n"


def test_a_callback_that_does_everything_wrong(tree: Path) -> None:
    def collect(error: OSError) -> None:
        for work in (lambda: next(walk), walk.close, lambda: list(walk)):
            with pytest.raises(RuntimeError, match="already in use"):
                work()
        fewer.paths(tree)
        errors.append(error)

    errors: "list[OSError]" = []
    walk = fewer.walk(tree, follow=True, on_error=collect)
    assert len(list(walk)) > 10 and len(errors) == 1
