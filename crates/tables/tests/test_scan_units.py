"""`fewer scan`: all parts of a scan together have each entry once, whoever scans its units.

What is expected comes from GNU find, `os.lstat`, sha256sum, boto-like servers of this repository
(`replay`, which lists its keys by `--list-keys`), Hadoop's own client and hand-made lists; the
parts are read by pyarrow and DuckDB.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import duckdb
import pyarrow
import pytest
from pyarrow import parquet

FEWER = os.environ.get("FEWER_COMMAND", "")
REPLAY = os.environ.get("FEWER_REPLAY", "")
pytestmark = pytest.mark.skipif(not REPLAY, reason="there is no command: see crates/tables/check")

Result = Dict[str, Any]


def run(*words: Any, **variables: str) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, **variables}
    return subprocess.run([FEWER, "scan", *words], capture_output=True, env=environment)


def scan(*words: Any, status: int = 0, **variables: str) -> Result:
    """The result of one unit."""
    done = run(*words, **variables)
    assert done.returncode == status, done.stderr
    result: Result = json.loads(done.stdout)
    return result


def scan_all(root: Any, out: Any, *words: Any, status: int = 0, **variables: str) -> List[Result]:
    """The results of all units, each scanned from a file."""
    results, left = [], [None]
    file = Path(os.environ["PYTEST_UNIT_FOLDER"]) / "unit.json"
    while left:
        unit = left.pop()
        words_of_unit = []
        if unit:
            file.write_text(json.dumps(unit))
            words_of_unit = ["--unit", file]
        done = run(root, "--out", out, *words_of_unit, *words, **variables)
        assert done.returncode in (0, status), done.stderr
        results.append(json.loads(done.stdout))
        left += results[-1]["left"]
    assert len({result["unit"] for result in results}) == len(results)
    return results


@pytest.fixture(autouse=True)
def folder_for_units(tmp_path_factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_UNIT_FOLDER", str(tmp_path_factory.mktemp("units")))


def table(folder: Path) -> pyarrow.Table:
    parts = sorted(folder.glob("*.parquet"))
    assert not [name for name in os.listdir(folder) if not name.endswith(".parquet")]
    return pyarrow.concat_tables([parquet.read_table(part) for part in parts])


def paths(found: pyarrow.Table) -> List[bytes]:
    pairs = zip(found["path"].to_pylist(), found["path_bytes"].to_pylist())
    return [other if text is None else text.encode() for text, other in pairs]


def find(root: Path, *words: str) -> List[bytes]:
    return subprocess.check_output(["find", root, *words, "-print0"]).split(b"\0")[:-1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Deep, wide, and with names of all kinds."""
    root = tmp_path / "tree"
    for at in range(12):
        folder = root / f"d{at}" / "e" / "f"
        folder.mkdir(parents=True)
        for name in range(at * 3):
            (folder / f"file{name}").write_bytes(b"x" * name)
    wide = root / "wide"
    wide.mkdir()
    for at in range(500):
        (wide / f"{at:03}").touch()
    (wide / "below").mkdir()
    (wide / "below" / "x").touch()
    odd = os.fsencode(root) + b"/odd\xff\n\"\\"
    os.mkdir(odd)
    open(odd + b"/\xfe", "w").close()
    (root / "link").symlink_to("wide")
    return root


@pytest.mark.parametrize("budget", [1, 40, 200, 100_000])
def test_each_entry_is_in_one_part(tree: Path, tmp_path: Path, budget: int) -> None:
    out = tmp_path / "out"
    out.mkdir()
    results = scan_all(tree, out, "--budget", str(budget))
    found = table(out)
    assert sorted(paths(found)) == sorted(find(tree))
    sizes = {path: os.lstat(path).st_size for path in paths(found)}
    assert dict(zip(paths(found), found["size"].to_pylist())) == sizes
    depth = len(tree.parts)
    depths = [len(Path(os.fsdecode(path)).parts) - depth for path in paths(found)]
    assert found["depth"].to_pylist() == depths
    assert (len(results) > 1) == (budget < 1000)
    # A unit ends behind the directory in which its budget was used up, and has no larger one.
    assert all(result["rows"] <= max(2 * budget, 60) for result in results)
    assert [result["errors"] for result in results] == [0] * len(results)


