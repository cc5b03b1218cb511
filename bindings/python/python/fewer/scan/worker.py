"""Scans one unit: reads the trees and writes a Parquet file. Run as a module, it scans the units
that come as lines of JSON, and answers with lines of JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pyarrow  # type: ignore[import-untyped]
from pyarrow import compute, parquet

from .._fewer import UnitRows
from . import address
from .unit import Native, Result, Unit

# What parts are called, and before they are whole.
PART = re.compile(r"\.*part-[0-9a-f.]+-[0-9a-f]{16}\.parquet(\.tmp)?(\.[0-9.]+\.new)?")
# Where parts lie below the folder of the scan until they are accepted.
PARTS = "_scan/parts"


def scan_unit(task: Dict[str, Any]) -> Dict[str, Any]:
    """Scans the unit of a task; see :meth:`fewer.scan.driver.Driver.task`. The result as JSON.

    Price: that of the walk, a statx for each entry, and for the part open, write, close, rename,
    and an fsync of it and of its folder.
    """
    unit = Unit.from_json(task["unit"])
    if address.is_address(task["roots"][0]) or "out" in task:
        return by_command(task, unit)
    scan = shard if unit.shard else rows
    table, left = scan(task, unit)
    for folder in map(os.fsencode, task.get("leave_out", [])):
        table = outside(folder, table)
    return result(task, unit, table, unit.children(left))


def by_command(task: Dict[str, Any], unit: Unit) -> Dict[str, Any]:
    """The command scans it. The part has a name of its own, as another worker may have the unit as
    well; so have the units that are left, until they get theirs here.
    """
    named = replace(unit, id=f"{unit.id}-{secrets.token_hex(8)}")
    out = task.get("out") or str(Path(task["folder"]) / PARTS)
    found = Result.from_json(address.scan(task, named, out))
    left = [replace(it, id=unit.child(number)) for number, it in enumerate(found.left)]
    return replace(found, unit=unit.id, left=left).to_json()


def result(
    task: Dict[str, Any], unit: Unit, table: pyarrow.Table, left: List[Unit]
) -> Dict[str, Any]:
    """Writes the part of a unit."""
    errors = len(table) - table["error"].null_count
    name, size, checksum = write(Path(task["folder"]), unit, table)
    return Result(unit.id, name, len(table), size, checksum, errors, left).to_json()


def rows(task: Dict[str, Any], unit: Unit) -> Tuple[pyarrow.Table, List[Native]]:
    """The rows of a unit, and the units that are left."""
    budget = 1 if unit.single else task["budget"]
    native = UnitRows(
        tuple(task["roots"]), unit.native(), budget, task["most_names"], task["options"]
    )
    table = pyarrow.RecordBatchReader.from_stream(native).read_all()
    return table, native.left()


def outside(folder: bytes, table: pyarrow.Table) -> pyarrow.Table:
    """The rows that are neither about a folder nor about what is below it."""
    paths = compute.coalesce(table["path"].cast(pyarrow.large_binary()), table["path_bytes"])
    below = compute.starts_with(paths, folder + b"/")
    return table.filter(compute.invert(compute.or_(compute.equal(paths, folder), below)))


def shard(task: Dict[str, Any], unit: Unit) -> Tuple[pyarrow.Table, List[Native]]:
    """The rows of a shard above the depth at which trees are shared out, and its trees there.

    All shards read the directories above; the name of an entry decides whose it is.
    """
    assert unit.shard
    number, of, depth = unit.shard
    above: List[Native] = [unit.native()]
    tables, own = [], []
    while above:
        trees, part, has_roots = above.pop()
        near = [tree for tree in trees if tree[1] < depth]
        own += [tree for tree in trees if tree[1] >= depth and owner(tree[0], of) == number]
        for tree in near:
            whole = sys.maxsize
            native = UnitRows(
                tuple(task["roots"]), ([tree], part, has_roots), 1, whole, task["options"]
            )
            tables.append(owned(pyarrow.RecordBatchReader.from_stream(native).read_all(), unit))
            above += native.left()
    return pyarrow.concat_tables(tables), [([tree], None, False) for tree in own]


def owner(path: bytes, of: int) -> int:
    return zlib.crc32(path) % of


def owned(table: pyarrow.Table, unit: Unit) -> pyarrow.Table:
    """The rows that belong to the shard."""
    assert unit.shard
    number, of, _ = unit.shard
    texts, others = table["path"].to_pylist(), table["path_bytes"].to_pylist()
    paths = (other if text is None else text.encode() for text, other in zip(texts, others))
    return table.filter(pyarrow.array([owner(path, of) == number for path in paths]))


def write(folder: Path, unit: Unit, table: pyarrow.Table) -> Tuple[Optional[str], int, str]:
    """Writes a part beside its place, and renames it: its name, size and SHA-256. There is none
    without rows.
    """
    if len(table) == 0:
        return None, 0, ""
    schema = columns(of_bucket="etag" in table.column_names)
    sink = pyarrow.BufferOutputStream()
    with parquet.ParquetWriter(
        sink, schema, compression="zstd", compression_level=1, store_schema=False
    ) as writer:
        writer.write_table(table.cast(schema))
    contents = sink.getvalue()
    whole, temporary = place(folder, unit)
    try:
        with open(temporary, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, whole)
        sync_folder(whole.parent)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return whole.name, contents.size, hashlib.sha256(contents).hexdigest()


def place(folder: Path, unit: Unit) -> Tuple[Path, Path]:
    """A new path for a part of a unit, and one for as long as that is not whole."""
    whole = folder / PARTS / f"part-{unit.id}-{secrets.token_hex(8)}.parquet"
    return whole, whole.with_name(f".{whole.name}.tmp")


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def columns(of_bucket: bool = False) -> pyarrow.Schema:
    """The columns of every part."""
    nothing = UnitRows((".",), ([], None, False), 1, 1)
    schema = plain(pyarrow.RecordBatchReader.from_stream(nothing).schema)
    etag = pyarrow.field("etag", schema.field("path").type)
    return schema.append(etag) if of_bucket else schema


def plain(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The columns as every reader knows them: words are strings."""
    for index, field in enumerate(schema):
        if pyarrow.types.is_dictionary(field.type):
            schema = schema.set(index, field.with_type(pyarrow.string()))
    return schema


def gave_up(task: Dict[str, Any], reason: str) -> Dict[str, Any]:
    """The result of a unit that could not be scanned: a row for each tree with the reason."""
    unit = Unit.from_json(task["unit"])
    schema, lines = columns(address.is_address(task["roots"][0])), []
    for path, _ in unit.trees:
        row: Dict[str, Any] = {name: None for name in schema.names}
        row.update(kind="unknown", error=f"cannot scan: {reason}")
        try:
            row["path"] = path.decode()
        except UnicodeDecodeError:
            row["path_bytes"] = path
        lines.append(row)
    table = pyarrow.Table.from_pylist(lines, schema=schema)
    return result(task, unit, table, [])


def describe(error: BaseException) -> str:
    """An exception in one line."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"'{os.fsdecode(error.filename)}': {error.strerror}"
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def main() -> None:
    # What a library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            answer: Dict[str, Any] = {"result": scan_unit(json.loads(line))}
        except Exception as error:
            answer = {"failure": describe(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(130)
