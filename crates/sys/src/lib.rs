//! The system-call layer: one safe function per call, each one counted.
//!
//! | module | what is in it |
//! |---|---|
//! | [`counter`](calls) | the calls that this process has made, by name |
//! | `exit_status` | how a process ended, and how shells tell it |
//! | `fetching` | contents that are elsewhere, and stay there |
//! | `firmlink` | directories with two paths, without a mount |
//! | `errno` | the kernel's number for what went wrong |
//! | `kind` | what kind of thing an entry is, and the names of the kinds |
//! | `stat` | what is known of a file, and which of it is asked for |
//! | `set_time`, `access` | what to do with a timestamp; a permission that is asked about |
//! | `start` | a child to be started, and its streams |
//! | `time` | a point in time, to and from the standard library's |
//! | `last_name` | what the last name of a path is |
//! | `raw_entry` | an entry of a block of a directory's records |
//! | `copies` | copies of memory in static programs |
//! | `prefetch` | tells the processor which memory is needed soon |
//! | `unix/descriptor` | open files, owned and borrowed |
//! | `unix/file` | open, read, write, the target of a link |
//! | `unix/characters` | classes and cases of characters as the C library has them |
//! | `unix/change` | permissions; making and removing names |
//! | `unix/rename` | renaming, without the calls that some systems have for it |
//! | `unix/copy` | copies from one open file into another |
//! | `unix/block` | reads blocks into a buffer |
//! | `unix/process` | processors, descriptor limit, terminals, signals, what is kept for C |
//! | `unix/pattern` | the shell's name patterns through the C library |
//! | `unix/regex` | regular expressions through the C library |
//! | `unix/spawn` | start a child in any directory, wait for it; pipes |
//! | `unix/launch` | a child that is to be started, as C takes it |
//! | `unix/clone` | starts one where a filter forbids the call that the C library makes |
//! | `unix/newer` | calls that are newer than some kernels and filters |
//! | `unix/child` | any descriptors for a child; `fork`, `execve`; wait for whichever ends |
//! | `unix/signals` | catch, ignore and send signals; which have come |
//! | `unix/stream` | what a shell does with descriptors: peek, put back, move, close |
//! | `unix/name_block` | a block of a directory's records, where they have names only |
//! | `unix/program` | where programs are looked for; where a path's root ends |
//! | `unix/usage` | processor times and what else a process has used |
//! | `unix/users` | the user and group databases through the C library |
//! | `linux/directory` | open a directory, read a block of entries |
//! | `linux/entries` | the parser of that block, which checks every bound |
//! | `linux/stat` | `statx` with only the requested fields |
//! | `linux/path` | open only to look; the path of an open file |
//! | `linux/access` | whether a file may be used |
//! | `linux/attributes` | extended attributes |
//! | `linux/pages` | large pages |
//! | `linux/rename`, `linux/change` | what only Linux does to names |
//! | `linux/copy`, `linux/stream`, `linux/sync` | what only Linux does to open files |
//! | `linux/pidfd` | a descriptor that tells of the end of a child |
//! | `linux/identity`, `linux/processors`, `linux/limits` | this process, and what it may use |
//! | `linux/sleep`, `linux/quit_key` | waiting for a time; a key that ends the program |
//! | `linux/fanotify` | tells what happens to the names of a whole file system |
//! | `linux/inotify` | waits until files change, and says which |
//! | `linux/mounts` | the mount table in one read |
//! | `linux/filesystem` | what a kind of file system promises |
//! | `linux/futex` | waiting for another thread |
//! | `linux/closed` | which standard descriptors were closed when the program started |
//! | `linux/constant_names` | the names of errors and signals |
//! | `bsd` | what macOS and FreeBSD have in place of what is in `linux` |
//! | `macos/layout` | the sizes and places that the headers of macOS say |
//! | `macos_formats/layout` | the structures and numbers of `<sys/attr.h>`, and what to ask |
//! | `macos_formats/attributes` | the parser of records with attributes |
//! | `macos_formats/metadata` | what such a record says of an entry |
//! | `macos_formats/dirent` | the parser of records with names |
//! | `macos_formats/reader` | by which call a directory is read, and whether it goes on |
//! | `macos_formats/block` | the next block that brings something new |
//! | `macos_formats/firmlinks` | which directories have two paths |
//! | `windows/nt` | opens by the kernel's own call, relative to an open directory |
//! | `windows_formats/record` | the parser of a directory's records, which have the metadata |
//! | `windows/entries` | a block of them, with the names in WTF-8 |
//! | `windows_formats/wide` | UTF-16 to WTF-8 and back |
//! | `windows/os_str` | names of the standard library as bytes |
//! | `windows_formats/reparse` | the target in what a link is made of |
//! | `windows_formats/errors` | the numbers of errors for what Windows says |
//! | `windows_formats/pattern` | the shell's name patterns |
//! | `windows_formats/path` | where a path's root ends, and what its last name is |
//! | `windows_formats/sid` | the numbers of users and groups, and where a file's are |
//! | `windows_formats/times` | times as Windows has them |
//! | `windows_formats/command_line` | arguments and environment as Windows hands them over |
//! | `windows/information` | one class of information of a file, asked for or set |
//! | `windows/names` | rename, remove and hard links |
//! | `windows/link` | symbolic links |
//! | `windows/inherited` | the handles that a child inherits |
//! | `windows/console` | text on consoles |
//! | `fuzzing` | the parsers of other systems' formats, for the fuzzer |
//!
//! The other files of `windows`, `bsd`, `macos` and `freebsd` have what those of the same name in
//! `unix` and `linux` have.
//!
//! What it does not do: build paths, retry anything but an interrupted call, or decide what an
//! error means. It keeps no state but the counters, which signals came (`signals`), which standard
//! descriptors were closed and whether SIGPIPE was ignored at the start (`closed`, `broken_pipe`),
//! which inherited descriptors were handed out (`stream`), which calls are refused (`newer`), and
//! whether the terminal has a line that is to be gone (`signals`).
//! Everything specific to one system is below the folder of that system; another system is another
//! folder with the same functions. What Linux and other Unix systems share is in `unix`, which uses
//! no other folder.

