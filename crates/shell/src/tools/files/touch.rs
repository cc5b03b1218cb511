//! `touch`

use fewer::{Errno, Fields, SetTime};

use super::{Work, as_path, is_of_process, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const TOUCH: Tool = Tool {
    name: "touch",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("touch", lent);
        let (accessed, modified) = job.times(&work)?;
        for path in &job.paths {
            job.touch(path, accessed, modified, &mut work)?;
        }
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"acfmr:",
    long: &[("no-create", b'c', false), ("reference", b'r', true)],
    anywhere: true,
};

struct Job<'a> {
    paths: Operands<'a>,
    /// Whether only one of the two is set; both if neither is.
    accessed: bool,
    modified: bool,
    makes: bool,
    like: Option<&'a [u8]>,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (paths, makes, like) = (Operands::new(), true, None);
        let mut job = Job { paths, accessed: false, modified: false, makes, like };
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'a' => job.accessed = true,
                b'c' => job.makes = false,
                b'm' => job.modified = true,
                b'r' => job.like = Some(value),
                _ => {}
            }
        }
        job.paths = options.operands(lent)?;
        // `-` is standard output.
        let strange = job.paths.iter().any(|path| *path == b"-" || is_of_process(path));
        (!job.paths.is_empty() && !strange).then_some(job)
    }

    /// Price: with `-r` one `statx`.
    fn times(&self, work: &Work<'_, '_>) -> Result<(SetTime, SetTime), Broken> {
        let mut times = (SetTime::Now, SetTime::Now);
        if let Some(like) = self.like {
            let fields = Fields::ACCESSED | Fields::MODIFIED;
            let stat = work.scope().stat_target(as_path(like), fields);
            let stat = stat.map_err(|_| Broken::Unfit)?;
            times = (SetTime::To(stat.accessed()), SetTime::To(stat.modified()));
        }
        if self.accessed && !self.modified {
            times.1 = SetTime::Keep;
        } else if self.modified && !self.accessed {
            times.0 = SetTime::Keep;
        }
        Ok(times)
    }

    /// Price: one `utimensat`; one `mknodat` for a file that is not there, and if its times are
    /// not to be now, one more `utimensat`.
    fn touch(
        &self,
        path: &[u8],
        accessed: SetTime,
        modified: SetTime,
        work: &mut Work<'_, '_>,
    ) -> Result<(), Broken> {
        let scope = work.scope();
        let set = || scope.set_times(as_path(path), accessed, modified).map_err(number);
        let mut done = set();
        if done == Err(Errno::NOENT) {
            if !self.makes {
                return Ok(());
            }
            done = make(path, work).map_err(|_| Errno::NOENT);
            if done.is_ok() && (accessed, modified) != (SetTime::Now, SetTime::Now) {
                done = set();
            }
        }
        match done {
            Ok(()) => {
                work.begun = true;
                Ok(())
            }
            Err(errno) => {
                let name = work.quoted(path);
                // The real one opens it first, and tells of that.
                match self.makes.then(|| scope.open_or_make(as_path(path), 0o666)) {
                    Some(Err(error)) if error.errno() != Errno::ISDIR => {
                        work.fail(&[b"cannot touch ", &name], error.errno())
                    }
                    _ => work.fail(&[b"setting times of ", &name], errno),
                }
            }
        }
    }
}

/// A link that leads nowhere leads to a new file.
fn make(path: &[u8], work: &Work<'_, '_>) -> Result<(), Errno> {
    match work.scope().make_file(as_path(path), 0o666).map_err(number) {
        Err(Errno::EXIST) => {
            work.scope().open_or_make(as_path(path), 0o666).map(drop).map_err(number)
        }
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::{Twins, all_same};

    #[test]
    fn files_are_made_or_become_new() {
        all_same(
            "touch",
            &[
                "x",
                "f",
                "f x y",
                "d",
                "d/",
                "ld",
                "lf",
                "dang",
                "p",
                "full/x",
                "-c x",
                "-c f",
                "-a f",
                "-m f",
                "-am f",
                "-r g f",
                "-r g x",
                "-ar g f",
                "-mr g x",
                "-c -r g x",
                "-f f",
                "--no-create x f",
                "--reference=f g",
                "-- -x",
                "it's",
                "n\nl",
            ],
        );
    }

    #[test]
    fn what_cannot_be_made_is_told() {
        all_same(
            "touch",
            &[
                "none/x",
                "f/x",
                "''",
                "f x none/y f/y",
                "-c none/x",
                "-c f/x",
                "loop ?",
                "none/ ?",
                "dang/ ?",
                "f/ ?",
                "-c f/ ?",
                "x none/y",
                "ro/x ?",
                "ro/f ?",
                "ns/f ?",
                "secret ?",
                "x ro/y ?",
                "-a ro/f ?",
                "-c ro/x",
                "-c ns/f ?",
                "-r none f ?",
                "- ?",
                "-t 0101 f ?",
                "-d now f ?",
                "it's/x",
                "n\nl/x",
            ],
        );
    }

    #[test]
    fn nothing_becomes_old_by_mistake() {
        let twins = Twins::new();
        let file = twins.ours().join("f");
        let modified = || file.metadata().unwrap().modified().unwrap();
        let before = modified();
        assert!(twins.same("touch", &["-a", "f"]));
        assert_eq!(modified(), before);
        assert!(twins.same("touch", &["f"]));
        assert!(modified() > before + std::time::Duration::from_secs(1_000_000));
    }
}
