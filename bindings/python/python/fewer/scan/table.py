"""The Delta table of a scan, by delta-rs: a commit for some parts, each with a transaction.

The transaction says up to which line of the journal the table has the parts. A driver that goes on
reads it there, so that no part is committed twice and none is left out.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Iterator, List

import deltalake
from deltalake import CommitProperties, DeltaTable
from deltalake.exceptions import DeltaError
from deltalake.transaction import AddAction, Transaction

from .errors import ScanError
from .unit import Result
from .worker import PARTS, columns, sync_folder


class Table:
    """The table in the folder of a scan.

    - ``committed``: of how many results it has the parts.
    """

    def __init__(self, folder: Path, scan: str, of_bucket: bool) -> None:
        self._folder, self._scan = folder, scan
        self._schema = deltalake.Schema.from_arrow(columns(of_bucket))
        self.committed = 0

    def open(self, results: int) -> None:
        """Makes the table if there is none; ``results`` is how many the journal has."""
        with self._explained():
            table = DeltaTable.create(str(self._folder), self._schema, mode="ignore")
            self.committed = table.transaction_version(self._scan) or 0
        if self.committed > results:
            raise ScanError(f"the journal of '{self._folder}' lacks results that the table has")

    def publish(self, result: Result) -> None:
        """Moves an accepted part to where readers find it. Again is no harm.

        Price: a stat and a rename.
        """
        if result.part is None or (self._folder / result.part).exists():
            return
        try:
            os.rename(self._folder / PARTS / result.part, self._folder / result.part)
        except FileNotFoundError:
            raise ScanError(
                f"'{self._folder / result.part}' is gone, and only a new scan can have its rows"
            ) from None

    def commit(self, results: List[Result]) -> None:
        """Commits the parts of all results that it does not have yet.

        Price: an fsync of the folder and one commit of Delta's log, however many parts there are.
        """
        new = results[self.committed :]
        adds: List[Any] = [self._add(result) for result in new if result.part is not None]
        if adds:
            sync_folder(self._folder)
            self._write(adds, len(results))
        self.committed = len(results)

    def _add(self, result: Result) -> AddAction:
        assert result.part is not None
        modified = int((self._folder / result.part).stat().st_mtime * 1000)
        stats = json.dumps({"numRecords": result.rows})
        return AddAction(result.part, result.bytes, {}, modified, True, stats)

    def _write(self, adds: List[Any], version: int) -> None:
        properties = CommitProperties(app_transactions=[Transaction(self._scan, version)])
        with self._explained():
            table = DeltaTable(str(self._folder))
            table.create_write_transaction(
                adds, "append", self._schema, commit_properties=properties
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DeltaError as error:
            reason = str(error).splitlines()[0]
            raise ScanError(f"the Delta table in '{self._folder}': {reason}") from error
