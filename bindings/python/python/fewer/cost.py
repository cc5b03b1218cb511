"""What a block of code has cost, and what an error says."""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Optional, Type

from ._fewer import calls


class Cost(Counter[str]):
    """How often each system call was made through this library in a ``with`` block, by whatever
    thread.

    Price: none.

    >>> with fewer.Cost() as cost:
    ...     count = fewer.count_lines("Cargo.toml")
    >>> cost["openat"], cost["read"], cost["close"], cost.sum
    (1, 2, 1, 4)
    """

    def __enter__(self) -> Cost:
        self.clear()
        self._before = calls()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        before = Counter(self._before)
        self.update(Counter(calls()) - before)

    @property
    def sum(self) -> int:
        """All calls together."""
        return sum(self.values())


def action(error: BaseException) -> Optional[str]:
    """What was being done when the error came up, as a verb in its plain form; None for an error
    that is not from this library. The words are those that Rust, C and Lisp have for it.

    >>> try:
    ...     fewer.list("no such place")
    ... except OSError as error:
    ...     print(fewer.action(error))
    open directory
    """
    done = getattr(error, "action", None)
    return done if isinstance(done, str) else None


def message(error: BaseException) -> str:
    """The whole story in one line, control characters escaped: what was being done to which path,
    and why it failed. For an error that is not from this library what ``str`` makes of it.

    >>> try:
    ...     fewer.read_lines("no such file")
    ... except OSError as error:
    ...     print(fewer.message(error))
    cannot open 'no such file': No such file or directory
    """
    text = getattr(error, "message", None)
    return text if isinstance(text, str) else str(error)
