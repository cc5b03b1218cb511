//! A script's descriptors: numbers that cost no call, buffered in both directions.
//!
//! A script's number is an entry of a [`Table`], not of the kernel: redirecting, duplicating and
//! restoring move a reference. The kernel's own numbers change in a child alone.
//!
//! | module | what is in it |
//! |---|---|
//! | `table` | which number is what; what has to be real before others run |
//! | `open`, `real` | one open file, or bytes in memory; what the kernel knows of it |
//! | `path` | a file opened by its path, /dev/fd and /dev/null |
//! | `write` | the block that is written, and when |
//! | `read`, `read_block` | the block that was read, and what is put back |
//! | `capture`, `collected` | what `$( )` collects, from children too |
//! | `interrupt`, `wait` | what ends a script from outside; waiting that it ends, too |
//! | `look` | all that is there, before any of it is taken |
//! | `tool_io` | a stream as tools use it |
//!
//! What is written stays in memory for a moment: until 64 KiB are there, a line is whole and it
//! goes to a terminal, the last time was 50 ms ago, a write to another stream that shares the file
//! would come before it, something is waited for, or a program runs.

mod capture;
mod collected;
mod interrupt;
mod look;
mod open;
mod path;
mod read;
mod read_block;
mod real;
mod table;
mod tool_io;
mod wait;
mod write;

/// A capture, or the table, takes no more. A number that no file ever answers: a file that may not
/// grow (`EFBIG`) is an error of the command, not the end of the script.
pub const FULL: sys::Errno = sys::Errno::XFULL;

pub(crate) use collected::Sink;
pub use interrupt::Canceller;
pub(crate) use interrupt::{Interrupt, Stopped};
pub use look::Looked;
pub use open::{Files, Open};
pub use path::How;
pub(crate) use path::named_number;
pub use read::Ended;
pub use real::Real;
pub use table::Table;
pub use tool_io::{Reader, Writer};
