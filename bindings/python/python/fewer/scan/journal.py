"""The journal of a scan: a line for each accepted unit, on the disk before its children start.

So whoever reads it knows exactly which units are done and which are open, whenever the driver was
killed. A line that was being written at that moment has no newline, and counts as not written.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional
from uuid import uuid4

from .errors import ScanError
from .unit import Result, Unit
from .worker import sync_folder

VERSION = 2
NAME = "_scan/journal.jsonl"


class Journal:
    """The journal in a folder, held by one driver at a time.

    - ``id``: the name of the scan, the same whenever it goes on.
    - ``results``: what was accepted, in that order; of those of this driver, without what was left.
    - ``summary``: what a finished scan has found; None before.
    """

    def __init__(self, folder: Path, scan: Dict[str, Any], first: List[Unit]) -> None:
        (folder / NAME).parent.mkdir(parents=True, exist_ok=True)
        self._file = open(folder / NAME, "a+b")
        self.results: List[Result] = []
        self.summary: Optional[Dict[str, Any]] = None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ScanError(f"another scan is writing into '{folder}'") from None
        try:
            self._read(folder, scan, first)
        except BaseException:
            self._file.close()
            raise

    def _read(self, folder: Path, scan: Dict[str, Any], first: List[Unit]) -> None:
        self._file.seek(0)
        contents = self._file.read()
        whole = contents[: contents.rfind(b"\n") + 1]
        if len(whole) < len(contents):
            self._file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            _refuse_other_tables(folder)
            self.id, self.first = str(uuid4()), first
            units = [unit.to_json() for unit in first]
            self._append({"version": VERSION, "id": self.id, "scan": scan, "first": units})
            sync_folder((folder / NAME).parent)
            return
        try:
            head, *rest = [json.loads(line) for line in lines]
            if head["version"] != VERSION:
                raise ScanError(f"'{folder}' has a scan of another version of fewer")
            self.id, self.first = head["id"], [Unit.from_json(unit) for unit in head["first"]]
            for line in rest:
                if "summary" in line:
                    self.summary = line["summary"]
                else:
                    self.results.append(Result.from_json(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ScanError(f"'{folder / NAME}' is no journal of a scan: {error!r}") from None
        for what, value in json.loads(json.dumps(scan)).items():
            if head["scan"].get(what) != value:
                raise ScanError(
                    f"'{folder}' has a scan of something else: its {what} are "
                    f"{json.dumps(head['scan'].get(what))}"
                )

    def take_open_units(self) -> List[Unit]:
        """The units that are still to be scanned; then it keeps no units any more."""
        done = {result.unit for result in self.results}
        left = [unit for result in self.results for unit in result.left]
        self.results = [replace(result, left=[]) for result in self.results]
        return [unit for unit in self.first + left if unit.id not in done]

    def accept(self, results: List[Result]) -> None:
        """Price: a write and an fdatasync, however many there are."""
        self._append(*[result.to_json() for result in results])
        self.results += [replace(result, left=[]) for result in results]

    def finish(self, summary: Dict[str, Any]) -> None:
        self._append({"summary": summary})
        self.summary = summary

    def close(self) -> None:
        self._file.close()

    def _append(self, *lines: Dict[str, Any]) -> None:
        self._file.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        self._file.flush()
        os.fdatasync(self._file.fileno())


def _refuse_other_tables(folder: Path) -> None:
    """A table whose journal is gone, or one of somebody else, is not written into."""
    for name in ("_delta_log", "*.parquet"):
        there = next(folder.glob(name), None)
        if there:
            raise ScanError(f"'{folder}' has a table already: '{there.name}' is there")
