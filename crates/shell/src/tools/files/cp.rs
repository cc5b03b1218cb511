//! `cp` of regular files.

use std::os::fd::AsFd;

use fewer::{Descriptor, Errno, Fields, Kind, SetTime, Stat};

use super::contents::{Failed, copy};
use super::last_name;
use super::way::{Aim, Way};
use super::{Work, as_path, in_directory, is_directory, is_of_process, is_same, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const CP: Tool = Tool {
    name: "cp",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("cp", lent);
        job.run(arguments, &mut work)?;
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"fpvTt:",
    long: &[
        ("force", b'f', false),
        ("verbose", b'v', false),
        ("no-target-directory", b'T', false),
        ("target-directory", b't', true),
    ],
    anywhere: true,
};

/// A larger file that takes less room than it has bytes has holes, which the real `cp` keeps.
const HOLES_COUNT_FROM: u64 = 64 << 10;

struct Job<'a> {
    way: Way<'a>,
    force: bool,
    /// Whether owner, permissions and times go with the contents.
    keeps: bool,
    tells: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut force, mut keeps, mut tells) = (false, false, false);
        let mut aim = Aim::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => force = true,
                b'p' => keeps = true,
                b'v' => tells = true,
                _ => aim.option(letter, value)?,
            }
        }
        let way = aim.way(options.operands(lent)?, None)?;
        let strange = way.sources.iter().any(|it| is_of_process(it)) || is_of_process(way.target);
        let strange = strange || (lent.environment)(b"POSIXLY_CORRECT").is_some();
        (!strange).then_some(Job { way, force, keeps, tells })
    }

    fn run(&self, arguments: &[Text], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        if self.way.is_into() {
            let plain = |stat: Stat| matches!(stat.kind(), Kind::File | Kind::Directory);
            let fits = |source: &&[u8]| work.look_through(source).map_or(true, plain);
            let found = work.look_through(self.way.target).is_ok_and(|stat| is_directory(&stat));
            if !(found && self.way.sources.iter().all(fits)) {
                return Err(Broken::Unfit);
            }
        }
        for (place, (source, target, may_be_into)) in self.way.steps().enumerate() {
            let came = self.copy(source, &target, may_be_into, work);
            work.step(arguments, &self.way.sources[..place], came)?;
        }
        Ok(())
    }

    /// Price: two `openat`, one `statx`, one `copy_file_range` for each GiB, two `close`. One more
    /// `openat` and one `statx` into a directory, or over something that is there. With `-p` one
    /// `listxattr`, `fchown`, `fchmod` and `utimensat`.
    fn copy(
        &self,
        source: &[u8],
        target: &[u8],
        may_be_into: bool,
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        let fields = Fields::KIND | Fields::MODE | Fields::SIZE | Fields::BLOCKS | Fields::INODE;
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
            _ => return Err(Broken::Unfit),
        }
        let holes = stat.size() > HOLES_COUNT_FROM && stat.allocated() < stat.size();
        if holes || self.keeps && has_access_list(source, work) {
            return Err(Broken::Unfit);
        }
        let bits = u32::from(stat.permissions()) & if self.keeps { 0o700 } else { 0o777 };
        match scope.create(as_path(target), bits).map_err(number) {
            Ok(to) => self.fill(source, target, &from, &stat, &to, work),
            // With a slash behind it, the path can only be a directory's.
            Err(Errno::EXIST | Errno::ISDIR) => {
                let Ok(there) = work.look(target) else { return Err(Broken::Unfit) };
                let leads = match there.kind() {
                    Kind::Symlink => work.look_through(target).ok(),
                    _ => Some(there),
                };
                // Nothing is written through a link that leads nowhere.
                let Some(leads) = leads else { return Err(Broken::Unfit) };
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
                    return Err(Broken::Unfit);
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
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        let (old, new) = (work.quoted(source), work.quoted(target));
        if is_same(stat, there) {
            // With `-f` or `-p` there is more to it.
            if self.force || self.keeps {
                return Err(Broken::Unfit);
            }
            return work.complain(&[&old, b" and ", &new, b" are the same file"]);
        }
        if is_directory(there) {
            return work.complain(&[b"cannot overwrite directory ", &new, b" with non-directory"]);
        }
        if self.keeps && there.kind() != Kind::File {
            return Err(Broken::Unfit);
        }
        match work.scope().open_emptied(as_path(target)).map_err(number) {
            Ok(to) => self.fill(source, target, from, stat, &to, work),
            Err(_) if self.force => Err(Broken::Unfit),
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
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        let (old, new) = (work.quoted(source), work.quoted(target));
        work.begun = true;
        if self.tells {
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

/// Times, owner and permissions. Who may not give a file away keeps it, without the bits that
/// would let others act in their name.
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

fn has_access_list(path: &[u8], work: &Work<'_, '_>) -> bool {
    let Ok(name) = std::ffi::CString::new(path) else { return true };
    match sys::attribute_names(work.scope().as_fd(), &name, true) {
        Ok(names) => memchr::memmem::find(&names, b"system.posix_acl").is_some(),
        Err(errno) => errno != Errno::OPNOTSUPP,
    }
}

fn unread(source: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
    let name = work.quoted(source);
    match work.look_through(source) {
        Err(errno) => work.fail(&[b"cannot stat ", &name], errno),
        Ok(_) => Err(Broken::Unfit),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::{Twins, all_same};

    #[test]
    fn files_are_copied() {
        all_same(
            "cp",
            &[
                "f x",
                "f g",
                "g f",
                "lf x",
                "f full",
                "f full/",
                "f full/.",
                "f d e/f",
                "-v f g",
                "-v f full",
                "-f f g",
                "-T f g",
                "-t full f g",
                "f it's n\nl full",
                "g /dev/null",
                "program x",
                "program g",
                "-p program x",
                "-p f g",
                "-p g x",
                "-pv f full",
                "f ld",
                "full/f x",
                "full/f g",
                "gr\u{fc}n x",
                "/etc/passwd x",
                "it's x",
                "-v it's n\nl",
                "-- -dash x",
                "f lf/../x ?",
                "/dev/null x ?",
                "deep/a/1 deep/a/b/2 f full",
            ],
        );
    }

    #[test]
    fn what_is_not_copied_is_told() {
        all_same(
            "cp",
            &[
                "f f",
                "f ./f",
                "f hf",
                "f lf",
                "lf f",
                "f none/ ?",
                "f none/x",
                "none x",
                "none full",
                "d full",
                "d x",
                "f e",
                "f f/x ?",
                "f g/ ?",
                "f dang ?",
                "dang x",
                "f loop ?",
                "loop x",
                "f dang/ ?",
                "f none full",
                "f g none ?",
                "f g hf ?",
                "full/f f full ?",
                "-T f full",
                "f ''",
                "'' x",
                "d f",
                "secret x ?",
                "f secret",
                "f ro ?",
                "ro/f x",
                "f ro/f",
                "ns/f x",
                "f ns ?",
                "-p secret x ?",
                "f g secret ro/d",
                "f secret g full ?",
                "-f f secret ?",
                "-p ro/f x",
                ". x",
                "f/x y",
                "f/ y",
                "f d none full",
                "-f f f ?",
                "-p f f ?",
                "it's none/x",
                "p x ?",
                "f p full ?",
                "f lf/ ?",
                "-r d x ?",
                "-a f x ?",
                "x ?",
            ],
        );
    }

    #[test]
    fn large_files_are_copied_whole() {
        let twins = Twins::new();
        let text: Vec<u8> = (0..3_000_000_u32).map(|place| (place % 251) as u8).collect();
        for tree in ["ours", "real"] {
            std::fs::write(twins.ours().with_file_name(tree).join("large"), &text).unwrap();
        }
        assert!(twins.same("cp", &["large", "copy"]));
        assert!(twins.same("cp", &["-p", "large", "f"]));
        assert!(std::fs::read(twins.ours().join("copy")).unwrap() == text);
    }
}
