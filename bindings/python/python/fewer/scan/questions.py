"""What the table of a scan is asked: which rows, what has changed, what is the most. By DuckDB.

Each takes the folder of a scan, or of any Parquet files with its columns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator, Tuple

import deltalake
import duckdb

from .conditions import Conditions, quote
from .errors import ScanError

# The path of a row, whether it is UTF-8 or not.
PATH = "coalesce(encode(path), path_bytes)"
# By what the most can be asked: the columns, how they are grouped, and the order.
TOPS = {
    "size": (f"size AS value, {PATH} AS label", "kind = 'file'", "", "value DESC"),
    "age": (
        f"epoch_us(now()) // 1000000 - epoch_us(modified) // 1000000 AS value, {PATH} AS label",
        "kind = 'file'",
        "",
        "value DESC",
    ),
    "owner": (
        'sum(allocated)::BIGINT AS value, encode("user"::VARCHAR) AS label',
        "true",
        "GROUP BY ALL",
        "value DESC",
    ),
    "extension": (
        "sum(allocated)::BIGINT AS value, "
        "encode(coalesce(regexp_extract(name, '.\\.([^.]*)$', 1), '')) AS label",
        "kind = 'file'",
        "GROUP BY ALL",
        "value DESC",
    ),
}


def source(folder: Path) -> str:
    """What DuckDB reads the rows of a scan from."""
    if deltalake.DeltaTable.is_deltatable(str(folder)):
        files = deltalake.DeltaTable(str(folder)).file_uris()
    else:
        files = sorted(map(str, folder.glob("*.parquet")))
    if not files:
        raise ScanError(f"'{folder}' has no table of a scan, or one without a row")
    return f"read_parquet([{', '.join(map(quote, files))}])"


def query(folder: Path, conditions: Conditions) -> Any:
    """The rows that fulfil the conditions, as a relation of DuckDB, in no order."""
    return duckdb.sql(_select("*", folder, conditions))


def count(folder: Path, conditions: Conditions) -> int:
    """How many they are."""
    (row,) = _rows(_select("count(*)", folder, conditions))
    number: int = row[0]
    return number


def write(folder: Path, conditions: Conditions, file: Path) -> None:
    """Writes them, with all columns, into a file whose ending says as what."""
    endings = {".parquet": "PARQUET", ".csv": "CSV, HEADER", ".json": "JSON"}
    if file.suffix not in endings:
        raise ValueError(f"'{file}' ends neither in .parquet nor in .csv nor in .json")
    rows, how = _select("*", folder, conditions), endings[file.suffix]
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({rows}) TO {quote(str(file))} (FORMAT {how})")


def paths(folder: Path, conditions: Conditions) -> Iterator[bytes]:
    """Their paths."""
    return (path for (path,) in _rows(_select(PATH, folder, conditions)))


def changes(before: Path, after: Path) -> Iterator[Tuple[str, bytes, bytes]]:
    """What changed between two scans, in the order of paths: a letter, a path, and for ``R`` the
    path that it has now.

    ``A`` was added, ``D`` removed, ``R`` renamed, and ``M`` is of another kind, or has another
    size, time of the last change, permissions or owner. Of a directory only kind, permissions and
    owner count: what is in it has rows of its own. An entry is taken for renamed if exactly one
    that is gone and exactly one that is new have its kind, device, inode and time of creation.
    """
    columns = f"{PATH} AS key, * EXCLUDE (path, path_bytes)"
    scans = ", ".join(
        f"{name} AS (SELECT {columns} FROM {source(folder)} WHERE error IS NULL)"
        for name, folder in (("old", before), ("new", after))
    )
    identity = "kind, device, inode, created"
    gone, come = (
        f"SELECT key, {identity}, count(*) OVER (PARTITION BY {identity}) AS alike "
        f"FROM {one} WHERE key NOT IN (SELECT key FROM {other})"
        for one, other in (("old", "new"), ("new", "old"))
    )
    statement = f"""
        WITH {scans}, gone AS ({gone}), come AS ({come}),
        renamed AS (
            SELECT gone.key AS key, come.key AS now FROM gone JOIN come
            ON gone.kind = come.kind AND gone.device = come.device AND gone.inode = come.inode
            AND gone.created IS NOT DISTINCT FROM come.created
            WHERE gone.alike = 1 AND come.alike = 1
        )
        SELECT 'R', key, now FROM renamed
        UNION ALL
        SELECT 'D', key, ''::BLOB FROM gone WHERE key NOT IN (SELECT key FROM renamed)
        UNION ALL
        SELECT 'A', key, ''::BLOB FROM come WHERE key NOT IN (SELECT now FROM renamed)
        UNION ALL
        SELECT 'M', key, ''::BLOB FROM old JOIN new USING (key)
        WHERE old.kind <> new.kind OR old.permissions <> new.permissions
        OR old."user" <> new."user" OR old."group" <> new."group"
        OR (new.kind <> 'directory' AND (old.size <> new.size OR old.modified <> new.modified))
        ORDER BY 2, 1
    """
    yield from _rows(statement)


def top(folder: Path, by: str, count: int, conditions: Conditions) -> "list[Tuple[int, bytes]]":
    """The ``count`` largest or oldest files, or the owners or extensions that take the most space:
    bytes, or the age in seconds, and the path, the number of the owner or the extension.
    """
    columns, which, groups, order = TOPS[by]
    statement = f"{_select(columns, folder, conditions)} AND {which} {groups}"
    found = _rows(f"{statement} ORDER BY {order}, label LIMIT {int(count)}")
    return [(value, label) for value, label in found]


def _select(columns: str, folder: Path, conditions: Conditions) -> str:
    return f"SELECT {columns} FROM {source(folder)} WHERE {conditions.sql()}"


def _rows(statement: str) -> Iterator[Any]:
    """The rows of a statement, some at a time."""
    with duckdb.connect() as connection:
        found = connection.execute(statement)
        while True:
            rows = found.fetchmany(10_000)
            if not rows:
                return
            yield from rows
