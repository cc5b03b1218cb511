"""Ctrl-C works wherever something has to be waited for."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import fewer


class Rung(Exception):
    pass


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
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "work",
    [
        fewer.read_lines,
        fewer.count_lines,
        fewer.last_lines,
        lambda path: next(fewer.lines(path)),
        lambda path: fewer.lines(path).__arrow_c_stream__(),
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
    rung = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))

    def write(both: int) -> None:
        time.sleep(0.3)
        os.write(both, b"ee\nfour\n")
        os.close(both)

    try:
        for work in (fewer.read_lines, fewer.last_lines):
            both = os.open(fifo, os.O_RDWR)
            os.write(both, b"one\ntwo\nthr")
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            writer = threading.Thread(target=write, args=(both,))
            writer.start()
            assert work(fifo) == ["one", "two", "three", "four"]
            writer.join()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(rung) > 4


def test_a_long_walk_is_interrupted(bell: Any) -> None:
    def forever() -> None:
        while True:
            fewer.paths("/usr", on_error=lambda error: None)

    bell(0.2)
    with pytest.raises(Rung):
        forever()


def test_keyboard_interrupt(fifo: Path, bell: Any) -> None:
    # What SIGINT does, by a signal that comes again.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    bell(0.1)
    with pytest.raises(KeyboardInterrupt):
        fewer.read_lines(fifo)
