//! `ln`

use fewer::{Errno, Kind};

use super::targets::{TargetOptions, Targets};
use super::{Work, as_path, in_directory, is_directory, is_plain, is_same, number};
use super::{last_name, random_name};
use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"fnsvTt:",
    long: &[
        "force=f", "no-dereference=n", "symbolic=s", "verbose=v", "no-target-directory=T",
        "target-directory=t:",
    ],
    anywhere: true,
};

/// Makes links.
pub(crate) struct Ln<'a> {
    arguments: &'a [&'a [u8]],
    /// The sources are what the links lead to, the targets are the links.
    targets: Targets<'a>,
    symbolic: bool,
    force: bool,
    /// Whether a link to a directory is a place like any other.
    no_following: bool,
    verbose: bool,
}

impl ToolJob for Ln<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("ln", io);
        self.each(&mut work)?;
        Ok(work.status)
    }
}

impl<'a> Ln<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Ln<'a>> {
        let (mut symbolic, mut force, mut no_following, mut verbose) = (false, false, false, false);
        let mut to = TargetOptions::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => force = true,
                b'n' => no_following = true,
                b's' => symbolic = true,
                b'v' => verbose = true,
                _ => to.option(letter, value)?,
            }
        }
        let targets = to.targets(options.operands(io)?, Some(b"."))?;
        let unsupported = |path: &[u8]| path.is_empty() || !is_plain(path);
        let strange = |target: &&[u8]| target.is_empty() || !symbolic && unsupported(target);
        let supported = !targets.sources.iter().any(strange) && !unsupported(targets.target);
        supported.then_some(Ln { arguments, targets, symbolic, force, no_following, verbose })
    }

    fn each(&self, work: &mut Work) -> ToolResult {
        // Where we are, is a directory.
        let link = self.targets.target;
        if self.targets.is_into() && link != b"." && !self.is_directory(link, work) {
            return Err(ToolError::Unsupported);
        }
        for (done, (target, link, may_be_into)) in self.targets.steps().enumerate() {
            let came = match self.targets.is_into() && last_name(target) == b"/" {
                true => Err(ToolError::Unsupported),
                false => self.link(target, &link, may_be_into, work),
            };
            work.step(self.arguments, &self.targets.sources[..done], came)?;
        }
        Ok(())
    }

    fn is_directory(&self, path: &[u8], work: &Work) -> bool {
        let stat = if self.no_following { work.look(path) } else { work.look_through(path) };
        stat.is_ok_and(|stat| is_directory(&stat))
    }

    /// Price: one `symlinkat` or `linkat`; into a directory one more, and a `statx`; to replace
    /// something one more, one `renameat2` and three `statx`.
    fn link(&self, target: &[u8], link: &[u8], may_be_into: bool, work: &mut Work) -> ToolResult {
        match self.make(target, link, work) {
            Ok(()) => self.made(target, link, work),
            Err(Errno::EXIST) if may_be_into && self.is_directory(link, work) => {
                if last_name(target) == b"/" {
                    return Err(ToolError::Unsupported);
                }
                self.link(target, &in_directory(link, last_name(target)), false, work)
            }
            Err(Errno::EXIST) if self.force => self.replace(target, link, work),
            Err(errno) => self.failed(target, link, errno, work),
        }
    }

    fn make(&self, target: &[u8], link: &[u8], work: &Work) -> Result<(), Errno> {
        let (target, link) = (as_path(target), as_path(link));
        match self.symbolic {
            true => work.scope().make_symlink(link, target).map_err(number),
            false => work.scope().make_hard_link(link, target).map_err(number),
        }
    }

    /// A new name first, which then takes the other's place: so that there is one at any moment.
    fn replace(&self, target: &[u8], link: &[u8], work: &mut Work) -> ToolResult {
        let there = work.look(link);
        let from = if self.symbolic { work.look_through(target) } else { work.look(target) };
        match (&there, &from) {
            (Ok(there), _) if is_directory(there) => return Err(ToolError::Unsupported),
            (Ok(there), Ok(from)) if is_same(there, from) => return Err(ToolError::Unsupported),
            (Ok(_), _) if !link.ends_with(b"/") => {}
            _ => return Err(ToolError::Unsupported),
        }
        let above = memchr::memrchr(b'/', link).map_or(&b""[..], |slash| &link[..=slash]);
        for _ in 0..100 {
            let fresh = [above, b"Cu", &random_name(6)].concat();
            match self.make(target, &fresh, work) {
                Ok(()) => {
                    work.begun = true;
                    let renamed = work.scope().rename(as_path(&fresh), as_path(link));
                    return match renamed.map_err(number) {
                        Ok(()) => self.made(target, link, work),
                        Err(errno) => {
                            let _left = work.scope().remove_file(as_path(&fresh));
                            self.failed(target, link, errno, work)
                        }
                    };
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return self.failed(target, link, errno, work),
            }
        }
        self.failed(target, link, Errno::EXIST, work)
    }

    fn made(&self, target: &[u8], link: &[u8], work: &mut Work) -> ToolResult {
        work.begun = true;
        if !self.verbose {
            return Ok(());
        }
        let (target, link) = (work.quoted(target), work.quoted(link));
        work.say(&[&link, self.arrow(), &target])
    }

    fn arrow(&self) -> &'static [u8] {
        if self.symbolic { b" -> " } else { b" => " }
    }

    fn failed(&self, target: &[u8], link: &[u8], errno: Errno, work: &mut Work) -> ToolResult {
        let (quoted, name) = (work.quoted(target), work.quoted(link));
        if self.symbolic {
            if !matches!(errno, Errno::EXIST | Errno::NOENT) {
                return Err(ToolError::Unsupported);
            }
            return work.fail(&[b"failed to create symbolic link ", &name], errno);
        }
        match work.look(target) {
            Err(errno) => work.fail(&[b"failed to access ", &quoted], errno),
            Ok(stat) if stat.kind() == Kind::Directory => Err(ToolError::Unsupported),
            Ok(_) if errno == Errno::EXIST => {
                work.fail(&[b"failed to create hard link ", &name], errno)
            }
            Ok(_) => {
                if errno != Errno::NOENT {
                    return Err(ToolError::Unsupported);
                }
                work.fail(&[b"failed to create hard link ", &name, b" => ", &quoted], errno)
            }
        }
    }
}

#[cfg(test)]
mod tests;
