//! `mkdir`

use fewer::{Errno, Fields};

use super::{Work, as_path, is_directory, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool, quote};

pub(in super::super) const MKDIR: Tool = Tool {
    name: "mkdir",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("mkdir", lent);
        for path in &job.paths {
            job.make(path, &mut work)?;
        }
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"pvm:",
    long: &[("parents", b'p', false), ("verbose", b'v', false), ("mode", b'm', true)],
    anywhere: true,
};

/// What a directory gets of its own permissions in any case, if others are to be made in it.
const OWNER_MAKES: u32 = 0o300;

struct Job<'a> {
    paths: Operands<'a>,
    parents: bool,
    tells: bool,
    bits: Option<u32>,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut parents, mut tells, mut bits) = (false, false, None);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'p' => parents = true,
                b'v' => tells = true,
                _ => bits = Some(permissions(value)?),
            }
        }
        let paths = options.operands(lent)?;
        (!paths.is_empty()).then_some(Job { paths, parents, tells, bits })
    }

    /// Price: one `mkdirat`. With `-p`, one `statx` for what is there already; one `statx` and two
    /// `mkdirat` for each missing directory above, less one. With `-m` one `statx`, and one
    /// `fchmodat` if the umask takes anything off.
    fn make(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        match work.scope().make_directory(as_path(path), self.bits.unwrap_or(0o777)) {
            Ok(()) => self.made(path, work),
            Err(error) => match error.errno() {
                Errno::EXIST if self.parents => is_there(path, work),
                Errno::NOENT if self.parents && !path.is_empty() => self.make_all(path, work),
                errno if self.parents && errno != Errno::NOENT => {
                    work.odd()?;
                    let is_none = |above: &&[u8]| {
                        work.look_through(above).is_ok_and(|stat| !is_directory(&stat))
                    };
                    let above = directories_above(path);
                    cannot(above.into_iter().find(is_none).unwrap_or(path), errno, work)
                }
                errno => cannot(path, errno, work),
            },
        }
    }

    fn made(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        work.begun = true;
        if let Some(bits) = self.bits {
            self.set(path, bits, work)?;
        }
        self.tell(path, work)
    }

    fn tell(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        match self.tells {
            true => work.say(&[b"mkdir: created directory ", &work.quoted(path)]),
            false => Ok(()),
        }
    }

    /// What the umask took off is put back; what the directory above gave to it, stays.
    fn set(&self, path: &[u8], bits: u32, work: &mut Work<'_, '_>) -> Result<(), Broken> {
        let scope = work.scope();
        let set = scope.stat(as_path(path), Fields::MODE).and_then(|stat| {
            let has = u32::from(stat.permissions());
            match has & 0o777 == bits {
                true => Ok(()),
                false => scope.set_permissions(as_path(path), has & !0o777 | bits),
            }
        });
        match set {
            Ok(()) => Ok(()),
            Err(error) => {
                let name = quote::in_words(path, work.lent.utf8);
                work.fail(&[b"cannot set permissions of ", &name], error.errno())
            }
        }
    }

    /// Finds the first directory on the way that is there, or can be made, from the end on; and
    /// makes all others.
    fn make_all(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        let above = directories_above(path);
        let scope = work.scope();
        let mut next = above.len();
        let mut made = None;
        while made.is_none() && next > 0 {
            next -= 1;
            match scope.make_directory(as_path(above[next]), 0o777).map_err(number) {
                Ok(()) => made = Some(above[next]),
                Err(Errno::EXIST) => break,
                Err(Errno::NOENT) if next > 0 => {}
                Err(errno) => {
                    work.odd()?;
                    return cannot(above[next], errno, work);
                }
            }
        }
        let mut bits = 0;
        if let Some(first) = made {
            bits = self.enter(first, work)?;
        }
        for &directory in above.get(next + 1..).unwrap_or_default() {
            match scope.make_directory(as_path(directory), 0o777).map_err(number) {
                Ok(()) if made.is_none() => {
                    made = Some(directory);
                    bits = self.enter(directory, work)?;
                }
                Ok(()) => {
                    self.tell(directory, work)?;
                    if bits != 0 {
                        self.set(directory, bits, work)?;
                    }
                }
                Err(Errno::EXIST) => {}
                Err(errno) => {
                    work.odd()?;
                    return cannot(directory, errno, work);
                }
            }
        }
        match scope.make_directory(as_path(path), self.bits.unwrap_or(0o777)).map_err(number) {
            Ok(()) => self.made(path, work),
            Err(Errno::EXIST) => is_there(path, work),
            Err(errno) => {
                work.odd()?;
                cannot(path, errno, work)
            }
        }
    }

    /// The first one made shows what the umask takes off: the owner must be able to make more in
    /// it. Gives the bits that the others get, too; 0 if they are right by themselves.
    fn enter(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<u32, Broken> {
        work.begun = true;
        self.tell(path, work)?;
        let has = work.scope().stat(as_path(path), Fields::MODE);
        let has = has.map_or(OWNER_MAKES, |stat| u32::from(stat.permissions()) & 0o777);
        if has & OWNER_MAKES == OWNER_MAKES {
            return Ok(0);
        }
        let bits = has | OWNER_MAKES;
        self.set(path, bits, work)?;
        Ok(bits)
    }
}

