//! `readlink` and `realpath`

use fewer::Errno;

use super::canonical::{Must, canonical};
use super::{Work, as_path, is_plain, number};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolJob, ToolResult, quote};

const READLINK_OPTIONS: KnownOptions = KnownOptions {
    short: b"efmnqsz",
    long: &[
        "canonicalize=f", "canonicalize-existing=e", "canonicalize-missing=m", "no-newline=n",
        "quiet=q", "silent=s", "zero=z",
    ],
    anywhere: true,
};

const REALPATH_OPTIONS: KnownOptions = KnownOptions {
    short: b"emqz",
    long: &["canonicalize-existing=e", "canonicalize-missing=m", "quiet=q", "zero=z"],
    anywhere: true,
};

/// Prints what links lead to.
pub(crate) struct LinkTarget<'a> {
    tool: &'static str,
    paths: Operands<'a>,
    /// `None` to print the text of a link as it is.
    must: Option<Must>,
    prints_errors: bool,
    end: &'static [u8],
}

impl<'a> LinkTarget<'a> {
    pub(crate) fn readlink(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<LinkTarget<'a>> {
        let (paths, end): (_, &[u8]) = (Operands::new(), b"\n");
        let mut job = LinkTarget { tool: "readlink", paths, must: None, prints_errors: false, end };
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
        job.paths = options.operands(io)?;
        let supported = !(io.is_posixly_correct() || endless && job.paths.len() > 1);
        job.checked().filter(|_| supported)
    }

    pub(crate) fn realpath(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<LinkTarget<'a>> {
        let (paths, must, end) = (Operands::new(), Some(Must::AllButLast), b"\n".as_slice());
        let mut job = LinkTarget { tool: "realpath", paths, must, prints_errors: true, end };
        let mut options = Arguments::new(&REALPATH_OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'e' => job.must = Some(Must::Exist),
                b'm' => job.must = Some(Must::Nothing),
                b'q' => job.prints_errors = false,
                _ => job.end = b"\0",
            }
        }
        job.paths = options.operands(io)?;
        job.checked()
    }

    fn checked(self) -> Option<LinkTarget<'a>> {
        let strange = self.paths.iter().any(|path| !is_plain(path));
        (!self.paths.is_empty() && !strange).then_some(self)
    }

    fn find(&self, path: &[u8], work: &Work) -> ToolResult<Result<Vec<u8>, Errno>> {
        let Some(must) = self.must else {
            return Ok(work.scope().read_link(as_path(path)).map_err(number));
        };
        match canonical(work.scope(), path, must) {
            Ok(Some(found)) => Ok(Ok(found)),
            Ok(None) => {
                work.unsupported()?;
                Ok(Err(Errno::NOENT))
            }
            // The kernel follows no more than 40 links; the real one does.
            Err(Errno::LOOP) => {
                work.unsupported()?;
                Ok(Err(Errno::LOOP))
            }
            Err(errno) => Ok(Err(errno)),
        }
    }
}

impl ToolJob for LinkTarget<'_> {
    /// Price: one `readlinkat` for each path, or that of `canonical`.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new(self.tool, io);
        for path in &self.paths {
            match self.find(path, &work)? {
                Ok(found) => {
                    work.begun = true;
                    work.io.output.write(&found)?;
                    work.io.output.write(self.end)?;
                }
                Err(errno) if self.prints_errors => {
                    let name = quote::for_colon(path, work.io.utf8).into_owned();
                    work.fail(&[&name], errno)?;
                }
                Err(_) => work.status = 1,
            }
        }
        Ok(work.status)
    }
}

#[cfg(test)]
mod tests;
