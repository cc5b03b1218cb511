"""How much space trees take, and what there is in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, AnyStr, Dict, Generic, List, Optional, Tuple

from ._fewer import _size, _summary

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._fewer import _AnyStr, _CountOptions, _Kind, _PathOf


@dataclass(frozen=True)
class Space:
    """What some entries take.

    - ``entries``: their number.
    - ``size``: the sum of what each states, in bytes; with that of directories.
    - ``allocated``: the bytes that they take on the device.
    """

    entries: int
    size: int
    allocated: int

    def __add__(self, other: Space) -> Space:
        return Space(
            self.entries + other.entries,
            self.size + other.size,
            self.allocated + other.allocated,
        )


@dataclass(frozen=True)
class Size(Generic[AnyStr]):
    """A path with what is below it: ``path``, ``kind``, ``depth``, and the numbers of
    :class:`Space`. Made by :func:`size`.
    """

    path: AnyStr
    kind: _Kind
    depth: int
    entries: int
    size: int
    allocated: int


@dataclass(frozen=True)
class Summary(Generic[AnyStr]):
    """What there is in trees, in numbers. Made by :func:`summary`.

    - ``directories``, ``files``, ``links``, ``other``: each a :class:`Space`; the bytes of a file
      with several names count once.
    - ``extensions``: of files, by what is behind the last dot of the name (empty if there is none);
      the largest size first. After 65,536 different ones, None has the files of all others.
    - ``largest``: the files of the largest sizes, at most 10, with these.
    - ``deepest``: the entry with the most steps below its root, with their number; ``longest``: the
      path of the most bytes, with theirs. None if there is none.
    - ``newest``, ``oldest``: the file whose contents changed last, or have not changed for the
      longest time, and when. None if there is none.
    """

    directories: Space
    files: Space
    links: Space
    other: Space
    extensions: Dict[Optional[AnyStr], Space]
    largest: List[Tuple[AnyStr, int]]
    deepest: Optional[Tuple[AnyStr, int]]
    longest: Optional[Tuple[AnyStr, int]]
    newest: Optional[Tuple[AnyStr, datetime]]
    oldest: Optional[Tuple[AnyStr, datetime]]

    @property
    def all(self) -> Space:
        """Everything together."""
        return self.directories + self.files + self.links + self.other


def size(
    *paths: _PathOf[_AnyStr],
    depth: Optional[int] = 0,
    files: bool = False,
    count_links: bool = False,
    **options: Unpack[_CountOptions],
) -> List[Size[_AnyStr]]:
    """How much space trees take, as ``du`` counts it: a list of :class:`Size`, path by path, and
    below each in byte order.

    A file with several names counts once, below the first path that holds it, in the directory
    whose path comes first; for each of its names with ``count_links``. A path that lies in an
    earlier one has no row. Directories down to ``depth`` levels below the paths have rows, all if
    it is None; with ``files`` files have, too. The keywords of :func:`walk` but for ``sort``,
    ``follow`` and ``since`` say what counts; with ``one_file_system`` mount points do not.

    Price: one ``statx`` an entry besides the walk, and one for a path that is a directory.

    Raises OSError; ValueError for an invalid pattern.

    >>> row, = fewer.size("python/fewer", glob="py.typed")
    >>> row.path, row.kind, row.entries, row.size
    ('python/fewer', 'directory', 1, 0)
    """
    rows = _size(paths, depth, files, count_links, options)
    return [Size(*row) for row in rows]


def summary(
    *paths: _PathOf[_AnyStr],
    **options: Unpack[_CountOptions],
) -> Summary[_AnyStr]:
    """What there is in trees, in numbers: a :class:`Summary`. The keywords of :func:`walk` but for
    ``sort`` and ``since`` say what counts.

    Price: one ``statx`` an entry besides the walk.

    Raises OSError; ValueError for an invalid pattern.

    >>> found = fewer.summary("python", kinds="f", exclude="*.so", max_depth=2)
    >>> found.files.entries, found.extensions["typed"].size, found.deepest[1]
    (5, 0, 2)
    """
    groups, extensions, largest, lengths, times = _summary(paths, options)
    directories, files, links, other = (Space(*numbers) for numbers in groups)
    return Summary(
        directories=directories,
        files=files,
        links=links,
        other=other,
        extensions={name: Space(*numbers) for name, numbers in extensions},
        largest=largest,
        deepest=lengths[0],
        longest=lengths[1],
        newest=times[0],
        oldest=times[1],
    )