/// From an octal number; words and special bits are left to the real tool.
fn permissions(text: &[u8]) -> Option<u32> {
    let digits = (1..=4).contains(&text.len()) && text.iter().all(|it| (b'0'..=b'7').contains(it));
    let bits = u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok()?;
    (digits && bits <= 0o777).then_some(bits)
}

/// The paths of all directories that this one is in, the highest first, as they are written.
fn directories_above(path: &[u8]) -> Vec<&[u8]> {
    let mut ends = Vec::new();
    for place in 1..path.len() {
        if path[place] == b'/' && path[place - 1] != b'/' {
            ends.push(&path[..place]);
        }
    }
    if path.ends_with(b"/") && !path.iter().all(|&byte| byte == b'/') {
        ends.pop();
    }
    ends
}

fn is_there(path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
    match work.look_through(path) {
        Ok(stat) if is_directory(&stat) => Ok(()),
        Ok(_) => cannot(path, Errno::EXIST, work),
        Err(_) => {
            work.odd()?;
            cannot(path, Errno::EXIST, work)
        }
    }
}

fn cannot(path: &[u8], errno: Errno, work: &mut Work<'_, '_>) -> Result<(), Broken> {
    let name = quote::in_words(path, work.lent.utf8);
    work.fail(&[b"cannot create directory ", &name], errno)
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::all_same;

    #[test]
    fn directories_are_made() {
        all_same(
            "mkdir",
            &[
                "x",
                "x y",
                "x/",
                "x//",
                "d/x",
                "d/x/",
                "ld/x",
                "./x",
                "full/../x",
                "-v x d/x",
                "-- -x",
                "x -v",
                "-m 700 x",
                "-m 0 x",
                "-m777 x",
                "--mode=2 x -v",
                "-m 750 full/y",
                "-p x",
                "-p x/y/z",
                "-pv x/y//z/",
                "-pv ./x/../y/./z",
                "-pv z/../y z/y/x",
                "-p d",
                "-p d/ ld full/x",
                "-pv d/x/y full/x/y ld/x",
                "-p -m 700 x/y",
                "-p -m 700 d",
                "--parents --verbose x/y",
                "-p full/y/z",
                "-p / /tmp",
                "-m 0755 -p -v d x d/x",
            ],
        );
    }

    #[test]
    fn what_cannot_be_made_is_told() {
        all_same(
            "mkdir",
            &[
                "f",
                "f/",
                "f/x",
                "d",
                "d/",
                "none/x",
                "''",
                "it's",
                "n\nl",
                "n\nl/x",
                "gr\u{fc}n",
                "dang",
                "dang/",
                "loop",
                "ld",
                "lf",
                "/",
                "x f y",
                "-p f",
                "-p f/ ?",
                "-p it's",
                "-p ''",
                "-p f/x ?",
                "-p f/x/y ?",
                "-p dang ?",
                "-p dang/x ?",
                "-p loop ?",
                "-p lf",
                "-p loop/x ?",
                "-p x f y",
                "-p x f/y",
                "-p d/x/y f/y x/y",
                "ro/x",
                "-p ro/x/y ?",
                "-p x ro/x/y y",
                "-p ro/d/y/z ?",
                "ns/x",
                "-p ns/x/y ?",
                "-pv . .. d/. d/..",
                "-p x/y/z x/f/../y d",
                "-vp lf/x ?",
            ],
        );
    }

    #[test]
    fn what_is_not_ours_is_left() {
        for line in ["", "-m u+x x", "-m 1777 x", "-Z x", "--help", "--mod 7 x", "-q x", "-m"] {
            all_same("mkdir", &[&format!("{line} ?")]);
        }
    }
}
