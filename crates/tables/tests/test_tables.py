"""What `fewer walk --parquet`, `--arrow` and `--csv` write, as DuckDB, Polars, pyarrow and Python's
csv module read it, against os.lstat, find and fewer.rows."""

from __future__ import annotations

import base64
import csv
import datetime
import io
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import duckdb
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

import fewer

COMMAND = os.environ["FEWER_COMMAND"]
NAMES = [
    b"new\nline", b'"quoted"', b"a,b;c\td", b"cr\r", b"cr\r\nlf", b" ", b"'", b"=1+1", b"null",
    b"\xff\xfe", b"z\xc3\xbcri", b"\xe2\x82", b"x" * 255, "日本".encode(), b"\\N", b"#", b"\x01\x7f",
]
COLUMNS = [
    "path", "path_bytes", "name", "kind", "depth", "inode", "device", "size", "allocated",
    "permissions", "links", "user", "group", "modified", "accessed", "changed", "created", "error",
]
TIMES = ("modified", "accessed", "changed", "created")
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
KINDS = {0o4: "directory", 0o10: "file", 0o12: "symlink", 0o1: "fifo", 0o14: "socket"}

Row = Dict[str, Any]


@pytest.fixture
def tree(tmp_path: Path) -> bytes:
    """Every kind that needs no privilege, hostile names, an old file and a large one."""
    root = os.fsencode(tmp_path / "t")
    os.makedirs(root + b"/d/empty")
    for number, name in enumerate(NAMES):
        with open(root + b"/d/" + name, "wb") as file:
            file.write(b"x" * number)
        os.chmod(root + b"/d/" + name, 0o100 * number % 0o7777)
        os.utime(root + b"/d/" + name, ns=(number * 1001, (number - 8) * 1_234_567_891_234_567))
    os.symlink(b"nowhere", root + b"/link")
    os.link(root + b"/d/null", root + b"/d/empty/again")
    os.mkfifo(root + b"/fifo")
    with open(root + b"/large", "wb") as file:
        file.truncate(5 << 40)
    return root


def run(*words: "str | bytes", status: int = 0) -> bytes:
    done = subprocess.run([COMMAND, "walk", *words], capture_output=True)
    assert done.returncode == status, done.stderr
    return done.stdout


def expected(root: bytes) -> List[Row]:
    """The entries of a tree, as Python's own library sees them."""
    rows = []

    def add(path: bytes, depth: int) -> None:
        stat = os.lstat(path)
        name = path.rpartition(b"/")[2]
        rows.append({
            "path": text(path), "path_bytes": None if text(path) else path, "name": text(name),
            "kind": KINDS[stat.st_mode >> 12], "depth": depth, "inode": stat.st_ino,
            "device": stat.st_dev, "size": stat.st_size, "allocated": stat.st_blocks * 512,
            "permissions": stat.st_mode & 0o7777, "links": stat.st_nlink, "user": stat.st_uid,
            "group": stat.st_gid, "modified": stat.st_mtime_ns // 1000,
            "changed": stat.st_ctime_ns // 1000, "error": None,
        })
        if KINDS[stat.st_mode >> 12] == "directory":
            for name in sorted(os.listdir(path)):
                add(path + b"/" + name, depth + 1)

    add(root, 0)
    return rows


def text(name: bytes) -> "str | None":
    try:
        return name.decode()
    except UnicodeDecodeError:
        return None


def microseconds(time: "datetime.datetime | int | None") -> "int | None":
    if isinstance(time, datetime.datetime):
        return (time - EPOCH) // datetime.timedelta(microseconds=1)
    return time


def plain(rows: List[Row]) -> List[Row]:
    """Rows as those that are expected: times as numbers, and without what lstat does not know."""
    for row in rows:
        assert list(row) == COLUMNS
        for name in TIMES:
            row[name] = microseconds(row[name])
        # Of directories each walk may change it.
        del row["accessed"], row["created"]
    return rows


def of_csv(written: bytes) -> List[Row]:
    rows = list(csv.DictReader(io.StringIO(written.decode(), newline="")))
    for row in rows:
        for name, value in row.items():
            if value == "":
                row[name] = None
            elif name == "path_bytes":
                row[name] = base64.b64decode(value)
            elif name in TIMES:
                assert value.endswith("Z")
                row[name] = datetime.datetime.fromisoformat(value[:-1] + "+00:00")
            elif name not in ("path", "name", "kind", "error"):
                row[name] = int(value)
    return rows


