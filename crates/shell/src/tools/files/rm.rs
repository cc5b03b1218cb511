//! `rm`

use fewer::{Errno, Kind};

use super::{Work, as_path, is_directory, is_same, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const RM: Tool = Tool {
    name: "rm",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("rm", lent);
        if work.lent.asks && !job.force {
            job.nothing_is_protected(&work)?;
        }
        for (place, path) in job.paths.iter().enumerate() {
            let came = job.remove(path, &mut work);
            work.step(arguments, &job.paths[..place], came)?;
        }
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"dfrRv",
    long: &[
        ("dir", b'd', false),
        ("force", b'f', false),
        ("recursive", b'r', false),
        ("verbose", b'v', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    paths: Operands<'a>,
    force: bool,
    trees: bool,
    directories: bool,
    tells: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut force, mut trees, mut directories, mut tells) = (false, false, false, false);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'd' => directories = true,
                b'f' => force = true,
                b'v' => tells = true,
                _ => trees = true,
            }
        }
        let paths = options.operands(lent)?;
        // These are refused, each in words of its own.
        let dots = (trees || directories) && paths.iter().any(|path| is_dots_or_root(path));
        let empty = paths.is_empty() && !force;
        let job = Job { paths, force, trees, directories, tells };
        (!(dots || empty || trees && tells)).then_some(job)
    }

    /// On a terminal, somebody would be asked about what may not be written.
    ///
    /// Price: one `statx` and one `faccessat` for each path.
    fn nothing_is_protected(&self, work: &Work<'_, '_>) -> Result<(), Broken> {
        for path in &self.paths {
            match work.look(path) {
                Ok(stat) if is_directory(&stat) && self.trees => return Err(Broken::Unfit),
                Ok(stat) if stat.kind() != Kind::Symlink => {
                    work.scope().may_write(as_path(path)).map_err(|_| Broken::Unfit)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Price: one `unlinkat`. For a directory one more, or what its tree costs.
    fn remove(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        let errno = match work.scope().remove_file(as_path(path)) {
            Ok(()) => {
                work.begun = true;
                return self.tell(b"removed ", path, work);
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
                return Err(Broken::Unfit);
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

    fn remove_directory(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        match work.scope().remove_directory(as_path(path)).map_err(number) {
            Ok(()) => {
                work.begun = true;
                self.tell(b"removed directory ", path, work)
            }
            // Something is mounted there; the real one looks first whether anything is in it.
            Err(Errno::BUSY) => Err(Broken::Unfit),
            Err(errno) => work.fail(&[b"cannot remove ", &work.quoted(path)], errno),
        }
    }

    fn tell(&self, what: &[u8], path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
        if self.tells { work.say(&[what, &work.quoted(path)]) } else { Ok(()) }
    }
}

fn remove_tree(path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
    use std::os::unix::ffi::OsStrExt;
    work.begun = true;
    // The real one takes off all slashes at the end but one, too.
    let slashes = path.iter().rev().take_while(|&&byte| byte == b'/').count();
    let path = &path[..path.len() - slashes.saturating_sub(1)];
    let mut told = Ok(());
    work.scope().remove_tree_telling(as_path(path), |error| {
        let failed = error.path().as_os_str().as_bytes();
        if told.is_ok() {
            told = match error.errno() {
                Errno::BUSY if failed == path && is_root(path, work) => refuse_root(path, work),
                errno => work.fail(&[b"cannot remove ", &work.quoted(failed)], errno),
            };
        }
    });
    told
}

/// Whether it is the root directory, by whatever name.
fn is_root(path: &[u8], work: &Work<'_, '_>) -> bool {
    let root = work.look(b"/");
    root.is_ok_and(|root| work.look(path).is_ok_and(|stat| is_same(&stat, &root)))
}

fn refuse_root(path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
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
mod tests {
    use crate::tools::files::scene::{Twins, all_same, is_there};

    #[test]
    fn files_go() {
        all_same(
            "rm",
            &[
                "f",
                "f g",
                "-f f",
                "-v f g",
                "ld",
                "dang",
                "loop",
                "lf",
                "p",
                "full/f",
                "-- -dash",
                "it's",
                "n\nl -v",
                "-d full/x",
                "-dv full/x f",
                "-r f",
                "-r full",
                "-rf full deep",
                "-R deep/",
                "-r ld",
                "-r full/../deep f",
                "-f",
                "-f none f",
                "-rf none d",
                "--recursive --force full",
                "--dir full/x",
            ],
        );
    }

    #[test]
    fn what_stays_is_told() {
        all_same(
            "rm",
            &[
                "full",
                "d/",
                "f/",
                "full/",
                "none",
                "none/x",
                "f/x",
                "''",
                ".",
                "..",
                "d/.",
                "d/..",
                "ld/",
                "dang/",
                "loop/",
                "/",
                "-f full",
                "-f d/",
                "-f f/",
                "-f none/x",
                "-f f/x",
                "-f ''",
                "-f .",
                "-f ld/",
                "-f dang/",
                "-f loop/",
                "-d full",
                "-d f/ ?",
                "-d ld/ ?",
                "-d none",
                "-dv dang/ ?",
                "-r f/",
                "-r none",
                "-r ''",
                "-r ld/ ?",
                "-r f/x",
                "-rf f/",
                "-rf ''",
                "-rf ld/ ?",
                "-rf f/x",
                "-r dang/",
                "f none g",
                "none full f",
                "-v f d g",
                "ro/f",
                "ro/d",
                "-r ro",
                "-rf ro full",
                "ns/f",
                "ns",
                "-rf ns",
                "secret",
                "-r ro/d d",
                "-d ro/d/x",
                "-f ro/f",
                "f ro/f g",
                "-r full none it's",
                "gr\u{fc}n/x",
            ],
        );
    }

    #[test]
    fn what_is_not_ours_is_left() {
        let twins = Twins::new();
        for line in ["-r .", "-r d/..", "-rf /", "-i f", "", "-I f", "-rv d", "--no-preserve-root"]
        {
            let arguments: Vec<&str> = line.split(' ').filter(|it| !it.is_empty()).collect();
            let arguments: Vec<_> =
                arguments.iter().map(|it| crate::Text::from_slice(it.as_bytes())).collect();
            assert!(twins.judge().ours("rm", &arguments, b"").is_none(), "{line}");
            assert!(is_there(&twins.ours().join("f")));
        }
    }
}
