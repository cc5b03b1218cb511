"""`fewer.scan` into a store: the Delta table there has each entry once, whoever is killed.

The server is moto's; the table is read by delta-rs and DuckDB.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Dict, Iterator

import deltalake
import pytest

import fewer.scan
from fewer.scan import ScanError

MOTO = os.environ.get("FEWER_MOTO", "")
pytestmark = pytest.mark.skipif(not MOTO, reason="there is no moto: see crates/stores/check")
TABLE = "s3://tables/of a tree"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    moto = subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(port)], **quiet)  # type: ignore
    for _ in range(200):
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    moto.terminate()
    moto.wait()


@pytest.fixture
def store(server: str, monkeypatch: pytest.MonkeyPatch) -> Dict[str, str]:
    """An empty bucket `tables`; what delta-rs has to be told of it."""
    subprocess.run(["curl", "-s", "-X", "POST", f"{server}/moto-api/reset"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["curl", "-s", "-X", "PUT", f"{server}/tables"], check=True,
                   stdout=subprocess.DEVNULL)
    variables = {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_REGION": "us-east-1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return {"AWS_ALLOW_HTTP": "true", "AWS_ENDPOINT_URL": server}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for at in range(30):
        (root / f"d{at}" / "e").mkdir(parents=True)
        for name in range(20):
            (root / f"d{at}" / "e" / f"{name}").touch()
    return root


def found(options: Dict[str, str]) -> Counter[str]:
    table = deltalake.DeltaTable(TABLE, storage_options=options).to_pyarrow_table()
    return Counter(table["path"].to_pylist())


def expected(tree: Path) -> Counter[str]:
    return Counter(subprocess.check_output(["find", tree], text=True).splitlines())


def test_each_entry_is_a_row(store: Dict[str, str], tree: Path, tmp_path: Path) -> None:
    scan = fewer.scan.Scan(tree, out=TABLE, journal=tmp_path / "journal", budget=100)
    summary = scan.run(workers=2)
    assert found(store) == expected(tree)
    assert summary["units"] > 4 and summary["errors"] == 0
    assert scan.run() == summary
    assert not list((tmp_path / "journal").rglob("*.parquet"))
    with pytest.raises(ScanError, match="has a table already"):
        fewer.scan.Scan(tree, out=TABLE, journal=tmp_path / "other").run(workers=1)


def test_the_driver_is_killed(store: Dict[str, str], tree: Path, tmp_path: Path) -> None:
    chance = random.Random(1)
    command = [sys.executable, "-m", "fewer.scan", str(tree), "--out", TABLE, "--journal",
               str(tmp_path / "journal"), "--budget", "20", "-j", "2"]
    for _ in range(3):
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(0.8 + chance.random())
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
    assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
    assert found(store) == expected(tree)


def test_a_bucket_that_is_not_there_ends_it(
    store: Dict[str, str], tree: Path, tmp_path: Path
) -> None:
    scan = fewer.scan.Scan(tree, out="s3://none/x", journal=tmp_path / "journal")
    with pytest.raises(ScanError, match="s3://none/x"):
        scan.run(workers=1)
