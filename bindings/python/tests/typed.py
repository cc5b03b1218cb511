"""What a type checker says of calls. Never run: test_docs.py has mypy look at it."""

import subprocess
from pathlib import Path
from typing import List, Optional, TextIO

from typing_extensions import assert_type

import fewer

assert_type(fewer.paths("a"), List[str])
assert_type(fewer.paths(b"a"), List[bytes])
assert_type(fewer.paths(Path("a"), kinds=["f"], on_error=print), List[str])
assert_type(next(fewer.walk(b"a")).path, bytes)
assert_type([name for _, names, _ in fewer.os_walk("a") for name in names], List[str])
assert_type(fewer.list()[0].name, str)
assert_type(fewer.list(b"a")[1:][0].name, bytes)
assert_type(fewer.paths(), List[str])
assert_type(fewer.paths(b"a", b"b", on_error="ignore"), List[bytes])
assert_type(next(fewer.iter_paths("a", Path("b"))), str)
assert_type(next(fewer.walk()).is_dir(follow_symlinks=False), bool)
with fewer.walk(b"a") as walk:
    assert_type(next(walk).name, bytes)
with fewer.os_walk("a") as tuples:
    assert_type(next(tuples)[0], str)
assert_type([row.target for row in fewer.list(b"a")], List[Optional[bytes]])
assert_type(fewer.read_lines("a"), List[str])
assert_type(fewer.read_lines("a", None), List[bytes])
assert_type(fewer.last_lines("a", encoding=None), List[bytes])
assert_type(fewer.last_lines("a", 3, None), List[bytes])
assert_type(next(fewer.lines(0, encoding=None)), bytes)
with fewer.Scope("a") as scope:
    assert_type(scope.open("a"), TextIO)
    assert_type(scope.run(["a"]), "subprocess.CompletedProcess[bytes]")
assert_type(fewer.Snapshot.make("a", stat=True), "fewer.Snapshot[str]")
assert_type(fewer.Snapshot.make(b"a"), "fewer.Snapshot[bytes]")
assert_type(next(fewer.Snapshot.read(Path("a")).changes()).from_path, Optional[str])
assert_type(fewer.paths("a", since=fewer.Snapshot.make(b"a")), List[str])
assert_type(fewer.size(b"a", depth=None)[0].path, bytes)
assert_type(fewer.size(hidden=False)[0].path, str)
assert_type(fewer.summary("a").deepest, "Optional[tuple[str, int]]")
fewer.size("a", sort=True)  # type: ignore[call-arg]
fewer.paths("a", sorted=True)  # type: ignore[call-arg]
fewer.paths("a", on_error="call")  # type: ignore[arg-type]
