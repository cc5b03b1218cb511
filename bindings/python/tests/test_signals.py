"""Ctrl-C works wherever something has to be waited for."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import signal
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pyarrow
import pytest

import fewer


class Rung(Exception):
    pass


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """What a handler raises while garbage is collected is lost: in a callback of the collector, as
    hypothesis has one, or in that of a weak reference to what an earlier test left.
    """
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def bell() -> Iterator[Callable[[float], None]]:
    """A signal, whose handler raises."""

    def ring(number: int, frame: object) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    # More than once: a signal that comes just before the call that waits is not noticed by it.
    yield lambda seconds: (signal.setitimer(signal.ITIMER_REAL, seconds, 0.5), None)[1]
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "fifo")
    return tmp_path / "fifo"


def wait_until_taken(pipe: int) -> None:
    """Waits until somebody has read all that was written into a pipe."""
    for _ in range(3000):
        if fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)) == bytes(4):
            return
        time.sleep(0.01)
    raise AssertionError("nobody reads")


@pytest.mark.parametrize(
    "work",
    [
        fewer.read_lines,
        fewer.count_lines,
        fewer.last_lines,
        lambda path: fewer.Scope().open(path),
    ],
)
def test_opening_a_fifo_is_interrupted(fifo: Path, bell: Any, work: Any) -> None:
    bell(0.1)
    begun = time.monotonic()
    with pytest.raises(Rung):
        work(fifo)
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    "work",
    [
        fewer.read_lines,
        fewer.count_lines,
        fewer.last_lines,
        lambda path: next(fewer.lines(path)),
        lambda path: fewer.lines(path).count(),
        lambda path: fewer.lines(path).read(),
    ],
)
def test_reading_a_fifo_is_interrupted(fifo: Path, bell: Any, work: Any) -> None:
    both = os.open(fifo, os.O_RDWR)
    try:
        bell(0.1)
        with pytest.raises(Rung):
            work(fifo)
    finally:
        os.close(both)


def test_nothing_is_lost_by_a_signal(fifo: Path) -> None:
    rung: "list[int]" = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))

    def write(both: int) -> None:
        for _ in range(3000):
            if len(rung) > 4:
                break
            time.sleep(0.01)
        os.write(both, b"ee\nfour\n")
        os.close(both)

    try:
        for work in (fewer.read_lines, fewer.last_lines):
            rung.clear()
            both = os.open(fifo, os.O_RDWR)
            os.write(both, b"one\ntwo\nthr")
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            writer = threading.Thread(target=write, args=(both,))
            writer.start()
            assert work(fifo) == ["one", "two", "three", "four"]
            writer.join()
            assert len(rung) > 4
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# What goes on without waiting for anybody, for minutes or for ever. Each is told where a sparse
# file of a terabyte is, and a directory in which nothing fits.
ENDLESS: "dict[str, Callable[[Path, Path], object]]" = {
    "count_lines, a device": lambda sparse, full: fewer.count_lines("/dev/zero"),
    "count_lines, a file": lambda sparse, full: fewer.count_lines(sparse),
    "count_lines, one thread": lambda sparse, full: fewer.count_lines(sparse, threads=1),
    "last_lines, a device": lambda sparse, full: fewer.last_lines("/dev/urandom", 3),
    "last_lines, a file": lambda sparse, full: fewer.last_lines(sparse),
    "lines, count": lambda sparse, full: fewer.lines("/dev/zero").count(),
    "read_lines": lambda sparse, full: fewer.read_lines("/dev/urandom", None),
    "lines, read": lambda sparse, full: fewer.lines("/dev/urandom", None).read(),
    "lines": lambda sparse, full: [0 for _ in fewer.lines("/dev/urandom", None)],
    "paths": lambda sparse, full: fewer.paths(*[full] * 50_000, glob="no such"),
    "paths, sorted": lambda sparse, full: fewer.paths(*[full] * 50_000, glob="no such", sort=True),
    "walk": lambda sparse, full: next(fewer.walk(*[full] * 50_000, glob="no such")),
    "os_walk": lambda sparse, full: [list(fewer.os_walk(full)) for _ in range(50_000)],
    "list": lambda sparse, full: [fewer.list(full) for _ in range(50_000)],
}


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1 << 40)
    return path


@pytest.fixture
def full(tmp_path: Path) -> Path:
    for number in range(300):
        (tmp_path / "full" / str(number)).mkdir(parents=True)
    return tmp_path / "full"


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_waits_is_interrupted(name: str, bell: Any, sparse: Path, full: Path) -> None:
    bell(0.2)
    with pytest.raises(Rung):
        ENDLESS[name](sparse, full)
    signal.setitimer(signal.ITIMER_REAL, 0)


@pytest.mark.parametrize("name", [name for name in ENDLESS if "read" not in name])
def test_control_c_ends_a_program(name: str, sparse: Path, full: Path) -> None:
    """As a user does it: a program, and SIGINT from outside."""
    interrupted(f"test_signals.ENDLESS[{name!r}]", sparse, full)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_large_directory_is_interrupted_in_its_middle(tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    for number in range(3000):
        (full / str(number)).symlink_to("x")
    program = f"""
