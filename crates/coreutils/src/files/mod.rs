//! Tools that change a tree, or list what is in it.
//!
//! | module | what is in it |
//! |---|---|
//! | here | what they have in common: what they say, and names |
//! | `canonical` | paths without links in them |
//! | `contents` | what is in one file, put into another |
//! | `targets` | what goes where, for `cp`, `mv` and `ln` |
//! | all others | the tools of that name |

mod canonical;
mod contents;
mod cp;
mod env;
mod ln;
mod ls;
mod mkdir;
mod mktemp;
mod mv;
mod pwd;
mod readlink;
mod rm;
mod rmdir;
mod targets;
mod touch;

use std::hash::{BuildHasher, RandomState};

pub(crate) use cp::Cp;
pub(crate) use env::Env;
use fewer::{Errno, Error, Fields, Kind, Scope, Stat};
pub(crate) use ln::Ln;
pub(crate) use ls::Ls;
pub(crate) use mkdir::Mkdir;
pub(crate) use mktemp::Mktemp;
pub(crate) use mv::Mv;
pub(crate) use pwd::Pwd;
pub(crate) use readlink::LinkTarget;
pub(crate) use rm::Rm;
pub(crate) use rmdir::Rmdir;
pub(crate) use touch::Touch;

use crate::messages::say;
use crate::names::last_name;
use crate::source::{as_path, is_plain, is_same};
use crate::{Io, Remaining, ToolError, ToolResult, quote};

/// A tool while it runs.
struct Work<'w, 'l> {
    tool: &'static str,
    io: &'w mut Io<'l>,
    status: u8,
    /// Whether anything has been changed or printed, so that the call cannot be left to the real
    /// tool any more.
    begun: bool,
}

impl<'w, 'l> Work<'w, 'l> {
    fn new(tool: &'static str, io: &'w mut Io<'l>) -> Work<'w, 'l> {
        Work { tool, io, status: 0, begun: false }
    }

    fn scope(&self) -> &'l Scope {
        self.io.scope
    }

    /// Leaves the call to the real tool, as long as nothing has been done or printed. Afterwards
    /// the caller does what comes closest: for tools whose operands cannot be shared with the real
    /// one.
    fn unsupported(&self) -> ToolResult {
        if self.begun { Ok(()) } else { Err(ToolError::Unsupported) }
    }

    /// Passes on what came of one operand, after those in `done`. If that one is not supported, it
    /// and all behind it are left to the real tool, but not those that are done.
    fn step(&self, arguments: &[&[u8]], done: &[&[u8]], came: ToolResult) -> ToolResult {
        match came {
            Err(ToolError::Unsupported) if self.begun => {
                let is_done = |argument: &[u8]| done.iter().any(|it| std::ptr::eq(*it, argument));
                let left = arguments.iter().filter(|it| !is_done(it));
                let arguments = left.map(|it| it.to_vec()).collect();
                Err(ToolError::Remaining(Box::new(Remaining { arguments, status: self.status })))
            }
            came => came,
        }
    }

    /// Prints a line.
    fn say(&mut self, pieces: &[&[u8]]) -> ToolResult {
        self.begun = true;
        self.io.output.write(&[&pieces.concat(), b"\n".as_slice()].concat())
    }

    /// Prints a message that ends in the text of an error; the exit status is 1.
    fn fail(&mut self, pieces: &[&[u8]], errno: Errno) -> ToolResult {
        let reason = errno.to_string();
        self.complain(&[&pieces.concat(), b": ", reason.as_bytes()])
    }

    /// Prints a message; the exit status is 1.
    fn complain(&mut self, pieces: &[&[u8]]) -> ToolResult {
        (self.begun, self.status) = (true, 1);
        let line = [self.tool.as_bytes(), b": ", &pieces.concat(), b"\n"].concat();
        say(self.io.errors, &[&line])
    }

    /// A name in quotes.
    fn quoted(&self, name: &[u8]) -> Vec<u8> {
        quote::always(name, self.io.utf8)
    }

    /// Kind and inode of a path, of a link itself. Price: one `statx`.
    fn look(&self, path: &[u8]) -> Result<Stat, Errno> {
        self.scope().stat(as_path(path), Fields::KIND | Fields::INODE).map_err(number)
    }

    /// Kind and inode of a path, of a link's target. Price: one `statx`.
    fn look_through(&self, path: &[u8]) -> Result<Stat, Errno> {
        self.scope().stat_target(as_path(path), Fields::KIND | Fields::INODE).map_err(number)
    }
}

fn number(error: Error) -> Errno {
    error.errno()
}

fn is_directory(stat: &Stat) -> bool {
    stat.kind() == Kind::Directory
}

/// The path of `name` in a directory, with one slash between them.
fn in_directory(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") || directory.is_empty() { b"" } else { b"/" };
    [directory, slash, name].concat()
}

/// Whether two paths have the same last name.
fn share_a_name(paths: &[&[u8]]) -> bool {
    let mut names: Vec<&[u8]> = paths.iter().map(|path| last_name(path)).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// Letters and digits that cannot be guessed.
///
/// Price: one `getrandom` the first time in a thread.
fn random_name(length: usize) -> Vec<u8> {
    const SIGNS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let state = RandomState::new();
    (0..length).map(|place| SIGNS[(state.hash_one(place) % 62) as usize]).collect()
}
