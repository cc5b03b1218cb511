"""pyarrow, polars, pandas and DuckDB read all rows of a table, as often as they like, or raise an
error that says why not; none of them gets an empty table of what is not empty."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import duckdb
import pandas
import polars
import pyarrow
import pytest

import fewer

# What each of them makes of an object: how many rows.
READERS: "dict[str, Callable[[Any], int]]" = {
    "pyarrow.table": lambda x: len(pyarrow.table(x)),
    "pyarrow.RecordBatchReader": lambda x: sum(
        len(batch) for batch in pyarrow.RecordBatchReader.from_stream(x)
    ),
    "polars.DataFrame": lambda x: len(polars.DataFrame(x)),
    "polars.from_arrow": lambda x: len(polars.from_arrow(x)),
    "pandas.DataFrame.from_arrow": lambda x: len(pandas.DataFrame.from_arrow(x)),
    "duckdb.sql": lambda x: _only(duckdb.sql("select count(*) from x")),
    "duckdb.sql, all columns": lambda x: len(duckdb.sql("select * from x").to_arrow_table()),
    "duckdb.from_arrow": lambda x: _only(duckdb.from_arrow(x).count("*")),
    "duckdb connection": lambda x: _only(duckdb.connect().from_arrow(x).aggregate("count(*)")),
}


def _only(relation: Any) -> int:
    rows = relation.fetchall()
    assert len(rows) == 1 and len(rows[0]) == 1
    return int(rows[0][0])


def found(root: Path) -> int:
    names = subprocess.run(["find", root, "-print0"], check=True, capture_output=True).stdout
    return names.count(b"\0")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_text("".join(f"line {number} ü\n" for number in range(24)))
    return path


@pytest.mark.parametrize("reader", READERS)
def test_a_walk_is_read_twice(tree: Path, reader: str) -> None:
    walk = fewer.walk(tree)
    expected = found(tree)
    assert expected > 10
    assert [READERS[reader](walk) for _ in range(3)] == [expected] * 3
    # It has not been taken from; then it is, and is no table any more.
    assert len(list(walk)) == expected
    with pytest.raises(Exception, match="taken already"):
        READERS[reader](walk)


@pytest.mark.parametrize("reader", READERS)
def test_paths_are_read_twice(tree: Path, reader: str) -> None:
    paths = fewer.iter_paths(tree)
    assert [READERS[reader](paths) for _ in range(2)] == [found(tree)] * 2
    next(paths)
    with pytest.raises(Exception, match="taken already"):
        READERS[reader](paths)


@pytest.mark.parametrize("reader", READERS)
def test_a_listing_is_read_twice(tree: Path, reader: str) -> None:
    listing = fewer.list(tree)
    expected = len(os.listdir(tree))
    assert [READERS[reader](listing) for _ in range(2)] == [expected] * 2
    list(listing)
    assert READERS[reader](listing[1:4]) == 3


@pytest.mark.parametrize("reader", READERS)
def test_lines_are_read_twice(text: Path, reader: str) -> None:
    wc = subprocess.run(["wc", "-l", text], check=True, capture_output=True).stdout
    expected = int(wc.split()[0])
    assert expected == 24
    lines = fewer.lines(text)
    assert [READERS[reader](lines) for _ in range(3)] == [expected] * 3
    assert len(list(lines)) == expected
    with pytest.raises(Exception, match="taken already"):
        READERS[reader](lines)


@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_is_read_once(text: Path, reader: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, text.read_bytes())
    os.close(writing)
    lines = fewer.lines(reading)
    os.close(reading)
    assert READERS[reader](lines) == 24
    with pytest.raises(Exception, match="read once"):
        READERS[reader](lines)
    with pytest.raises(ValueError, match="read once"):
        next(lines)


@pytest.mark.parametrize("reader", READERS)
def test_so_is_a_fifo_that_was_opened_by_its_path(tmp_path: Path, text: Path, reader: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    both = os.open(tmp_path / "fifo", os.O_RDWR)
    os.write(both, text.read_bytes())
    lines = fewer.lines(tmp_path / "fifo")
    os.close(both)
    assert READERS[reader](lines) == 24
    with pytest.raises(Exception, match="read once"):
        READERS[reader](lines)


def test_a_descriptor_of_a_file_is_read_once_from_where_it_stands(text: Path) -> None:
    with open(text, "rb", buffering=0) as file:
        file.readline()
        lines = fewer.lines(file.fileno())
        assert len(pyarrow.table(lines)) == 23
        with pytest.raises(ValueError, match="read once"):
            pyarrow.table(lines)


@pytest.mark.parametrize("reader", READERS)
def test_nothing_is_a_table_too(tmp_path: Path, reader: str) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "directory").mkdir()
    empty: "list[Any]" = [
        fewer.walk(tmp_path, glob="no such"),
        fewer.iter_paths(tmp_path, glob="no such"),
        fewer.list(tmp_path / "directory"),
        fewer.lines(tmp_path / "empty"),
    ]
    for one in empty:
        assert READERS[reader](one) == 0 == READERS[reader](one)


def objects(tree: Path, text: Path) -> "list[Any]":
    some: "list[Any]" = []
    for root in (str(tree), os.fsencode(tree)):
        some += [fewer.walk(root), fewer.iter_paths(root), fewer.list(root)]
    return [*some, fewer.lines(text), fewer.lines(text, None)]


def test_the_schema_is_that_of_the_table(tree: Path, text: Path) -> None:
    for one in objects(tree, text):
        assert pyarrow.schema(one) == pyarrow.table(one).schema
    assert pyarrow.schema(fewer.lines(text)) == pyarrow.schema([("line", pyarrow.large_string())])\
        .set(0, pyarrow.field("line", pyarrow.large_string(), nullable=False))


def test_a_schema_may_be_asked_for(tree: Path, text: Path) -> None:
    for one in objects(tree, text):
        schema = pyarrow.schema(one)
        assert pyarrow.table(one, schema=schema).schema == schema
        other = schema.append(pyarrow.field("more", pyarrow.int8()))
        with pytest.raises(ValueError, match="other columns"):
            pyarrow.RecordBatchReader.from_stream(one, schema=other)
        with pytest.raises(ValueError, match="other columns"):
            one.__arrow_c_stream__(pyarrow.int8().__arrow_c_schema__())
        with pytest.raises(TypeError, match="capsule"):
            one.__arrow_c_stream__("x")
        with pytest.raises(ValueError):
            one.__arrow_c_stream__(one.__arrow_c_stream__())
    lines = pyarrow.table(
        fewer.lines(text), schema=pyarrow.schema([("line", pyarrow.string())])
    )
    assert len(lines) == 24


def test_looking_at_the_schema_takes_nothing() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    lines = fewer.lines(reading)
    lines.__arrow_c_stream__()
    lines.__arrow_c_schema__()
    assert list(lines) == ["one", "two"]
    os.close(reading)


@pytest.mark.parametrize("reader", READERS)
def test_an_error_is_no_end(tree: Path, reader: str) -> None:
    # A loop of links somewhere in the middle.
    walk = fewer.walk(tree, follow=True, sort=True)
    for _ in range(2):
        with pytest.raises(Exception, match="d/up"):
            READERS[reader](walk)
    ignoring = fewer.walk(tree, follow=True, on_error="ignore")
    assert READERS[reader](ignoring) > 10
    with pytest.raises(Exception, match="cannot .* 'missing'"):
        READERS[reader](fewer.walk("missing"))


@pytest.mark.parametrize("reader", READERS)
def test_a_bad_line_is_no_end(tmp_path: Path, reader: str) -> None:
    (tmp_path / "file").write_bytes(b"one\n\xff\nthree\n")
    lines = fewer.lines(tmp_path / "file")
    for _ in range(2):
        with pytest.raises(Exception, match="in line 2 of"):
            READERS[reader](lines)


@pytest.mark.parametrize("reader", READERS)
def test_what_a_callback_raises_comes_out(tree: Path, reader: str) -> None:
    def refuse(error: OSError) -> None:
        raise RuntimeError("enough of it")

    with pytest.raises(Exception, match="enough of it"):
        READERS[reader](fewer.walk(tree, follow=True, on_error=refuse))


def test_after_an_error_a_stream_stays_at_it(tmp_path: Path) -> None:
    stream = pyarrow.RecordBatchReader.from_stream(
        fewer.walk("missing", tmp_path, sort=True)
    )
    rows = 0
    with pytest.raises(OSError, match="missing"):
        while True:
            rows += len(stream.read_next_batch())
    for _ in range(3):
        with pytest.raises(OSError, match="missing"):
            stream.read_next_batch()


def test_closed_ones_are_no_tables(tree: Path, text: Path) -> None:
    for one in (fewer.walk(tree), fewer.iter_paths(tree), fewer.lines(text)):
        one.close()
        with pytest.raises(ValueError, match="closed"):
            pyarrow.table(one)


def test_columns_hold_what_they_should(tree: Path, text: Path) -> None:
    walk = fewer.walk(tree, sort=True)
    rows = duckdb.sql("select path, path_bytes, kind, depth, inode from walk").fetchall()
    expected = [(e.path, e.kind, e.depth, e.inode) for e in fewer.walk(tree, sort=True)]
    for (path, other, kind, depth, inode), known in zip(rows, expected):
        path = path if other is None else os.fsdecode(bytes(other))
        assert (path, kind, depth, inode) == known
    assert len(rows) == len(expected)
    frame = pandas.DataFrame.from_arrow(fewer.list(tree, fields=["size"]))
    assert list(frame["name"]) == sorted(os.listdir(tree))
    lines = fewer.lines(text)
    assert duckdb.sql("select line from lines").fetchall() == [
        (line,) for line in fewer.read_lines(text)
    ]
    assert polars.DataFrame(lines)["line"].to_list() == fewer.read_lines(text)


def test_a_large_walk_by_several_threads_is_read_whole(tmp_path: Path) -> None:
    for number in range(900):
        (tmp_path / str(number) / "below").mkdir(parents=True)
    walk = fewer.walk(tmp_path)
    for read in READERS.values():
        assert read(walk) == 1801


def test_a_mark_is_no_part_of_a_column(tmp_path: Path) -> None:
    path = tmp_path / "marked"
    path.write_bytes(b"\xef\xbb\xbfone\nzw\xc3\xb6lf\n")
    table = pyarrow.table(fewer.lines(path, "utf-8-sig"))
    table.validate(full=True)
    assert table["line"].to_pylist() == fewer.read_lines(path, "utf-8-sig") == ["one", "zwölf"]