import signal, sys, fewer
signal.signal(signal.SIGALRM, lambda number, frame: sys.exit(7))
signal.setitimer(signal.ITIMER_REAL, 0.2)
fewer.list({str(full)!r}, threads=1)
"""
    slowly = ["--trace=statx", "--inject=statx:delay_enter=300"]
    log = tmp_path / "log"
    strace = ["strace", "-f", "-qq", "-o", log, *slowly, sys.executable, "-c", program]
    done = subprocess.run(strace, capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    assert log.read_text().count("statx(") < 3000


def interrupted(work: str, first: Path, second: Path, before: str = "") -> None:
    program = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
import test_signals
{before}
print("begun", flush=True)
{work}(Path({str(first)!r}), Path({str(second)!r}))
"""
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    time.sleep(0.3)
    # A first one may come where Python itself passes over it: while a module is imported.
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        try:
            # Long enough for one that ends: a second one would come in the middle of its traceback.
            output, errors = process.communicate(timeout=20)
            break
        except subprocess.TimeoutExpired:
            continue
    else:
        process.kill()
        output, errors = process.communicate()
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    assert process.returncode == -signal.SIGINT


def test_handlers_that_raise_nothing_change_nothing(sparse: Path, tmp_path: Path) -> None:
    rung = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    small = tmp_path / "small"
    small.write_bytes(b"x" * 99 + b"\n")
    os.truncate(sparse, 600 << 20)
    with open(sparse, "ab") as file:
        file.write(b"\nlast")
    large = tmp_path / "large"
    large.write_bytes(b"".join(b"line %d\n" % number for number in range(600_000)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        # Until there were some signals: a fast machine may have to do it more than once.
        for _ in range(100):
            assert fewer.count_lines(sparse) == 2
            assert fewer.count_lines(sparse, threads=1) == 2
            assert fewer.last_lines(sparse, 1) == ["last"]
            assert fewer.count_lines(large) == 600_000 == len(fewer.read_lines(large))
            table = pyarrow.table(fewer.lines(large))
            assert len(table) == 600_000 and table["line"][-1].as_py() == "line 599999"
            assert len(fewer.last_lines(large, 599_990)) == 599_990
            if len(rung) > 10:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(rung) > 10


TABLES: "dict[str, Callable[[Path, Path], object]]" = {
    "lines of a FIFO": lambda fifo, full: pyarrow.table(fewer.lines(fifo)),
    "lines of a device": lambda fifo, full: pyarrow.table(fewer.lines("/dev/zero", None)),
    "a walk": lambda fifo, full: pyarrow.table(fewer.walk(*[full] * 50_000, glob="no such")),
}


@pytest.mark.parametrize("name", TABLES)
def test_control_c_ends_what_becomes_a_table(name: str, fifo: Path, full: Path) -> None:
    """Of what comes out of a stream consumers make errors of their own; Ctrl-C stays Ctrl-C."""
    both = os.open(fifo, os.O_RDWR)
    # pandas is imported by pyarrow's first table, and is what would be interrupted.
    warm = "test_signals.pyarrow.table({'warm': [1]})"
    interrupted(f"test_signals.TABLES[{name!r}]", fifo, full, before=warm)
    os.close(both)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_what_is_no_failure_comes_out_of_a_consumer_as_it_is(
    fifo: Path, raised: "type[BaseException]"
) -> None:
    def ring(number: int, frame: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise raised("rung")

    pyarrow.table({"warm": [1]})
    both = os.open(fifo, os.O_RDWR)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(raised, match="rung"):
            pyarrow.table(fewer.lines(fifo))
        assert sys.gettrace() is None
    finally:
        signal.signal(signal.SIGALRM, before)
        os.close(both)


def test_waiting_for_another_thread_is_interrupted(fifo: Path, bell: Any) -> None:
    both = os.open(fifo, os.O_RDWR)
    lines = fewer.lines(fifo)
    got: "list[object]" = []
    reader = threading.Thread(target=lambda: got.append(next(lines)))
    reader.start()
    try:
        # It has begun when it has taken what is there, and waits for the rest of the line.
        os.write(both, b"o")
        wait_until_taken(both)
        for work in (lambda: next(lines), lines.close, lines.read):
            bell(0.1)
            with pytest.raises(Rung):
                work()
            signal.setitimer(signal.ITIMER_REAL, 0)
        os.write(both, b"ne\ntwo\n")
        reader.join(30)
        assert got == ["one"] and next(lines) == "two"
    finally:
        os.close(both)


def test_a_thread_that_reads_lets_others_be_interrupted(fifo: Path, sparse: Path) -> None:
    """The main thread joins one that reads: a signal raises there, and the other goes on."""
    program = f"""
import signal, threading, fewer
signal.signal(signal.SIGINT, signal.default_int_handler)
works = [
    lambda: fewer.read_lines({str(fifo)!r}),
    lambda: fewer.count_lines("/dev/zero"),
    lambda: fewer.last_lines({str(sparse)!r}),
    lambda: list(fewer.lines({str(fifo)!r})),
]
threads = [threading.Thread(target=work, daemon=True) for work in works]
for thread in threads:
    thread.start()
try:
    print("begun", flush=True)
    threading.Event().wait()
except KeyboardInterrupt:
    print("interrupted", all(thread.is_alive() for thread in threads), flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (output, errors, process.returncode) == ("interrupted True\n", "", 0)


def test_a_long_walk_is_interrupted(bell: Any, full: Path) -> None:
    def forever() -> None:
        while True:
            fewer.paths(full, on_error=lambda error: None)

    bell(0.2)
    with pytest.raises(Rung):
        forever()


def test_keyboard_interrupt(fifo: Path, bell: Any) -> None:
    # What SIGINT does, by a signal that comes again.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    bell(0.1)
    with pytest.raises(KeyboardInterrupt):
        fewer.read_lines(fifo)
