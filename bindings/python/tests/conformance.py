"""Does with the package what the command `fewer` does, so that the cases can be run through it:
`conformance.py VERB ARGUMENT...` for walk, size and lines, and `conformance.py scope STEP...`. What
cannot be said in Python ends with 125 and a reason on stderr."""

from __future__ import annotations

import base64
import getopt
import json
import os
import signal
import sys
from typing import Any, Callable, Dict, List, NoReturn

import fewer

Options = Dict[str, List[str]]
BLOCK_BYTES = 256 << 10
status = 0


class Output:
    """Standard output in large blocks. What cannot be written is the end."""

    def __init__(self) -> None:
        self.parts: "list[bytes]" = []
        self.bytes = 0

    def write(self, part: bytes) -> None:
        self.parts.append(part)
        self.bytes += len(part)
        if self.bytes >= BLOCK_BYTES:
            self.flush()

    def flush(self) -> None:
        rest = memoryview(b"".join(self.parts))
        self.parts, self.bytes = [], 0
        while rest:
            try:
                rest = rest[os.write(1, rest) :]
            except OSError as error:
                reason = f"cannot write to 'standard output': {error.strerror}"
                print(f"fewer: {reason}", file=sys.stderr)
                sys.exit(2)


out = Output()


def not_expressible(reason: str) -> NoReturn:
    print(f"not expressible: {reason}", file=sys.stderr)
    sys.exit(125)


def complain(error: BaseException, program: str = "fewer") -> None:
    global status
    status = max(status, 1)
    if sys.stderr is not None:
        print(f"{program}: {fewer.message(error)}", file=sys.stderr)


def parse(arguments: "list[str]", short: str, long: "list[str]") -> "tuple[Options, list[str]]":
    try:
        pairs, rest = getopt.gnu_getopt(arguments, short, long)
    except getopt.GetoptError as error:
        not_expressible(str(error))
    options: Options = {}
    for name, value in pairs:
        options.setdefault(name, []).append(value)
    return options, rest


def text(name: bytes) -> "dict[str, str]":
    try:
        return {"text": name.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(name).decode()}


def walk(arguments: "list[str]") -> None:
    flags = {
        "--sort": ("sort", bool),
        "-t": ("kinds", str),
        "--type": ("kinds", str),
        "-d": ("max_depth", int),
        "--max-depth": ("max_depth", int),
        "--min-depth": ("min_depth", int),
        "-L": ("follow", bool),
        "--follow": ("follow", bool),
        "--one-file-system": ("one_file_system", bool),
        "-g": ("glob", list),
        "--glob": ("glob", list),
        "-E": ("exclude", list),
        "--exclude": ("exclude", list),
        "--gitignore": ("gitignore", bool),
        "--full-path": ("full_path", bool),
        "-i": ("ignore_case", bool),
        "--ignore-case": ("ignore_case", bool),
        "-j": ("threads", int),
        "--threads": ("threads", int),
        "--max-threads": ("max_threads", int),
        "--no-hidden": ("hidden", None),
    }
    long = [name[2:] + ("" if kind in (bool, None) else "=") for name, (_, kind) in flags.items()
            if name.startswith("--")]
    more = ["count", "json", "null", "summary"]
    options, roots = parse(arguments, "0t:d:Lxg:E:ij:", [*long, *more])
    how: "dict[str, Any]" = {}
    for flag, values in options.items():
        keyword, kind = flags.get(flag, (None, None))
        if keyword == "kinds":
            words = [word for value in values for word in value.split(",")]
            how.setdefault("kinds", []).extend(words)
        elif keyword == "hidden":
            how["hidden"] = False
        elif kind is list:
            how.setdefault(keyword, []).extend(values)
        elif keyword is not None:
            how[keyword] = True if kind is bool else kind(values[-1])  # type: ignore
    end = b"\0" if {"-0", "--null"} & set(options) else b"\n"
    kinds: "dict[str, int]" = {}
    looked_at = 0
    if {"--json", "--count"} <= set(options):
        not_expressible("how counts are laid out")
    if "--summary" in options:
        if "--json" not in options or "--count" in options:
            not_expressible("how summaries are laid out")
        return summary(list(map(os.fsencode, roots or ["."])), how)
    for root in map(os.fsencode, roots or ["."]):
        failures: "list[BaseException]" = []

        def on_error(error: OSError) -> None:
            failures.append(error)
            complain(error)

        if "--count" in options:
            for entry in fewer.walk(root, on_error=on_error, **how):
                kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
        elif "--json" in options:
            for entry in fewer.walk(root, on_error=on_error, **how):
                row = {"v": 1, "path": text(entry.path), "kind": entry.kind, "depth": entry.depth,
                       "inode": entry.inode}
                words = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
                out.write(words.encode() + b"\n")
        else:
            for path in fewer.iter_paths(root, on_error=on_error, **how):
                out.write(path + end)
        looked_at += not any(of_root(error, root) for error in failures)
    if "--count" in options:
        by_kind = [kinds.get(kind, 0) for kind in ("directory", "file", "symlink")]
        total = sum(kinds.values())
        out.write(b"%d entries, %d directories, %d files, %d links, %d other\n"
                  % (total, *by_kind, total - sum(by_kind)))
    if looked_at == 0:
        fail_wholly()


