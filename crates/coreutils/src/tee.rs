//! `tee`.

use std::ffi::CString;
use std::os::fd::AsFd;

use fewer::{Descriptor, Errno};
use sys::How;

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::{complain, say};
use super::source::{is_plain, of_file};
use crate::{Io, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions { short: b"a", long: &["append=a"], anywhere: true };

/// At most so many files are open at once.
const LIMIT_FILES: usize = 16;

/// Writes its input to standard output and to files.
pub(crate) struct Tee<'a> {
    how: How,
    names: Operands<'a>,
}

impl<'a> Tee<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Tee<'a>> {
        let mut how = How::Write;
        let mut options = Arguments::new(&OPTIONS, arguments);
        while options.next()?.is_some() {
            how = How::Append;
        }
        let names = options.operands(io)?;
        let supported = |name: &&[u8]| is_plain(name) && *name != b"-";
        (names.len() <= LIMIT_FILES && names.iter().all(supported)).then_some(Tee { how, names })
    }
}

impl ToolJob for Tee<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut status = 0;
        let mut files: Vec<(&[u8], Descriptor)> = Vec::new();
        for &name in &self.names {
            let path = CString::new(name).map_err(|_| Errno::INVAL);
            match path.and_then(|path| sys::open_how(io.scope.as_fd(), &path, self.how)) {
                Ok(file) => files.push((name, file)),
                Err(errno) => {
                    complain(io.errors, io.utf8, "tee", name, errno)?;
                    status = 1;
                }
            }
        }
        loop {
            let block = match of_file(io.input.fill())? {
                Ok(b"") => return Ok(status),
                Ok(block) => block,
                Err(errno) => {
                    let reason = errno.to_string();
                    say(io.errors, &[b"tee: read error: ", reason.as_bytes(), b"\n"])?;
                    return Ok(1);
                }
            };
            io.output.write(block)?;
            let mut left = Vec::with_capacity(files.len());
            for (name, file) in files {
                match sys::write_all(file.as_fd(), block) {
                    Ok(()) => left.push((name, file)),
                    Err(errno) => {
                        complain(io.errors, io.utf8, "tee", name, errno)?;
                        status = 1;
                    }
                }
            }
            files = left;
            let used = block.len();
            io.input.consume(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::{Comparison, same, words};

    #[test]
    fn files_are_emptied_and_filled() {
        let (ours, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let comparison = Comparison::new().apart(ours.path(), real.path());
        for folder in [&ours, &real] {
            std::fs::write(folder.path().join("a"), b"something longer than the input").unwrap();
            std::fs::create_dir(folder.path().join("d")).unwrap();
        }
        assert!(comparison.same("tee", &["a", "d", "b", "none/x", "/dev/full"], b"text\n"));
        for name in ["a", "b"] {
            assert_eq!(std::fs::read(ours.path().join(name)).unwrap(), b"text\n");
            assert_eq!(std::fs::read(real.path().join(name)).unwrap(), b"text\n");
        }
        assert!(comparison.same("tee", &["-a", "a", "c"], b"more\n"));
        for (name, text) in [("a", "text\nmore\n"), ("c", "more\n")] {
            assert_eq!(std::fs::read(ours.path().join(name)).unwrap(), text.as_bytes());
            assert_eq!(std::fs::read(real.path().join(name)).unwrap(), text.as_bytes());
        }
        assert!(comparison.same("tee", &[] as &[&str], b"text\n"));
    }

    #[test]
    fn other_forms_are_left_to_the_real_one() {
        for line in ["-i", "-ai", "-", "-p", "/dev/stderr"] {
            assert!(!same("tee", &words(line), b""), "{line}");
        }
    }
}
