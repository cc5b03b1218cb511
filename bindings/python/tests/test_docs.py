"""Every example in a docstring and in the README is run; every public thing has a docstring."""

from __future__ import annotations

import datetime
import doctest
import inspect
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest

import fewer

HERE = Path(__file__).parent.parent
GLOBALS = {"fewer": fewer, "os": os, "stat": stat, "datetime": datetime}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What examples look at: the folder of the package, without what Python keeps between sources
    that were run where they are.
    """
    copy = tmp_path_factory.mktemp("sources") / "python"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__", "target", "*.so"))
    return copy


def documented() -> "Iterator[tuple[str, object]]":
    for name in fewer.__all__:
        thing = getattr(fewer, name)
        yield name, thing
        if inspect.isclass(thing):
            for inner, value in vars(thing).items():
                public = not inner.startswith("_")
                if public and (callable(value) or inspect.isdatadescriptor(value)):
                    yield f"{name}.{inner}", value


@pytest.mark.parametrize("name, thing", [item for item in documented() if item[0] != "__version__"])
def test_examples(
    name: str, thing: object, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = inspect.getdoc(thing) or ""
    if not name.split(".")[-1].startswith("st_") and name not in (
        "Stat.inode",
        "Row.name",
        "Row.inode",
    ):
        assert text, "has no docstring"
    monkeypatch.chdir(sources)
    test = doctest.DocTestParser().get_doctest(text, dict(GLOBALS), name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


def test_functions_state_their_price() -> None:
    for name in fewer.__all__:
        thing = getattr(fewer, name)
        if inspect.isbuiltin(thing):
            assert "Price: " in (inspect.getdoc(thing) or ""), name


def test_the_readme(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sources)
    text = (HERE / "README.md").read_text()
    # A fence ends an example as an empty line does.
    text = text.replace("```", "\n```")
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, None)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize(
    "command",
    [
        ["mypy", "--strict", "-p", "fewer"],
        ["mypy.stubtest", "fewer._fewer"],
    ],
)
def test_types(command: "list[str]", tmp_path: Path) -> None:
    words = [sys.executable, "-m", *command]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_calls_have_the_types_they_should(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path)]
    program = str(HERE / "tests" / "typed.py")
    done = subprocess.run([*command, program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
