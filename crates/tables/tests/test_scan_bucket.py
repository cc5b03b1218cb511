"""`fewer.scan` of buckets: every key is in the table exactly once, whoever is killed.

The server is `replay` of this repository; what it has is listed by its other side, `--list-keys`.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import deltalake
import pytest

import fewer.scan
from fewer.scan import ScanError
from fewer.scan.engines import Outcome, Processes

KEYS = 60_000
REPLAY = os.environ.get("FEWER_REPLAY", "")
pytestmark = pytest.mark.skipif(not REPLAY, reason="there is no server: see crates/tables/check")


def serve(*words: str) -> "subprocess.Popen[str]":
    command = [REPLAY, "--keys", str(KEYS), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Counter[str]]:
    """A bucket, and what is in it."""
    server = serve("--refuse-every", "17", "--first-byte", "1")
    assert server.stdout
    address = re.search(r"http://\S+", server.stdout.readline())
    assert address
    for name, value in {
        "AWS_ENDPOINT_URL": address[0],
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
    }.items():
        monkeypatch.setenv(name, value)
    listed = subprocess.run(
        [REPLAY, "--keys", str(KEYS), "--list-keys"], capture_output=True, text=True, check=True
    )
    yield Counter(f"s3://b/{key}" for key in listed.stdout.splitlines())
    server.kill()
    server.wait()
    server.stdout.close()


def found(folder: Path) -> Counter[str]:
    table = deltalake.DeltaTable(str(folder)).to_pyarrow_table()
    assert None not in table["size"].to_pylist() + table["etag"].to_pylist()
    return Counter(table["path"].to_pylist())


class Counting(Processes):
    """Counts how many units are at work at once."""

    most = 0

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        self.most = max(self.most, len(self._busy))
        return super().wait(seconds)


def test_each_key_is_a_row(bucket: Counter[str], tmp_path: Path) -> None:
    engine = Counting(3)
    summary = fewer.scan.Scan("s3://b", out=tmp_path, budget=20_000).run(engine)
    assert (summary["rows"], summary["errors"]) == (KEYS, 0)
    assert found(tmp_path) == bucket
    assert engine.most > 1


def test_roots_and_keywords_are_those_of_a_walk(bucket: Counter[str], tmp_path: Path) -> None:
    folders = sorted({key.rsplit("/", 1)[0] for key in bucket if key.count("/") > 3})[:2]
    scan = fewer.scan.Scan(*folders, out=tmp_path, budget=3000, glob=["*0*", "*1*"])
    scan.run(workers=2)
    expected = Counter(
        key
        for folder in folders
        for key in bucket
        if key.startswith(folder) and re.search("[01]", key.rsplit("/", 1)[1])
    )
    assert found(tmp_path) == expected and expected


class KillsWorkers(Processes):
    """Now and then a worker dies, with the command that lists for it, but not three times of the
    same unit: such a unit would be given up.
    """

    def __init__(self, workers: int, seed: int) -> None:
        super().__init__(workers)
        self._chance = random.Random(seed)
        self._units: Dict[int, str] = {}
        self.killed: Counter[str] = Counter()

    def submit(self, task: Dict[str, Any]) -> int:
        handle = super().submit(task)
        self._units[handle] = task["unit"]["id"]
        return handle

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        handle = self._chance.choice(list(self._busy))
        unit = self._units[handle]
        if self.killed[unit] < 2 and self._chance.random() < 0.2:
            worker = self._busy[handle]
            os.killpg(worker.pid, signal.SIGKILL)
            # It may have answered before: then it is dead where another unit looks for a worker.
            worker.wait()
            self.killed[unit] += 1
        return super().wait(min(seconds, self._chance.random() / 10))


@pytest.mark.parametrize("seed", range(int(os.environ.get("FEWER_KILLS", "3"))))
def test_workers_are_killed(bucket: Counter[str], tmp_path: Path, seed: int) -> None:
    engine = KillsWorkers(3, seed)
    fewer.scan.Scan("s3://b", out=tmp_path, budget=20_000).run(engine)
    assert engine.killed and found(tmp_path) == bucket


@pytest.mark.parametrize("seed", range(int(os.environ.get("FEWER_KILLS", "3"))))
def test_the_driver_is_killed(bucket: Counter[str], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    command = [sys.executable, "-m", "fewer.scan", "s3://b", "--out", str(tmp_path)]
    words = ["--budget", "20000", "-j", "2"]
    for _ in range(4):
        driver = subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL)
        time.sleep(0.3 + chance.random())
        driver.kill()
        driver.wait()
    assert subprocess.run([*command, *words], stdout=subprocess.DEVNULL).returncode == 0
    assert found(tmp_path) == bucket


def test_what_cannot_be_listed_ends_the_scan_and_goes_on(
    bucket: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = fewer.scan.Scan("s3://b", out=tmp_path, budget=50_000)
    with monkeypatch.context() as other:
        other.setenv("FEWER_COMMAND", "/nonexistent/fewer")
        with pytest.raises(ScanError, match="'/nonexistent/fewer'"):
            scan.run(workers=1)
        other.setenv("FEWER_COMMAND", os.environ["FEWER_COMMAND"])
        other.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    scan.run(workers=2)
    assert found(tmp_path) == bucket


def test_what_is_about_files_is_refused(tmp_path: Path) -> None:
    refused: List[Tuple[Tuple[str, ...], Dict[str, Any], str]] = [
        (("s3://b", "/tmp"), {}, "different tables"),
        (("hdfs://n/x", "/tmp"), {}, "different tables"),
        (("s3://b",), {"shard": (0, 2)}, "not for addresses"),
        (("s3://b",), {"one_file_system": True}, "about files"),
        (("/tmp",), {"out": "s3://b/x"}, "journal needs a folder"),
        (("/tmp",), {"journal": tmp_path}, "for an address as out"),
        ((tmp_path,), {"out": "s3://b/x", "journal": tmp_path / "j"}, "find its journal"),
    ]
    for roots, options, message in refused:
        with pytest.raises(ValueError, match=message):
            fewer.scan.Scan(*roots, **{"out": tmp_path, **options})
