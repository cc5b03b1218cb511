//! `pwd`, the program: a path without links, unless `-L` allows them.

use std::os::unix::ffi::OsStrExt;

use fewer::path::is_plain_absolute;

use super::{Work, is_same};
use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions =
    KnownOptions { short: b"LP", long: &["logical=L", "physical=P"], anywhere: true };

/// Prints the working directory.
pub(crate) struct Pwd {
    /// Whether PWD, which may have links in it, is used if it is right.
    logical: bool,
}

impl Pwd {
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Pwd> {
        let mut logical = io.is_posixly_correct();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            logical = letter == b'L';
        }
        options.operands(io)?.is_empty().then_some(Pwd { logical })
    }
}

impl ToolJob for Pwd {
    /// Price: that of [`physical`](fewer::Scope::physical); for a logical path two `statx` before.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("pwd", io);
        if self.logical
            && let Some(path) = (work.io.environment)(b"PWD")
            && is_plain_absolute(&path)
            && let (Ok(there), Ok(here)) = (work.look_through(&path), work.look_through(b"."))
            && is_same(&there, &here)
        {
            work.say(&[&path])?;
            return Ok(0);
        }
        let path = work.scope().physical().map_err(|_| ToolError::Unsupported)?;
        work.say(&[path.as_os_str().as_bytes()])?;
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::words;
    use crate::tests::twins::Twins;

    #[test]
    fn it_is_told_where_we_are() {
        let twins = Twins::new();
        let comparison = || twins.comparison().within(&twins.ours().join("ld"));
        let link = twins.ours().join("ld");
        let real = twins.ours().join("d");
        let [link, real] = [&link, &real].map(|path| path.to_str().unwrap());
        for said in [link, real, "/tmp", "", "ld", &format!("{link}/../ld"), &format!("{link}/")] {
            for line in ["", "-P", "-L", "-LP", "--logical"] {
                let arguments = &words(line);
                assert!(comparison().with("PWD", said).same("pwd", arguments, b""));
                let strict = comparison().with("PWD", said).with("POSIXLY_CORRECT", "1");
                assert!(strict.same("pwd", arguments, b""));
            }
        }
        assert!(!comparison().same("pwd", &["x"], b""));
    }
}
