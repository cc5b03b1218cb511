//! `touch`

use fewer::{Errno, Fields, SetTime};

use super::{Work, as_path, is_plain, number};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions =
    KnownOptions { short: b"acfmr:", long: &["no-create=c", "reference=r:"], anywhere: true };

/// Sets the times of files, and makes missing ones.
pub(crate) struct Touch<'a> {
    paths: Operands<'a>,
    /// `-a`, `-m`: only this time is set. Without either, both are.
    accessed: bool,
    modified: bool,
    makes: bool,
    like: Option<&'a [u8]>,
}

impl ToolJob for Touch<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("touch", io);
        let (accessed, modified) = self.times(&work)?;
        for path in &self.paths {
            self.touch(path, accessed, modified, &mut work)?;
        }
        Ok(work.status)
    }
}

impl<'a> Touch<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Touch<'a>> {
        let (paths, makes, like) = (Operands::new(), true, None);
        let mut job = Touch { paths, accessed: false, modified: false, makes, like };
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
        job.paths = options.operands(io)?;
        // `-` is standard output.
        let strange = job.paths.iter().any(|path| *path == b"-" || !is_plain(path));
        (!job.paths.is_empty() && !strange).then_some(job)
    }

    /// Price: with `-r` one `statx`.
    fn times(&self, work: &Work) -> ToolResult<(SetTime, SetTime)> {
        let mut times = (SetTime::Now, SetTime::Now);
        if let Some(like) = self.like {
            let fields = Fields::ACCESSED | Fields::MODIFIED;
            let stat = work.scope().stat_target(as_path(like), fields);
            let stat = stat.map_err(|_| ToolError::Unsupported)?;
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
        work: &mut Work,
    ) -> ToolResult {
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
                // The real one opens it first, and its message is about that.
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
fn make(path: &[u8], work: &Work) -> Result<(), Errno> {
    match work.scope().make_file(as_path(path), 0o666).map_err(number) {
        Err(Errno::EXIST) => {
            work.scope().open_or_make(as_path(path), 0o666).map(drop).map_err(number)
        }
        made => made,
    }
}

#[cfg(test)]
mod tests;
