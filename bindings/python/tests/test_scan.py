"""Scans: every entry is in the table exactly once, whoever is killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Tuple

import deltalake
import duckdb
import polars
import pyarrow
import pytest

import fewer
import fewer.scan
from fewer.scan.driver import ATTEMPTS
from fewer.scan.engines import Outcome, Processes
from fewer.scan import ScanError
from fewer.scan.queue import Queue
from fewer.scan.unit import Result, Unit

# How often the tests with kills are run: 50 for the record.
KILLS = int(os.environ.get("FEWER_KILLS", "3"))

Row = Tuple[bytes, str, int, int, int, float]


def expected(root: Path) -> Counter[Row]:
    """The entries of a tree, as Python's own library sees them."""
    rows: Counter[Row] = Counter()

    def add(path: bytes, depth: int) -> None:
        stat = os.lstat(path)
        kind = {0o4: "directory", 0o10: "file", 0o12: "symlink", 0o1: "fifo"}[stat.st_mode >> 12]
        rows[(path, kind, depth, stat.st_ino, stat.st_size, stat.st_mtime_ns // 1000)] += 1
        if kind == "directory":
            for entry in os.scandir(path):
                add(entry.path, depth + 1)

    add(os.fsencode(root), 0)
    return rows


def found(table: pyarrow.Table) -> Counter[Row]:
    table = table.set_column(0, "path", table["path"].cast("string"))
    modified = table["modified"].cast("int64").to_pylist()
    return Counter(
        (
            row["path_bytes"] if row["path"] is None else row["path"].encode(),
            row["kind"],
            row["depth"],
            row["inode"],
            row["size"],
            time,
        )
        for row, time in zip(table.drop_columns(["modified", "accessed"]).to_pylist(), modified)
    )


def table_of(folder: Path) -> pyarrow.Table:
    return deltalake.DeltaTable(str(folder)).to_pyarrow_table()


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two thousand entries: wide, deep, flat, and some with ugly names."""
    root = tmp_path_factory.mktemp("scanned")
    for number in range(30):
        folder = root / f"many/{number}/x"
        folder.mkdir(parents=True)
        for file in range(20):
            (folder / f"{file}.txt").write_bytes(b"x" * file)
    flat = root / "flat"
    flat.mkdir()
    for number in range(1_000):
        (flat / str(number)).touch()
    (flat / "below/further").mkdir(parents=True)
    (root / "/".join(["deep"] * 40)).mkdir(parents=True)
    for name in [b"\xff\xfe", b"new\nline", "ä".encode(), b"x" * 255, b".hidden"]:
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).touch()
    (root / "link").symlink_to("nowhere")
    os.mkfifo(root / "fifo")
    return root


@pytest.mark.parametrize("budget", [1, 7, 100, 100_000])
def test_every_entry_is_a_row(big: Path, tmp_path: Path, budget: int) -> None:
    if budget == 1:
        big = big / "deep"
    summary = fewer.scan.Scan(big, out=tmp_path, budget=budget).run(workers=2)
    table = table_of(tmp_path)
    assert found(table) == expected(big)
    assert summary["rows"] == len(table) and summary["errors"] == 0
    assert len(list(tmp_path.glob("*.parquet"))) == summary["parts"]
    assert not list((tmp_path / "_scan/parts").iterdir())
    if budget == 100:
        lines = (tmp_path / "_scan/journal.jsonl").read_text().splitlines()
        units = [unit for line in lines[1:-1] for unit in json.loads(line)["left"]]
        slices = [unit["slice"] for unit in units if unit.get("slice")]
        assert sorted(slices) == [[0, 3], [1, 3], [2, 3]], "1,001 names, 400 at most"


def test_one_process_finds_the_same(big: Path) -> None:
    table = pyarrow.table(fewer.rows(big))
    table.validate(full=True)
    assert found(table) == expected(big)
    names = [row["name"] for row in table.to_pylist() if row["path"] is not None]
    paths = [row["path"] for row in table.to_pylist() if row["path"] is not None]
    assert names == [os.path.basename(path) for path in paths]


def test_others_read_it(big: Path, tmp_path: Path) -> None:
    summary = fewer.scan(big, out=tmp_path, budget=500).run(workers=2)  # type: ignore[operator]
    files = str(tmp_path / "*.parquet")
    sizes = sum(row[4] for row in expected(big).elements())
    assert duckdb.sql(f"SELECT count(*), sum(size) FROM '{files}'").fetchall() == [
        (summary["rows"], sizes)
    ]
    read = polars.read_delta(str(tmp_path))
    assert (len(read), read["size"].sum()) == (summary["rows"], sizes)
    assert read["modified"].dtype == polars.Datetime("us", "UTC")


def test_keywords_are_those_of_a_walk(big: Path, tmp_path: Path) -> None:
    options: Dict[str, Any] = {"max_depth": 3, "glob": ["*.txt", "x*"], "hidden": False}
    fewer.scan.Scan(big, out=tmp_path, budget=10, **options).run(workers=1)
    paths = sorted(fewer.paths(big, **options))
    assert sorted(table_of(tmp_path)["path"].to_pylist()) == paths and paths
    with pytest.raises(TypeError, match="follow"):
        fewer.rows(big, follow=True)  # type: ignore[call-arg]


def test_what_cannot_be_read_is_an_error_row(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    summary = fewer.scan.Scan(missing, out=tmp_path / "out").run(workers=1)
    assert (summary["rows"], summary["errors"]) == (1, 1)
    (row,) = table_of(tmp_path / "out").to_pylist()
    assert row["path"] == str(missing) and "No such file" in row["error"]
    assert row["size"] is None and row["depth"] is None


def test_it_does_not_begin_over_what_is_there(big: Path, tmp_path: Path) -> None:
    first = fewer.scan.Scan(big, out=tmp_path, budget=300)
    summary = first.run(workers=1)
    before = sorted(tmp_path.iterdir())
    assert first.run(workers=1) == summary and sorted(tmp_path.iterdir()) == before
    with pytest.raises(ScanError, match="something else"):
        fewer.scan.Scan(big / "many", out=tmp_path).run(workers=1)
    (tmp_path / "_scan/journal.jsonl").write_text("{}\n")
    with pytest.raises(ScanError, match="no journal"):
        first.run(workers=1)


def test_another_table_is_left_alone(big: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    deltalake.write_deltalake(str(other), pyarrow.table({"path": [1, 2]}))
    with pytest.raises(ScanError, match="has a table already"):
        fewer.scan.Scan(big, out=other).run(workers=1)
    assert deltalake.DeltaTable(str(other)).to_pyarrow_table().to_pydict() == {"path": [1, 2]}
    own = fewer.scan.Scan(big, out=tmp_path / "own")
    own.run(workers=1)
    journal = tmp_path / "own/_scan/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:1]))
    with pytest.raises(ScanError, match="lacks results"):
        own.run(workers=1)
    journal.unlink()
    with pytest.raises(ScanError, match="has a table already"):
        own.run(workers=1)
    assert found(table_of(tmp_path / "own")) == expected(big)


def test_roots_are_rows_whenever_their_turn_comes(big: Path, tmp_path: Path) -> None:
    roots = [big / "many", big / "fifo", big / "link", big / "flat", big / "deep"]
    fewer.scan.Scan(*roots, out=tmp_path, budget=60).run(workers=2)
    assert found(table_of(tmp_path)) == sum(map(expected, roots), Counter())


def test_relative_roots_are_those_of_the_working_directory(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(big.parent)
    scan = fewer.scan.Scan(big.name, out=tmp_path)
    monkeypatch.chdir(tmp_path)
    scan.run(workers=1)
    assert found(table_of(tmp_path)) == expected(big)


def test_a_table_without_rows_has_its_columns(big: Path, tmp_path: Path) -> None:
    assert fewer.scan.Scan(big, out=tmp_path, glob="nothing").run(workers=1)["rows"] == 0
    table = table_of(tmp_path)
    assert len(table) == 0 and table.column_names == pyarrow.table(fewer.rows(big)).column_names


def test_leftovers_go_and_nothing_else(big: Path, tmp_path: Path) -> None:
    parts = tmp_path / "_scan/parts"
    parts.mkdir(parents=True)
    (parts / "part-mine.parquet").touch()
    (parts / "part-0").mkdir()
    (parts / ("part-0.7-" + "0" * 16 + ".parquet")).touch()
    (parts / (".part-0.8-" + "f" * 16 + ".parquet.tmp")).touch()
    fewer.scan.Scan(big, out=tmp_path).run(workers=1)
    assert sorted(file.name for file in parts.iterdir()) == ["part-0", "part-mine.parquet"]


class Deaths:
    """Spares units of which another death would be the one too many: such a unit is split, or
    becomes an error row. How often an engine waits depends on time, and so do the deaths that
    chance alone would bring upon a unit.
    """

    def __init__(self) -> None:
        self._units: Dict[Any, str] = {}
        self._deaths: Counter[str] = Counter()

    def submitted(self, handle: Any, task: Dict[str, Any]) -> None:
        self._units[handle] = task["unit"]["id"]

    def can_bear_one(self, handles: Iterable[Any]) -> bool:
        return all(self._deaths[self._units[handle]] < ATTEMPTS - 1 for handle in handles)

    def befell(self, handles: Iterable[Any]) -> None:
        """One of the workers of these has been killed."""
        self._deaths.update({self._units[handle] for handle in handles})


class KillsWorkers(Processes):
    """Kills a worker now and then."""

    def __init__(self, workers: int, chance: random.Random) -> None:
        super().__init__(workers)
        self.chance, self.killed, self.deaths = chance, 0, Deaths()
        # There are at least so many waits, and so at least one death.
        self.at_the_latest = chance.randint(1, 10)

    def submit(self, task: Dict[str, Any]) -> int:
        handle = super().submit(task)
        self.deaths.submitted(handle, task)
        return handle

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        mortal = [handle for handle in self._busy if self.deaths.can_bear_one([handle])]
        self.at_the_latest -= 1
        if mortal and (self.at_the_latest == 0 or self.chance.random() < 0.15):
            time.sleep(self.chance.random() * 0.01)
            handle = self.chance.choice(mortal)
            self.deaths.befell([handle])
            self._busy[handle].kill()
            # If it has answered already, it must not be given another unit to die with.
            self._busy[handle].wait()
            self.killed += 1
        return super().wait(seconds)


@pytest.mark.parametrize("seed", range(KILLS))
def test_workers_are_killed(big: Path, tmp_path: Path, seed: int) -> None:
    engine = KillsWorkers(2, random.Random(seed))
    summary = fewer.scan.Scan(big, out=tmp_path, budget=40).run(engine)
    assert summary["errors"] == 0 and engine.killed > 0
    assert found(table_of(tmp_path)) == expected(big)


@pytest.mark.parametrize("seed", range(KILLS))
def test_the_driver_is_killed(big: Path, tmp_path: Path, seed: int) -> None:
    chance, kills = random.Random(seed), 0
    command = [sys.executable, "-m", "fewer.scan", str(big), "--out", str(tmp_path)]
    while True:
        driver = subprocess.Popen(
            [*command, "--budget=25", "-j2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            answer, complaint = driver.communicate(timeout=0.6 + chance.random() * (1 + kills / 4))
            break
        except subprocess.TimeoutExpired:
            driver.kill()
            driver.communicate()
            kills += 1
    assert driver.returncode == 0, complaint
    assert json.loads(answer)["rows"] == len(table_of(tmp_path))
    assert found(table_of(tmp_path)) == expected(big)
    parts = sorted(map(os.path.basename, deltalake.DeltaTable(str(tmp_path)).file_uris()))
    assert parts == sorted(file.name for file in tmp_path.glob("*.parquet"))


def test_a_line_that_was_being_written_counts_as_not_written(big: Path, tmp_path: Path) -> None:
    scan = fewer.scan.Scan(big, out=tmp_path, budget=100)
    scan.run(workers=1)
    journal = tmp_path / "_scan/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    # As if the driver had been killed while it wrote: parts behind it are in the table already.
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:10])
    assert scan.run(workers=1)["rows"] == len(table_of(tmp_path))
    assert found(table_of(tmp_path)) == expected(big)


class Poisoned(Processes):
    """A directory kills whoever begins with it."""

    def __init__(self, path: str) -> None:
        super().__init__(2)
        self.path = path

    def submit(self, task: Dict[str, Any]) -> int:
        if any(path == {"text": self.path} for path, _ in task["unit"]["trees"]):
            # One that dies of the task by itself: another might answer before it is killed.
            dies = "import os; input(); os.kill(os.getpid(), 9)"
            self._idle.append(
                subprocess.Popen(
                    [sys.executable, "-c", dies],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            )
        return super().submit(task)


class Ended(Processes):
    """Before each task, workers without one have ended: three would be too many for a unit."""

    def submit(self, task: Dict[str, Any]) -> int:
        for _ in range(3):
            idle = self._start()
            idle.kill()
            idle.wait()
            self._idle.append(idle)
        return super().submit(task)


def test_a_worker_that_ended_without_a_task_is_no_failure_of_the_next(
    big: Path, tmp_path: Path
) -> None:
    summary = fewer.scan.Scan(big, out=tmp_path, budget=100).run(Ended(1))
    assert summary["errors"] == 0 and found(table_of(tmp_path)) == expected(big)


def test_a_poison_unit_becomes_an_error_row(big: Path, tmp_path: Path) -> None:
    fewer.scan.Scan(big, out=tmp_path / "before", budget=100).run(workers=1)
    lines = (tmp_path / "before/_scan/journal.jsonl").read_text().splitlines()
    units = [unit for line in lines[1:-1] for unit in json.loads(line)["left"]]
    poison = next(unit["trees"][0][0]["text"] for unit in units if len(unit["trees"]) > 1)
    summary = fewer.scan.Scan(big, out=tmp_path / "out", budget=100).run(Poisoned(poison))
    table = table_of(tmp_path / "out")
    rows = [row for row in table.to_pylist() if row["error"]]
    assert [row["path"] for row in rows] == [poison] and summary["errors"] == 1
    assert "status -9" in rows[0]["error"]
    lost = expected(big) - found(table)
    below = [row for row in expected(big) if row[0].startswith(os.fsencode(poison) + b"/")]
    assert sorted(lost) == sorted(below) and below


def test_a_worker_that_cannot_write_ends_the_scan(big: Path, tmp_path: Path) -> None:
    class Full(Processes):
        def submit(self, task: Dict[str, Any]) -> int:
            folder = "/dev/full" if task["unit"]["id"].startswith("0.1") else task["folder"]
            return super().submit({**task, "folder": folder})

    scan = fewer.scan.Scan(big, out=tmp_path, budget=200)
    with pytest.raises(ScanError, match="unit 0.1 .*: '/dev/full/_scan.*Not a directory"):
        scan.run(Full(2))
    assert scan.run(workers=2)["errors"] == 0
    assert found(table_of(tmp_path)) == expected(big)


class Slow(Processes):
    """The first attempt of one unit never ends."""

    stopped: "Optional[subprocess.Popen[bytes]]" = None

    def submit(self, task: Dict[str, Any]) -> int:
        handle = super().submit(task)
        if task["unit"]["id"] == "0.1" and not self.stopped:
            self.stopped = self._busy[handle]
            self.stopped.send_signal(signal.SIGSTOP)
        return handle


def test_a_late_unit_is_scanned_by_a_second_worker(big: Path, tmp_path: Path) -> None:
    engine = Slow(2)
    fewer.scan.Scan(big, out=tmp_path, budget=200, deadline=0.5).run(engine)
    assert found(table_of(tmp_path)) == expected(big)
    # The engine itself waits for no more than a second.
    assert engine.stopped and engine.stopped.wait(60) == -signal.SIGKILL


class AtOnce(Processes):
    """Hands out results only when all of those that run are done."""

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        time.sleep(0.02)
        done: List[Tuple[int, Outcome]] = []
        while self._busy:
            done += super().wait(seconds)
        return done


def test_two_results_of_one_unit_come_together(big: Path, tmp_path: Path) -> None:
    engine = AtOnce(3)
    fewer.scan.Scan(big, out=tmp_path, budget=200, deadline=0.0).run(engine)
    assert found(table_of(tmp_path)) == expected(big)


def test_a_folder_has_one_driver(big: Path, tmp_path: Path) -> None:
    class Second(Processes):
        refused = ""

        def submit(self, task: Dict[str, Any]) -> int:
            if not self.refused:
                with pytest.raises(ScanError) as refusal:
                    fewer.scan.Scan(big, out=tmp_path).run(workers=1)
                self.refused = str(refusal.value)
            return super().submit(task)

    engine = Second(1)
    fewer.scan.Scan(big, out=tmp_path).run(engine)
    assert "another scan" in engine.refused


def test_shards_together_are_the_whole(big: Path, tmp_path: Path) -> None:
    rows: Counter[Row] = Counter()
    sizes = []
    for number in range(3):
        folder = tmp_path / str(number)
        scan = fewer.scan.Scan(big, out=folder, budget=50, shard=(number, 3))
        sizes.append(scan.run(workers=1)["rows"])
        rows += found(table_of(folder))
    assert rows == expected(big)
    assert all(size > 100 for size in sizes), sizes


def test_file_systems_have_a_limit(big: Path, tmp_path: Path) -> None:
    class Counting(Processes):
        most = 0

        def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
            self.most = max(self.most, len(self._busy))
            return super().wait(seconds)

    engine = Counting(3)
    fewer.scan.Scan(big, out=tmp_path, budget=50, per_file_system=1).run(engine)
    assert engine.most == 1
    assert found(table_of(tmp_path)) == expected(big)


def test_units_wait_for_their_file_system() -> None:
    """Those of another one pass them by."""
    queue = Queue(["/", "/proc"], per_file_system=1)
    a, b, c = (Unit("", ((path, 0),)) for path in (b"/x", b"/", b"/proc"))
    queue.extend([a, b, c])
    first = queue.take()
    assert first is a and len(queue) == 2
    queue.begun(a)
    assert queue.take() is c
    queue.begun(c)
    assert queue.take() is None and list(queue) == [b]
    queue.ended(a)
    queue.add_first(a)
    assert [queue.take(), queue.take(), queue.take(), len(queue)] == [a, b, None, 0]


def test_the_folder_of_the_table_is_left_out(big: Path, tmp_path: Path) -> None:
    """Though it fills while the scan goes on, and whatever the path that it was given by."""
    for number in range(60):
        (tmp_path / f"tree/{number % 7}/{number}").mkdir(parents=True)
    (tmp_path / "tree/0/table.txt").touch()
    (tmp_path / "link").symlink_to("tree/0")
    there = Counter(row[0] for row in expected(tmp_path / "tree").elements())
    scan = fewer.scan.Scan(tmp_path / "tree", out=tmp_path / "link" / "table", budget=3)
    assert scan.run(workers=2)["errors"] == 0
    rows = found(table_of(tmp_path / "tree/0/table"))
    assert Counter(row[0] for row in rows.elements()) == there


def test_half_an_answer_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    half = "import os; input(); os.write(1, b'{\"result\":'); input(); os.write(1, b'{}}\\n')"

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", half]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)

    monkeypatch.setattr(Processes, "_start", staticmethod(start))
    engine = Processes(1)
    handle = engine.submit({})
    process = engine._busy[handle]
    # The other half comes only behind the first wait; for one that waits for it, never.
    kill = threading.Timer(120, process.kill)
    kill.daemon = True
    kill.start()
    assert engine.wait(60) == [] and engine._read == {handle: b'{"result":'}
    kill.cancel()
    assert process.stdin
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert engine.wait(60) == [(handle, {})]
    engine.close()


def test_a_driver_that_is_told_to_end_says_so(big: Path, tmp_path: Path) -> None:
    """As a batch system does it when its time is over; the same command goes on."""
    command = [sys.executable, "-m", "fewer.scan", str(big), "--out", str(tmp_path)]
    scan = [*command, "--budget", "1", "-j", "1"]
    driver = subprocess.Popen(scan, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "_scan" / "journal.jsonl"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
        assert driver.poll() is None
        time.sleep(0.01)
    driver.terminate()
    _, errors = driver.communicate(timeout=60)
    assert errors == "fewer-scan: interrupted; the same command goes on with it\n"
    assert driver.returncode == 128 + signal.SIGTERM
    assert subprocess.run(command, stdout=subprocess.DEVNULL, timeout=60).returncode == 0
    assert found(table_of(tmp_path)) == expected(big)


def test_units_are_json_without_loss() -> None:
    unit = Unit("0.3", ((b"\xff/a\n", 2), ("ä".encode(), 0)), (1, 4), True, True, (0, 2, 1))
    assert Unit.from_json(json.loads(json.dumps(unit.to_json()))) == unit
    assert unit.to_json()["trees"] == [[{"bytes": "/y9hCg=="}, 2], [{"text": "ä"}, 0]]
    ranges = ({"after": {"text": "a"}, "end": None},)
    unit = Unit("0", ((b"s3://b/", 0),), ranges=ranges)
    assert Unit.from_json(json.loads(json.dumps(unit.to_json()))) == unit
    result = Result("0", None, 1, 2, "x", 0, [unit])
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_the_command_refuses_clearly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fewer.scan"]
    (tmp_path / "file").touch()
    for arguments, message in [
        ([".", "--out", str(tmp_path / "file")], "Not a directory"),
        ([".", "--out", str(tmp_path), "--shard", "2/2"], "there is no shard 2 of 2"),
        ([".", "--out", str(tmp_path), "--budget", "0"], "at least 1"),
        ([".", "--out", str(tmp_path), "-t", "cheese"], "'cheese' is no kind"),
        ([".", "--out", str(tmp_path), "--shard", "x"], "is not like 0/4"),
        ([".", "--out", str(tmp_path), "--shard", "0/2", "--shard-depth", "0"], "at least 1"),
        ([".", "--out", str(tmp_path), "--budget", "1" + "0" * 30], "at least 1"),
        ([".", "--out", str(tmp_path), "-j", "0"], "workers are at least 1"),
        ([".", "--out", "."], "the scan would find itself"),
    ]:
        run = subprocess.run([*command, *arguments], capture_output=True, text=True)
        assert run.returncode == 2 and message in run.stderr, run.stderr
        assert "Traceback" not in run.stderr
