//! `readlink` and `realpath`

use fewer::Errno;

use super::canonical::{Must, canonical};
use super::{Work, as_path, is_of_process, number};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool, quote};

pub(in super::super) const READLINK: Tool = Tool {
    name: "readlink",
    fits: |arguments, lent| Job::of_readlink(arguments, lent).is_some(),
    run: |arguments, lent| {
        Job::of_readlink(arguments, lent).ok_or(Broken::Unfit)?.run("readlink", lent)
    },
};

pub(in super::super) const REALPATH: Tool = Tool {
    name: "realpath",
    fits: |arguments, lent| Job::of_realpath(arguments, lent).is_some(),
    run: |arguments, lent| {
        Job::of_realpath(arguments, lent).ok_or(Broken::Unfit)?.run("realpath", lent)
    },
};

const READLINK_OPTIONS: Known = Known {
    short: b"efmnqsz",
    long: &[
        ("canonicalize", b'f', false),
        ("canonicalize-existing", b'e', false),
        ("canonicalize-missing", b'm', false),
        ("no-newline", b'n', false),
        ("quiet", b'q', false),
        ("silent", b's', false),
        ("zero", b'z', false),
    ],
    anywhere: true,
};

const REALPATH_OPTIONS: Known = Known {
    short: b"emqz",
    long: &[
        ("canonicalize-existing", b'e', false),
        ("canonicalize-missing", b'm', false),
        ("quiet", b'q', false),
        ("zero", b'z', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    paths: Operands<'a>,
    /// `None` for what is written in a link.
    must: Option<Must>,
    tells_errors: bool,
    end: &'static [u8],
}

impl<'a> Job<'a> {
    fn of_readlink(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (paths, end): (_, &[u8]) = (Operands::new(), b"\n");
        let mut job = Job { paths, must: None, tells_errors: false, end };
        let mut options = Arguments::new(&READLINK_OPTIONS, arguments);
        let mut endless = false;
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'e' => job.must = Some(Must::Exist),
                b'f' => job.must = Some(Must::AllButLast),
                b'm' => job.must = Some(Must::Nothing),
                b'n' => endless = true,
                b'z' => job.end = b"\0",
                _ => {}
            }
        }
        if endless {
            job.end = b"";
        }
        job.paths = options.operands(lent)?;
        let strict = (lent.environment)(b"POSIXLY_CORRECT").is_some();
        let fits = !(strict || endless && job.paths.len() > 1);
        job.checked().filter(|_| fits)
    }

    fn of_realpath(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (paths, must, end) = (Operands::new(), Some(Must::AllButLast), b"\n".as_slice());
        let mut job = Job { paths, must, tells_errors: true, end };
        let mut options = Arguments::new(&REALPATH_OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'e' => job.must = Some(Must::Exist),
                b'm' => job.must = Some(Must::Nothing),
                b'q' => job.tells_errors = false,
                _ => job.end = b"\0",
            }
        }
        job.paths = options.operands(lent)?;
        job.checked()
    }

    fn checked(self) -> Option<Job<'a>> {
        let strange = self.paths.iter().any(|path| is_of_process(path));
        (!self.paths.is_empty() && !strange).then_some(self)
    }

    /// Price: one `readlinkat` for each path, or that of `canonical`.
    fn run(&self, tool: &'static str, lent: &mut Lent<'_>) -> Result<u8, Broken> {
        let mut work = Work::new(tool, lent);
        for path in &self.paths {
            match self.find(path, &work)? {
                Ok(found) => {
                    work.begun = true;
                    work.lent.output.write(&found)?;
                    work.lent.output.write(self.end)?;
                }
                Err(errno) if self.tells_errors => {
                    let name = quote::for_colon(path, work.lent.utf8).into_owned();
                    work.fail(&[&name], errno)?;
                }
                Err(_) => work.status = 1,
            }
        }
        Ok(work.status)
    }

    fn find(&self, path: &[u8], work: &Work<'_, '_>) -> Result<Result<Vec<u8>, Errno>, Broken> {
        let Some(must) = self.must else {
            return Ok(work.scope().read_link(as_path(path)).map_err(number));
        };
        match canonical(work.scope(), path, must) {
            Ok(Some(found)) => Ok(Ok(found)),
            Ok(None) => {
                work.odd()?;
                Ok(Err(Errno::NOENT))
            }
            // The kernel follows no more than 40 links; the real one does.
            Err(Errno::LOOP) => {
                work.odd()?;
                Ok(Err(Errno::LOOP))
            }
            Err(errno) => Ok(Err(errno)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::Twins;

    const PATHS: &[&str] = &[
        "f",
        "lf",
        "ld",
        "dang",
        "loop",
        "none",
        "none/x",
        "none/",
        "none/../f",
        "full/../f",
        "d/.",
        "f/",
        "f/x",
        "ns/f",
        "ns/none",
        "ns/x/y",
        "secret",
        "ro/d/x",
        "f/.",
        "f/..",
        "ld/",
        "ld/..",
        "ld/up",
        "ld/up/x",
        "dang/",
        "dang/x",
        "loop/x",
        "",
        ".",
        "..",
        "./",
        "/",
        "//",
        "/tmp",
        "/tmp/",
        "/none",
        "/none/x",
        "full//x///",
        "it's",
        "n\nl",
        "gr\u{fc}n",
        "it's/x",
        "full/none",
        "full/none/",
        "full/../none/..",
        "d/up",
        "lf/",
        "none/..",
        "none/.",
        "full/x/../../d/up",
        "ld/../none",
        "e/f/1",
        "e/f/2",
        "p",
    ];

    /// Both in the same tree: they tell where it is.
    fn same(twins: &Twins, tool: &str, arguments: &[&str]) -> bool {
        let judge = twins.judge().within(&twins.ours());
        judge.same(tool, arguments, b"") | judge.bytes().same(tool, arguments, b"")
    }

    #[test]
    fn each_path_is_told() {
        let twins = Twins::new();
        for path in PATHS {
            for options in ["--", "-f", "-e", "-m", "-n", "-zf"] {
                let fitted = same(&twins, "readlink", &[options, path]);
                assert!(fitted || path.contains("loop"), "readlink {options} {path}");
            }
            for options in ["--", "-e", "-m", "-q", "-z"] {
                let fitted = same(&twins, "realpath", &[options, path]);
                assert!(fitted || path.contains("loop"), "realpath {options} {path}");
            }
        }
        assert!(same(&twins, "readlink", &["lf", "f", "ld"]));
        assert!(same(&twins, "realpath", &["lf", "none/x", "ld"]));
    }

    #[test]
    fn what_is_not_ours_is_left() {
        let twins = Twins::new();
        for path in ["/proc/self/exe", "/dev/stdin", "/dev/fd/0"] {
            assert!(!same(&twins, "readlink", &["-f", path]));
            assert!(!same(&twins, "realpath", &[path]));
        }
        assert!(!same(&twins, "realpath", &["-s", "f"]));
        assert!(!same(&twins, "readlink", &["-n", "f", "g"]));
        assert!(!same(&twins, "readlink", &[]));
    }
}
