//! `cp` of regular files.

use std::os::fd::AsFd;

use fewer::{Descriptor, Errno, Fields, Kind, SetTime, Stat};

use super::contents::{Failed, copy};
use super::last_name;
use super::targets::{TargetOptions, Targets};
use super::{Work, as_path, in_directory, is_directory, is_plain, is_same, number};
use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"fpvTt:",
    long: &["force=f", "verbose=v", "no-target-directory=T", "target-directory=t:"],
    anywhere: true,
};

/// A larger file that takes less room than it has bytes has holes, which the real `cp` keeps.
const HOLES_COUNT_FROM: u64 = 64 << 10;

/// Copies files.
pub(crate) struct Cp<'a> {
    arguments: &'a [&'a [u8]],
    targets: Targets<'a>,
    force: bool,
    /// Whether owner, permissions and times go with the contents.
    keeps: bool,
    verbose: bool,
}

impl ToolJob for Cp<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("cp", io);
        self.each(&mut work)?;
        Ok(work.status)
    }
}

impl<'a> Cp<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Cp<'a>> {
        let (mut force, mut keeps, mut verbose) = (false, false, false);
        let mut to = TargetOptions::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => force = true,
                b'p' => keeps = true,
                b'v' => verbose = true,
                _ => to.option(letter, value)?,
            }
        }
        let targets = to.targets(options.operands(io)?, None)?;
        let strange = targets.sources.iter().any(|it| !is_plain(it)) || !is_plain(targets.target);
        let strange = strange || io.is_posixly_correct();
        (!strange).then_some(Cp { arguments, targets, force, keeps, verbose })
    }

    fn each(&self, work: &mut Work) -> ToolResult {
        if self.targets.is_into() {
            let plain = |stat: Stat| matches!(stat.kind(), Kind::File | Kind::Directory);
            let supported = |source: &&[u8]| work.look_through(source).map_or(true, plain);
            let found =
                work.look_through(self.targets.target).is_ok_and(|stat| is_directory(&stat));
            if !(found && self.targets.sources.iter().all(supported)) {
                return Err(ToolError::Unsupported);
            }
        }
        for (index, (source, target, may_be_into)) in self.targets.steps().enumerate() {
            let came = self.copy(source, &target, may_be_into, work);
            work.step(self.arguments, &self.targets.sources[..index], came)?;
        }
        Ok(())
    }

    /// Price: two `openat`, one `statx`, one `copy_file_range` for each GiB, two `close`. One more
    /// `openat` and one `statx` into a directory, or over something that is there. With `-p` one
    /// `listxattr`, `fchown`, `fchmod` and `utimensat`.
    fn copy(&self, source: &[u8], target: &[u8], may_be_into: bool, work: &mut Work) -> ToolResult {
        let fields =
            Fields::KIND | Fields::PERMISSIONS | Fields::SIZE | Fields::ALLOCATED | Fields::INODE;
        let fields = fields | Fields::OWNER | Fields::ACCESSED | Fields::MODIFIED;
        let scope = work.scope();
        // What is not a regular file is not waited for.
        let opened = scope.open_at_once(as_path(source)).map_err(number);
        let opened = opened.and_then(|from| {
            let stat = sys::stat_descriptor(&from, fields)?;
            Ok((from, stat))
        });
        let (from, stat) = match opened {
            Ok(opened) => opened,
            Err(_) => return unread(source, work),
        };
        match stat.kind() {
            Kind::File => {}
            Kind::Directory => {
                let name = work.quoted(source);
                return work.complain(&[b"-r not specified; omitting directory ", &name]);
            }
            _ => return Err(ToolError::Unsupported),
        }
        let holes = stat.size() > HOLES_COUNT_FROM && stat.allocated() < stat.size();
        if holes || self.keeps && has_access_list(source, work) {
            return Err(ToolError::Unsupported);
        }
        let bits = u32::from(stat.permissions()) & if self.keeps { 0o700 } else { 0o777 };
        match scope.create(as_path(target), bits).map_err(number) {
            Ok(to) => self.fill(source, target, &from, &stat, &to, work),
            // With a slash behind it, the path can only be a directory's.
            Err(Errno::EXIST | Errno::ISDIR) => {
                let Ok(there) = work.look(target) else { return Err(ToolError::Unsupported) };
                let leads = match there.kind() {
                    Kind::Symlink => work.look_through(target).ok(),
                    _ => Some(there),
                };
                // Nothing is written through a link that leads nowhere.
                let Some(leads) = leads else { return Err(ToolError::Unsupported) };
                if is_directory(&leads) && may_be_into {
                    let inside = in_directory(target, last_name(source));
                    drop(from);
                    return self.copy(source, &inside, false, work);
                }
                self.overwrite(source, target, &from, &stat, &leads, work)
            }
            Err(errno) => {
                let new = matches!(work.look(target), Err(Errno::NOENT));
                if !(new && matches!(errno, Errno::NOENT | Errno::ACCESS)) {
                    return Err(ToolError::Unsupported);
                }
                work.fail(&[b"cannot create regular file ", &work.quoted(target)], errno)
            }
        }
    }

    fn overwrite(
        &self,
        source: &[u8],
        target: &[u8],
        from: &Descriptor,
        stat: &Stat,
        there: &Stat,
        work: &mut Work,
    ) -> ToolResult {
        let (old, new) = (work.quoted(source), work.quoted(target));
        if is_same(stat, there) {
            // With `-f` or `-p` there is more to it.
            if self.force || self.keeps {
                return Err(ToolError::Unsupported);
            }
            return work.complain(&[&old, b" and ", &new, b" are the same file"]);
        }
        if is_directory(there) {
            return work.complain(&[b"cannot overwrite directory ", &new, b" with non-directory"]);
        }
        if self.keeps && there.kind() != Kind::File {
            return Err(ToolError::Unsupported);
        }
        match work.scope().open_emptied(as_path(target)).map_err(number) {
            Ok(to) => self.fill(source, target, from, stat, &to, work),
            Err(_) if self.force => Err(ToolError::Unsupported),
            Err(errno) => work.fail(&[b"cannot create regular file ", &new], errno),
        }
    }

    fn fill(
        &self,
        source: &[u8],
        target: &[u8],
        from: &Descriptor,
        stat: &Stat,
        to: &Descriptor,
        work: &mut Work,
    ) -> ToolResult {
        let (old, new) = (work.quoted(source), work.quoted(target));
        work.begun = true;
        if self.verbose {
            work.say(&[&old, b" -> ", &new])?;
        }
        match copy(from, to, stat) {
            Ok(()) => {}
            Err(Failed::Reading(errno)) => return work.fail(&[b"error reading ", &old], errno),
            Err(Failed::Writing(errno)) => return work.fail(&[b"error writing ", &new], errno),
        }
        match if self.keeps { keep(stat, to) } else { Ok(()) } {
            Err(errno) => work.fail(&[b"preserving permissions for ", &new], errno),
            Ok(()) => Ok(()),
        }
    }
}

