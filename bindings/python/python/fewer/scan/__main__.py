"""``python -m fewer.scan ROOT... --out FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import List, Optional, Tuple

from . import Scan
from .engines import ENGINES
from .journal import ScanError
from .worker import describe


def main(arguments: Optional[List[str]] = None) -> int:
    flags = _parser().parse_args(arguments)
    given = {"glob": flags.glob, "exclude": flags.exclude, "kinds": flags.kind}
    options = {key: value for key, value in given.items() if value}
    if flags.max_depth is not None:
        options["max_depth"] = flags.max_depth
    if flags.no_hidden:
        options["hidden"] = False
    if flags.one_file_system:
        options["one_file_system"] = True
    try:
        scan = Scan(
            *flags.roots,
            out=flags.out,
            budget=flags.budget,
            deadline=flags.deadline,
            per_file_system=flags.per_file_system,
            shard=flags.shard,
            shard_depth=flags.shard_depth,
            **options,
        )
        address = {"address": flags.address} if flags.address else {}
        found = scan.run(flags.engine, flags.workers, **address)
    except (ScanError, OSError, ValueError, TypeError, ImportError) as error:
        story = describe(error) if isinstance(error, OSError) else error
        print(f"fewer scan: {story}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fewer scan: interrupted; the same command goes on with it", file=sys.stderr)
        return 130
    print(json.dumps(found))
    return 1 if found["errors"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fewer-scan",
        description="Scan trees into a Delta table of Parquet files, in several processes or on a "
        "cluster. The same command goes on with a scan that was interrupted.",
        epilog="Status: 0 all well, 1 some rows are errors, 2 the scan could not begin or go on.",
    )
    parser.add_argument("roots", nargs="+", metavar="ROOT")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the table goes")
    parser.add_argument("--engine", choices=ENGINES, default="processes")
    parser.add_argument("--address", help="of the cluster, for ray and dask")
    parser.add_argument("-j", "--workers", type=int, help="by default one for each processor")
    parser.add_argument(
        "--budget", type=int, default=100_000, help="entries of a unit (default: %(default)s)"
    )
    parser.add_argument(
        "--deadline", type=float, default=300.0, help="seconds before a unit is tried twice"
    )
    parser.add_argument(
        "--per-file-system", type=int, default=sys.maxsize, help="units at once for each"
    )
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="only the I-th of N, from 0")
    parser.add_argument(
        "--shard-depth", type=int, default=2, help="of the trees to share out (default: 2)"
    )
    parser.add_argument("-g", "--glob", action="append", help="only names like this")
    parser.add_argument("-E", "--exclude", action="append", help="not these, nor what is below")
    parser.add_argument("-t", "--kind", action="append", help="only entries of this kind")
    parser.add_argument("-d", "--max-depth", type=int)
    parser.add_argument("--no-hidden", action="store_true", help="no names that begin with a dot")
    parser.add_argument("-x", "--one-file-system", action="store_true")
    return parser


def _shard(text: str) -> Tuple[int, int]:
    number, _, of = text.partition("/")
    try:
        return int(number), int(of)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not like 0/4") from None


if __name__ == "__main__":
    sys.exit(main())
