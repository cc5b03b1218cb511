//! The command with its manual and completions, as a tree that fits below any prefix; and archives
//! of it for each target.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::targets::{System, Target};
use super::{Release, archive, copy, third_party, write};
use crate::checkout;

/// Builds the command; for this machine with its own C library if no target is given.
pub(super) fn build(release: &Release, target: Option<&Target>) -> Result<PathBuf, String> {
    let mut cargo = cargo(release, target);
    cargo.args(["--package=fewer-cli", "--bin=fewer"]);
    checkout::output(&mut cargo)?;
    let built = release.built(target.map(|target| target.triple));
    let is_windows = target.is_some_and(|target| target.system == System::Windows);
    Ok(built.join(if is_windows { "fewer.exe" } else { "fewer" }))
}

/// Builds libfewer, which catches panics, and returns the folder it is in.
fn build_library(release: &Release, target: &Target) -> Result<PathBuf, String> {
    let mut cargo = cargo(release, Some(target));
    let unwinding = format!("profile.{}.panic='unwind'", release.profile);
    checkout::output(cargo.args(["--package=fewer-ffi", "--config", &unwinding]))?;
    Ok(release.built(Some(target.triple)))
}

fn cargo(release: &Release, target: Option<&Target>) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--locked", "--quiet", "--profile", &release.profile]);
    cargo.current_dir(&release.root).env("CARGO_TARGET_DIR", &release.target);
    if let Some(target) = target {
        target.prepare(release, &mut cargo);
    }
    cargo
}

/// The names of all verbs, as the manual lists their pages.
pub(super) fn verbs(program: &Path) -> Result<Vec<String>, String> {
    let page = print(program, &["man"])?;
    let named = page
        .lines()
        .filter_map(|line| line.strip_prefix("fewer\\-")?.strip_suffix("(1)").map(str::to_owned));
    let verbs: Vec<String> = named.filter(|name| name != "help").collect();
    if verbs.is_empty() { Err("the manual names no verb".to_owned()) } else { Ok(verbs) }
}

/// Puts a program below a prefix, and what `speaker` (the same, for this machine) says about it:
/// pages of the manual for all verbs, and completions, those for zsh in `zsh`.
pub(super) fn tree(program: &Path, speaker: &Path, prefix: &Path, zsh: &str) -> Result<(), String> {
    copy(program, &prefix.join("bin/fewer"))?;
    let pages = prefix.join("share/man/man1");
    write(&pages.join("fewer.1"), print(speaker, &["man"])?)?;
    for verb in verbs(speaker)? {
        write(&pages.join(format!("fewer-{verb}.1")), print(speaker, &["man", &verb])?)?;
    }
    let completions = [
        ("bash", "share/bash-completion/completions/fewer".to_owned()),
        ("zsh", format!("{zsh}/_fewer")),
        ("fish", "share/fish/vendor_completions.d/fewer.fish".to_owned()),
        // PowerShell looks nowhere by itself.
        ("powershell", "share/fewer/completions/fewer.ps1".to_owned()),
    ];
    for (shell, place) in completions {
        write(&prefix.join(place), print(speaker, &["completions", shell])?)?;
    }
    Ok(())
}

/// What the program prints.
fn print(program: &Path, words: &[&str]) -> Result<String, String> {
    let printed = checkout::output(Command::new(program).args(words))?;
    String::from_utf8(printed).map_err(|why| format!("{words:?}: {why}"))
}

/// An archive of the program, to be unpacked below a prefix, for systems that it is published for
/// with the library for C.
pub(super) fn make(release: &Release, target: &Target) -> Result<Vec<String>, String> {
    target.install(release);
    if let Some(command) = target.missing(release)? {
        return Err(format!("not installed: {command}"));
    }
    let speaker = build(release, None)?;
    let program = build(release, Some(target))?;
    let name = target.stem(release);
    let folder = release.folder(&name)?;
    let prefix = folder.join(&name);
    let documents = match target.system {
        System::Windows => {
            windows_tree(&program, &speaker, &prefix)?;
            prefix.clone()
        }
        System::Linux | System::MacOs => {
            tree(&program, &speaker, &prefix, "share/zsh/site-functions")?;
            prefix.join("share/doc/fewer")
        }
    };
    library(release, target, &prefix)?;
    document(release, target, &documents)?;
    let archive = target.archive(release);
    let to = release.out.join(&archive);
    match target.system {
        System::Windows => archive::zip(release, &folder, &to)?,
        System::Linux | System::MacOs => archive::tar(release, &folder, &name, &to)?,
    }
    Ok(vec![archive])
}

/// What is said of the verbs of this machine holds for the others, but for the verbs that are there
/// on Linux only; those say so.
fn windows_tree(program: &Path, speaker: &Path, folder: &Path) -> Result<(), String> {
    copy(program, &folder.join("fewer.exe"))?;
    let script = print(speaker, &["completions", "powershell"])?;
    write(&folder.join("completions/fewer.ps1"), script)
}

/// The library for C. On Linux it has an archive of its own, since programs there are static.
fn library(release: &Release, target: &Target, prefix: &Path) -> Result<(), String> {
    let files: &[(&str, &str)] = match target.system {
        System::Linux => return Ok(()),
        System::Windows => &[("fewer.dll", "fewer.dll"), ("libfewer.dll.a", "lib/libfewer.dll.a")],
        // The second is what programs ask for when they start, the first what they are linked with.
        System::MacOs => {
            &[("libfewer.dylib", "lib/libfewer.dylib"), ("libfewer.dylib", "lib/libfewer.1.dylib")]
        }
    };
    let built = build_library(release, target)?;
    for (file, place) in files {
        copy(&built.join(file), &prefix.join(place))?;
    }
    let mut headers = checkout::files(&release.root)?;
    headers.retain(|file| file.starts_with("include/"));
    headers.iter().try_for_each(|file| copy(&release.root.join(file), &prefix.join(file)))
}

/// The pages that README.md links to, their picture, and licences.
fn document(release: &Release, target: &Target, folder: &Path) -> Result<(), String> {
    let mut files = checkout::files(&release.root)?;
    files.retain(|file| file.starts_with("docs/") && !file.ends_with("book.toml"));
    files.extend(["LICENSE-APACHE", "LICENSE-MIT", "README.md"].map(str::to_owned));
    for file in files {
        copy(&release.root.join(&file), &folder.join(file))?;
    }
    let licences = third_party::text(release, "fewer-cli", target.triple)?;
    write(&folder.join(third_party::NAME), licences)
}
