import builtins
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import (
    BinaryIO,
    Generic,
    Literal,
    Optional,
    Type,
    TextIO,
    TypedDict,
    Union,
    final,
    overload,
)
from typing_extensions import Self, TypeAlias, TypeVar, Unpack

__all__ = [
    "Change",
    "Changes",
    "Entry",
    "Lines",
    "Listing",
    "OsWalk",
    "Paths",
    "Row",
    "Rows",
    "Scope",
    "Snapshot",
    "Stat",
    "TreeRows",
    "UnitRows",
    "Walk",
    "__version__",
    "_entry",
    "_size",
    "_stat",
    "_summary",
    "calls",
    "count_lines",
    "iter_paths",
    "last_lines",
    "lines",
    "list",
    "os_walk",
    "paths",
    "read_lines",
    "rows",
    "walk",
]

__version__: str

# What paths are, or lines; without an argument that says it, str.
_AnyStr = TypeVar("_AnyStr", str, bytes, default=str)
_Made = TypeVar("_Made", str, bytes, default=str)
_Line = TypeVar("_Line", str, bytes)

_Path: TypeAlias = Union[str, bytes, PathLike[str], PathLike[bytes]]
_PathOf: TypeAlias = Union[_AnyStr, PathLike[_AnyStr]]
_Kind: TypeAlias = Literal[
    "unknown", "file", "directory", "symlink", "fifo", "socket", "block", "char"
]
_Words: TypeAlias = Union[str, Iterable[str], None]
_Field: TypeAlias = Literal[
    "kind",
    "permissions",
    "owner",
    "size",
    "links",
    "inode",
    "allocated",
    "accessed",
    "modified",
    "changed",
    "created",
]
_Order: TypeAlias = Literal[
    "name",
    "version",
    "extension",
    "size",
    "modified",
    "accessed",
    "changed",
    "created",
]
_OnError: TypeAlias = Union[Callable[[OSError], object], Literal["raise", "ignore"], None]
_Exit: TypeAlias = Union[Type[BaseException], BaseException, TracebackType, None]
_Row: TypeAlias = tuple[_AnyStr, _Kind, int, int, int, int]

class _SnapshotOptions(TypedDict, total=False):
    threads: Optional[int]
    max_threads: Optional[int]
    max_depth: Optional[int]
    one_file_system: bool
    exclude: _Words
    hidden: bool
    gitignore: bool
    ignore_case: bool
    full_path: bool
    on_error: _OnError
    scope: Optional[Scope]
    since: Union[Snapshot[str], Snapshot[bytes], None]

class _RowOptions(TypedDict, total=False):
    kinds: _Words
    glob: _Words
    max_depth: Optional[int]
    one_file_system: bool
    exclude: _Words
    hidden: bool
    ignore_case: bool
    full_path: bool

class _CountOptions(_RowOptions, total=False):
    threads: Optional[int]
    max_threads: Optional[int]
    follow: bool
    min_depth: int
    gitignore: bool
    on_error: _OnError
    scope: Optional[Scope]

class _WalkOptions(_CountOptions, total=False):
    sort: bool
    since: Union[Snapshot[str], Snapshot[bytes], None]

