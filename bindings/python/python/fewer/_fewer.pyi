import builtins
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import (
    AnyStr,
    BinaryIO,
    Generic,
    Literal,
    Optional,
    Type,
    TextIO,
    TypeVar,
    Union,
    final,
    overload,
)
from typing_extensions import Self, TypeAlias

__all__ = [
    "Entry",
    "Lines",
    "Listing",
    "OsWalk",
    "Paths",
    "Row",
    "Rows",
    "Scope",
    "Stat",
    "Walk",
    "__version__",
    "_entry",
    "_stat",
    "calls",
    "count_lines",
    "iter_paths",
    "last_lines",
    "lines",
    "list",
    "os_walk",
    "paths",
    "read_lines",
    "walk",
]

__version__: str

_Path: TypeAlias = Union[str, bytes, PathLike[str], PathLike[bytes]]
_PathOf: TypeAlias = Union[AnyStr, PathLike[AnyStr]]
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
_Line = TypeVar("_Line", str, bytes)

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
class Entry(Generic[AnyStr]):
    @property
    def path(self) -> AnyStr: ...
    @property
    def name(self) -> AnyStr: ...
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
    def read_link(self) -> AnyStr: ...
    def __fspath__(self) -> AnyStr: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class Walk(Generic[AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Entry[AnyStr]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Paths(Generic[AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> AnyStr: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class OsWalk(Generic[AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> tuple[AnyStr, builtins.list[AnyStr], builtins.list[AnyStr]]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: _Exit) -> None: ...

@final
class Row(Generic[AnyStr]):
    @property
    def name(self) -> AnyStr: ...
    @property
    def path(self) -> AnyStr: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def inode(self) -> int: ...
    @property
    def stat(self) -> Optional[Stat]: ...
    @property
    def target(self) -> Optional[AnyStr]: ...
    @property
    def user_name(self) -> Optional[str]: ...
    @property
    def group_name(self) -> Optional[str]: ...
    @property
    def error(self) -> Optional[OSError]: ...
    def is_dir(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_file(self, *, follow_symlinks: bool = True) -> bool: ...
    def is_symlink(self) -> bool: ...
    def __fspath__(self) -> AnyStr: ...

@final
class Rows(Generic[AnyStr]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Row[AnyStr]: ...

@final
class Listing(Generic[AnyStr]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Row[AnyStr]: ...
    @overload
    def __getitem__(self, index: slice, /) -> Listing[AnyStr]: ...
    def __iter__(self) -> Rows[AnyStr]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@overload
def walk(
    *,
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Walk[str]: ...
@overload
def walk(
    *paths: _PathOf[AnyStr],
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Walk[AnyStr]: ...
@overload
def paths(
    *,
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> builtins.list[str]: ...
@overload
def paths(
    *paths: _PathOf[AnyStr],
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> builtins.list[AnyStr]: ...
@overload
def iter_paths(
    *,
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Paths[str]: ...
@overload
def iter_paths(
    *paths: _PathOf[AnyStr],
    sort: bool = False,
    threads: Optional[int] = None,
    kinds: _Words = None,
    glob: _Words = None,
    max_depth: Optional[int] = None,
    follow: bool = False,
    one_file_system: bool = False,
    exclude: _Words = None,
    min_depth: int = 0,
    hidden: bool = True,
    gitignore: bool = False,
    ignore_case: bool = False,
    full_path: bool = False,
    on_error: _OnError = None,
    scope: Optional[Scope] = None,
) -> Paths[AnyStr]: ...
def os_walk(
    top: _PathOf[AnyStr],
    topdown: bool = True,
    onerror: _OnError = None,
    followlinks: bool = False,
) -> OsWalk[AnyStr]: ...
@overload
def list(
    path: _PathOf[AnyStr],
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
) -> Listing[AnyStr]: ...
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
    path: _PathOf[AnyStr],
    name: tuple[int, int],
    kind: str,
    depth: int,
    inode: int,
    follow: bool,
) -> Entry[AnyStr]: ...
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
    def read_link(self, path: _PathOf[AnyStr]) -> AnyStr: ...
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