def space(taken: "fewer.Space | fewer.Size[bytes]") -> "dict[str, int]":
    return {"allocated": taken.allocated, "size": taken.size, "entries": taken.entries}


def print_json(row: "dict[str, Any]") -> None:
    words = json.dumps({"v": 1, **row}, ensure_ascii=False, separators=(",", ":"))
    out.write(words.encode() + b"\n")


def complain_of(roots: "list[bytes]") -> "Callable[[OSError], None]":
    """What is called with errors; if it comes to all roots nothing was done."""
    missing: "set[bytes]" = set()

    def on_error(error: OSError) -> None:
        complain(error)
        missing.update(root for root in roots if of_root(error, root))
        if missing >= set(roots):
            fail_wholly()

    return on_error


def summary(roots: "list[bytes]", how: "dict[str, Any]") -> None:
    if how.pop("sort", False):
        not_expressible("the order of a summary")
    found = fewer.summary(*roots, on_error=complain_of(roots), **how)
    groups = ("directories", "files", "links", "other", "all")
    row: "dict[str, Any]" = {name: space(getattr(found, name)) for name in groups}
    row["extensions"] = [
        {"extension": None if name is None else text(name), **space(taken)}
        for name, taken in found.extensions.items()
    ]
    row["largest"] = [{"path": text(path), "size": size} for path, size in found.largest]
    for name, unit in (("deepest", "depth"), ("longest", "bytes")):
        if (extreme := getattr(found, name)) is not None:
            row[name] = {"path": text(extreme[0]), unit: extreme[1]}
    for name in ("newest", "oldest"):
        if (extreme := getattr(found, name)) is not None:
            row[name] = {"path": text(extreme[0]), "modified": extreme[1].timestamp()}
    print_json(row)


