"""The Delta table of a scan, by delta-rs: a commit for some parts, each with a transaction.

The transaction says up to which line of the journal the table has the parts. A driver that goes on
reads it there, so that no part is committed twice and none is left out.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, List

import deltalake
import pyarrow  # type: ignore[import-untyped]
from deltalake import CommitProperties, DeltaTable
from deltalake.transaction import AddAction, Transaction
from pyarrow import parquet

from .unit import Result
from .worker import PARTS


class Table:
    """The table in the folder of a scan.

    - ``committed``: of how many results it has the parts.
    """

    def __init__(self, folder: Path, scan: str) -> None:
        self._folder, self._scan = folder, scan
        self.committed = 0
        if DeltaTable.is_deltatable(str(folder)):
            self.committed = DeltaTable(str(folder)).transaction_version(scan) or 0

    def publish(self, result: Result) -> None:
        """Moves an accepted part to where readers find it. Again is no harm.

        Price: a rename.
        """
        if result.part is None or (self._folder / result.part).exists():
            return
        os.rename(self._folder / PARTS / result.part, self._folder / result.part)

    def commit(self, results: List[Result]) -> None:
        """Commits the parts of all results that it does not have yet.

        Price: one commit of Delta's log, however many there are.
        """
        new = results[self.committed :]
        adds: List[Any] = [self._add(result) for result in new if result.part is not None]
        if adds:
            self._write(adds, len(results))
        self.committed = len(results)

    def _add(self, result: Result) -> AddAction:
        assert result.part is not None
        modified = int((self._folder / result.part).stat().st_mtime * 1000)
        stats = json.dumps({"numRecords": result.rows})
        return AddAction(result.part, result.bytes, {}, modified, True, stats)

    def _write(self, adds: List[Any], version: int) -> None:
        columns: pyarrow.Schema = parquet.read_schema(self._folder / adds[0].path)
        schema = deltalake.Schema.from_arrow(columns)
        table = DeltaTable.create(str(self._folder), schema, mode="ignore")
        properties = CommitProperties(app_transactions=[Transaction(self._scan, version)])
        table.create_write_transaction(adds, "append", schema, commit_properties=properties)
