"""File-system work in the fewest system calls.

========================  ====================================================================
:func:`walk`              the entries of a tree, one by one
:func:`paths`             their paths as a list: the fastest way; :func:`iter_paths` one by one
:func:`os_walk`           the tuples of ``os.walk``
:func:`rows`              all that is known of the entries, as a table for Arrow
``fewer.scan``            the same by many processes or machines, into a Delta table
:class:`Snapshot`         what a walk found, in a file; what has changed since
:func:`size`              how much space trees take, as du; :func:`summary` what is in them
:func:`list`              one directory, with metadata
:func:`read_lines`        the lines of a file as a list; :func:`lines` one by one,
                          :func:`last_lines`, :func:`count_lines`
:class:`Scope`            a working directory as a value
:func:`calls`             what all of it has cost; :class:`Cost` for a block of code
:func:`message`           the whole story of an OSError in one line; :func:`action` what was being
                          done
========================  ====================================================================

Walks, listings and lines are tables for Arrow as well: ``polars.DataFrame(fewer.walk(path))``.

Paths are ``str``, ``bytes`` or ``os.PathLike``, and come out as what they went in as. What fails
raises the OSError that Python has for it, with ``errno`` and ``filename``. Other threads run while
the kernel works.
"""

from ._fewer import (
    Change,
    Changes,
    Entry,
    Lines,
    Listing,
    OsWalk,
    Paths,
    Row,
    Rows,
    Scope,
    Snapshot,
    Stat,
    TreeRows,
    Walk,
    __version__,
    calls,
    count_lines,
    iter_paths,
    last_lines,
    lines,
    list,
    os_walk,
    paths,
    read_lines,
    rows,
    walk,
)
from .cost import Cost, action, message
from .space import Size, Space, Summary, size, summary

__all__ = [
    "Change",
    "Changes",
    "Cost",
    "Entry",
    "Lines",
    "Listing",
    "OsWalk",
    "Paths",
    "Row",
    "Rows",
    "Scope",
    "Size",
    "Snapshot",
    "Space",
    "Stat",
    "Summary",
    "TreeRows",
    "Walk",
    "__version__",
    "action",
    "calls",
    "count_lines",
    "iter_paths",
    "last_lines",
    "lines",
    "list",
    "message",
    "os_walk",
    "paths",
    "read_lines",
    "rows",
    "size",
    "summary",
    "walk",
]
