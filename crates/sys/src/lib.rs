//! The system-call layer: one safe function per call, each one counted.
//!
//! | module | what is in it |
//! |---|---|
//! | [`counter`](calls) | the calls that this process has made, by name |
//! | `exit_status` | how a process ended, and how shells tell it |
//! | `errno` | the kernel's number for what went wrong |
//! | `kind` | what kind of thing an entry is, and the names of the kinds |
//! | `stat` | what is known of a file, and which of it is asked for |
//! | `time` | a point in time, to and from the standard library's |
//! | `raw_entry` | an entry of a block of a directory's records |
//! | `prefetch` | tells the processor which memory is needed soon |
//! | `linux/descriptor` | open files, owned and borrowed |
//! | `linux/directory` | open a directory, read a block of entries |
//! | `linux/entries` | the parser of that block, which checks every bound |
//! | `linux/stat` | `statx` with only the requested fields |
//! | `linux/file` | open, read, write, the target of a link |
//! | `linux/characters` | classes and cases of characters as the C library has them |
//! | `linux/change` | permissions; making, renaming and removing names |
//! | `linux/copy` | copies from one open file into another |
//! | `linux/block` | reads blocks into a buffer; large pages |
//! | `linux/inotify` | waits until files change, and says which |
//! | `linux/mounts` | the mount table in one read |
//! | `linux/filesystem` | what a kind of file system promises |
//! | `linux/process` | processors, descriptor limit, terminals, signals, what is kept for C |
//! | `linux/pattern` | the shell's name patterns through the C library |
//! | `linux/regex` | regular expressions through the C library |
//! | `linux/spawn` | start a child in any directory, wait for it; pipes |
//! | `linux/futex` | waiting for another thread |
//! | `linux/closed` | which standard descriptors were closed when the program started |
//! | `linux/constant_names` | the names of errors and signals |
//! | `linux/child` | any descriptors for a child; `fork`, `execve`; wait for whichever ends |
//! | `linux/signals` | catch, ignore and send signals; which have come |
//! | `linux/stream` | what a shell does with descriptors: peek, put back, move, close |
//! | `linux/limits` | limits, umask, processor times |
//! | `linux/users` | the user and group databases through the C library |
//! | `windows/nt` | opens by the kernel's own call, relative to an open directory |
//! | `windows_formats/record` | the parser of a directory's records, which have the metadata |
//! | `windows/entries` | a block of them, with the names in WTF-8 |
//! | `windows_formats/wide` | UTF-16 to WTF-8 and back |
//! | `windows/os_str` | names of the standard library as bytes |
//! | `windows_formats/reparse` | the target in what a link is made of |
//! | `windows_formats/errors` | the numbers of errors for what Windows says |
//! | `windows_formats/pattern` | the shell's name patterns |
//! | `windows/console` | text on consoles |
//!
//! The other files of `windows` have what those of the same name in `linux` have.
//!
//! What it does not do: build paths, retry anything but an interrupted call, or decide what an
//! error means. It keeps no state but the counters, which signals came (`signals`), which standard
//! descriptors were closed and whether SIGPIPE was ignored at the start (`closed`, `broken_pipe`),
//! which inherited descriptors were handed out (`stream`), whether `statx` is refused (`stat`), and
//! whether the terminal has a line that is to be gone (`signals`).
//! Everything specific to one system is below the folder of that system; another system is another
//! folder with the same functions.

mod counter;
mod errno;
mod exit_status;
mod kind;
#[cfg(target_os = "linux")]
mod linux;
mod prefetch;
mod raw_entry;
mod stat;
mod time;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test))]
#[cfg_attr(
    not(windows),
    allow(dead_code, unreachable_pub, reason = "what only the calls of Windows use")
)]
mod windows_formats;

pub use counter::{Call, Calls, calls};
pub use errno::Errno;
pub use exit_status::{ExitStatus, NOT_FOUND, NOT_RUN, status_of_signal};
pub use kind::{Kind, UnknownKind};
#[cfg(target_os = "linux")]
pub use linux::*;
pub use prefetch::prefetch;
pub use raw_entry::RawEntry;
pub use stat::{Fields, Stat, UnknownField};
pub use time::{Time, TimeOutOfRange};

#[cfg(windows)]
pub use windows::*;
#[cfg(windows)]
pub use windows_formats::{pattern::matches_pattern, record::RecordMetadata};

#[cfg(not(any(target_os = "linux", windows)))]
compile_error!("fewer speaks to Linux and Windows so far; another system is another folder");
