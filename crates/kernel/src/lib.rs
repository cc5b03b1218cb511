//! The only door to the operating system: one safe function per call, each one counted.
//!
//! | room | what lives there |
//! |---|---|
//! | [`counter`](calls) | what this process has asked of the kernel, by call name |
//! | `prefetch` | a word to the processor about memory needed soon |
//! | `linux/directory` | open a directory, read a block of entries |
//! | `linux/entries` | the bounds-checked parser of that block |
//! | `linux/stat` | `statx` with just the fields asked for |
//! | `linux/file` | open, read, write, the target of a link |
//! | `linux/characters` | classes and cases of characters as the C library has them |
//! | `linux/change` | permissions, new names, names that go |
//! | `linux/copy` | from one open file into another |
//! | `linux/block` | read blocks behind what is there, large pages |
//! | `linux/mounts` | the mount table in one read |
//! | `linux/filesystem` | what a kind of file system promises |
//! | `linux/process` | processors, descriptor limit, terminals, signals, what is kept for C |
//! | `linux/pattern` | the shell's name patterns through the C library |
//! | `linux/regex` | regular expressions through the C library |
//! | `linux/spawn` | start a child in any directory, wait for it; pipes |
//! | `linux/futex` | waiting for another thread |
//! | `linux/closed` | which standard descriptors a program began without |
//! | `linux/child` | any descriptors for a child; `fork`, `execve`; wait for whichever ends |
//! | `linux/signals` | catch, ignore, send; which came |
//! | `linux/stream` | what a shell does with descriptors: peek, put back, move, close |
//! | `linux/limits` | limits, umask, processor times |
//! | `linux/users` | the user and group databases through the C library |
//!
//! What it does not do: keep state, build paths, retry anything but an interrupted call, or
//! decide what an error means. Everything specific to one system is below the folder of that
//! system; another system is another folder with the same functions.

mod counter;
#[cfg(target_os = "linux")]
mod linux;
mod prefetch;

pub use counter::{Call, Calls, calls};
#[cfg(target_os = "linux")]
pub use linux::*;
pub use prefetch::prefetch;

#[cfg(not(target_os = "linux"))]
compile_error!("fewer speaks to Linux so far; another system is another folder beside src/linux");