def size(arguments: "list[str]") -> None:
    long = ["all", "apparent", "bytes", "count-links", "depth=", "exclude=", "gitignore", "json"]
    long += ["no-hidden", "null", "one-file-system", "summarize", "threads="]
    options, roots = parse(arguments, "0abd:slxAE:j:", long)

    def has(*names: str) -> bool:
        return not options.keys().isdisjoint(names)

    def value(*names: str) -> "list[str]":
        return [word for name in names for word in options.get(name, [])]

    paths = list(map(os.fsencode, roots or ["."]))
    depth = 0 if has("-s", "--summarize") else int((value("-d", "--depth") or ["1"])[-1])
    threads = value("-j", "--threads")
    rows = fewer.size(
        *paths,
        depth=depth,
        files=has("-a", "--all"),
        count_links=has("-l", "--count-links"),
        exclude=value("-E", "--exclude"),
        gitignore=has("--gitignore"),
        hidden=not has("--no-hidden"),
        one_file_system=has("-x", "--one-file-system"),
        threads=int(threads[-1]) if threads else None,
        on_error=complain_of(paths),
    )
    apparent = has("-A", "--apparent", "-b", "--bytes")
    unit = 1 if has("-b", "--bytes") else 1024
    shown = [(row.size if apparent else row.allocated, row) for row in rows]
    for amount, row in sorted(shown, key=lambda shown: (shown[0], -shown[1].depth)):
        if has("--json"):
            head = {"path": text(row.path), "kind": row.kind, "depth": row.depth}
            print_json({**head, **space(row)})
        else:
            end = b"\0" if has("-0", "--null") else b"\n"
            out.write(b"%d\t%s%s" % (-(-amount // unit), row.path, end))


def of_root(error: BaseException, root: bytes) -> bool:
    """Whether it says that the root itself could not be looked at."""
    said = fewer.message(error)
    return os.fsencode(getattr(error, "filename", "")) == root and "access" in said


def fail_wholly() -> None:
    global status
    status = 2


def lines(arguments: "list[str]") -> None:
    options, files = parse(arguments, "0", ["null", "crlf", "last=", "count"])
    nul = bool({"-0", "--null"} & set(options))
    crlf = "--crlf" in options
    if "--count" in options:
        not_expressible("how counts are laid out")
    read = 0
    for file in files or ["-"]:
        source: "int | bytes" = 0 if file == "-" else os.fsencode(file)
        try:
            if "--last" in options:
                count = int(options["--last"][-1])
                found: "Any" = fewer.last_lines(source, count, None, keep_ends=True, nul=nul)
            else:
                found = fewer.lines(source, None, keep_ends=True, nul=nul)
            for line in found:
                cut = crlf and line.endswith(b"\r\n")
                out.write(line[:-2] + b"\n" if cut else line)
            read += 1
        except OSError as error:
            complain(error)
    if read == 0:
        fail_wholly()


def scope(steps: "list[str]") -> None:
    inside = [fewer.Scope()]

    def stat(name: str) -> bytes:
        answer = inside[-1].stat(name, follow=False, fields=["kind", "size"])
        size = f" {answer.size}" if answer.kind == "file" else ""
        return f"{answer.kind}{size}\n".encode()

    def read(name: str) -> bytes:
        with inside[-1].open(name, "rb", 0) as file:
            return file.read(65536)

    def listed(root: str) -> bytes:
        paths = fewer.paths(os.fsencode(root), scope=inside[-1], sort=True)
        return b"".join(path + b"\n" for path in paths)

    one: "dict[str, Callable[[str], bytes | None]]" = {
        "enter": lambda name: inside.append(inside[-1].enter(name)),
        "enter-logical": lambda name: inside.append(inside[-1].enter_logical(name)),
        "stat": stat,
        "link": lambda name: inside[-1].read_link(os.fsencode(name)) + b"\n",
        "read": read,
        "walk": listed,
    }
    none: "dict[str, Callable[[], bytes | None]]" = {
        "leave": lambda: [inside.pop(), None][1],  # type: ignore
        "clone": lambda: inside.append(inside[-1]),
        "logical": lambda: os.fsencode(inside[-1].logical()) + b"\n",
        "physical": lambda: os.fsencode(inside[-1].physical()) + b"\n",
    }
    words = iter(steps)
    for word in words:
        try:
            if word in one:
                written = one[word](next(words))
            elif word in none:
                written = none[word]()
            else:
                not_expressible(f"the step {word}")
            out.write(written or b"")
        except OSError as error:
            complain(error, "scope")


def main() -> int:
    verbs = {"walk": walk, "size": size, "lines": lines, "scope": scope}
    verb = sys.argv[1] if len(sys.argv) > 1 else ""
    # As a command ends: quietly.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if verb == "empty":  # what budgets are measured against
        return 0
    if verb not in verbs:
        not_expressible(f"the verb '{verb}'")
    try:
        verbs[verb](sys.argv[2:])
        out.flush()
    except ValueError as error:
        print(f"fewer: {error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
