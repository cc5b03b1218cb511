"""Questions to the table of a scan: filters as of find, what has changed, what is the most."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import List, Set

import duckdb
import pytest

import fewer
import fewer.scan
from fewer.scan.conditions import Conditions, glob_regex, moment, size_condition


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("asked") / "tree"
    for path, size, day in [
        ("src/main.rs", 100, 1),
        ("src/lib.rs", 5_000, 10),
        ("src/Old.RS", 3, 400),
        ("doc/a b.txt", 2_048, 30),
        ("doc/it's", 1_023, 31),
        ("doc/[x].txt", 1_024, 31),
        (".hidden/deep/er/x.tar.gz", 70_000, 2_000),
        ("empty", 0, 0),
    ]:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * size)
        time = 1_700_000_000 - day * 86_400
        os.utime(file, (time, time))
    (root / "link").symlink_to("src")
    (root / os.fsdecode(b"\xff.rs")).write_bytes(b"xx")
    return root


@pytest.fixture(scope="module")
def table(tree: Path) -> Path:
    fewer.scan.Scan(tree, out=tree.parent / "table").run(workers=1)
    return tree.parent / "table"


def run(*arguments: object) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "fewer.scan.ask", *map(str, arguments)]
    return subprocess.run(command, capture_output=True)


def asked(table: Path, *flags: str) -> Set[bytes]:
    found = run("query", table, "-0", *flags)
    assert found.returncode == 0, found.stderr
    return set(found.stdout.split(b"\0")[:-1])


def found_by(tree: Path, *conditions: str) -> Set[bytes]:
    return set(subprocess.check_output(["find", tree, *conditions, "-print0"]).split(b"\0")[:-1])


@pytest.mark.parametrize(
    "flags, conditions",
    [
        ([], []),
        (["-t", "file"], ["-type", "f"]),
        (["-t", "symlink", "-t", "directory"], ["(", "-type", "l", "-o", "-type", "d", ")"]),
        (["-t", "file", "-S", "+1K"], ["-type", "f", "-size", "+1024c"]),
        (["-t", "file", "-S", "-1K"], ["-type", "f", "-size", "-1024c"]),
        (["-t", "file", "-S", "2K", "-S", "+0"], ["-type", "f", "-size", "2048c"]),
        (["--newer", "@1697000000", "-t", "file"], ["-type", "f", "-newermt", "@1697000000"]),
        (["--older", "2023-10-11T04:53:20Z"], ["!", "-newermt", "@1697000000"]),
        (["--max-depth", "1"], ["-maxdepth", "1"]),
        (["--min-depth", "3"], ["-mindepth", "3"]),
        (["-g", "*.txt"], ["-name", "*.txt"]),
        (["-g", "[[]x*"], ["-name", "[[]x*"]),
        (["-g", "it's"], ["-name", "it's"]),
        (["-e", "rs", "-i"], ["-iname", "*.rs", "!", "-name", "?.rs"]),
        (["-p", "-g", "**/src/*.rs"], ["-path", "*/src/*.rs"]),
    ],
)
def test_filters_are_those_of_find(
    tree: Path, table: Path, flags: List[str], conditions: List[str]
) -> None:
    assert asked(table, *flags) == found_by(tree, *conditions)


@pytest.mark.parametrize(
    "glob", ["*.{rs,txt}", "[!ael]*", "*", "?", "*.tar.*", "a b.txt", "[a-l]*"]
)
def test_globs_are_those_of_a_walk(tree: Path, table: Path, glob: str) -> None:
    texts = {path for path in asked(table, "-g", glob)}
    walked = {os.fsencode(path) for path in fewer.paths(tree, glob=glob)}
    assert texts == {path for path in walked if b"\xff" not in path}


@pytest.mark.parametrize("glob", ["*/src/*.rs", "**/src/*.rs", "**/tree/*", "/**/[a-m]*/*"])
def test_globs_of_paths_are_those_of_a_walk(tree: Path, table: Path, glob: str) -> None:
    walked = {os.fsencode(path) for path in fewer.paths(tree, glob=glob, full_path=True)}
    assert asked(table, "-p", "-g", glob) == {path for path in walked if b"\xff" not in path}


def test_globs_sizes_and_times_are_read_as_they_are_written() -> None:
    assert re.fullmatch(glob_regex("a.b\\*[!]x]"), "a.b*c")
    assert not re.fullmatch(glob_regex("a.b"), "aXb")
    assert size_condition("1KB") == "size = 1000" and size_condition("+2MiB") == "size > 2097152"
    now = moment("0s")
    assert 0 <= moment("0s") - now < 10_000_000
    assert abs(now - moment("2 days") - 2 * 86_400_000_000) < 10_000_000
    for wrong, read in [("[a", glob_regex), ("{a", glob_regex), ("1X", size_condition)]:
        with pytest.raises(ValueError, match="'.*'"):
            read(wrong)
    with pytest.raises(ValueError, match="no time"):
        moment("no such file")
    with pytest.raises(ValueError, match="'--'"):
        Conditions(sizes=["--"]).sql()


def test_rows_go_into_a_file(tree: Path, table: Path, tmp_path: Path) -> None:
    for ending in ("parquet", "csv", "json"):
        file = tmp_path / f"it's.{ending}"
        assert run("query", table, "-e", "txt", "--to", file).returncode == 0
        assert duckdb.read_csv(str(file)).shape[0] == 2 if ending == "csv" else file.stat().st_size
    assert run("query", table, "--count", "-t", "file").stdout == b"9\n"
    lines = run("query", table, "--json", "-S", "2").stdout.splitlines()
    assert [json.loads(line)["path"] for line in lines] == [f"{tree}/\udcff.rs"]


def test_what_has_changed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for name in ["same", "gone", "moved", "written", "other-kind", "mode"]:
        (root / name).write_text(name)
    (root / "folder").mkdir()
    (root / "folder/inside").touch()
    (root / "linked").touch()
    os.link(root / "linked", root / "linked too")
    fewer.scan.Scan(root, out=tmp_path / "before").run(workers=1)
    (root / "gone").unlink()
    (root / "moved").rename(root / "folder/moved to")
    (root / "written").write_text("something else")
    (root / "other-kind").unlink()
    (root / "other-kind").mkdir()
    (root / "mode").chmod(0o600)
    (root / os.fsdecode(b"new\xff")).touch()
    (root / "linked").rename(root / "x")
    (root / "linked too").unlink()
    fewer.scan.Scan(root, out=tmp_path / "after").run(workers=1)
    found = run("changes", tmp_path / "before", tmp_path / "after")
    base = os.fsencode(root) + b"/"
    assert sorted(found.stdout.splitlines()) == sorted(
        [
            b"D " + base + b"gone",
            b"R " + base + b"moved -> " + base + b"folder/moved to",
            b"M " + base + b"written",
            b"M " + base + b"other-kind",
            b"M " + base + b"mode",
            b"A " + base + b"new\xff",
            # Which of them became which, nobody knows.
            *[b"D " + base + name for name in (b"linked", b"linked too")],
            b"A " + base + b"x",
        ]
    )
    assert run("changes", tmp_path / "after", tmp_path / "after").stdout == b""


def test_what_is_the_most(tree: Path, table: Path, tmp_path: Path) -> None:
    rows = run("top", table, "-n", "3").stdout.splitlines()
    sizes = subprocess.check_output(["find", tree, "-type", "f", "-printf", "%s\t%p\n"])
    assert rows == sorted(sizes.splitlines(), key=lambda row: -int(row.split(b"\t")[0]))[:3]
    oldest = run("top", table, "--by", "age", "-n", "1").stdout
    assert oldest.endswith(b"x.tar.gz\n")
    extensions = run("top", table, "--by", "extension").stdout.splitlines()
    blocks = subprocess.check_output(["find", tree, "-name", "*.txt", "-printf", "%b\n"])
    allocated = sum(int(line) * 512 for line in blocks.split())
    assert str(allocated).encode() + b"\ttxt" in extensions
    (owner,) = run("top", table, "--by", "owner").stdout.splitlines()
    assert owner.endswith(b"\t%d" % os.getuid())
    for ending in ("html", "svg"):
        picture = tmp_path / f"top.{ending}"
        assert run("top", table, "--plot", picture).returncode == 0
        text = picture.read_text()
        assert text.count("<rect") == 9 and "x.tar.gz" in text and "68.4 KiB" in text


def test_what_cannot_be_asked_is_said(table: Path, tmp_path: Path) -> None:
    for arguments, message in [
        (["query", tmp_path], b"has no table of a scan"),
        (["query", table, "-S", "much"], b"'much' is no size"),
        (["query", table, "--newer", "soon"], b"no time, no age and no file"),
        (["query", table, "--to", "x.doc"], b"ends neither"),
        (["top", table, "--plot", "x.doc"], b"ends neither"),
        (["query", table, "--to", "/no/such/folder/x.csv"], b"/no/such/folder"),
    ]:
        found = run(*arguments)
        assert found.returncode == 2 and message in found.stderr, found.stderr
        assert b"Traceback" not in found.stderr
