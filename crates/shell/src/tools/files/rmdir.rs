//! `rmdir`

use fewer::Errno;

use super::{Work, as_path, is_directory};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const RMDIR: Tool = Tool {
    name: "rmdir",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("rmdir", lent);
        for path in &job.paths {
            job.remove_all(path, &mut work)?;
        }
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"pv",
    long: &[
        ("parents", b'p', false),
        ("verbose", b'v', false),
        ("ignore-fail-on-non-empty", b'i', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    paths: Operands<'a>,
    parents: bool,
    tells: bool,
    may_be_full: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut parents, mut tells, mut may_be_full) = (false, false, false);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'p' => parents = true,
                b'v' => tells = true,
                _ => may_be_full = true,
            }
        }
        let paths = options.operands(lent)?;
        (!paths.is_empty()).then_some(Job { paths, parents, tells, may_be_full })
    }

    /// Price: one `unlinkat`; with `-p` one for each directory on the way.
    fn remove_all(&self, path: &[u8], work: &mut Work<'_, '_>) -> Result<(), Broken> {
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
    fn remove(&self, path: &[u8], what: &[u8], work: &mut Work<'_, '_>) -> Result<bool, Broken> {
        if self.tells {
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
                Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::BUSY => work.odd()?,
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

fn is_link_with_slash(path: &[u8], work: &Work<'_, '_>) -> bool {
    let whole = path.iter().rposition(|&byte| byte != b'/').map_or(path, |end| &path[..=end]);
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
mod tests {
    use crate::tools::files::scene::all_same;

    #[test]
    fn empty_directories_go() {
        all_same(
            "rmdir",
            &[
                "d/ ?",
                "full/x",
                "full/x full/e",
                "-v full/x",
                "-p deep/a/b/c",
                "-pv full/x",
                "--ignore-fail-on-non-empty full full/x",
                "-p --ignore-fail-on-non-empty full/x",
                "-pv ./full/x",
                "--parents --verbose full//x//",
                "ld/../full/x",
            ],
        );
    }

    #[test]
    fn what_stays_is_told() {
        all_same(
            "rmdir",
            &[
                "f",
                "full",
                "f/",
                "full/",
                "none",
                "none/x",
                "''",
                ".",
                "..",
                "full/x/.",
                "full/x/..",
                "/",
                "ld",
                "ld/",
                "dang/",
                "lf/",
                "loop/",
                "loop",
                "p",
                "it's",
                "n\nl",
                "-v f full full/x",
                "-p full",
                "-p f",
                "-pv ld/",
                "full/x f full/e",
                "ro/d",
                "ro/d/x",
                "-p ro/d/x",
                "ns/x",
                "--ignore-fail-on-non-empty ro/d ?",
                "-p full/x/.",
            ],
        );
    }
}
