"""Where a scan of ten billion entries by a thousand workers waits, and what it writes.

    python bench/simulate_scan.py [ENTRIES [WORKERS]]

First it measures on this machine, on a tree of 100,000 entries: how long a worker takes for an
entry and for a unit besides, how long the driver takes for a result (with an engine that has all
results at once), and how many bytes a result adds to the journal, and a part to Delta's log. Then
it simulates the driver as a queue with one server, and the workers as so many that each do one unit
at a time; events are kept in a heap. What is left of a unit is shared unevenly, at random.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Tuple

from fewer.scan import Scan
from fewer.scan.driver import SCARCE
from fewer.scan.engines import Engine, Outcome
from fewer.scan.worker import scan_unit


@dataclass(frozen=True)
class Costs:
    """Seconds and bytes, measured."""

    entry: float
    unit: float
    result: float
    sync: float
    journal: float
    log: float


class Immediate(Engine):
    """Scans in the driver's process, and says how much of the time that took; hands out so many
    results at once.
    """

    def __init__(self, at_once: int) -> None:
        self.seconds, self.results, self.rounds, self._at_once = 0.0, 0, 0, at_once
        self._waiting: List[Tuple[int, Dict[str, Any]]] = []

    def slots(self) -> int:
        return self._at_once

    def submit(self, task: Dict[str, Any]) -> int:
        self.results += 1
        self._waiting.append((self.results, task))
        return self.results

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        begun = time.perf_counter()
        done: List[Tuple[int, Outcome]] = []
        while self._waiting:
            handle, task = self._waiting.pop()
            done.append((handle, scan_unit(task)))
        self.seconds += time.perf_counter() - begun
        self.rounds += 1
        return done


def make_tree(root: Path) -> None:
    for folder in range(1_000):
        place = root / f"project-{folder % 30}/run-{folder}/output"
        place.mkdir(parents=True)
        for file in range(97):
            (place / f"sample-{file:05}.parquet").touch()


@dataclass(frozen=True)
class Run:
    worker: float
    driver: float
    results: int
    rounds: int
    rows: int
    journal: int
    log: int


def run(root: Path, budget: int, at_once: int) -> Run:
    with tempfile.TemporaryDirectory() as out:
        engine = Immediate(at_once)
        begun = time.perf_counter()
        found = Scan(root, out=out, budget=budget).run(engine, progress=False)
        driver = time.perf_counter() - begun - engine.seconds
        journal = (Path(out) / "_scan/journal.jsonl").stat().st_size
        log = sum(file.stat().st_size for file in (Path(out) / "_delta_log").glob("*.json"))
        return Run(
            engine.seconds, driver, engine.results, engine.rounds, found["rows"], journal, log
        )


def measure() -> Costs:
    with tempfile.TemporaryDirectory() as folder:
        make_tree(Path(folder))
        run(Path(folder), 10_000, 1)  # warms up
        large, single, many = (
            run(Path(folder), *how) for how in [(100_000, 1), (500, 1), (500, 16)]
        )
    unit = (single.worker - large.worker) / (single.results - large.results)
    entry = (large.worker - large.results * unit) / large.rows
    # Both have a cost for each result and one for each round.
    one, other = single.driver / single.results, many.driver / many.results
    sync = (one - other) / (1 - many.rounds / many.results)
    return Costs(
        entry,
        unit,
        one - sync,
        sync,
        single.journal / single.results,
        single.log / single.results,
    )


def simulate(costs: Costs, entries: int, workers: int, budget: int) -> Dict[str, float]:
    """Seconds until all is done, what the driver was busy, units, and bytes."""
    chance = random.Random(0)
    waiting, idle, results = [entries], workers, 0
    events: List[Tuple[float, int]] = []  # when a worker ends, and what it leaves
    now = busy = 0.0
    while waiting or events:
        while waiting and idle:
            idle -= 1
            have = waiting.pop()
            done = min(have, budget if len(waiting) >= workers else budget // SCARCE)
            heapq.heappush(events, (now + costs.unit + done * costs.entry, have - done))
        # The driver takes all that came while it was busy, and writes it down at once.
        now = max(now, events[0][0])
        begun = now
        now += costs.sync
        while events and events[0][0] <= begun:
            _, left = heapq.heappop(events)
            idle += 1
            results += 1
            now += costs.result
            if left:
                shares = [chance.random() ** 2 for _ in range(4)]
                parts = [int(left * share / sum(shares)) for share in shares[:3]]
                waiting += [part for part in [*parts, left - sum(parts)] if part]
        busy += now - begun
    end = now
    ideal = entries * costs.entry / workers
    return {
        "budget": budget,
        "hours": end / 3600,
        "against ideal": end / ideal,
        "driver busy": busy / end,
        "units": results,
        "journal MB": results * costs.journal / 1e6,
        "delta log MB": results * costs.log / 1e6,
    }


def main() -> None:
    entries = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**10
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
    costs = measure()
    print(json.dumps({key: float(f"{value:.3g}") for key, value in costs.__dict__.items()}))
    for budget in (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000):
        found = simulate(costs, entries, workers, budget)
        print(json.dumps({key: float(f"{value:.3g}") for key, value in found.items()}))


if __name__ == "__main__":
    main()
