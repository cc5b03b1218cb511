"""``fewer-table query|changes|top``: asks the table of a scan from the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from .errors import ScanError


def main(arguments: Optional[List[str]] = None) -> int:
    flags = _parser().parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
    try:
        _explained(flags)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except ImportError as error:
        return _fail(f"{error}; pip install 'fewer[scan]' brings what a table needs")
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _fail(str(error))
    except (ScanError, ValueError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    return 0


def _joined(arguments: List[str]) -> List[str]:
    """``-S -1K`` as ``-S-1K``: for argparse what begins with a dash is a flag."""
    joined: List[str] = []
    for word in arguments:
        follows = joined and joined[-1] in ("-S", "--size")
        if follows and word.startswith("-"):
            joined[-1] += ("=" if joined[-1] == "--size" else "") + word
        else:
            joined.append(word)
    return joined


def _explained(flags: argparse.Namespace) -> None:
    import duckdb

    try:
        flags.run(flags)
    except duckdb.Error as error:
        raise ScanError(str(error).splitlines()[0]) from None


def _fail(message: str) -> int:
    print(f"fewer-table: {message}", file=sys.stderr)
    return 2


def _query(flags: argparse.Namespace) -> None:
    from .questions import count, paths, write

    conditions = _conditions(flags)
    if flags.to:
        return write(flags.table, conditions, flags.to)
    if flags.count:
        return print(count(flags.table, conditions))
    end = b"\0" if flags.null else b"\n"
    for path in paths(flags.table, conditions):
        if flags.json:
            print(json.dumps({"path": os.fsdecode(path)}))
        else:
            sys.stdout.buffer.write(path + end)


def _changes(flags: argparse.Namespace) -> None:
    from .questions import changes

    for letter, path, now in changes(flags.table, flags.after):
        if flags.json:
            found = {"change": letter, "path": os.fsdecode(path)}
            print(json.dumps({**found, "to": os.fsdecode(now)} if now else found))
        else:
            to = b" -> " + now if now else b""
            sys.stdout.buffer.write(letter.encode() + b" " + path + to + b"\n")


def _top(flags: argparse.Namespace) -> None:
    from .plot import amount, plot
    from .questions import top

    unit = "seconds" if flags.by == "age" else "bytes"
    rows = top(flags.table, flags.by, flags.count, _conditions(flags))
    if flags.plot:
        title = f"{flags.table}: the most by {flags.by}"
        texts = [(value, label.decode(errors="replace")) for value, label in rows]
        plot(texts, title, unit, flags.plot)
        return
    for value, label in rows:
        if flags.json:
            print(json.dumps({unit: value, flags.by: os.fsdecode(label)}))
        else:
            text = amount(value, unit) if sys.stdout.isatty() else str(value)
            sys.stdout.buffer.write(text.encode() + b"\t" + label + b"\n")


def _conditions(flags: argparse.Namespace) -> Any:
    from .conditions import Conditions

    given: Dict[str, Any] = {
        name: getattr(flags, name) for name in Conditions.__dataclass_fields__
    }
    return Conditions(**{name: value for name, value in given.items() if value is not None})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fewer-table",
        description="Ask the table that fewer-scan has written.",
        epilog="Status: 0 all well, 2 the table could not be asked, 130 interrupted.",
    )
    verbs = parser.add_subparsers(metavar="query|changes|top", required=True)
    query = _verb(verbs, "query", "Print the paths of entries, filtered as fewer walk does", _query)
    _filters(query)
    query.add_argument("-0", "--null", action="store_true", help="a NUL behind each path")
    query.add_argument("--count", action="store_true", help="how many there are")
    query.add_argument(
        "--to", type=Path, metavar="FILE", help="all columns into a .parquet, .csv or .json file"
    )
    changes = _verb(
        verbs, "changes", "Say what changed between two scans: A added, D removed, R renamed, "
        "M modified", _changes,
    )  # fmt: skip
    changes.add_argument("after", type=Path, metavar="LATER", help="the folder of the later one")
    top = _verb(verbs, "top", "Print what is the largest, the oldest, or takes the most", _top)
    _filters(top)
    top.add_argument("--by", choices=["size", "age", "owner", "extension"], default="size")
    top.add_argument("-n", "--count", type=int, default=20, help="how many (default: 20)")
    top.add_argument("--plot", type=Path, metavar="FILE", help="bars as .html, .svg or .png")
    return parser


def _verb(verbs: Any, name: str, text: str, run: Any) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=f"{text}.")
    verb.add_argument("table", type=Path, metavar="TABLE", help="the folder of the scan")
    verb.add_argument("--json", action="store_true", help="a line of JSON each")
    verb.set_defaults(run=run)
    return verb


def _filters(verb: argparse.ArgumentParser) -> None:
    add = verb.add_argument
    add("-g", "--glob", dest="globs", action="append", help="only names like this")
    add("-e", "--extension", dest="extensions", action="append", metavar="EXT")
    add("-t", "--kind", dest="kinds", action="append", help="file, directory, symlink, …")
    add("-S", "--size", dest="sizes", action="append", metavar="[+-]N[UNIT]", help="as +1G")
    add("--newer", "--changed-within", metavar="TIME", help="modified after: 30d, 2026-01-31, …")
    add("--older", "--changed-before", metavar="TIME", help="modified before")
    add("--user", type=int, metavar="UID", help="only entries of this owner")
    add("--min-depth", type=int, metavar="N")
    add("-d", "--max-depth", type=int, metavar="N")
    add("-i", "--ignore-case", action="store_true", help="for globs and extensions")
    add("-p", "--full-path", action="store_true", help="globs are about paths, not names")
    add("--errors", action="store_true", help="rows that are errors, instead of entries")


if __name__ == "__main__":
    sys.exit(main())
