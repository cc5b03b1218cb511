"""Scans trees that are too large for one process or one machine into a table.

>>> import fewer.scan, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     found = fewer.scan("python", out=folder).run()
>>> found["errors"]
0

Each entry is a row of Parquet, and the folder is a Delta table, which DuckDB, Polars, Spark and
delta-rs read. The work is cut into units while it is done: see :class:`Scan`. ``python -m
fewer.scan`` does the same from the command line. Needs ``pip install 'fewer[scan]'``.
"""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from .._fewer import rows
from .address import is_address
from .errors import ScanError

if TYPE_CHECKING:
    from .engines import Engine

__all__ = ["Scan", "ScanError"]

_PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Scan:
    """A scan of some trees into a folder.

    - ``roots``: where to begin: directories, or addresses of stores. The paths in the table begin
      with them; before those that do not begin with a slash comes the working directory.
    - ``out``: the folder for the table. Below a root it is left out of the scan. If there is a scan
      of the same in it that did not end, it goes on; if it did end, there is nothing to do.
      An address of a store (``s3://bucket/table``) makes the table there; readers go by Delta's
      log. The command ``fewer`` writes the parts.
    - ``journal``: with such an address, the folder on this machine for the journal.
    - ``budget``: after so many entries a worker hands back what is left of its unit; a directory
      of more than four times as many names is cut into slices.
    - ``deadline``: after so many seconds a unit is given to a second worker as well.
    - ``per_file_system``: how many units may read the same file system at once.
    - ``shard``: ``(i, n)`` scans only the i-th of n shares, for n processes that know nothing of
      each other, each with its own folder. The trees ``shard_depth`` steps below the roots are
      shared out by their names.
    - Others: ``glob``, ``exclude``, ``ignore_case``, ``full_path``, ``kinds``, ``hidden``,
      ``max_depth``, ``one_file_system``, as for :func:`fewer.walk`.

    Price of making one: getcwd, and an lstat for each part of the paths. The rest is :meth:`run`'s.
    """

    def __init__(
        self,
        *roots: _PathLike,
        out: Union[str, "os.PathLike[str]"],
        journal: Optional[Union[str, "os.PathLike[str]"]] = None,
        budget: int = 100_000,
        deadline: float = 300.0,
        per_file_system: int = sys.maxsize,
        shard: Optional[Tuple[int, int]] = None,
        shard_depth: int = 2,
        **options: Any,
    ) -> None:
        self.options: Dict[str, Any] = {key: _plain(value) for key, value in options.items()}
        rows(*roots, **self.options)  # refuses what is wrong with the keywords
        if not (1 <= budget <= sys.maxsize // 4 and per_file_system >= 1 and shard_depth >= 1):
            most = f"and budget at most {sys.maxsize // 4}"
            raise ValueError(f"budget, per_file_system and shard_depth are at least 1, {most}")
        if shard and not 0 <= shard[0] < shard[1]:
            raise ValueError(f"there is no shard {shard[0]} of {shard[1]}")
        given = [os.fsdecode(root) for root in roots or (".",)]
        of_bucket = {is_address(root) for root in given}
        if len(of_bucket) > 1:
            raise ValueError("paths and addresses of stores make different tables")
        if True in of_bucket:
            if shard:
                raise ValueError("a shard is a part of directories, and not for addresses")
            if self.options.get("one_file_system"):
                raise ValueError("one_file_system is about files, and not for addresses")
        self.roots: List[str] = given if True in of_bucket else [_absolute(it) for it in given]
        self.address, folder = _place(os.fsdecode(out), journal)
        self.out = Path(_absolute(folder))
        self._own = self._folder_below_roots()
        if self.address and self._own:
            raise ValueError(f"'{self.out}' is below a root: the scan would find its journal")
        if self.address and shard:
            raise ValueError("a shard is for a folder of its own, and not for an address")
        self.shard = (*shard, shard_depth) if shard else None
        self._limits = (budget, deadline, per_file_system)

    def _folder_below_roots(self) -> List[str]:
        """The paths by which a scan would find its own folder, as no link is followed."""
        folder, own = os.path.realpath(self.out), []
        for root in self.roots:
            if is_address(root):
                continue
            below = os.path.relpath(folder, os.path.realpath(root))
            if below == ".":
                raise ValueError(f"'{self.out}' is a root: the scan would find itself")
            if below.split(os.sep)[0] != os.pardir:
                own.append(os.path.join(root, below))
        return own

    def run(
        self,
        engine: Union[str, Engine] = "processes",
        workers: Optional[int] = None,
        progress: Optional[bool] = None,
        **engine_options: Any,
    ) -> Dict[str, Any]:
        """Scans, or goes on with it. The numbers of ``rows``, ``errors``, ``parts``, ``bytes`` and
        ``units``.

        - ``engine``: ``"processes"`` of this machine, ``"ray"``, ``"dask"``, or an object like
          those of :mod:`fewer.scan.engines`. All machines must see the trees and the folder under
          the same paths.
        - ``workers``: how many; by default as many as there are processors.
        - ``progress``: whether to show how far it is; by default on a terminal.
        - Others go to the engine: ``address=``, ``client=``, …

        Raises :class:`ScanError` if it cannot begin or go on: the folder has something else,
        another driver writes into it, the disk is full, …
        """
        from .driver import Driver, Limits
        from .engines import ENGINES
        from .journal import Journal
        from .progress import Progress
        from .unit import Unit

        roots = tuple((os.fsencode(root), 0) for root in self.roots)
        first = [Unit("0", roots, has_roots=True, shard=self.shard)]
        if is_address(self.roots[0]):
            first = [
                Unit(str(number), (root,), has_roots=True) for number, root in enumerate(roots)
            ]
        scan = {"roots": self.roots, "options": self.options}
        if self._own:
            scan["leave_out"] = self._own
        if self.address:
            scan["out"] = self.address
        if workers is not None and workers < 1:
            raise ValueError("workers are at least 1")
        if isinstance(engine, str) and engine not in ENGINES:
            raise ValueError(f"'{engine}' is no engine; there are {', '.join(ENGINES)}")
        shared = Progress(sys.stderr.isatty() if progress is None else progress)
        journal = Journal(self.out, {**scan, "shard": self.shard}, first)
        if journal.summary is not None:
            journal.close()
            shared.note(f"'{self.out}' has this scan already; for a new one take a new folder")
            return journal.summary
        running = None
        try:
            running = (
                ENGINES[engine](workers, **engine_options) if isinstance(engine, str) else engine
            )
            driver = Driver(self.out, scan, Limits(*self._limits), running, journal, shared)
            return driver.run()
        finally:
            if running:
                running.close()
            journal.close()


def _place(
    out: str, journal: Optional[Union[str, "os.PathLike[str]"]]
) -> Tuple[Optional[str], str]:
    """The address that parts go to, if it is one, and the folder of the scan."""
    if not is_address(out):
        if journal is not None:
            raise ValueError("journal is for an address as out; a folder has its own")
        return None, out
    if journal is None:
        raise ValueError(f"'{out}' is an address: the journal needs a folder, journal=…")
    return out.rstrip("/"), os.fsdecode(journal)


def _absolute(path: str) -> str:
    return os.getcwd() if path == "." else os.path.join(os.getcwd(), path)


def _plain(value: Any) -> Any:
    """A keyword as JSON knows it."""
    is_many = isinstance(value, (set, frozenset, tuple))
    return sorted(value) if is_many else value


class _CallableModule(types.ModuleType):
    """``fewer.scan(root, out=folder)`` is ``fewer.scan.Scan(root, out=folder)``."""

    def __call__(self, *roots: _PathLike, **options: Any) -> Scan:
        return Scan(*roots, **options)


sys.modules[__name__].__class__ = _CallableModule
