//! Archives that are the same, byte for byte, whenever and by whomever they are made.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Release;
use crate::checkout;

/// Packs what is below a folder: owned by root, in the order of names, all of one time.
pub(super) fn tar(release: &Release, folder: &Path, what: &str, to: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u+w,go=u-w", "-I", "gzip -9n", &format!("--mtime=@{}", release.time)]);
    tar.arg("-C").arg(folder).arg("-cf").arg(to).arg(what);
    checkout::output(&mut tar).map(drop)
}

/// Packs what is below a folder for Windows. A zip has no owners, and times from 1980 on, without a
/// zone.
pub(super) fn zip(release: &Release, folder: &Path, to: &Path) -> Result<(), String> {
    let mut python = Command::new("python3");
    python.args(["-c", ZIP]).arg(folder).arg(to).arg(&release.time);
    checkout::output(&mut python).map(drop)
}

const ZIP: &str = r#"
import os, sys, time, zipfile
folder, to, seconds = sys.argv[1:]
when = max(time.gmtime(int(seconds))[:6], (1980, 1, 1, 0, 0, 0))
names = sorted(os.path.relpath(os.path.join(top, name), folder)
               for top, _, files in os.walk(folder) for name in files)
with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for name in names:
        entry = zipfile.ZipInfo(name, when)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        with open(os.path.join(folder, name), "rb") as file:
            packed.writestr(entry, file.read())
"#;

/// Puts files into an ar archive, as a Debian package is one.
pub(super) fn ar(release: &Release, files: &[&Path], to: &Path) -> Result<(), String> {
    let mut archive = b"!<arch>\n".to_vec();
    for file in files {
        let content = fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        archive.extend(header(&name, &release.time, content.len()).into_bytes());
        archive.extend(&content);
        // Each member begins at an even place.
        archive.extend(vec![b'\n'; content.len() % 2]);
    }
    fs::write(to, archive).map_err(|why| format!("{}: {why}", to.display()))
}

fn header(name: &str, time: &str, size: usize) -> String {
    format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, "100644")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_header_is_sixty_bytes() {
        let header = super::header("control.tar.gz", "1700000000", 123_456);
        assert_eq!(header.len(), 60);
        assert!(header.starts_with("control.tar.gz  1700000000  0     0     100644  123456    `"));
    }
}
