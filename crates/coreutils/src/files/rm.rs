//! `rm`

use fewer::{Access, Errno, Kind};

use super::{Work, as_path, is_directory, is_same, number};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"dfrRv",
    long: &["dir=d", "force=f", "recursive=r", "verbose=v"],
    anywhere: true,
};

/// Removes files and trees.
pub(crate) struct Rm<'a> {
    arguments: &'a [&'a [u8]],
    paths: Operands<'a>,
    force: bool,
    trees: bool,
    directories: bool,
    verbose: bool,
}

impl ToolJob for Rm<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("rm", io);
        if work.io.input_is_terminal && !self.force {
            self.nothing_is_protected(&work)?;
        }
        for (index, path) in self.paths.iter().enumerate() {
            let came = self.remove(path, &mut work);
            work.step(self.arguments, &self.paths[..index], came)?;
        }
        Ok(work.status)
    }
}

impl<'a> Rm<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Rm<'a>> {
        let (mut force, mut trees, mut directories, mut verbose) = (false, false, false, false);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'd' => directories = true,
                b'f' => force = true,
                b'v' => verbose = true,
                _ => trees = true,
            }
        }
        let paths = options.operands(io)?;
        // These are refused, each in words of its own.
        let dots = (trees || directories) && paths.iter().any(|path| is_dots_or_root(path));
        let empty = paths.is_empty() && !force;
        let job = Rm { arguments, paths, force, trees, directories, verbose };
        (!(dots || empty || trees && verbose)).then_some(job)
    }

    /// On a terminal, the user would be asked about what may not be written.
    ///
    /// Price: one `statx` and one `faccessat2` for each path.
    fn nothing_is_protected(&self, work: &Work) -> ToolResult {
        for path in &self.paths {
            match work.look(path) {
                Ok(stat) if is_directory(&stat) && self.trees => {
                    return Err(ToolError::Unsupported);
                }
                Ok(stat) if stat.kind() != Kind::Symlink => {
                    work.scope()
                        .may_use(as_path(path), Access::Write)
                        .map_err(|_| ToolError::Unsupported)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Price: one `unlinkat`. For a directory one more, or what its tree costs.
    fn remove(&self, path: &[u8], work: &mut Work) -> ToolResult {
        let errno = match work.scope().remove_file(as_path(path)) {
            Ok(()) => {
                work.begun = true;
                return self.report(b"removed ", path, work);
            }
            Err(error) => error.errno(),
        };
        if self.force && matches!(errno, Errno::NOENT | Errno::INVAL | Errno::ILSEQ) {
            return Ok(());
        }
        let may_be_directory = match errno {
            Errno::ISDIR => true,
            // With a slash behind it, a link is what it leads to, but cannot be removed as that.
            Errno::NOTDIR if path.ends_with(b"/") && !self.trees && !self.directories => {
                work.look(path).is_ok_and(|stat| is_directory(&stat))
            }
            // Of a link to a directory, the real one takes all that is in the directory.
            Errno::NOTDIR
                if path.ends_with(b"/")
                    && work.look(path).is_ok_and(|stat| is_directory(&stat)) =>
            {
                return Err(ToolError::Unsupported);
            }
            Errno::NOTDIR | Errno::NOENT | Errno::NAMETOOLONG => false,
            _ => work.look(path).is_ok_and(|stat| is_directory(&stat)),
        };
        if self.force && !may_be_directory && errno == Errno::NOTDIR {
            return Ok(());
        }
        match may_be_directory {
            true if self.trees => remove_tree(path, work),
            true if self.directories => self.remove_directory(path, work),
            true => work.fail(&[b"cannot remove ", &work.quoted(path)], Errno::ISDIR),
            false => work.fail(&[b"cannot remove ", &work.quoted(path)], errno),
        }
    }

    fn remove_directory(&self, path: &[u8], work: &mut Work) -> ToolResult {
        match work.scope().remove_directory(as_path(path)).map_err(number) {
            Ok(()) => {
                work.begun = true;
                self.report(b"removed directory ", path, work)
            }
            // Something is mounted there; the real one looks first whether anything is in it.
            Err(Errno::BUSY) => Err(ToolError::Unsupported),
            Err(errno) => work.fail(&[b"cannot remove ", &work.quoted(path)], errno),
        }
    }

    fn report(&self, what: &[u8], path: &[u8], work: &mut Work) -> ToolResult {
        if self.verbose { work.say(&[what, &work.quoted(path)]) } else { Ok(()) }
    }
}

fn remove_tree(path: &[u8], work: &mut Work) -> ToolResult {
    use std::os::unix::ffi::OsStrExt;
    work.begun = true;
    // The real one takes off all slashes at the end but one, too.
    let slashes = path.iter().rev().take_while(|&&byte| byte == b'/').count();
    let path = &path[..path.len() - slashes.saturating_sub(1)];
    let mut outcome = Ok(());
    work.scope().remove_tree_telling(as_path(path), |error| {
        let failed = error.path().as_os_str().as_bytes();
        if outcome.is_ok() {
            outcome = match error.errno() {
                Errno::BUSY if failed == path && is_root(path, work) => refuse_root(path, work),
                errno => work.fail(&[b"cannot remove ", &work.quoted(failed)], errno),
            };
        }
    });
    outcome
}

/// Whether it is the root directory, by whatever name.
fn is_root(path: &[u8], work: &Work) -> bool {
    let root = work.look(b"/");
    root.is_ok_and(|root| work.look(path).is_ok_and(|stat| is_same(&stat, &root)))
}

fn refuse_root(path: &[u8], work: &mut Work) -> ToolResult {
    let name = work.quoted(path);
    work.complain(&[b"it is dangerous to operate recursively on ", &name, b" (same as '/')"])?;
    work.complain(&[b"use --no-preserve-root to override this failsafe"])
}

/// Whether the last name is `.` or `..`, or there is none.
fn is_dots_or_root(path: &[u8]) -> bool {
    let Some(end) = path.iter().rposition(|&byte| byte != b'/') else { return !path.is_empty() };
    let whole = &path[..=end];
    let name = &whole[memchr::memrchr(b'/', whole).map_or(0, |slash| slash + 1)..];
    matches!(name, b"." | b"..")
}

#[cfg(test)]
mod tests;
