"""read_lines, lines, last_lines and count_lines against open()."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import fewer

# Without a folder of its own beside the tests, where an ordinary user may not be able to write.
# The same texts in each run, unless another seed is asked for.
same_folder = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    database=None,
    derandomize="FEWER_SEED" not in os.environ,
)
bytes_of_lines = st.lists(
    st.sampled_from([b"\n", b"\r", b"\r\n", b"\0", b"a", b"\xff", b"\xc3", b"\xa9", "é".encode()])
    | st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass"))
).map(b"".join)


def as_open_has_them(path: Path, **how: str) -> "list[str]":
    with open(path, newline="\n", **how) as file:  # type: ignore[call-overload]
        return list(file)


@same_folder
@given(bytes_of_lines)
@example(b"")
@example(b"\xc3\n\xa9\n")
def test_lines_are_those_of_open(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(contents)
    for errors in ("surrogateescape", "replace", "ignore", "backslashreplace"):
        # A character that is cut off by the end of a line is no part of the next one: `open`
        # agrees, for a newline is never inside a character.
        expected = as_open_has_them(path, encoding="utf-8", errors=errors)
        # A last line of which nothing is left is still a line here, and none to `open`.
        found = fewer.read_lines(path, errors=errors, keep_ends=True)
        assert [line for line in found if line] == expected
        assert list(fewer.lines(path, errors=errors, keep_ends=True)) == found
    expected = as_open_has_them(path, encoding="latin-1")
    assert fewer.read_lines(path, "latin-1", keep_ends=True) == expected
    with open(path, "rb") as file:
        lines = list(file)
    assert fewer.read_lines(path, None, keep_ends=True) == lines
    plain = [line[:-1] if line.endswith(b"\n") else line for line in lines]
    assert fewer.read_lines(path, None) == plain
    bare = [
        line[:-1] if line.endswith(b"\r") and whole.endswith(b"\n") else line
        for line, whole in zip(plain, lines)
    ]
    assert fewer.read_lines(path, None, crlf=True) == bare
    assert fewer.count_lines(path) == fewer.lines(path).count() == len(lines)
    for count in (0, 1, 2, 100):
        assert fewer.last_lines(path, count, None) == plain[len(plain) - min(count, len(plain)) :]
    parts = contents.split(b"\0")
    assert fewer.read_lines(path, None, nul=True) == (parts if parts[-1] else parts[:-1])


@same_folder
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))))
def test_strings_are_canonical(tmp_path: Path, lines: "list[str]") -> None:
    path = tmp_path / "file"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    found = fewer.read_lines(path)
    assert found == lines
    # A string in wider units than it needs is another key of a dictionary.
    assert [{line: 1}.get(other) for line, other in zip(lines, found)] == [1] * len(lines)
    assert all(one.isascii() == other.isascii() for one, other in zip(lines, found))


def test_a_large_file_is_the_same_with_any_number_of_threads(tmp_path: Path) -> None:
    path = tmp_path / "file"
    text = "".join(f"{n} {'é' * (n % 7)} {'x' * (n % 700)}{n % 5 * '–'}\n" for n in range(20_000))
    path.write_text(text + "the end", encoding="utf-8")
    expected = as_open_has_them(path, encoding="utf-8")
    for threads in (None, 1, 2):
        assert fewer.read_lines(path, keep_ends=True, threads=threads) == expected
    lines = fewer.lines(path, keep_ends=True)
    assert [next(lines), *lines.read()] == expected
    assert fewer.last_lines(path, 1) == ["the end"]


def test_a_line_that_is_not_utf_8_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\ntw\xff\xfeo\nthree\n")
    with pytest.raises(UnicodeDecodeError) as caught:
        fewer.read_lines(path)
    assert (caught.value.encoding, caught.value.object) == ("utf-8", b"tw\xff\xfeo")
    assert (caught.value.start, caught.value.end) == (2, 3)
    assert getattr(caught.value, "__notes__") == [f"in line 2 of {str(path)!r}"]
    lines = fewer.lines(path)
    assert next(lines) == "one"
    with pytest.raises(UnicodeDecodeError):
        next(lines)
    assert list(lines) == ["three"]


def test_an_error_far_into_a_file_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789\n" * 300_000 + b"\xff\n" + b"x\n" * 1000)
    with pytest.raises(UnicodeDecodeError) as caught:
        fewer.read_lines(path)
    assert getattr(caught.value, "__notes__") == [f"in line 300001 of {str(path)!r}"]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "koi8-r", "utf-8-sig", "shift_jis"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "file"
    text = "plain\nПривет\n" if encoding in ("koi8-r", "utf-8-sig", "shift_jis") else "a~\\b\n\n"
    path.write_bytes(text.encode(encoding) * 1)
    assert fewer.read_lines(path, encoding, keep_ends=True) == as_open_has_them(
        path, encoding=encoding
    )


def test_a_byte_order_mark_stays_unless_the_encoding_has_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert fewer.read_lines(path) == ["\ufeffa", "\ufeffb"]
    assert fewer.read_lines(path, "utf-8-sig") == ["a", "\ufeffb"]
    assert fewer.last_lines(path, 1, "utf-8-sig") == ["\ufeffb"]


def test_encodings_that_lines_cannot_be_split_in(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a\n")
    for encoding in ("utf-16", "utf-32-le", "cp037"):
        with pytest.raises(ValueError, match="no newline"):
            fewer.read_lines(path, encoding)
    for encoding in ("no-such-encoding", "hex"):
        with pytest.raises(LookupError):
            fewer.read_lines(path, encoding)
    with pytest.raises(ValueError, match="exclude each other"):
        fewer.lines(path, crlf=True, nul=True)


def test_errors_are_those_of_open(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(OSError) as theirs:
            open(path)
        for name in (path, str(path), os.fsencode(path)):
            with pytest.raises(OSError) as ours:
                fewer.read_lines(name)
            assert type(ours.value) is type(theirs.value)
            assert ours.value.errno == theirs.value.errno
            assert ours.value.filename == (name if name is not path else str(path))


def test_a_descriptor_is_read_from_where_it_stands_and_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one\ntwo\nthree\n")
    number = os.open(path, os.O_RDONLY)
    try:
        os.lseek(number, 4, os.SEEK_SET)
        assert fewer.read_lines(number) == ["two", "three"]
        os.lseek(number, 4, os.SEEK_SET)
        assert fewer.last_lines(number, 5) == ["two", "three"]
        os.lseek(number, 8, os.SEEK_SET)
        assert fewer.count_lines(number) == 1
    finally:
        os.close(number)
    for bad in (number, -1):
        with pytest.raises(OSError, match="Bad file descriptor"):
            fewer.read_lines(bad)


def test_lines_come_through_a_pipe_as_they_are_written() -> None:
    reading, writing = os.pipe()
    lines = fewer.lines(reading)
    os.close(reading)
    os.write(writing, b"one\ntwo\nthr")
    assert [next(lines), next(lines)] == ["one", "two"]
    os.write(writing, b"ee\n")
    assert next(lines) == "three"
    os.close(writing)
    assert list(lines) == []


def test_closed_lines_say_so(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one\n")
    with fewer.lines(path) as lines:
        assert repr(lines) == f"<fewer.Lines of {str(path)!r}>"
    lines.close()
    with pytest.raises(ValueError, match="closed"):
        next(lines)


def test_other_threads_run_while_a_pipe_is_waited_for() -> None:
    reading, writing = os.pipe()
    threading.Timer(0.05, lambda: (os.write(writing, b"late\n"), os.close(writing))).start()
    assert fewer.read_lines(reading) == ["late"]
    os.close(reading)
