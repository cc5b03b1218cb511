//! `ln`

use fewer::{Errno, Kind};

use super::way::{Aim, Way};
use super::{Work, as_path, in_directory, is_directory, is_of_process, is_same, number};
use super::{last_name, random_name};
use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const LN: Tool = Tool {
    name: "ln",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("ln", lent);
        job.run(arguments, &mut work)?;
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"fnsvTt:",
    long: &[
        ("force", b'f', false),
        ("no-dereference", b'n', false),
        ("symbolic", b's', false),
        ("verbose", b'v', false),
        ("no-target-directory", b'T', false),
        ("target-directory", b't', true),
    ],
    anywhere: true,
};

struct Job<'a> {
    /// The sources are what the links lead to, the targets are the links.
    way: Way<'a>,
    symbolic: bool,
    force: bool,
    /// Whether a link to a directory is a place like any other.
    no_following: bool,
    tells: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut symbolic, mut force, mut no_following, mut tells) = (false, false, false, false);
        let mut aim = Aim::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'f' => force = true,
                b'n' => no_following = true,
                b's' => symbolic = true,
                b'v' => tells = true,
                _ => aim.option(letter, value)?,
            }
        }
        let way = aim.way(options.operands(lent)?, Some(b"."))?;
        let odd = |path: &[u8]| path.is_empty() || is_of_process(path);
        let strange = |target: &&[u8]| target.is_empty() || !symbolic && odd(target);
        let fits = !way.sources.iter().any(strange) && !odd(way.target);
        fits.then_some(Job { way, symbolic, force, no_following, tells })
    }

    fn run(&self, arguments: &[Text], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        // Where we are, is a directory.
        let place = self.way.target;
        if self.way.is_into() && place != b"." && !self.is_directory(place, work) {
            return Err(Broken::Unfit);
        }
        for (done, (target, place, may_be_into)) in self.way.steps().enumerate() {
            let came = match self.way.is_into() && last_name(target) == b"/" {
                true => Err(Broken::Unfit),
                false => self.link(target, &place, may_be_into, work),
            };
            work.step(arguments, &self.way.sources[..done], came)?;
        }
        Ok(())
    }

    fn is_directory(&self, path: &[u8], work: &Work<'_, '_>) -> bool {
        let stat = if self.no_following { work.look(path) } else { work.look_through(path) };
        stat.is_ok_and(|stat| is_directory(&stat))
    }

    /// Price: one `symlinkat` or `linkat`; into a directory one more, and a `statx`; to replace
    /// something one more, one `renameat2` and three `statx`.
    fn link(
        &self,
        target: &[u8],
        place: &[u8],
        may_be_into: bool,
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        match self.make(target, place, work) {
            Ok(()) => self.made(target, place, work),
            Err(Errno::EXIST) if may_be_into && self.is_directory(place, work) => {
                if last_name(target) == b"/" {
                    return Err(Broken::Unfit);
                }
                self.link(target, &in_directory(place, last_name(target)), false, work)
            }
            Err(Errno::EXIST) if self.force => self.replace(target, place, work),
            Err(errno) => self.failed(target, place, errno, work),
        }
    }

    fn make(&self, target: &[u8], place: &[u8], work: &Work<'_, '_>) -> Result<(), Errno> {
        let (target, place) = (as_path(target), as_path(place));
        match self.symbolic {
            true => work.scope().make_symlink(place, target).map_err(number),
            false => work.scope().make_hard_link(place, target).map_err(number),
        }
    }

    /// A new name first, which then takes the other's place: so that there is one at any moment.
    fn replace(&self, target: &[u8], place: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        let there = work.look(place);
        let from = if self.symbolic { work.look_through(target) } else { work.look(target) };
        match (&there, &from) {
            (Ok(there), _) if is_directory(there) => return Err(Broken::Unfit),
            (Ok(there), Ok(from)) if is_same(there, from) => return Err(Broken::Unfit),
            (Ok(_), _) if !place.ends_with(b"/") => {}
            _ => return Err(Broken::Unfit),
        }
        let above = memchr::memrchr(b'/', place).map_or(&b""[..], |slash| &place[..=slash]);
        for _ in 0..100 {
            let fresh = [above, b"Cu", &random_name(6)].concat();
            match self.make(target, &fresh, work) {
                Ok(()) => {
                    work.begun = true;
                    let renamed = work.scope().rename(as_path(&fresh), as_path(place));
                    return match renamed.map_err(number) {
                        Ok(()) => self.made(target, place, work),
                        Err(errno) => {
                            let _left = work.scope().remove_file(as_path(&fresh));
                            self.failed(target, place, errno, work)
                        }
                    };
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return self.failed(target, place, errno, work),
            }
        }
        self.failed(target, place, Errno::EXIST, work)
    }

    fn made(&self, target: &[u8], place: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        work.begun = true;
        if !self.tells {
            return Ok(());
        }
        let (target, place) = (work.quoted(target), work.quoted(place));
        work.say(&[&place, self.arrow(), &target])
    }

    fn arrow(&self) -> &'static [u8] {
        if self.symbolic { b" -> " } else { b" => " }
    }

    fn failed(
        &self,
        target: &[u8],
        place: &[u8],
        errno: Errno,
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        let (quoted, name) = (work.quoted(target), work.quoted(place));
        if self.symbolic {
            if !matches!(errno, Errno::EXIST | Errno::NOENT) {
                return Err(Broken::Unfit);
            }
            return work.fail(&[b"failed to create symbolic link ", &name], errno);
        }
        match work.look(target) {
            Err(errno) => work.fail(&[b"failed to access ", &quoted], errno),
            Ok(stat) if stat.kind() == Kind::Directory => Err(Broken::Unfit),
            Ok(_) if errno == Errno::EXIST => {
                work.fail(&[b"failed to create hard link ", &name], errno)
            }
            Ok(_) => {
                if errno != Errno::NOENT {
                    return Err(Broken::Unfit);
                }
                work.fail(&[b"failed to create hard link ", &name, b" => ", &quoted], errno)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::all_same;

    const PAIRS: &[&str] = &[
        "f x",
        "f ro",
        "ro/f x",
        "f ro/f",
        "ns/f x",
        "f ns/x",
        "f ns",
        "f g",
        "f f",
        "f hf",
        "f lf",
        "lf x",
        "f full",
        "f full/",
        "f none/",
        "f none/x",
        "none x",
        "none full",
        "d full",
        "d x",
        "f e",
        "f f/x",
        "f g/",
        "f dang",
        "dang x",
        "f loop",
        "f ld",
        "f ld/",
        "f dang/",
        "full/f f",
        "full/f .",
        "it's n\nl",
        "it's none/x",
        "full/f",
        "none/x",
        "f",
        "full/",
        "f g full",
        "f none full",
        "f g none",
        "f g hf",
        "/ d",
        "full/f f full",
        "f ''",
        "'' x",
        "f lf/",
        "d f",
        "x/ y",
        "/etc/passwd x",
        ". x",
        "/",
        "../x/y x",
        "f d",
        "f d/",
        "deep/a/1 deep/a/b/2 full",
        "gr\u{fc}n x",
        "p x",
        "d ld",
        "d e",
    ];

    #[test]
    fn links_are_made_as_the_real_one_makes_them() {
        for options in ["", "-s ", "-fv ", "-sf ", "-sfn ", "-sT ", "-sfT "] {
            for pair in PAIRS {
                all_same("ln", &[&format!("{options}{pair} ?")]);
            }
        }
    }

    #[test]
    fn what_scripts_do_fits() {
        all_same(
            "ln",
            &[
                "f x",
                "-s f x",
                "-s f x/..  ?",
                "-s f full",
                "-sf f g",
                "-sf none g",
                "-sfn e ld",
                "-nsf e ld",
                "-s f g",
                "f none/x",
                "none x",
                "-f f g",
                "-s full/f .",
                "-s full/g",
                "-s -t full f g",
                "-sf -T g lf",
                "--symbolic --force none lf",
                "-sv f x",
            ],
        );
    }
}
