//! `mv`, within one file system.

use fewer::{Access, Errno, Kind, Stat};

use super::last_name;
use super::targets::{TargetOptions, Targets};
use super::{Work, as_path, in_directory, is_directory, is_plain, is_same, number};
use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"fnvTt:",
    long: &["force=f", "no-clobber=n", "verbose=v", "no-target-directory=T", "target-directory=t:"],
    anywhere: true,
};

/// What becomes of what is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Present {
    /// It is replaced, unless it may not be written and the user can be asked.
    Replaced,
    /// It is replaced, whatever it is.
    Forced,
    /// It stays, and so does the source.
    Stays,
}

/// Renames files.
pub(crate) struct Mv<'a> {
    arguments: &'a [&'a [u8]],
    targets: Targets<'a>,
    present: Present,
    verbose: bool,
}

impl ToolJob for Mv<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("mv", io);
        self.each(&mut work)?;
        Ok(work.status)
    }
}

impl<'a> Mv<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Mv<'a>> {
        let (mut present, mut verbose, mut to) =
            (Present::Replaced, false, TargetOptions::default());
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => present = Present::Forced,
                b'n' => present = Present::Stays,
                b'v' => verbose = true,
                _ => to.option(letter, value)?,
            }
        }
        let targets = to.targets(options.operands(io)?, None)?;
        let strange = targets.sources.iter().any(|it| !is_plain(it)) || !is_plain(targets.target);
        let asks =
            io.input_is_terminal && present == Present::Replaced && targets.sources.len() > 1;
        (!strange && !asks).then_some(Mv { arguments, targets, present, verbose })
    }

    fn each(&self, work: &mut Work) -> ToolResult {
        if self.targets.is_into()
            && !work.look_through(self.targets.target).is_ok_and(|stat| is_directory(&stat))
        {
            return Err(ToolError::Unsupported);
        }
        for (index, (source, target, may_be_into)) in self.targets.steps().enumerate() {
            let came = self.rename(source, &target, may_be_into, work);
            work.step(self.arguments, &self.targets.sources[..index], came)?;
        }
        Ok(())
    }

    /// Price: one `renameat2`, if nothing is in its place; into a directory one more, and a
    /// `statx`; to replace something, one more and two `statx`.
    fn rename(
        &self,
        source: &[u8],
        target: &[u8],
        may_be_into: bool,
        work: &mut Work,
    ) -> ToolResult {
        let (old, new) = (as_path(source), as_path(target));
        match work.scope().rename_to_new(old, new).map_err(number) {
            Ok(()) => self.renamed(source, target, work),
            Err(Errno::EXIST) => {
                let there = match work.look(target) {
                    Ok(there) => there,
                    Err(errno) => return failed(source, target, errno, work),
                };
                if may_be_into {
                    let leads = there.kind() == Kind::Symlink
                        && work.look_through(target).is_ok_and(|stat| is_directory(&stat));
                    if leads || is_directory(&there) {
                        let inside = in_directory(target, last_name(source));
                        return self.rename(source, &inside, false, work);
                    }
                }
                self.replace(source, target, &there, work)
            }
            Err(errno) => failed(source, target, errno, work),
        }
    }

    fn replace(&self, source: &[u8], target: &[u8], there: &Stat, work: &mut Work) -> ToolResult {
        if self.present == Present::Stays {
            return Ok(());
        }
        let from = match work.look(source) {
            Ok(from) => from,
            Err(errno) => return failed(source, target, errno, work),
        };
        let leads_there = || work.look_through(source).is_ok_and(|stat| is_same(&stat, there));
        if is_same(&from, there) || from.kind() == Kind::Symlink && leads_there() {
            return Err(ToolError::Unsupported);
        }
        let name = work.quoted(target);
        match (is_directory(&from), is_directory(there)) {
            (false, true) => {
                return work
                    .complain(&[b"cannot overwrite directory ", &name, b" with non-directory"]);
            }
            (true, false) => {
                let from = work.quoted(source);
                return work.complain(&[
                    b"cannot overwrite non-directory ", &name, b" with directory ", &from,
                ]);
            }
            _ => {}
        }
        let would_ask = work.io.input_is_terminal && self.present == Present::Replaced;
        if would_ask && there.kind() != Kind::Symlink {
            work.scope()
                .may_use(as_path(target), Access::Write)
                .map_err(|_| ToolError::Unsupported)?;
        }
        match work.scope().rename(as_path(source), as_path(target)).map_err(number) {
            Ok(()) => self.renamed(source, target, work),
            Err(errno) => failed(source, target, errno, work),
        }
    }

    fn renamed(&self, source: &[u8], target: &[u8], work: &mut Work) -> ToolResult {
        work.begun = true;
        match self.verbose {
            true => {
                let (old, new) = (work.quoted(source), work.quoted(target));
                work.say(&[b"renamed ", &old, b" -> ", &new])
            }
            false => Ok(()),
        }
    }
}

fn failed(source: &[u8], target: &[u8], errno: Errno, work: &mut Work) -> ToolResult {
    let (old, new) = (work.quoted(source), work.quoted(target));
    match (errno, work.look(source)) {
        (Errno::NOENT, Err(Errno::NOENT)) => work.fail(&[b"cannot stat ", &old], errno),
        (Errno::NOENT | Errno::NOTEMPTY, Ok(_)) if !target.ends_with(b"/") => {
            work.fail(&[b"cannot move ", &old, b" to ", &new], errno)
        }
        // Another file system, a directory into itself, …
        _ => Err(ToolError::Unsupported),
    }
}

#[cfg(test)]
mod tests;
