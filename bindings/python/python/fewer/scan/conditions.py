"""The filters of a walk as conditions of SQL over the table of a scan.

They mean what the flags of ``fewer walk`` mean, and are written in the same way. A row that is an
error fulfils none of them but ``errors``.
"""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass, field
from typing import Iterable, List, Optional

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
UNITS = "KMGTP"
SECONDS = {
    "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hour": 3600,
    "d": 86400, "day": 86400, "w": 604800, "week": 604800,
}  # fmt: skip


@dataclass
class Conditions:
    """Which rows are wanted: those that fulfil one of each kind that is given.

    - ``globs``, ``extensions``, ``kinds``: one of them matches the name, or the path if
      ``full_path``.
    - ``sizes``: all of them hold: ``+1G``, ``-10K``, ``0``.
    - ``newer``, ``older``: when it was last modified: ``30d``, ``2026-01-31``, ``@0``, or the
      path of a file.
    - ``user``: the number of the owner.
    - ``errors``: rows that are errors, instead of entries.
    """

    globs: List[str] = field(default_factory=list)
    extensions: List[str] = field(default_factory=list)
    kinds: List[str] = field(default_factory=list)
    sizes: List[str] = field(default_factory=list)
    newer: Optional[str] = None
    older: Optional[str] = None
    user: Optional[int] = None
    min_depth: Optional[int] = None
    max_depth: Optional[int] = None
    ignore_case: bool = False
    full_path: bool = False
    errors: bool = False

    def sql(self) -> str:
        """A condition for WHERE. Raises ValueError for what is not written as it should be."""
        found = ["error IS NOT NULL" if self.errors else "error IS NULL"]
        subject = "path" if self.full_path else "name"
        names = [glob_regex(glob) for glob in self.globs]
        found += _any(_matches(subject, regex, self.ignore_case) for regex in names)
        endings = [r".*\." + re.escape(extension.lstrip(".")) for extension in self.extensions]
        found += _any(_matches("name", regex, self.ignore_case) for regex in endings)
        found += _any(f"kind = {quote(kind)}" for kind in self.kinds)
        found += [size_condition(size) for size in self.sizes]
        if self.newer:
            found.append(f"modified > make_timestamptz({moment(self.newer)}::BIGINT)")
        if self.older:
            found.append(f"modified < make_timestamptz({moment(self.older)}::BIGINT)")
        numbers = (("user", "=", self.user), ("depth", ">=", self.min_depth))
        for column, operator, number in (*numbers, ("depth", "<=", self.max_depth)):
            if number is not None:
                found.append(f'"{column}" {operator} {int(number)}')
        return " AND ".join(found)


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _any(conditions: Iterable[str]) -> List[str]:
    found = list(conditions)
    return ["(" + " OR ".join(found) + ")"] if found else []


def _matches(column: str, regex: str, ignore_case: bool) -> str:
    options = "si" if ignore_case else "s"
    return f"regexp_full_match({column}, {quote(regex)}, '{options}')"


def glob_regex(glob: str) -> str:
    """A glob as a regular expression: ``*``, ``?``, ``[a-z]``, ``[!a-z]``, ``{a,b}``; ``**`` goes
    over slashes as well.
    """
    regex, depth, at = "", 0, 0
    while at < len(glob):
        letter = glob[at]
        at += 1
        if letter == "*":
            stars = len(glob[at - 1 :]) - len(glob[at - 1 :].lstrip("*"))
            at += stars - 1
            regex += ".*" if stars > 1 else "[^/]*"
        elif letter == "?":
            regex += "[^/]"
        elif letter == "[":
            end = glob.find("]", at + 1 + (glob[at : at + 1] in ("!", "^")))
            if end < 0:
                raise ValueError(f"'{glob}': a [ without a ]")
            inside = glob[at:end].replace("\\", "\\\\").replace("[", "\\[")
            regex += "[" + ("^" + inside[1:] if inside[0] in "!^" else inside) + "]"
            at = end + 1
        elif letter == "{":
            regex, depth = regex + "(?:", depth + 1
        elif letter == "}" and depth:
            regex, depth = regex + ")", depth - 1
        elif letter == "," and depth:
            regex += "|"
        else:
            if letter == "\\" and at < len(glob):
                letter, at = glob[at], at + 1
            regex += re.escape(letter)
    if depth:
        raise ValueError(f"'{glob}': a {{ without a }}")
    return regex


def size_condition(text: str) -> str:
    found = re.fullmatch(r"([+-]?)(\d+)(?:([KMGTP])(iB|B)?|B)?", text, re.IGNORECASE)
    if not found:
        raise ValueError(f"'{text}' is no size like +1G, -10K or 0")
    sign, digits, unit, kind = found.groups()
    base = 1000 if (kind or "").upper() == "B" else 1024
    number = int(digits) * base ** (UNITS.index(unit.upper()) + 1 if unit else 0)
    return f"size {({'+': '>', '-': '<'}).get(sign, '=')} {number}"


def moment(text: str) -> int:
    """Microseconds since 1970 of an age, a date, ``@SECONDS``, or the last change of a file."""
    now = datetime.datetime.now(datetime.timezone.utc)
    age = re.fullmatch(r"(\d+)\s*([a-z]+?)s?", text)
    if age and age.group(2) in SECONDS:
        then = now - datetime.timedelta(seconds=int(age.group(1)) * SECONDS[age.group(2)])
    elif re.fullmatch(r"@-?\d+", text):
        return int(text[1:]) * 1_000_000
    else:
        try:
            then = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone()
        except ValueError:
            return _modified(text)
    return (then - EPOCH) // datetime.timedelta(microseconds=1)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns // 1000
    except OSError:
        raise ValueError(f"'{path}' is no time, no age and no file") from None