mod access;
#[cfg(any(target_os = "macos", target_os = "freebsd"))]
mod bsd;
mod copies;
mod counter;
mod errno;
mod exit_status;
#[cfg(not(target_os = "macos"))]
mod fetching;
mod firmlink;
#[cfg(target_os = "freebsd")]
mod freebsd;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod kind;
mod last_name;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(target_os = "macos", test, feature = "fuzzing"))]
#[cfg_attr(
    not(target_os = "macos"),
    allow(dead_code, unreachable_pub, reason = "what only the calls of macOS use")
)]
mod macos_formats;
mod prefetch;
mod raw_entry;
mod set_time;
mod start;
mod stat;
mod time;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test, feature = "fuzzing"))]
#[cfg_attr(
    not(windows),
    allow(dead_code, unreachable_pub, reason = "what only the calls of Windows use")
)]
mod windows_formats;

pub use access::Access;
#[cfg(any(target_os = "macos", target_os = "freebsd"))]
pub use bsd::*;
#[cfg(target_arch = "x86_64")]
pub use copies::copy_memory;
pub use counter::{CALL_NAME_BYTES, Call, Calls, calls};
pub use errno::Errno;
pub use exit_status::{ExitStatus, NOT_FOUND, NOT_RUN, status_of_signal};
#[cfg(not(target_os = "macos"))]
pub use fetching::without_fetching;
pub use firmlink::Firmlink;
#[cfg(not(target_os = "macos"))]
pub use firmlink::firmlinks;
#[cfg(target_os = "freebsd")]
pub use freebsd::*;
pub use kind::{Kind, UnknownKind};
pub use last_name::LastName;
#[cfg(target_os = "linux")]
pub use linux::*;
#[cfg(target_os = "macos")]
pub use macos::*;
pub use prefetch::prefetch;
pub use raw_entry::RawEntry;
pub use set_time::SetTime;
pub use start::{Start, Stream};
pub use stat::{Fields, Stat, UnknownField};
pub use time::{Time, TimeOutOfRange};

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
#[cfg(windows)]
pub use windows_formats::{
    path::{is_separator, last_name, root_length},
    pattern::matches_pattern,
    record::RecordMetadata,
};

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd", windows)))]
compile_error!("fewer has no folder for this system");
