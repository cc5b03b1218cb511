"""The Delta table of a scan, by delta-rs: a commit for some parts, each with a transaction.

The transaction says up to which line of the journal the table has the parts. A driver that goes on
reads it there, so that no part is committed twice and none is left out.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

import deltalake
from deltalake import CommitProperties, DeltaTable
from deltalake.exceptions import DeltaError
from deltalake.transaction import AddAction, Transaction

from .address import is_address
from .errors import ScanError
from .unit import Result
from .worker import PARTS, columns, sync_folder


class Table:
    """The table in the folder of a scan.

    - ``committed``: of how many results it has the parts.
    """

    def __init__(self, folder: Union[Path, str], scan: str, of_bucket: bool) -> None:
        self._folder, self._scan = Path(folder), scan
        self._place, self._options = str(folder), _options(str(folder))
        self._schema = deltalake.Schema.from_arrow(columns(of_bucket))
        self.committed = 0

    def open(self, results: int) -> None:
        """Makes the table if there is none; ``results`` is how many the journal has."""
        with self._explained():
            table = DeltaTable.create(
                self._place, self._schema, mode="ignore", storage_options=self._options
            )
            committed = table.transaction_version(self._scan)
            self.committed = committed or 0
            if committed is None and table.file_uris():
                raise ScanError(f"'{self._place}' has a table already")
        if self.committed > results:
            raise ScanError(f"the journal of '{self._place}' lacks results that the table has")

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
            self._sync()
            self._write(adds, len(results))
        self.committed = len(results)

    def _sync(self) -> None:
        sync_folder(self._folder)

    def _add(self, result: Result) -> AddAction:
        assert result.part is not None
        stats = json.dumps({"numRecords": result.rows})
        return AddAction(result.part, result.bytes, {}, self._modified(result.part), True, stats)

    def _modified(self, part: str) -> int:
        """When a part was written, in milliseconds."""
        return int((self._folder / part).stat().st_mtime * 1000)

    def _write(self, adds: List[Any], version: int) -> None:
        properties = CommitProperties(app_transactions=[Transaction(self._scan, version)])
        with self._explained():
            table = DeltaTable(self._place, storage_options=self._options)
            table.create_write_transaction(
                adds, "append", self._schema, commit_properties=properties
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (DeltaError, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise  # of the disk
            reason = _described(error)
            raise ScanError(f"the Delta table in '{self._place}': {reason}") from error


class StoredTable(Table):
    """A table in a store. Parts are where they stay from the beginning, and those that the log does
    not name are not in the table.
    """

    def publish(self, result: Result) -> None:
        pass

    def _sync(self) -> None:
        pass

    def _modified(self, part: str) -> int:
        return int(time.time() * 1000)


def _described(error: Exception) -> str:
    """What delta-rs says, in one line: it draws arrows from a reason to the one before."""
    lines = re.sub("\x1b\\[[0-9;]*m|↳", "", str(error)).splitlines()
    return ": ".join(line.strip() for line in lines[:4])


def _options(place: str) -> Dict[str, str]:
    """What delta-rs does not read in the environment: that a server without TLS was meant."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    is_plain = is_address(place) and endpoint.lower().startswith("http://")
    return {"AWS_ALLOW_HTTP": "true", "AWS_ENDPOINT_URL": endpoint} if is_plain else {}
