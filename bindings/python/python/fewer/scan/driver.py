"""The driver: hands units to an engine, accepts what comes back, and submits what it left.

Everything that matters is in the journal and in the table, so the driver can be killed at any
moment: the next one goes on where it was. A unit may be scanned more than once, by a worker that
was thought lost or by a second one beside a slow one; its first result counts, and the children of
any other are dropped with it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

from .address import is_address
from .engines import Cause, Engine, Failure, Outcome
from .errors import ScanError
from .journal import Journal
from .progress import Progress
from .queue import Queue
from .table import StoredTable, Table
from .unit import Result, Unit
from .worker import PART, PARTS, gave_up

# A unit that failed so often is split; a single directory becomes an error row.
ATTEMPTS = 3
# The part of its budget that a unit gets while there are fewer units than workers.
SCARCE = 10
# A directory of more names than so many budgets is cut into slices: all names are read for each.
SLICE = 4
# Parts are committed when there are so many, or when the last commit is so long ago, in seconds.
COMMIT_PARTS = 64
COMMIT_SECONDS = 10.0
# So many machines in a row are lost before the scan ends. The pause after each doubles up to so
# many seconds.
LOST = 20
PAUSE = 10.0
# How long to wait for a result before looking at deadlines again, in seconds.
TICK = 0.5


@dataclass(frozen=True)
class Limits:
    """The numbers of a scan.

    - ``budget``: after so many entries a unit ends.
    - ``deadline``: after so many seconds a unit is given to a second worker.
    - ``per_file_system``: so many units at once for roots on the same file system.
    """

    budget: int
    deadline: float
    per_file_system: int


@dataclass
class Attempt:
    """A unit that is being scanned, since when, which attempt it is of those that run at the same
    time, and whether there is a next one.
    """

    unit: Unit
    begun: float
    number: int
    is_doubled: bool = False


class Driver:
    def __init__(
        self,
        folder: Path,
        scan: Dict[str, Any],
        limits: Limits,
        engine: Engine,
        journal: Journal,
        progress: Progress,
    ) -> None:
        self._folder, self._scan, self._limits = folder, scan, limits
        self._engine, self._journal, self._progress = engine, journal, progress
        of_store = is_address(scan["roots"][0])
        self._table: Table = (
            StoredTable(scan["out"], journal.id, of_store)
            if "out" in scan
            else Table(folder, journal.id, of_store)
        )
        self._open = Queue(scan["roots"], limits.per_file_system)
        self._running: Dict[Any, Attempt] = {}
        self._done: Set[str] = set()
        self._accepted: List[Tuple[Unit, Result]] = []
        self._failures: Counter[str] = Counter()
        self._lost, self._paused_until = 0, 0.0
        self._last_commit = time.monotonic()

    def run(self) -> Dict[str, Any]:
        """Scans all that is open, and returns the summary."""
        self._resume()
        self._commit()
        while self._open or self._running:
            self._submit()
            for handle, outcome in self._wait():
                if handle in self._running:  # not one whose twin was accepted a moment ago
                    self._take(self._end(handle), outcome)
            self._settle()
            self._double_the_late()
            if self._is_commit_due():
                self._commit()
            self._progress.show(len(self._open), len(self._running))
        self._commit()
        self._sweep()
        summary = self._summary()
        self._journal.finish(summary)
        return summary

    def _resume(self) -> None:
        (self._folder / PARTS).mkdir(parents=True, exist_ok=True)
        self._table.open(len(self._journal.results))
        for result in self._journal.results:
            self._done.add(result.unit)
            self._table.publish(result)
            self._progress.add(result)
        self._open.extend(self._journal.take_open_units())
        self._progress.begin(sum(unit.weight for unit in self._open))

    def task(self, unit: Unit) -> Dict[str, Any]:
        """What a worker gets: the unit, the roots and options of the scan, the budget, and the
        folder that the part goes to. All of it JSON.

        While there are fewer units than workers, at the beginning and near the end, a unit ends
        early, so that there are soon more.
        """
        whole = self._limits.budget
        is_scarce = len(self._open) < self._engine.slots()
        return {
            **self._scan,
            "unit": unit.to_json(),
            "budget": max(1, whole // SCARCE) if is_scarce else whole,
            "most_names": SLICE * whole,
            "folder": str(self._folder),
        }

    def _wait(self) -> List[Tuple[Any, Outcome]]:
        if self._running:
            return self._engine.wait(TICK)
        time.sleep(min(TICK, max(0.0, self._paused_until - time.monotonic())))
        return []

    def _submit(self) -> None:
        if time.monotonic() < self._paused_until:
            return
        slots = self._engine.slots()
        while len(self._running) < slots:
            unit = self._open.take()
            if unit is None:
                return
            if unit.id not in self._done:
                self._start(unit)

    def _start(self, unit: Unit, number: int = 1) -> None:
        handle = self._engine.submit(self.task(unit))
        self._running[handle] = Attempt(unit, time.monotonic(), number)
        self._open.begun(unit)

    def _end(self, handle: Any) -> Attempt:
        attempt = self._running.pop(handle)
        self._open.ended(attempt.unit)
        return attempt

    def _take(self, attempt: Attempt, outcome: Outcome) -> None:
        unit = attempt.unit
        if unit.id in self._done:
            return
        if isinstance(outcome, Failure):
            self._failed(unit, outcome)
        else:
            self._accept(unit, Result.from_json(outcome))

    def _accept(self, unit: Unit, result: Result) -> None:
        self._lost = 0
        self._done.add(unit.id)
        self._accepted.append((unit, result))
        for handle, other in list(self._running.items()):
            if other.unit.id == unit.id:
                self._end(handle)
                self._engine.cancel(handle)

    def _settle(self) -> None:
        """Writes down all that was accepted; only then their children are open."""
        if not self._accepted:
            return
        self._journal.accept([result for _, result in self._accepted])
        for unit, result in self._accepted:
            self._table.publish(result)
            self._open.extend(result.left)
            self._progress.add(result, unit.weight / (len(result.left) + 1))
        self._accepted.clear()

    def _failed(self, unit: Unit, failure: Failure) -> None:
        self._progress.note(f"{_named(unit)}: {failure.reason}")
        if failure.cause is Cause.LOST:
            return self._lose(unit, failure.reason)
        self._failures[unit.id] += 1
        if any(attempt.unit.id == unit.id for attempt in self._running.values()):
            return  # its other attempt may do
        if self._failures[unit.id] < ATTEMPTS:
            self._open.add_first(unit)
            return
        if failure.cause is Cause.ERROR:
            raise ScanError(f"{_named(unit)}: {failure.reason}")
        parts = unit.parts()
        if not parts and "out" in self._scan:
            raise ScanError(f"{_named(unit)}: {failure.reason}")
        if parts:
            self._accept(unit, Result(unit.id, None, 0, 0, "", 0, parts))
        else:
            self._accept(unit, Result.from_json(gave_up(self.task(unit), failure.reason)))

    def _lose(self, unit: Unit, reason: str) -> None:
        """The unit is not to blame; where it was, others may be lost as well."""
        self._lost += 1
        if self._lost > LOST:
            raise ScanError(f"there are no workers any more: {reason}")
        self._open.extend([unit])
        self._paused_until = time.monotonic() + min(PAUSE, 0.05 * 2**self._lost)

    def _double_the_late(self) -> None:
        """Gives units that take too long to a second worker."""
        late = time.monotonic() - self._limits.deadline
        for attempt in list(self._running.values()):
            if attempt.begun > late or attempt.is_doubled or attempt.number >= ATTEMPTS:
                continue
            if len(self._running) >= 2 * self._engine.slots():
                return
            attempt.is_doubled = True
            self._progress.note(f"{_named(attempt.unit)} takes long: scanned once more")
            self._start(attempt.unit, attempt.number + 1)

    def _is_commit_due(self) -> bool:
        new = len(self._journal.results) - self._table.committed
        age = time.monotonic() - self._last_commit
        return new >= COMMIT_PARTS or (new > 0 and age >= COMMIT_SECONDS)

    def _commit(self) -> None:
        self._table.commit(self._journal.results)
        self._last_commit = time.monotonic()

    def _summary(self) -> Dict[str, Any]:
        results = self._journal.results
        return {
            "rows": sum(result.rows for result in results),
            "errors": sum(result.errors for result in results),
            "parts": sum(result.part is not None for result in results),
            "bytes": sum(result.bytes for result in results),
            "units": len(results),
        }

    def _sweep(self) -> None:
        """Removes what workers wrote whose results did not count, and nothing else."""
        for leftover in (self._folder / PARTS).iterdir():
            if PART.fullmatch(leftover.name):
                try:
                    leftover.unlink()
                except OSError:
                    pass  # renamed a moment ago, by a worker whose driver was killed


def _named(unit: Unit) -> str:
    path = os.fsdecode(unit.trees[0][0])
    return f"unit {unit.id} ('{path}'{', …' if len(unit.trees) > 1 else ''})"
