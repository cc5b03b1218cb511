//! `rmdir`

use fewer::Errno;

use super::{Work, as_path, is_directory};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"pv",
    long: &["parents=p", "verbose=v", "ignore-fail-on-non-empty=i"],
    anywhere: true,
};

/// Removes empty directories.
pub(crate) struct Rmdir<'a> {
    paths: Operands<'a>,
    parents: bool,
    verbose: bool,
    may_be_full: bool,
}

impl ToolJob for Rmdir<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("rmdir", io);
        for path in &self.paths {
            self.remove_all(path, &mut work)?;
        }
        Ok(work.status)
    }
}

impl<'a> Rmdir<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Rmdir<'a>> {
        let (mut parents, mut verbose, mut may_be_full) = (false, false, false);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'p' => parents = true,
                b'v' => verbose = true,
                _ => may_be_full = true,
            }
        }
        let paths = options.operands(io)?;
        (!paths.is_empty()).then_some(Rmdir { paths, parents, verbose, may_be_full })
    }

    /// Price: one `unlinkat`; with `-p` one for each directory on the way.
    fn remove_all(&self, path: &[u8], work: &mut Work) -> ToolResult {
        let mut here = path;
        let mut what = b"failed to remove ".as_slice();
        while self.remove(here, what, work)? && self.parents {
            let Some(above) = directory_above(here) else { break };
            here = above;
            what = b"failed to remove directory ";
        }
        Ok(())
    }

    /// Whether it is gone.
    fn remove(&self, path: &[u8], what: &[u8], work: &mut Work) -> ToolResult<bool> {
        if self.verbose {
            work.say(&[b"rmdir: removing directory, ", &work.quoted(path)])?;
        }
        let errno = match work.scope().remove_directory(as_path(path)) {
            Ok(()) => {
                work.begun = true;
                return Ok(true);
            }
            Err(error) => error.errno(),
        };
        if self.may_be_full {
            match errno {
                Errno::NOTEMPTY | Errno::EXIST => return Ok(false),
                Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::BUSY => work.unsupported()?,
                _ => {}
            }
        }
        let name = work.quoted(path);
        if errno == Errno::NOTDIR && is_link_with_slash(path, work) {
            work.complain(&[what, &name, b": Symbolic link not followed"])?;
        } else {
            work.fail(&[what, &name], errno)?;
        }
        Ok(false)
    }
}

fn is_link_with_slash(path: &[u8], work: &Work) -> bool {
    let whole = fewer::path::without_trailing_slashes(path);
    let is_link = |stat: fewer::Stat| stat.kind() == fewer::Kind::Symlink;
    let to_no_directory = || work.look_through(whole).is_ok_and(|stat| !is_directory(&stat));
    whole.len() < path.len() && work.look(whole).is_ok_and(is_link) && !to_no_directory()
}

/// The path without its last name and the slashes around that.
fn directory_above(path: &[u8]) -> Option<&[u8]> {
    let whole = &path[..=path.iter().rposition(|&byte| byte != b'/')?];
    let slash = memchr::memrchr(b'/', whole)?;
    Some(match path[..slash].iter().rposition(|&byte| byte != b'/') {
        Some(end) => &path[..=end],
        None => &path[..1],
    })
}

#[cfg(test)]
mod tests;