def test_parquet_is_what_lstat_says(tree: bytes, tmp_path: Path) -> None:
    path = str(tmp_path / "t.parquet")
    run(tree, "--sort", "--parquet", path)
    wanted = expected(tree)
    assert plain(polars.read_parquet(path).to_dicts()) == wanted
    assert plain(pyarrow.parquet.read_table(path).to_pylist()) == wanted
    numbers = ", ".join(f"epoch_us({name}) AS {name}" for name in TIMES)
    relation = duckdb.sql(f"SELECT * REPLACE ({numbers}) FROM '{path}'")
    rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    assert plain(rows) == wanted


def test_arrow_is_the_same(tree: bytes) -> None:
    table = pyarrow.ipc.open_stream(run(tree, "--sort", "--arrow", "-")).read_all()
    table.validate(full=True)
    assert plain(table.to_pylist()) == expected(tree)
    written = run(tree, "--sort", "--arrow", "-")
    assert plain(polars.read_ipc_stream(io.BytesIO(written)).to_dicts()) == expected(tree)


def test_csv_is_the_same(tree: bytes, tmp_path: Path) -> None:
    written = run(tree, "--sort", "--csv", "-")
    assert plain(of_csv(written)) == expected(tree)
    path = tmp_path / "t.csv"
    path.write_bytes(written)
    relation = duckdb.sql(f"SELECT * FROM read_csv('{path}', all_varchar = true)")
    found = [row[0] for row in relation.project("path").fetchall()]
    assert found == [row["path"] for row in expected(tree)]
    frame = polars.read_csv(path, infer_schema=False)
    assert frame["size"].cast(polars.Int64).to_list() == [row["size"] for row in expected(tree)]


def test_find_counts_the_same(tree: bytes) -> None:
    lines = subprocess.run(
        ["find", tree, "-printf", r"%s %b %n %m %U %G %D %i %y %d\0"], capture_output=True
    ).stdout.split(b"\0")[:-1]
    letters = {"directory": "d", "file": "f", "symlink": "l", "fifo": "p"}
    found = [
        f"{row['size']} {row['allocated'] // 512} {row['links']} {row['permissions']:o} "
        f"{row['user']} {row['group']} {row['device']} {row['inode']} {letters[row['kind']]} "
        f"{row['depth']}"
        for row in pyarrow.ipc.open_stream(run(tree, "--arrow", "-")).read_all().to_pylist()
    ]
    assert sorted(found) == sorted(line.decode() for line in lines)


def test_python_has_the_same_columns(tree: bytes) -> None:
    ours = pyarrow.ipc.open_stream(run(tree, "--arrow", "-")).read_all()
    theirs = pyarrow.table(fewer.rows(os.fsdecode(tree)))
    assert ours.column_names == theirs.column_names == COLUMNS
    small = {pyarrow.large_string(): pyarrow.string(), pyarrow.large_binary(): pyarrow.binary()}
    for our, their in zip(ours.schema, theirs.schema):
        type_of = their.type
        if pyarrow.types.is_dictionary(type_of):
            type_of = type_of.value_type
        assert our.type == small.get(type_of, type_of), our.name
        assert our.nullable == their.nullable, our.name
    key = [("inode", "ascending"), ("path", "ascending")]
    ours, theirs = (table.drop_columns(["accessed"]).sort_by(key) for table in (ours, theirs))
    assert ours.to_pylist() == theirs.to_pylist()