def test_a_result_says_what_its_part_is(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for result in scan_all(tree, out, "--budget", "100"):
        if result["part"] is None:
            assert (result["rows"], result["bytes"], result["checksum"]) == (0, 0, "")
            continue
        part = out / result["part"]
        assert result["part"] == f"part-{result['unit']}.parquet"
        assert part.stat().st_size == result["bytes"]
        assert subprocess.check_output(["sha256sum", part])[:64].decode() == result["checksum"]
        count = duckdb.sql(f"SELECT count(*) FROM '{part}'").fetchall()
        assert count == [(result["rows"],)]


def test_a_unit_that_is_scanned_again_replaces_its_part(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    first = scan(tree, "--out", out, "--budget", "50")
    again = scan(tree, "--out", out, "--budget", "50")
    # When directories were read, at least, is something else.
    same = ["unit", "part", "rows", "errors", "left"]
    assert [again[name] for name in same] == [first[name] for name in same]
    assert os.listdir(out) == ["part-0.parquet"]


def test_filters_are_those_of_a_walk(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    scan_all(tree, out, "--budget", "30", "-g", "file*", "-E", "d3", "-t", "f", "-S", "+1")
    expected = find(tree, "-name", "d3", "-prune", "-o", "-type", "f", "-name", "file*", "-size",
                    "+1c")
    assert sorted(paths(table(out))) == sorted(expected) and expected
    for part in out.iterdir():
        part.unlink()
    scan_all(tree, out, "--budget", "3", "--max-depth", "2")
    assert sorted(paths(table(out))) == sorted(find(tree, "-maxdepth", "2"))


def test_parts_below_the_root_are_left_out(tree: Path) -> None:
    out = tree / "d1" / "parts"
    out.mkdir()
    scan_all(tree, out, "--budget", "60")
    expected = [path for path in find(tree) if b"/parts" not in path]
    assert sorted(paths(table(out))) == sorted(expected)
    refused = run(tree, "--out", tree)
    assert refused.returncode == 2 and b"find itself" in refused.stderr


def test_what_cannot_be_read_is_a_row(tmp_path: Path) -> None:
    result = scan(tmp_path / "missing", "--out", tmp_path, status=1)
    assert (result["rows"], result["errors"], result["left"]) == (1, 1, [])
    (row,) = parquet.read_table(tmp_path / result["part"]).to_pylist()
    assert row["path"] == str(tmp_path / "missing")
    assert "No such file or directory" in row["error"]


def test_units_are_json_that_others_can_write(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    odd = base64.b64encode(os.fsencode(tree) + b"/odd\xff\n\"\\").decode()
    unit = {"id": "mine_1-a", "trees": [[{"bytes": odd}, 1], [{"text": str(tree / "d2")}, 1]]}
    done = subprocess.run(
        [FEWER, "scan", tree, "--unit", "-", "--out", out],
        input=json.dumps(unit).encode() + b" " * 100_000,
        capture_output=True,
    )
    assert json.loads(done.stdout)["part"] == "part-mine_1-a.parquet", done.stderr
    below = [path for path in find(tree) if b"/odd" in path or b"/d2/" in path]
    roots = {os.fsencode(tree) + b"/odd\xff\n\"\\"}
    assert sorted(paths(table(out))) == sorted(set(below) - roots)


TREE = [[{"text": "/x"}, 1]]


@pytest.mark.parametrize(
    "unit, reason",
    [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "no object"),
        ({"trees": TREE}, '"id"'),
        ({"id": "../x", "trees": TREE}, '"id"'),
        ({"id": "a/b", "trees": TREE}, '"id"'),
        ({"id": "", "trees": TREE}, '"id"'),
        ({"id": "0"}, '"trees"'),
        ({"id": "0", "trees": []}, '"trees"'),
        ({"id": "0", "trees": ["/x"]}, '"trees"'),
        ({"id": "0", "trees": [["/x", 1]]}, '"trees"'),
        ({"id": "0", "trees": [[{"bytes": "?"}, 1]]}, '"trees"'),
        ({"id": "0", "trees": [[{"text": "/x"}, -1]]}, '"trees"'),
        ({"id": "0", "trees": TREE, "slice": [4, 4]}, '"slice"'),
        ({"id": "0", "trees": TREE, "slice": [0, 0]}, '"slice"'),
        ({"id": "0", "trees": TREE, "weight": "1"}, '"weight"'),
        ({"id": "0", "trees": TREE, "ranges": [{"after": {"text": ""}}]}, '"ranges"'),
        ({"id": "0", "trees": TREE + TREE, "slice": [0, 2]}, "one tree"),
        ({"id": "0", "trees": TREE, "shard": [0, 2, 1]}, "shard"),
        ({"id": "0", "trees": TREE, "nonsense": 1}, '"nonsense"'),
        ({"id": "0", "trees": TREE}, "'/x' is below no root"),
    ],
)
def test_what_is_no_unit_is_refused(tmp_path: Path, unit: Any, reason: str) -> None:
    file = tmp_path / "unit.json"
    file.write_text(unit if isinstance(unit, str) else json.dumps(unit))
    out = tmp_path / "out"
    out.mkdir()
    done = run("/y", "--unit", file, "--out", out)
    assert (done.returncode, done.stdout) == (2, b"")
    assert reason.encode() in done.stderr, done.stderr
    assert not os.listdir(out)


def test_what_cannot_be_used_is_refused(tree: Path, tmp_path: Path) -> None:
    for words, reason in [
        ([tree], b"--out"),
        ([tree, "--out", tmp_path / "none"], b"none/part-0.parquet': No such file"),
        ([tree, "--out", tmp_path, "--budget", "0"], b"0"),
        ([tree, "--out", tmp_path, "--unit", tmp_path / "none"], b"none': No such file"),
        ([tree, "--out", tmp_path, "--unit", tmp_path], b"Is a directory"),
        ([tree, "--out", tmp_path, "--parent", "1"], b"did not start this one"),
    ]:
        done = run(*words)
        assert done.returncode == 2 and reason in done.stderr, (words, done.stderr)
        assert not list(tmp_path.glob("*.parquet"))


def test_a_full_disk_leaves_no_part() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$0" scan /usr/include --out "$1"', FEWER,
         os.environ["PYTEST_UNIT_FOLDER"]],
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"File too large" in done.stderr
    assert os.listdir(os.environ["PYTEST_UNIT_FOLDER"]) == []


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    """A shell that starts it and is killed, while a server does not answer."""
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    command = f'"{FEWER}" scan s3://b --no-sign-request --endpoint-url http://127.0.0.1:{port} '
    shell = subprocess.Popen(
        ["sh", "-c", command + f'--out "{tmp_path}" --parent $$ & echo $!; wait'],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert shell.stdout
    child = int(shell.stdout.readline())
    connection, _ = silent.accept()
    os.kill(child, 0)
    shell.kill()
    shell.wait()
    shell.stdout.close()
    for _ in range(100):
        if not os.path.exists(f"/proc/{child}") or is_zombie(child):
            break
        time.sleep(0.05)
    else:
        os.kill(child, 9)
        raise AssertionError("it goes on")
    connection.close()
    silent.close()


def is_zombie(process: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()[0] == "Z"


KEYS = 30_000


@pytest.fixture
def bucket() -> Iterator[Tuple[Dict[str, str], List[str]]]:
    """A bucket: what the environment says of it, and its keys."""
    command = [REPLAY, "--keys", str(KEYS)]
    server = subprocess.Popen(
        [*command, "--refuse-every", "13"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout
    address = re.search(r"http://\S+", server.stdout.readline())
    assert address
    variables = {
        "AWS_ENDPOINT_URL": address[0],
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "STORAGE_EMULATOR_HOST": address[0],
    }
    listed = subprocess.check_output([*command, "--list-keys"], text=True)
    yield variables, listed.splitlines()
    server.kill()
    server.wait()
    server.stdout.close()


@pytest.mark.parametrize("scheme, as_given", [("s3", "s3a"), ("gs", "gs")])
def test_each_key_is_in_one_part(
    bucket: Tuple[Dict[str, str], List[str]], tmp_path: Path, scheme: str, as_given: str
) -> None:
    variables, keys = bucket
    results = scan_all(f"{as_given}://b", tmp_path, "--budget", "7000", **variables)
    found = table(tmp_path)
    assert Counter(found["path"].to_pylist()) == Counter(f"{scheme}://b/{key}" for key in keys)
    assert None not in found["size"].to_pylist()
    assert [key.count("/") + 1 for key in keys] == [
        depth for _, depth in sorted(zip(found["path"].to_pylist(), found["depth"].to_pylist()))
    ]
    assert len(results) > 3 and max(result["rows"] for result in results) <= 7000


def test_a_bucket_that_cannot_be_listed_has_no_result(tmp_path: Path) -> None:
    done = run("s3://b", "--out", tmp_path, AWS_ENDPOINT_URL="http://127.0.0.1:1",
               AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b")
    assert (done.returncode, done.stdout) == (2, b"") and b"s3://b" in done.stderr
    unit = {"id": "0", "trees": [[{"text": "s3://b/"}, 0]],
            "ranges": [{"after": {"text": "b"}, "end": {"text": "a"}}]}
    (tmp_path / "unit").write_text(json.dumps(unit))
    done = run("s3://b", "--out", tmp_path, "--unit", tmp_path / "unit")
    assert done.returncode == 2 and b"overlap" in done.stderr
    assert os.listdir(tmp_path) == ["unit"]
