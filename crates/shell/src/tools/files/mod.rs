//! Tools that change a tree, or tell what is in it.
//!
//! | room | what lives there |
//! |---|---|
//! | here | what they have in common: what they say, and names |
//! | `canonical` | paths without links in them |
//! | `contents` | what is in one file, put into another |
//! | `way` | what goes where, for `cp`, `mv` and `ln` |
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
#[cfg(test)]
mod scene;
#[cfg(test)]
mod sequences;
mod touch;
mod way;

use std::hash::{BuildHasher, RandomState};

pub(super) use cp::CP;
pub(super) use env::ENV;
use fewer::{Errno, Error, Fields, Kind, Scope, Stat};
pub(super) use ln::LN;
pub(super) use ls::LS;
pub(super) use mkdir::MKDIR;
pub(super) use mktemp::MKTEMP;
pub(super) use mv::MV;
pub(super) use pwd::PWD;
pub(super) use readlink::{READLINK, REALPATH};
pub(super) use rm::RM;
pub(super) use rmdir::RMDIR;
pub(super) use touch::TOUCH;

use super::names::last_name;
use super::source::{as_path, reason, say};
use super::{Broken, Lent, Rest, quote};
use crate::Text;

/// A tool at work.
struct Work<'w, 'l> {
    tool: &'static str,
    lent: &'w mut Lent<'l>,
    status: u8,
    /// Whether anything has been changed or said, so that the real tool would come too late.
    begun: bool,
}

impl<'w, 'l> Work<'w, 'l> {
    fn new(tool: &'static str, lent: &'w mut Lent<'l>) -> Work<'w, 'l> {
        Work { tool, lent, status: 0, begun: false }
    }

    fn scope(&self) -> &'l Scope {
        self.lent.scope
    }

    /// This is the real tool's to do, as long as nothing has begun. Later, what is best said: for
    /// tools whose operands cannot be done one after the other by two.
    fn odd(&self) -> Result<(), Broken> {
        if self.begun { Ok(()) } else { Err(Broken::Unfit) }
    }

    /// What came of one operand, when those in `done` are done with. If that one is the real tool's
    /// to do, so are all behind it: what has been done already must not be done again.
    fn step(
        &self,
        arguments: &[Text],
        done: &[&[u8]],
        came: Result<(), Broken>,
    ) -> Result<(), Broken> {
        match came {
            Err(Broken::Unfit) if self.begun => {
                let is_done =
                    |argument: &&Text| done.iter().any(|it| std::ptr::eq(*it, &***argument));
                let arguments = arguments.iter().filter(|it| !is_done(it)).cloned().collect();
                Err(Broken::Rest(Box::new(Rest { arguments, status: self.status })))
            }
            came => came,
        }
    }

    /// A line on standard output.
    fn say(&mut self, pieces: &[&[u8]]) -> Result<(), Broken> {
        self.begun = true;
        self.lent.output.write(&[&pieces.concat(), b"\n".as_slice()].concat())
    }

    /// A line on standard error; the tool has failed.
    fn fail(&mut self, pieces: &[&[u8]], errno: Errno) -> Result<(), Broken> {
        let reason = reason(errno);
        self.complain(&[&pieces.concat(), b": ", reason.as_bytes()])
    }

    /// A line on standard error without a reason of the kernel's; the tool has failed.
    fn complain(&mut self, pieces: &[&[u8]]) -> Result<(), Broken> {
        (self.begun, self.status) = (true, 1);
        let line = [self.tool.as_bytes(), b": ", &pieces.concat(), b"\n"].concat();
        say(self.lent.errors, &[&line])
    }

    /// A name in quotes.
    fn quoted(&self, name: &[u8]) -> Vec<u8> {
        quote::always(name, self.lent.utf8)
    }

    /// What it is; of a link itself.
    fn look(&self, path: &[u8]) -> Result<Stat, Errno> {
        self.scope().stat(as_path(path), Fields::KIND | Fields::INODE).map_err(number)
    }

    /// What it is; of a link, what that leads to.
    fn look_through(&self, path: &[u8]) -> Result<Stat, Errno> {
        self.scope().stat_target(as_path(path), Fields::KIND | Fields::INODE).map_err(number)
    }
}

fn number(error: Error) -> Errno {
    error.errno()
}

fn is_same(a: &Stat, b: &Stat) -> bool {
    a.inode() == b.inode() && a.device() == b.device()
}

fn is_directory(stat: &Stat) -> bool {
    stat.kind() == Kind::Directory
}

/// The path of `name` in a directory, with one slash between them.
fn in_directory(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") || directory.is_empty() { b"" } else { b"/" };
    [directory, slash, name].concat()
}

/// Whether two of these would get the same name in one directory.
fn share_a_name(paths: &[&[u8]]) -> bool {
    let mut names: Vec<&[u8]> = paths.iter().map(|path| last_name(path)).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a path may mean something else in another process: its own descriptors.
fn is_of_process(path: &[u8]) -> bool {
    let contains = |part: &[u8]| memchr::memmem::find(path, part).is_some();
    path.starts_with(b"proc/") || [&b"/proc/"[..], b"dev/std", b"dev/fd"].into_iter().any(contains)
}

/// Letters and digits that nobody can guess.
///
/// Price: one `getrandom` the first time in a thread.
fn random_name(length: usize) -> Vec<u8> {
    const SIGNS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let state = RandomState::new();
    (0..length).map(|place| SIGNS[(state.hash_one(place) % 62) as usize]).collect()
}