def test_an_empty_table_has_its_columns(tree: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    run(tree, "-g", "no such name", "--parquet", os.fsencode(path))
    assert polars.read_parquet(path).columns == COLUMNS
    assert duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall() == [(0,)]
    assert of_csv(run(tree, "-g", "no such name", "--csv", "-")) == []
    stream = pyarrow.ipc.open_stream(run(tree, "-g", "no such name", "--arrow", "-"))
    assert stream.schema.names == COLUMNS and stream.read_all().num_rows == 0


def test_failures_are_rows_in_their_place(tree: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    missing = tree + b"/\xff/no, \"such\"\nfile"
    run(tree + b"/fifo", missing, tree + b"/link", "--sort", "--parquet", os.fsencode(path),
        status=1)
    rows = polars.read_parquet(path).to_dicts()
    assert [row["kind"] for row in rows] == ["fifo", "unknown", "symlink"]
    failure = {name: value for name, value in rows[1].items() if value is not None}
    error = failure.pop("error")
    assert failure == {"path_bytes": missing, "kind": "unknown"}
    assert error.startswith("cannot access '") and error.endswith("': No such file or directory")


@pytest.mark.skipif(os.geteuid() != 0, reason="as root: files of others, another user")
def test_a_directory_that_may_not_be_read_is_two_rows(tmp_path: Path) -> None:
    unreadable(tmp_path, {"user": 65534, "group": 65534})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_directory_of_mode_0_is_two_rows(tmp_path: Path) -> None:
    unreadable(tmp_path, {})


def unreadable(folder: Path, user: Dict[str, int]) -> None:
    """As the user a walk of a directory without permissions is an entry, and a failure."""
    tree = folder / "t"
    (tree / "closed").mkdir(parents=True)
    (tree / "closed" / "file").touch()
    (tree / "closed").chmod(0)
    descriptor = os.open(tree, os.O_RDONLY)
    done = subprocess.run(
        [COMMAND, "walk", ".", "--sort", "--csv", "-"], capture_output=True, **user,
        preexec_fn=lambda: os.fchdir(descriptor),
    )
    os.close(descriptor)
    (tree / "closed").chmod(0o700)
    assert done.returncode == 1, done.stderr
    rows = of_csv(done.stdout)
    assert [(row["path"], row["kind"], row["permissions"]) for row in rows] == [
        (".", "directory", tree.stat().st_mode & 0o777), ("./closed", "directory", 0),
        ("./closed", "unknown", None),
    ]
    assert rows[2]["error"] == "cannot open directory './closed': Permission denied"


def test_memory_does_not_grow_with_the_tree(tmp_path: Path) -> None:
    """Names of one file, many times over: several groups, and of each format all of the rows."""
    directory = tmp_path / "t"
    directory.mkdir()
    for folder in range(5):
        (directory / str(folder)).mkdir()
        for name in range(10_000):
            (directory / str(folder) / f"a name of some length {name}").symlink_to("x")
    roots = [os.fsencode(directory)] * 5

    def peak(flag: str, roots: List[bytes]) -> "tuple[int, str]":
        path = str(tmp_path / f"t{flag}")
        process = subprocess.Popen([COMMAND, "walk", "--no-progress", flag, path, *roots])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        assert status == 0
        return usage.ru_maxrss, path

    for flag in ("--parquet", "--arrow", "--csv"):
        (few, _), (many, path) = peak(flag, roots[:3]), peak(flag, roots)
        assert many < 1.25 * few + 4096, f"{flag}: {few} and {many} KiB"
        if flag == "--parquet":
            groups = pyarrow.parquet.ParquetFile(path).metadata
            sizes = [groups.row_group(at).num_rows for at in range(groups.num_row_groups)]
            assert sizes == [122_880] * 2 + [5 * 50_006 - 2 * 122_880]
        if flag == "--arrow":
            assert len(pyarrow.ipc.open_stream(path).read_all()) == 5 * 50_006
        if flag == "--csv":
            query = f"SELECT count(*) FROM read_csv('{path}', all_varchar = true)"
            assert duckdb.sql(query).fetchall() == [(5 * 50_006,)]


def test_what_vanishes_is_a_row_or_is_not_there(tmp_path: Path) -> None:
    """While files come and go each row is whole: an entry, or a failure with its path."""
    directory = tmp_path / "t"
    directory.mkdir()
    script = "while :; do for i in 1 2 3 4 5 6 7 8 9; do : >$i; done; rm -f ?; done"
    with subprocess.Popen(["sh", "-c", script], cwd=directory) as busy:
        try:
            for _ in range(30):
                done = subprocess.run(
                    [COMMAND, "walk", directory, "--csv", "-"], capture_output=True
                )
                for row in of_csv(done.stdout):
                    is_failure = row["error"] is not None
                    assert is_failure == (row["kind"] == "unknown" and row["depth"] is None)
                    assert row["path"].startswith(str(directory))
                    assert done.returncode == 1 or not is_failure
        finally:
            busy.kill()


def test_spark_reads_it(tree: bytes, tmp_path: Path) -> None:
    pyspark_sql = pytest.importorskip("pyspark.sql")
    path = tmp_path / "t.parquet"
    run(tree, "--parquet", os.fsencode(path))
    spark = pyspark_sql.SparkSession.builder.master("local[1]").getOrCreate()
    found = spark.read.parquet(str(path)).select("path", "size").collect()
    spark.stop()
    wanted = {(row["path"], row["size"]) for row in expected(tree)}
    assert {tuple(row) for row in found} == wanted
