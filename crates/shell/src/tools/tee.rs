//! `tee`.

use std::ffi::CString;
use std::os::fd::AsFd;

use fewer::{Descriptor, Errno};
use sys::How;

use super::arguments::{Arguments, Known, Operands};
use super::source::{complain, failed, is_plain, reason, say};
use super::{Broken, Lent, Tool};
use crate::Text;

pub(super) const TEE: Tool =
    Tool { name: "tee", fits: |arguments, lent| job(arguments, lent).is_some(), run };

const OPTIONS: Known = Known { short: b"a", long: &[("append", b'a', false)], anywhere: true };

/// So many files are open at once.
const LIMIT_FILES: usize = 16;

/// How the files are opened, and which.
fn job<'a>(arguments: &'a [Text], lent: &Lent<'_>) -> Option<(How, Operands<'a>)> {
    let mut how = How::Write;
    let mut options = Arguments::new(&OPTIONS, arguments);
    while options.next()?.is_some() {
        how = How::Append;
    }
    let names = options.operands(lent)?;
    let fits = |name: &&[u8]| is_plain(name) && *name != b"-";
    (names.len() <= LIMIT_FILES && names.iter().all(fits)).then_some((how, names))
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some((how, names)) = job(arguments, lent) else { return Ok(1) };
    let mut status = 0;
    let mut files: Vec<(&[u8], Descriptor)> = Vec::new();
    for name in names {
        let path = CString::new(name).map_err(|_| Errno::INVAL);
        match path.and_then(|path| sys::open_how(lent.scope.as_fd(), &path, how)) {
            Ok(file) => files.push((name, file)),
            Err(errno) => {
                complain(lent.errors, lent.utf8, "tee", name, errno)?;
                status = 1;
            }
        }
    }
    loop {
        let block = match lent.input.fill() {
            Ok(b"") => return Ok(status),
            Ok(block) => block,
            Err(errno) => {
                if let Err(errno) = failed::<()>(errno)? {
                    let reason = reason(errno);
                    say(lent.errors, &[b"tee: read error: ", reason.as_bytes(), b"\n"])?;
                }
                return Ok(1);
            }
        };
        lent.output.write(block)?;
        let mut left = Vec::with_capacity(files.len());
        for (name, file) in files {
            match sys::write_all(file.as_fd(), block) {
                Ok(()) => left.push((name, file)),
                Err(errno) => {
                    complain(lent.errors, lent.utf8, "tee", name, errno)?;
                    status = 1;
                }
            }
        }
        files = left;
        let used = block.len();
        lent.input.consume(used);
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::{Judge, same};

    #[test]
    fn files_are_emptied_and_filled() {
        let (ours, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let judge = Judge::new().apart(ours.path(), real.path());
        for folder in [&ours, &real] {
            std::fs::write(folder.path().join("a"), b"something longer than the input").unwrap();
            std::fs::create_dir(folder.path().join("d")).unwrap();
        }
        assert!(judge.same("tee", &["a", "d", "b", "none/x", "/dev/full"], b"text\n"));
        for name in ["a", "b"] {
            assert_eq!(std::fs::read(ours.path().join(name)).unwrap(), b"text\n");
            assert_eq!(std::fs::read(real.path().join(name)).unwrap(), b"text\n");
        }
        assert!(judge.same("tee", &["-a", "a", "c"], b"more\n"));
        for (name, text) in [("a", "text\nmore\n"), ("c", "more\n")] {
            assert_eq!(std::fs::read(ours.path().join(name)).unwrap(), text.as_bytes());
            assert_eq!(std::fs::read(real.path().join(name)).unwrap(), text.as_bytes());
        }
        assert!(judge.same("tee", &[] as &[&str], b"text\n"));
    }

    #[test]
    fn other_forms_are_left_to_the_real_one() {
        for arguments in [&["-i"][..], &["-ai"], &["-"], &["-p"], &["/dev/stderr"]] {
            assert!(!same("tee", arguments, b""), "{arguments:?}");
        }
    }
}
