//! The Debian package: made by tar alone, without root and without Debian's tools. It has no
//! scripts, so what it installs is what its list of files says.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Release, archive, copy, programs, sbom, third_party, write};
use crate::checkout;

/// What Debian calls the machine that this runs on.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

pub(super) fn make(release: &Release) -> Result<Vec<String>, String> {
    let program = programs::build(release, None)?;
    let folder = release.folder("deb")?;
    let (data, control) = (folder.join("data"), folder.join("control"));
    programs::tree(&program, &program, &data.join("usr"), "share/zsh/vendor-completions")?;
    let documents = data.join("usr/share/doc/fewer");
    copy(&release.root.join("CHANGELOG.md"), &documents.join("changelog"))?;
    write(&documents.join("copyright"), copyright(&release.root)?)?;
    let licences = third_party::text(release, "fewer-cli", sbom::LINUX)?;
    write(&documents.join(third_party::NAME), licences)?;
    let script = "gzip -9n usr/share/man/man1/* usr/share/doc/fewer/changelog; \
                  find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2 >../control/md5sums; \
                  du -sk usr | cut -f 1";
    fs::create_dir_all(&control).map_err(|why| why.to_string())?;
    let size = checkout::output(Command::new("sh").args(["-ec", script]).current_dir(&data))?;
    let needs = newest_glibc(&fs::read(&program).map_err(|why| why.to_string())?)
        .map_or(String::new(), |(major, minor)| format!("Depends: libc6 (>= {major}.{minor})\n"));
    let (version, architecture) = (&release.version, architecture());
    let text = format!(
        "Package: fewer\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: {}\nInstalled-Size: {}\n{needs}\
         Section: utils\nPriority: optional\n\
         Description: file-system work in the fewest system calls\n \
         Walks trees, lists directories, reads lines and runs shell scripts with as few\n \
         system calls as the kernel allows, and shows which calls other programs waste.\n",
        maintainer(),
        String::from_utf8_lossy(&size).trim()
    );
    write(&control.join("control"), text)?;
    let (format, packed) = (folder.join("debian-binary"), folder.join("data.tar.gz"));
    write(&format, "2.0\n")?;
    archive::tar(release, &data, ".", &packed)?;
    let head = folder.join("control.tar.gz");
    archive::tar(release, &control, ".", &head)?;
    let name = format!("fewer_{version}_{architecture}.deb");
    archive::ar(release, &[&format, &head, &packed], &release.out.join(&name))?;
    Ok(vec![name])
}

fn copyright(root: &Path) -> Result<String, String> {
    let mit = fs::read_to_string(root.join("LICENSE-MIT")).map_err(|why| why.to_string())?;
    Ok(format!(
        "fewer is licensed under the MIT licence or the Apache License 2.0, at your choice. The\n\
         second is in /usr/share/common-licenses/Apache-2.0. THIRD-PARTY beside this file has the\n\
         licences of what it is built from. The first:\n\n{mit}"
    ))
}

/// Whose package it is: as Debian's own tools find that out, or an address that leads nowhere, for
/// a package that stays here.
fn maintainer() -> String {
    let name = std::env::var("DEBFULLNAME").unwrap_or_else(|_| "The authors of fewer".into());
    let address = std::env::var("DEBEMAIL").unwrap_or_else(|_| "fewer@localhost".into());
    format!("{name} <{address}>")
}

/// The newest version of the GNU C library of which the program needs a symbol.
fn newest_glibc(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let versions = memchr::memmem::find_iter(program, MARK).filter_map(|at| {
        let rest = &program[at + MARK.len()..];
        let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'.'))?;
        let (major, minor) = std::str::from_utf8(&rest[..end]).ok()?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::newest_glibc;

    #[test]
    fn versions_are_compared_as_numbers() {
        let newest = newest_glibc(b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0");
        assert_eq!(newest, Some((2, 34)));
        assert_eq!(newest_glibc(b"static"), None);
    }
}