@final
class Stat:
    @property
    def kind(self) -> _Kind: ...
    @property
    def permissions(self) -> int: ...
    @property
    def user(self) -> int: ...
    @property
    def group(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def allocated(self) -> int: ...
    @property
    def links(self) -> int: ...
    @property
    def inode(self) -> int: ...
    @property
    def device(self) -> int: ...
    @property
    def special(self) -> int: ...
    @property
    def modified(self) -> datetime: ...
    @property
    def accessed(self) -> datetime: ...
    @property
    def changed(self) -> datetime: ...
    @property
    def created(self) -> Optional[datetime]: ...
    @property
    def modified_ns(self) -> int: ...
    @property
    def accessed_ns(self) -> int: ...
    @property
    def changed_ns(self) -> int: ...
    @property
    def created_ns(self) -> Optional[int]: ...
    @property
    def st_mode(self) -> int: ...
    @property
    def st_ino(self) -> int: ...
    @property
    def st_dev(self) -> int: ...
    @property
    def st_nlink(self) -> int: ...
    @property
    def st_uid(self) -> int: ...
    @property
    def st_gid(self) -> int: ...
    @property
    def st_size(self) -> int: ...
    @property
    def st_blocks(self) -> int: ...
    @property
    def st_rdev(self) -> int: ...
    @property
    def st_atime(self) -> float: ...
    @property
    def st_mtime(self) -> float: ...
    @property
    def st_ctime(self) -> float: ...
    @property
    def st_atime_ns(self) -> int: ...
    @property
    def st_mtime_ns(self) -> int: ...
    @property
    def st_ctime_ns(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class Entry(Generic[_AnyStr]):
    @property
    def path(self) -> _AnyStr: ...
    @property
    def name(self) -> _AnyStr: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def depth(self) -> int: ...
    @property
    def inode(self) -> int: ...
    def is_dir(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_file(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_symlink(self) -> bool: ...
    def stat(self, *, fields: Union[_Field, Iterable[_Field], None] = None) -> Stat: ...
    def read_link(self) -> _AnyStr: ...
    def __fspath__(self) -> _AnyStr: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class Walk(Generic[_AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Entry[_AnyStr]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Paths(Generic[_AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> _AnyStr: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Change(Generic[_AnyStr]):
    @property
    def change(self) -> Literal["removed", "renamed", "added", "changed"]: ...
    @property
    def path(self) -> _AnyStr: ...
    @property
    def from_path(self) -> Optional[_AnyStr]: ...
    @property
    def kind(self) -> _Kind: ...

@final
class Changes(Generic[_AnyStr]):
    @property
    def snapshot(self) -> Snapshot[_AnyStr]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Change[_AnyStr]: ...

@final
class Snapshot(Generic[_AnyStr]):
    @staticmethod
    def make(
        *paths: _PathOf[_Made],
        stat: bool = False,
        **options: Unpack[_SnapshotOptions],
    ) -> Snapshot[_Made]: ...
    @staticmethod
    def read(path: _PathOf[_Made]) -> Snapshot[_Made]: ...
    def write(self, path: _Path) -> None: ...
    def changes(
        self,
        other: Union[Snapshot[str], Snapshot[bytes], _Path, None] = None,
        *,
        threads: Optional[int] = None,
        on_error: _OnError = None,
        scope: Optional[Scope] = None,
    ) -> Changes[_AnyStr]: ...
    @property
    def directories(self) -> int: ...
    @property
    def has_stat(self) -> bool: ...
    @property
    def paths(self) -> builtins.list[_AnyStr]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class OsWalk(Generic[_AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> tuple[_AnyStr, builtins.list[_AnyStr], builtins.list[_AnyStr]]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...

@final
class Row(Generic[_AnyStr]):
    @property
    def name(self) -> _AnyStr: ...
    @property
    def path(self) -> _AnyStr: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def inode(self) -> int: ...
    @property
    def stat(self) -> Optional[Stat]: ...
    @property
    def target(self) -> Optional[_AnyStr]: ...
    @property
    def user_name(self) -> Optional[str]: ...
    @property
    def group_name(self) -> Optional[str]: ...
    @property
    def error(self) -> Optional[OSError]: ...
    def is_dir(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_file(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_symlink(self) -> bool: ...
    def __fspath__(self) -> _AnyStr: ...

@final
class Rows(Generic[_AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Row[_AnyStr]: ...

@final
class Listing(Generic[_AnyStr]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Row[_AnyStr]: ...
    @overload
    def __getitem__(self, index: slice, /) -> Listing[_AnyStr]: ...
    def __iter__(self) -> Rows[_AnyStr]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class TreeRows:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

_Unit: TypeAlias = tuple[builtins.list[tuple[bytes, int]], Optional[tuple[int, int]], bool]

@final
class UnitRows:
    def __new__(
        cls, roots: tuple[_Path, ...], unit: _Unit, budget: int, most_names: int,
        options: Optional[Mapping[str, object]] = None,
    ) -> Self: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def left(self) -> builtins.list[_Unit]: ...

def walk(*paths: _PathOf[_AnyStr], **options: Unpack[_WalkOptions]) -> Walk[_AnyStr]: ...
def paths(*paths: _PathOf[_AnyStr], **options: Unpack[_WalkOptions]) -> builtins.list[_AnyStr]: ...
def iter_paths(*paths: _PathOf[_AnyStr], **options: Unpack[_WalkOptions]) -> Paths[_AnyStr]: ...
def rows(*roots: _Path, **options: Unpack[_RowOptions]) -> TreeRows: ...
def os_walk(
    top: _PathOf[_AnyStr],
    topdown: bool = True,
    onerror: _OnError = None,
    followlinks: bool = False,
) -> OsWalk[_AnyStr]: ...
@overload
def list(
    path: _PathOf[_AnyStr],
    *,
    fields: Union[_Field, Iterable[_Field], None] = None,
    sort: Optional[_Order] = "name",
    reverse: bool = False,
    directories_first: bool = False,
    hidden: bool = True,
    follow: bool = False,
    links: bool = False,
    owners: bool = False,
    threads: Optional[int] = None,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Listing[_AnyStr]: ...
@overload
def list(
    path: str = ".",
    *,
    fields: Union[_Field, Iterable[_Field], None] = None,
    sort: Optional[_Order] = "name",
    reverse: bool = False,
    directories_first: bool = False,
    hidden: bool = True,
    follow: bool = False,
    links: bool = False,
    owners: bool = False,
    threads: Optional[int] = None,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Listing[str]: ...
@overload
def read_lines(
    path: Union[int, _Path],
    encoding: str = "utf-8",
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    threads: Optional[int] = None,
    scope: Optional[Scope] = None,
) -> builtins.list[str]: ...
@overload
def read_lines(
    path: Union[int, _Path],
    encoding: None,
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    threads: Optional[int] = None,
    scope: Optional[Scope] = None,
) -> builtins.list[bytes]: ...
@overload
def lines(
    path: Union[int, _Path],
    encoding: str = "utf-8",
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    threads: Optional[int] = None,
    scope: Optional[Scope] = None,
) -> Lines[str]: ...
@overload
def lines(
    path: Union[int, _Path],
    encoding: None,
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    threads: Optional[int] = None,
    scope: Optional[Scope] = None,
) -> Lines[bytes]: ...
@overload
def last_lines(
    path: Union[int, _Path],
    count: int = 10,
    encoding: str = "utf-8",
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    scope: Optional[Scope] = None,
) -> builtins.list[str]: ...
@overload
def last_lines(
    path: Union[int, _Path],
    count: int,
    encoding: None,
    errors: str = "strict",
    keep_ends: bool = False,
    *,
    crlf: bool = False,
    nul: bool = False,
    scope: Optional[Scope] = None,
) -> builtins.list[bytes]: ...
@overload
def last_lines(
    path: Union[int, _Path],
    count: int = 10,
    *,
    encoding: None,
    errors: str = "strict",
    keep_ends: bool = False,
    crlf: bool = False,
    nul: bool = False,
    scope: Optional[Scope] = None,
) -> builtins.list[bytes]: ...
def count_lines(
    path: Union[int, _Path],
    *,
    nul: bool = False,
    threads: Optional[int] = None,
    scope: Optional[Scope] = None,
) -> int: ...
def calls() -> dict[str, int]: ...
def _entry(
    path: _PathOf[_AnyStr],
    name: tuple[int, int],
    kind: str,
    depth: int,
    inode: int,
    follow: bool,
) -> Entry[_AnyStr]: ...
def _size(
    paths: tuple[_PathOf[_AnyStr], ...],
    depth: Optional[int],
    files: bool,
    count_links: bool,
    options: Mapping[str, object],
) -> builtins.list[_Row[_AnyStr]]: ...
def _summary(
    paths: tuple[_PathOf[_AnyStr], ...],
    options: Mapping[str, object],
) -> tuple[
    builtins.list[tuple[int, int, int]],
    builtins.list[tuple[Optional[_AnyStr], tuple[int, int, int]]],
    builtins.list[tuple[_AnyStr, int]],
    builtins.list[Optional[tuple[_AnyStr, int]]],
    builtins.list[Optional[tuple[_AnyStr, datetime]]],
]: ...
def _stat(what: object, sizes: object, numbers: object, times: object) -> Stat: ...

@final
class Lines(Generic[_Line]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> _Line: ...
    def count(self) -> int: ...
    def read(self) -> builtins.list[_Line]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Scope:
    def __new__(cls, path: Optional[_Path] = None) -> Self: ...
    def enter(self, path: _Path) -> Scope: ...
    def enter_logical(self, path: _Path) -> Scope: ...
    def stat(
        self,
        path: _Path,
        *,
        follow: bool = True,
        fields: Union[_Field, Iterable[_Field], None] = None,
    ) -> Stat: ...
    def read_link(self, path: _PathOf[_AnyStr]) -> _AnyStr: ...
    @overload
    def open(
        self,
        path: _Path,
        mode: Literal["r", "rt", "tr"] = "r",
        buffering: int = -1,
        encoding: Optional[str] = None,
        errors: Optional[str] = None,
        newline: Optional[str] = None,
    ) -> TextIO: ...
    @overload
    def open(
        self,
        path: _Path,
        mode: Literal["rb", "br"],
        buffering: int = -1,
        encoding: None = None,
        errors: None = None,
        newline: None = None,
    ) -> BinaryIO: ...
    def logical(self) -> Union[str, bytes]: ...
    def physical(self) -> Union[str, bytes]: ...
    @overload
    def run(
        self,
        args: Sequence[_Path],
        *,
        capture_output: bool = False,
        env: Optional[Mapping[_Path, _Path]] = None,
        check: bool = False,
        encoding: str,
        errors: str = "strict",
    ) -> subprocess.CompletedProcess[str]: ...
    @overload
    def run(
        self,
        args: Sequence[_Path],
        *,
        capture_output: bool = False,
        env: Optional[Mapping[_Path, _Path]] = None,
        check: bool = False,
        encoding: None = None,
        errors: str = "strict",
    ) -> subprocess.CompletedProcess[bytes]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
