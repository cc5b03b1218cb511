//! Unpacks an archive of the command and runs the program, by whatever runs it here. One for macOS
//! is only looked at.

use std::path::Path;
use std::process::Command;

use super::targets::{Runner, System, Target};
use super::{Release, Tried, trial};
use crate::checkout;

pub(super) fn run(release: &Release, target: &Target) -> Result<Tried, String> {
    let folder = release.folder(&format!("{}-trial", target.name))?;
    let archive = release.out.join(target.archive(release));
    trial::script(&folder, &[("ARCHIVE", &archive)], UNPACK)?;
    let unpacked = folder.join("unpacked");
    let files = checked_files(target.system);
    if let Some(missing) = files.iter().find(|file| !unpacked.join(file).is_file()) {
        return Err(format!("{missing} is not in the archive"));
    }
    let (words, wine) = match &target.runner {
        Runner::Look(processor) => return look(release, &unpacked, processor),
        Runner::Native => (String::new(), Path::new("")),
        Runner::Emulator(program, library) => {
            if !checkout::has_program(program) {
                return Ok(Tried::Skipped(format!("{program} is not installed")));
            }
            match library {
                Some(library) if !Path::new(library).is_dir() => {
                    return Ok(Tried::Skipped(format!("there is no C library in {library}")));
                }
                Some(library) => (format!("{program} -L {library}"), Path::new("")),
                None => ((*program).to_owned(), Path::new("")),
            }
        }
        Runner::Wine if !checkout::has_program("wine") => {
            return Ok(Tried::Skipped("wine is not installed".to_owned()));
        }
        Runner::Wine => ("wine".to_owned(), &*release.root.join("tools/wine/prefix")),
    };
    let program = if target.system == System::Windows { "fewer.exe" } else { "bin/fewer" };
    let version = format!("fewer {}", release.version);
    let variables = [
        ("RUNNER", Path::new(&words)),
        ("WINE", wine),
        ("PROGRAM", &unpacked.join(program)),
        ("VERSION", Path::new(&version)),
    ];
    trial::script(&folder, &variables, RUN)?;
    Ok(Tried::Fine)
}

const UNPACK: &str = r#"
mkdir raw
case $ARCHIVE in
*.zip) python3 -m zipfile -e "$ARCHIVE" raw ;;
*) tar -C raw -xzf "$ARCHIVE" ;;
esac
# All is below one folder.
mv raw/* unpacked
rmdir raw
"#;

/// What each archive has, but for the program.
fn checked_files(system: System) -> &'static [&'static str] {
    match system {
        System::Linux => &[
            "share/man/man1/fewer-walk.1", "share/fewer/completions/fewer.ps1",
            "share/doc/fewer/LICENSE-MIT", "share/doc/fewer/THIRD-PARTY",
        ],
        System::MacOs => &[
            "lib/libfewer.dylib", "lib/libfewer.1.dylib", "include/fewer.h",
            "share/man/man1/fewer-walk.1", "share/doc/fewer/LICENSE-MIT",
            "share/doc/fewer/THIRD-PARTY",
        ],
        System::Windows => &[
            "fewer.dll", "lib/libfewer.dll.a", "include/fewer.h", "completions/fewer.ps1",
            "LICENSE-MIT", "THIRD-PARTY", "docs/windows.md",
        ],
    }
}

/// `$PWD` is a folder with the unpacked archive. A program for Windows is started with a Wine of
/// its own, which ends with the script.
const RUN: &str = r#"
if [ "$WINE" != '' ]; then
    trap '"$WINE" --end "$PWD/wine"' EXIT
    "$WINE" "$PWD/wine"
    export WINEPREFIX=$PWD/wine WINEDEBUG=-all LC_ALL=C.UTF-8
fi
# The runner is some words.
run() {
    timeout 120 $RUNNER "$PROGRAM" "$@" | tr -d '\r'
}
mkdir -p tree/a/b 'tree/two words' tree/ü
touch tree/a/one tree/a/b/.hidden 'tree/two words/x' tree/ü/ñ
[ "$(run --version | head -n 1)" = "$VERSION" ]
[ "$(run walk tree | sort)" = "$(find tree | sort)" ]
[ "$(run walk -t d tree | sort)" = "$(find tree -type d | sort)" ]
"#;

/// The program and the library say for which processor and system they are, and what they need.
fn look(release: &Release, unpacked: &Path, processor: &str) -> Result<Tried, String> {
    let folder = unpacked.with_file_name("images");
    for file in ["bin/fewer", "lib/libfewer.dylib"] {
        let from = unpacked.join(file);
        super::copy(&from, &folder.join(from.file_name().unwrap_or_default()))?;
    }
    let mut check = Command::new(release.root.join("tools/macos-check"));
    checkout::output(check.arg(processor).arg(&folder))?;
    Ok(Tried::Skipped("it runs on macOS only; it was looked at".to_owned()))
}
