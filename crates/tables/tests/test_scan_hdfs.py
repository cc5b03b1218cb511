"""`fewer scan` and `fewer.scan` of HDFS: what Hadoop's own client lists is in the parts, once."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import deltalake
import pytest
from pyarrow import parquet

import fewer.scan

FEWER = os.environ.get("FEWER_COMMAND", "")
SCRIPT = Path(__file__).parents[2] / "stores" / "tests" / "hdfs" / "cluster"
pytestmark = pytest.mark.skipif(not FEWER, reason="there is no command: see crates/tables/check")

# The script's status if Java or Maven cannot be had.
SKIPPED = 77
# More than fits into two answers.
WIDE = 2_500


class Cluster:
    """An HDFS of one machine, which is told what to do by lines."""

    def __init__(self, folder: Path) -> None:
        environment = {
            **os.environ,
            "HADOOP_USER_NAME": "root",
            "CARGO_TARGET_DIR": str(Path(FEWER).parents[1]),
        }
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [SCRIPT, folder], stdin=pipe, stdout=pipe, text=True, env=environment
        )
        assert self.process.stdin and self.process.stdout
        ready = self.process.stdout.readline().split()
        if not ready:
            self.end()
            assert self.process.returncode == SKIPPED
            pytest.skip("there is no Java or no Maven")
        self.address = f"hdfs://127.0.0.1:{ready[1]}"

    def tell(self, verb: str, path: str, *rest: object) -> List[str]:
        assert self.process.stdin and self.process.stdout
        words = [verb, path.encode().hex(), *map(str, rest)]
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        lines: List[str] = []
        while True:
            line = self.process.stdout.readline().rstrip("\n")
            assert line and not line.startswith("failed"), line
            if line == "done":
                return lines
            lines.append(line)

    def list(self, path: str) -> Counter[Tuple[str, str, int]]:
        """Path, kind and size of all that is below, as Hadoop's `listStatus` has it."""
        fields = [line.split(" ") for line in self.tell("list", path)]
        return Counter(
            (self.address + bytes.fromhex(name).decode(), kind, int(size))
            for kind, size, _, name in fields
        )

    def end(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("hdfs"))
    os.environ["HADOOP_USER_NAME"] = "root"
    for at in range(8):
        cluster.tell("file", f"/t/d{at}/e/f/ä {at}", at)
        cluster.tell("dir", f"/t/d{at}/empty")
    cluster.tell("many", "/t/wide", 3, WIDE // 3)
    cluster.tell("dir", "/parts")
    yield cluster
    cluster.end()


def rows(table: Any) -> Counter[Tuple[str, str, int]]:
    columns = [table[name].to_pylist() for name in ("path", "kind", "size")]
    assert set(table["error"].to_pylist()) == {None}
    return Counter(zip(*columns))


@pytest.mark.parametrize("budget", [1, 30, 1000, 100_000])
def test_each_entry_is_in_one_part(cluster: Cluster, tmp_path: Path, budget: int) -> None:
    left: List[Dict[str, Any]] = []
    found: Counter[Tuple[str, str, int]] = Counter()
    units = 0
    while left or not units:
        words = [f"{cluster.address}/t", "--out", str(tmp_path), "--budget", str(budget)]
        if units:
            words += ["--unit", "-"]
        unit = json.dumps(left.pop()).encode() if units else b""
        done = subprocess.run([FEWER, "scan", *words], input=unit, capture_output=True)
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        units += 1
        left += result["left"]
        if result["part"]:
            table = parquet.read_table(tmp_path / result["part"])
            assert len(table) == result["rows"]
            depths = [path.count("/") - 3 for path in table["path"].to_pylist()]
            assert table["depth"].to_pylist() == depths
            found += rows(table)
    expected = cluster.list("/t")
    assert found == expected and len(expected) > WIDE
    directories = sum(kind == "directory" for _, kind, _ in expected)
    assert units > 4 or budget >= 1000
    assert units <= directories + 1


def test_a_scan_by_several_workers(cluster: Cluster, tmp_path: Path) -> None:
    summary = fewer.scan.Scan(f"{cluster.address}/t", out=tmp_path, budget=300).run(workers=2)
    assert rows(deltalake.DeltaTable(str(tmp_path)).to_pyarrow_table()) == cluster.list("/t")
    assert summary["errors"] == 0 and summary["units"] > 4


def test_what_is_missing_is_a_row_and_no_server_no_result(
    cluster: Cluster, tmp_path: Path
) -> None:
    words = ["--out", str(tmp_path), "--request-timeout", "5"]
    done = subprocess.run([FEWER, "scan", f"{cluster.address}/none", *words], capture_output=True)
    assert done.returncode == 1 and json.loads(done.stdout)["errors"] == 1
    (row,) = parquet.read_table(tmp_path / "part-0.parquet").to_pylist()
    assert row["path"] == f"{cluster.address}/none" and "No such file" in row["error"]
    done = subprocess.run([FEWER, "scan", "hdfs://127.0.0.1:1/x", *words], capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_part_goes_into_hdfs(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 7)
    for _ in range(2):  # the second one replaces the first
        done = subprocess.run(
            [FEWER, "scan", str(tmp_path), "--out", f"{cluster.address}/parts"],
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        part = (f"{cluster.address}/parts/part-0.parquet", "file", result["bytes"])
        parts = Counter([part, (f"{cluster.address}/parts", "directory", 0)])
        assert cluster.list("/parts") == parts
    done = subprocess.run(
        [FEWER, "scan", str(tmp_path), "--out", f"{cluster.address}/none"], capture_output=True
    )
    assert done.returncode == 2 and b"none" in done.stderr
