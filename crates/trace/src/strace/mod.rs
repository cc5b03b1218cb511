//! From a log of strace (`strace -f -yy -T`).
//!
//! Any of `-f`, `-y`, `-yy`, `-T`, `-t`, `-tt`, `-ttt`, `-r`, `-k`, `-s`, `-v`, `-i` and `-n` may
//! have been used or not. Every call in a log becomes an event, also those that are not watched.
//!
//! | module | what is in it |
//! |---|---|
//! | `log` | reads a log line by line, and emits events |
//! | `line`, `text`, `result`, `number` | the parts of a line |
//! | `translate`, `paths` | from the words of a call to a `Call` and the file that it means |
//! | `tasks` | what the descriptors of a process stand for, and its working directory |
//! | `interner` | numbers for paths, frames and stacks |
//!
//! What a log does not say:
//!
//! - Without `-y` or `-yy`: the working directory that the program started in. Paths relative to it
//!   stay relative. Where a `..` leads is guessed: links are not known. What standard input, output
//!   and error are is not known either.
//! - Pointers. An argument that points to a text or a struct is 0, and so is a flag that is not in
//!   the table of `number`. Numbers are those of x86-64.
//! - Metadata is shortened without `-v`, and what is read without `-s 1024`: two answers that look
//!   the same are taken for the same. In /proc, /sys and /dev a shortened text is no answer.
//! - Without `-f` and with one process only: its number. It is called 1.
//! - Without `-t`, `-tt`, `-ttt` or `-r`: when something happened. All times are 0.
//! - Which thread made which: when several `clone`s are under way at once, what appears in the
//!   meantime is taken for the child of the first. Processes that share one table of descriptors
//!   without being threads have one each here.
//! - Addresses in stacks (`-k`) are places in the file; functions and lines are as strace has them.

mod interner;
mod line;
mod log;
mod number;
mod paths;
mod result;
mod tasks;
#[cfg(test)]
mod tests;
mod text;
mod translate;

pub use log::Log;

/// No line of a recording or a log is longer: a program's arguments are at most 6 MiB, and escapes
/// make them longer.
pub(crate) const LONGEST_LINE_BYTES: usize = 64 << 20;
