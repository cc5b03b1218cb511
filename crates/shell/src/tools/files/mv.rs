//! `mv`, within one file system.

use fewer::{Errno, Kind, Stat};

use super::last_name;
use super::way::{Aim, Way};
use super::{Work, as_path, in_directory, is_directory, is_of_process, is_same, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const MV: Tool = Tool {
    name: "mv",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("mv", lent);
        job.run(arguments, &mut work)?;
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"fnvTt:",
    long: &[
        ("force", b'f', false),
        ("no-clobber", b'n', false),
        ("verbose", b'v', false),
        ("no-target-directory", b'T', false),
        ("target-directory", b't', true),
    ],
    anywhere: true,
};

/// What becomes of what is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Present {
    /// It is replaced, unless it may not be written and there is somebody to ask.
    Replaced,
    /// It is replaced, whatever it is.
    Forced,
    /// It stays, and so does the source.
    Stays,
}

struct Job<'a> {
    way: Way<'a>,
    present: Present,
    tells: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut present, mut tells, mut aim) = (Present::Replaced, false, Aim::default());
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => present = Present::Forced,
                b'n' => present = Present::Stays,
                b'v' => tells = true,
                _ => aim.option(letter, value)?,
            }
        }
        let way = aim.way(options.operands(lent)?, None)?;
        let strange = way.sources.iter().any(|it| is_of_process(it)) || is_of_process(way.target);
        let asks = lent.asks && present == Present::Replaced && way.sources.len() > 1;
        (!strange && !asks).then_some(Job { way, present, tells })
    }

    fn run(&self, arguments: &[Text], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        if self.way.is_into()
            && !work.look_through(self.way.target).is_ok_and(|stat| is_directory(&stat))
        {
            return Err(Broken::Unfit);
        }
        for (place, (source, target, may_be_into)) in self.way.steps().enumerate() {
            let came = self.rename(source, &target, may_be_into, work);
            work.step(arguments, &self.way.sources[..place], came)?;
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
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
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

    fn replace(
        &self,
        source: &[u8],
        target: &[u8],
        there: &Stat,
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        if self.present == Present::Stays {
            return Ok(());
        }
        let from = match work.look(source) {
            Ok(from) => from,
            Err(errno) => return failed(source, target, errno, work),
        };
        let leads_there = || work.look_through(source).is_ok_and(|stat| is_same(&stat, there));
        if is_same(&from, there) || from.kind() == Kind::Symlink && leads_there() {
            return Err(Broken::Unfit);
        }
        let name = work.quoted(target);
        match (is_directory(&from), is_directory(there)) {
            (false, true) => {
                return work.complain(&[
                    b"cannot overwrite directory ",
                    &name,
                    b" with non-directory",
                ]);
            }
            (true, false) => {
                let from = work.quoted(source);
                return work.complain(&[
                    b"cannot overwrite non-directory ",
                    &name,
                    b" with directory ",
                    &from,
                ]);
            }
            _ => {}
        }
        let would_ask = work.lent.asks && self.present == Present::Replaced;
        if would_ask && there.kind() != Kind::Symlink {
            work.scope().may_write(as_path(target)).map_err(|_| Broken::Unfit)?;
        }
        match work.scope().rename(as_path(source), as_path(target)).map_err(number) {
            Ok(()) => self.renamed(source, target, work),
            Err(errno) => failed(source, target, errno, work),
        }
    }

    fn renamed(&self, source: &[u8], target: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        work.begun = true;
        match self.tells {
            true => {
                let (old, new) = (work.quoted(source), work.quoted(target));
                work.say(&[b"renamed ", &old, b" -> ", &new])
            }
            false => Ok(()),
        }
    }
}

fn failed(
    source: &[u8],
    target: &[u8],
    errno: Errno,
    work: &mut Work<'_, '_>,
) -> Result<(), Broken> {
    let (old, new) = (work.quoted(source), work.quoted(target));
    match (errno, work.look(source)) {
        (Errno::NOENT, Err(Errno::NOENT)) => work.fail(&[b"cannot stat ", &old], errno),
        (Errno::NOENT | Errno::NOTEMPTY, Ok(_)) if !target.ends_with(b"/") => {
            work.fail(&[b"cannot move ", &old, b" to ", &new], errno)
        }
        // Another file system, a directory into itself, …
        _ => Err(Broken::Unfit),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::all_same;

    #[test]
    fn names_change() {
        all_same(
            "mv",
            &[
                "f x",
                "f g",
                "-v f g",
                "f lf",
                "f full",
                "-v f full/",
                "f full/.",
                "d x",
                "d x/",
                "d full",
                "-v d/ e",
                "e full ?",
                "ld full",
                "ld x",
                "f dang",
                "dang x",
                "f loop",
                "f ld",
                "f g full",
                "-T f g",
                "-T f x",
                "-T d x",
                "-t full f g",
                "-n f g",
                "-n f x",
                "-v f x",
                "-f f g",
                "p x",
                "full/f .",
                "d/ full/x",
                "hf g",
                "-nv f full d",
                "--verbose --force f g ld full",
                "--target-directory=full f d",
                "-fv f full",
                "it's n\nl",
                "-v it's n\nl",
                "-v gr\u{fc}n x",
                "-- -dash x",
                "-T full/e d ?",
                "-v deep/a/b .",
                "-v full/f ./",
                "-n full/f full/g",
            ],
        );
    }

    #[test]
    fn what_stays_is_told() {
        all_same(
            "mv",
            &[
                "f f ?",
                "f ./f ?",
                "f hf ?",
                "lf f ?",
                "f none/ ?",
                "f none/x",
                "none x",
                "none full",
                "d f",
                "d d ?",
                "d d/x ?",
                "full full/x ?",
                "f e",
                "f f/x ?",
                "f g/ ?",
                "ld/ full ?",
                "d ld ?",
                "f dang/ ?",
                "f none full",
                "f g none ?",
                "f g hf ?",
                "full/f f full ?",
                "-T f full",
                "-T d full",
                "-T d e",
                "-T d ld",
                ". x ?",
                "d/. x ?",
                "f '' ?",
                "'' x ?",
                "full/.hidden none/x",
                "it's none/x",
                "x/ y",
                "f/ y ?",
                "lf/ g ?",
                "full/e e ?",
                "-f none x",
                "d full/.. ?",
                "f d e",
                "f ro ?",
                "ro/f x ?",
                "ro/f ro/x ?",
                "f ro/f ?",
                "ro x ?",
                "ro/d x ?",
                "ns x ?",
                "ns/f x ?",
                "f ns ?",
                "secret x ?",
                "f secret ?",
                "f ro/d ?",
                "x",
                "",
            ]
            .map(|line| if line.len() < 2 { " ?" } else { line }),
        );
    }
}
