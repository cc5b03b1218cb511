//! All scripts of this machine.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::judge;
use crate::Dialect;
use crate::syntax::{ErrorKind, parse};

/// Where scripts are.
const PLACES: &[&str] =
    &["/bin", "/sbin", "/usr", "/etc", "/var/lib/dpkg/info", "/lib/init", "/opt"];

/// The dialect that the first line names.
fn dialect(text: &[u8]) -> Option<Dialect> {
    let line = text.split(|b| *b == b'\n').next()?;
    let mut words =
        line.strip_prefix(b"#!")?.split(|b| *b == b' ' || *b == b'/').filter(|w| !w.is_empty());
    let name = words.rfind(|word| !word.starts_with(b"-"))?;
    match name {
        b"sh" | b"dash" => Some(Dialect::Posix),
        b"bash" => Some(Dialect::Bash),
        b"ksh" | b"ksh93" => Some(Dialect::Ksh),
        _ => None,
    }
}

fn scripts(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>, Dialect)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() {
            scripts(&path, found);
        } else if kind.is_file() {
            let mut start = [0; 2];
            let read = fs::File::open(&path)
                .and_then(|mut f| std::io::Read::read_exact(&mut f, &mut start));
            if read.is_err() || start != *b"#!" {
                continue;
            }
            let Ok(text) = fs::read(&path) else { continue };
            if let Some(dialect) = dialect(&text) {
                found.push((path, text, dialect));
            }
        }
    }
}

/// Those that bash judges otherwise for a reason: extended patterns are always on here.
fn needs_extglob(text: &[u8]) -> bool {
    [&b"@("[..], b"+(", b"!(", b"?(", b"*("].iter().any(|p| memchr::memmem::find(text, p).is_some())
}

fn accepts(dialect: Dialect, path: &OsStr) -> Option<bool> {
    let mut command = Command::new(judge(dialect));
    command.arg("-n").arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok().map(|status| status.success())
}

#[test]
#[ignore = "reads every script of the machine, with a process for each"]
fn the_scripts_of_this_machine_are_read_if_their_shells_read_them() {
    let mut found = Vec::new();
    PLACES.iter().for_each(|place| scripts(Path::new(place), &mut found));
    let (mut read, mut unsupported, mut different) = (0, 0, String::new());
    for (path, text, dialect) in &found {
        let ours = parse(text, *dialect);
        if let Err(error) = &ours
            && error.kind == ErrorKind::Unsupported
        {
            unsupported += 1;
            println!("{}: {error}", path.display());
            continue;
        }
        let Some(theirs) = accepts(*dialect, path.as_os_str()) else { continue };
        read += usize::from(theirs);
        if ours.is_ok() != theirs && !(ours.is_ok() && needs_extglob(text)) {
            let path = String::from_utf8_lossy(path.as_os_str().as_bytes());
            different += &format!("{path}: {ours:?}, its shell: {theirs}\n");
        }
    }
    println!("{} scripts: {read} read, {unsupported} for their own shells", found.len());
    assert!(different.is_empty(), "{different}");
}
