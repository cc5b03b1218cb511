"""Tables, as pyarrow and polars read them."""

from __future__ import annotations

import datetime
import gc
import os
from pathlib import Path

import polars
import pyarrow
import pytest

import fewer


def test_a_walk_is_a_table(tree: Path) -> None:
    table = pyarrow.table(fewer.walk(tree, sort=True))
    table.validate(full=True)
    entries = list(fewer.walk(tree, sort=True))
    assert table.column_names == ["path", "path_bytes", "kind", "depth", "inode"]
    for row, entry in zip(table.to_pylist(), entries):
        path = os.fsencode(entry.path)
        assert (row["path"] or "").encode() + (row["path_bytes"] or b"") == path
        assert (row["path_bytes"] is None) != (row["path"] is None)
        assert row["path_bytes"] is None or path.endswith(b"\xff\xfe")
        assert (row["kind"], row["depth"], row["inode"]) == (entry.kind, entry.depth, entry.inode)
    assert len(table) == len(entries)


def test_bytes_are_binary(tree: Path) -> None:
    table = pyarrow.table(fewer.walk(os.fsencode(tree), sort=True))
    assert table["path"].type == pyarrow.large_binary()
    assert table["path"].to_pylist() == fewer.paths(os.fsencode(tree), sort=True)


def test_polars_reads_them_all(tree: Path) -> None:
    walk = polars.DataFrame(fewer.walk(tree))
    assert sorted(walk["path"].drop_nulls()) == sorted(
        path for path in fewer.paths(tree) if path.isascii()
    )
    listing = polars.DataFrame(fewer.list(tree))
    assert listing["name"].to_list() == sorted(os.listdir(tree))
    assert listing["size"].to_list() == [row.stat.size for row in fewer.list(tree) if row.stat]
    assert listing["modified"].dtype == polars.Datetime("ns", "UTC")
    lines = polars.DataFrame(fewer.lines(tree / "6"))
    assert lines["line"].to_list() == ["6"]


def test_a_listing_is_a_table(tree: Path) -> None:
    rows = fewer.list(tree, links=True, owners=True)
    table = pyarrow.table(rows)
    table.validate(full=True)
    assert table.schema.field("modified").type == pyarrow.timestamp("ns", "UTC")
    times = table["modified"].cast(pyarrow.int64()).to_pylist()
    table = table.drop_columns(["modified", "accessed", "changed", "created"])
    for record, row, time in zip(table.to_pylist(), rows, times):
        assert row.stat is not None
        assert (record["name"], record["kind"], record["inode"]) == (row.name, row.kind, row.inode)
        for field in ("size", "allocated", "permissions", "links", "user", "group", "device"):
            assert record[field] == getattr(row.stat, field)
        assert record["target"] == (None if row.target is None else os.fsencode(row.target))
        assert (record["user_name"], record["group_name"]) == (row.user_name, row.group_name)
        assert time == row.stat.modified_ns
    unasked = pyarrow.table(fewer.list(tree, fields=[]))
    assert unasked["size"].null_count == len(unasked)


def test_lines_are_a_column(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one\n\nzwölf\nlast")
    table = pyarrow.table(fewer.lines(path))
    table.validate(full=True)
    assert table["line"].type == pyarrow.large_string()
    assert table["line"].to_pylist() == fewer.read_lines(path)
    binary = pyarrow.table(fewer.lines(path, encoding=None))
    assert binary["line"].type == pyarrow.large_binary()
    assert binary["line"].to_pylist() == fewer.read_lines(path, None)
    (tmp_path / "empty").touch()
    assert len(pyarrow.table(fewer.lines(tmp_path / "empty"))) == 0
    large = tmp_path / "large"
    large.write_text("".join(f"line {number} ü\n" for number in range(800_000)))
    assert pyarrow.table(fewer.lines(large))["line"].to_pylist() == fewer.read_lines(large)


def test_lines_must_be_utf_8_each_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\n\xc3\n\xa9\n")
    with pytest.raises(ValueError, match=f"can't decode byte 0xc3.*, in line 2 of {str(path)!r}"):
        pyarrow.table(fewer.lines(path))
    with pytest.raises(ValueError, match="UTF-8"):
        pyarrow.table(fewer.lines(path, errors="replace"))


def test_the_lines_of_a_pipe_are_a_column_too() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    assert pyarrow.table(fewer.lines(reading)).to_pydict() == {"line": ["one", "two"]}
    os.close(reading)


def test_errors_of_a_walk_come_out_of_the_stream(tree: Path) -> None:
    with pytest.raises(OSError, match="cannot .* 'missing'"):
        pyarrow.table(fewer.walk("missing"))
    errors: "list[OSError]" = []
    table = pyarrow.table(fewer.walk(tree, follow=True, on_error=errors.append))
    assert len(errors) == 1 and len(table) > 10


def test_many_rows_come_in_several_batches(tmp_path: Path) -> None:
    for number in range(70):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "0").touch()
        for other in range(1, 1000):
            os.link(directory / "0", directory / str(other))
    reader = pyarrow.RecordBatchReader.from_stream(fewer.walk(tmp_path))
    batches = list(reader)
    assert len(batches) > 1 and sum(len(batch) for batch in batches) == 70 * 1001 + 1


def test_what_is_not_used_is_freed(tree: Path) -> None:
    def held() -> int:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1])

    path = tree / "lines"
    path.write_text("x" * 99 + "\n" * 20_000)

    def growth() -> int:
        """By how many pages of 4 KiB the process grows."""
        before = held()
        for _ in range(100):
            fewer.lines(path).__arrow_c_stream__()
            fewer.walk(tree).__arrow_c_stream__()
            fewer.list(tree).__arrow_c_stream__()
            pyarrow.table(fewer.lines(path))
            pyarrow.table(fewer.walk(tree))
            reader = pyarrow.RecordBatchReader.from_stream(fewer.list(tree))
            del reader
        gc.collect()
        return held() - before

    # What is never freed grows each time; allocators keep what they like, but not each time more.
    assert min(growth() for _ in range(4)) < 500


def test_a_walk_that_has_begun_is_no_table(tree: Path) -> None:
    walk = fewer.walk(tree)
    next(walk)
    with pytest.raises(ValueError, match="taken already"):
        pyarrow.table(walk)


def test_times_before_1970(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    os.utime(tmp_path / "old", ns=(-1, -1_500_000_001))
    row = fewer.list(tmp_path)[0]
    assert row.stat is not None and row.stat.modified_ns == -1_500_000_001
    assert row.stat.modified == datetime.datetime(
        1969, 12, 31, 23, 59, 58, 499_999, datetime.timezone.utc
    )
    modified = pyarrow.table(fewer.list(tmp_path))["modified"].cast(pyarrow.int64()).to_pylist()
    assert modified == [-1_500_000_001]
