"""Scope against os with dir_fd, and subprocess."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fewer


def test_paths_are_relative_to_it(tree: Path) -> None:
    scope = fewer.Scope(tree)
    assert scope.stat("6").inode == os.stat(tree / "6").st_ino
    assert scope.stat("to-file", follow=False).kind == "symlink"
    assert scope.stat("to-file").kind == "file"
    assert scope.read_link("to-file") == "6" and scope.read_link(b"to-file") == b"6"
    assert sorted(fewer.paths("a", scope=scope)) == sorted(
        os.path.relpath(path, tree) for path in fewer.paths(tree / "a")
    )
    assert [row.name for row in fewer.list("a", scope=scope)] == sorted(os.listdir(tree / "a"))
    assert fewer.read_lines("6", scope=scope) == ["6"]
    assert fewer.count_lines("6", scope=scope) == 1
    assert fewer.last_lines("6", scope=scope) == list(fewer.lines("6", scope=scope)) == ["6"]


def test_it_holds_its_directory(tree: Path) -> None:
    with fewer.Scope(tree / "a") as scope:
        entries = list(fewer.walk(".", scope=scope, kinds="f"))
        assert scope.logical() == str(tree / "a")
        (tree / "a").rename(tree / "moved")
        assert scope.physical() == str(tree / "moved")
    assert all(entry.stat().kind == "file" for entry in entries)
    with pytest.raises(ValueError, match="closed"):
        scope.stat(".")
    with pytest.raises(ValueError, match="closed"):
        fewer.walk(".", scope=scope)


def test_up_is_a_matter_of_words_or_not(tree: Path) -> None:
    (tree / "d" / "down").symlink_to(tree / "a" / "b")
    scope = fewer.Scope(tree / "d").enter("down")
    assert scope.enter("..").physical() == str(tree / "a")
    assert scope.enter_logical("..").physical() == str(tree / "d")
    assert fewer.Scope(os.fsencode(tree)).logical() == os.fsencode(tree)
    assert fewer.Scope().physical() == os.path.realpath(".")


def test_files_are_pythons_own(tree: Path) -> None:
    scope = fewer.Scope(tree)
    with scope.open("a/1.txt") as file:
        assert (file.read(), file.name, file.mode) == ("a/1.txt", "a/1.txt", "r")
        assert not os.get_inheritable(file.fileno())
    with scope.open("a/1.txt", "rb") as binary:
        assert binary.read() == b"a/1.txt"
    with scope.open("a/1.txt", encoding="utf-16-le", errors="replace") as wide:
        assert wide.read() == b"a/1.txt".decode("utf-16-le", "replace")
    with pytest.raises(FileNotFoundError) as caught:
        scope.open("missing")
    assert caught.value.filename == "missing"
    with pytest.raises(ValueError, match="mode"):
        scope.open("a/1.txt", "w")  # type: ignore[call-overload]


def test_errors(tree: Path) -> None:
    with pytest.raises(NotADirectoryError):
        fewer.Scope(tree / "6")
    with pytest.raises(FileNotFoundError):
        fewer.Scope(tree).enter("missing")
    with pytest.raises(OSError) as caught:
        fewer.Scope(tree).read_link("6")
    assert (caught.value.errno, caught.value.filename) == (errno.EINVAL, "6")


def test_programs_run_in_it(tree: Path) -> None:
    scope = fewer.Scope(tree)
    scripts = ("pwd", "echo out; echo err >&2; exit 3", "kill $$")
    for arguments in (["sh", "-c", script] for script in scripts):
        theirs = subprocess.run(arguments, cwd=tree, capture_output=True)
        ours = scope.run(arguments, capture_output=True)
        assert (ours.args, ours.returncode) == (theirs.args, theirs.returncode)
        assert (ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr)
    text = scope.run([sys.executable, "-c", "print('é')"], capture_output=True, encoding="utf-8")
    assert text.stdout == "é\n"
    assert scope.run(["true"]).stdout is None
    shown = scope.run(["env"], capture_output=True, env={"PATH": os.environ["PATH"], "A": "b"})
    assert b"A=b\n" in shown.stdout and b"HOME=" not in shown.stdout
    with pytest.raises(subprocess.CalledProcessError):
        scope.run(["false"], check=True)
    with pytest.raises(FileNotFoundError):
        scope.run(["./missing"])
    with pytest.raises(ValueError, match="program"):
        scope.run([])
