"""How far a scan is: a line on a terminal that is written over, and messages."""

from __future__ import annotations

import sys
import time

from .unit import Result


class Progress:
    """Counts what was accepted, and shows it five times a second at most.

    How much is left nobody knows; a unit that leaves n units is taken for the (n + 1)th part of
    what it was taken for itself.
    """

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._begun = self._last = time.monotonic()
        self._rows = self._errors = self._new_rows = 0
        self._left = 1.0
        self._at_start = 1.0

    def begin(self, left: float) -> None:
        """The weight of all open units, when the driver starts."""
        self._left = self._at_start = left
        self._new_rows = 0

    def add(self, result: Result, weight: float = 0.0) -> None:
        self._rows += result.rows
        self._new_rows += result.rows
        self._errors += result.errors
        self._left -= weight

    def note(self, message: str) -> None:
        """A message about the scan, on a line of its own."""
        self._clear()
        print(f"fewer-scan: {message}", file=sys.stderr)

    def show(self, waiting: int, running: int) -> None:
        now = time.monotonic()
        if not self._shown or (now - self._last < 0.2 and waiting + running > 0):
            return
        self._last = now
        self._clear()
        if waiting + running > 0:
            print(self.line(now - self._begun, waiting, running), end="", file=sys.stderr)
            sys.stderr.flush()

    def line(self, seconds: float, waiting: int, running: int) -> str:
        rate = self._new_rows / max(seconds, 1e-3)
        done = self._at_start - self._left
        left = seconds * self._left / done if done > 0 else 0.0
        return (
            f"{self._rows:,} entries, {rate:,.0f}/s, {running} units running, {waiting} waiting, "
            f"{self._errors} errors, about {left:.0f} s left"
        )

    def _clear(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr)