/// Sets times, owner and permissions. A user who may not give a file away keeps it, without the
/// bits that would let others act in their name.
fn keep(stat: &Stat, to: &Descriptor) -> Result<(), Errno> {
    let to = to.as_fd();
    let mut bits = u32::from(stat.permissions());
    match sys::set_owner_of(to, stat.user(), stat.group()) {
        Err(Errno::PERM | Errno::INVAL) => bits &= 0o1777,
        done => done?,
    }
    sys::set_permissions_of(to, bits)?;
    sys::set_times_of(to, SetTime::To(stat.accessed()), SetTime::To(stat.modified()))
}

fn has_access_list(path: &[u8], work: &Work) -> bool {
    let Ok(name) = std::ffi::CString::new(path) else { return true };
    match sys::attribute_names(work.scope().as_fd(), &name, true) {
        Ok(names) => memchr::memmem::find(&names, b"system.posix_acl").is_some(),
        Err(errno) => errno != Errno::OPNOTSUPP,
    }
}

fn unread(source: &[u8], work: &mut Work) -> ToolResult {
    let name = work.quoted(source);
    match work.look_through(source) {
        Err(errno) => work.fail(&[b"cannot stat ", &name], errno),
        Ok(_) => Err(ToolError::Unsupported),
    }
}

#[cfg(test)]
mod tests;
