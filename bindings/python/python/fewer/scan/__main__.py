"""``python -m fewer.scan ROOT... --out FOLDER``."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from typing import Any, Dict, List, Optional, Tuple

from . import Scan, ScanError


def main(arguments: Optional[List[str]] = None) -> int:
    flags = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        found = _run(flags)
        print(json.dumps(found), flush=True)
    except ImportError as error:
        return _fail(f"{error}; pip install 'fewer[scan]' brings what a scan needs")
    except OSError as error:
        # What is still in the buffer would be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        path = f"'{os.fsdecode(error.filename)}': " if error.filename else "cannot write: "
        return _fail(f"{path}{error.strerror}")
    except (ScanError, ValueError, TypeError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _interrupted(signal.SIGINT)
    except _Terminated:
        return _interrupted(signal.SIGTERM)
    return 1 if found["errors"] else 0


class _Terminated(BaseException):
    """Came by a signal, as KeyboardInterrupt does."""


def _terminated(number: int, frame: Any) -> None:
    raise _Terminated


def _interrupted(by: signal.Signals) -> int:
    _fail("interrupted; the same command goes on with it")
    return 128 + by


def _fail(message: str) -> int:
    print(f"fewer-scan: {message}", file=sys.stderr)
    return 2


def _run(flags: argparse.Namespace) -> Dict[str, Any]:
    given = {"glob": flags.glob, "exclude": flags.exclude, "kinds": flags.kind}
    options = {key: value for key, value in given.items() if value}
    if flags.max_depth is not None:
        options["max_depth"] = flags.max_depth
    if flags.no_hidden:
        options["hidden"] = False
    for name in ("ignore_case", "full_path", "one_file_system"):
        if getattr(flags, name):
            options[name] = True
    scan = Scan(
        *flags.roots,
        out=flags.out,
        journal=flags.journal,
        budget=flags.budget,
        deadline=flags.deadline,
        per_file_system=flags.per_file_system,
        shard=flags.shard,
        shard_depth=flags.shard_depth,
        **options,
    )
    address = {"address": flags.address} if flags.address else {}
    return scan.run(flags.engine, flags.workers, **address)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fewer-scan",
        description="Scan trees into a Delta table of Parquet files, in several processes or on a "
        "cluster. The same command goes on with a scan that was interrupted.",
        epilog="Status: 0 all well, 1 some rows are errors, 2 the scan could not begin or go on, "
        "130 or 143 interrupted.",
    )
    add = parser.add_argument
    add("roots", nargs="+", metavar="ROOT")
    add("--out", required=True, metavar="FOLDER", help="where the table goes; or an address")
    add("--journal", metavar="FOLDER", help="where the journal goes, if --out is an address")
    add("--engine", choices=["processes", "ray", "dask"], default="processes")
    add("--address", help="of the cluster, for ray and dask")
    add("-j", "--workers", type=int, help="units at once (default: one for each processor)")
    add("--budget", type=int, default=100_000, help="entries of a unit (default: %(default)s)")
    add(
        "--deadline",
        type=float,
        default=300.0,
        metavar="SECONDS",
        help="then a second worker scans the unit as well (default: %(default)s)",
    )
    add(
        "--per-file-system",
        type=int,
        default=sys.maxsize,
        metavar="N",
        help="units at once for roots on the same file system",
    )
    add("--shard", type=_shard, metavar="I/N", help="only the I-th of N shares, from 0 on")
    add(
        "--shard-depth",
        type=int,
        default=2,
        metavar="N",
        help="how deep the trees lie that are shared out (default: %(default)s)",
    )
    add("-g", "--glob", action="append", help="only names like this")
    add("-E", "--exclude", action="append", metavar="GLOB", help="not these, nor what is below")
    add("-i", "--ignore-case", action="store_true", help="for globs, capitals are as small letters")
    add("-p", "--full-path", action="store_true", help="globs are about paths, not names")
    add("-t", "--kind", action="append", help="only entries of this kind: file, directory, …")
    add("-d", "--max-depth", type=int, metavar="N", help="only so many steps below the roots")
    add("--no-hidden", action="store_true", help="no names that begin with a dot")
    add("-x", "--one-file-system", action="store_true", help="do not enter mount points")
    return parser


def _shard(text: str) -> Tuple[int, int]:
    number, _, of = text.partition("/")
    try:
        return int(number), int(of)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not like 0/4") from None


if __name__ == "__main__":
    sys.exit(main())
