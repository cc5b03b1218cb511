//! The command with its manual and completions, as a tree that fits below any prefix; and archives
//! of static ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Made, Release, archive, copy, third_party, write};
use crate::checkout;

/// Builds the command; for this machine with its own C library if no triple is given.
pub(super) fn build(release: &Release, triple: Option<&str>) -> Result<PathBuf, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--locked", "--quiet", "--package=fewer-cli", "--bin=fewer"]);
    cargo.args(["--profile", &release.profile]).args(triple.map(|it| format!("--target={it}")));
    cargo.current_dir(&release.root).env("CARGO_TARGET_DIR", &release.target);
    checkout::output(&mut cargo)?;
    Ok(release.built(triple).join("fewer"))
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

/// An archive with a static program, to be unpacked below a prefix.
pub(super) fn make(release: &Release, triple: &str) -> Result<Made, String> {
    let mut libraries = Command::new("rustc");
    libraries.args(["--print", "target-libdir", "--target", triple]).current_dir(&release.root);
    let libraries = checkout::output(&mut libraries)?;
    if !Path::new(String::from_utf8_lossy(&libraries).trim()).is_dir() {
        return Ok(Made::Skipped(format!("not installed: rustup target add {triple}")));
    }
    let speaker = build(release, None)?;
    let name = format!("fewer-{}-{triple}", release.version);
    let folder = release.folder(&name)?;
    let prefix = folder.join(&name);
    tree(&build(release, Some(triple))?, &speaker, &prefix, "share/zsh/site-functions")?;
    // The pages that README.md links to, and their picture.
    let mut files = checkout::files(&release.root)?;
    files.retain(|file| file.starts_with("docs/") && !file.ends_with("book.toml"));
    files.extend(["LICENSE-APACHE", "LICENSE-MIT", "README.md"].map(str::to_owned));
    for file in files {
        copy(&release.root.join(&file), &prefix.join("share/doc/fewer").join(file))?;
    }
    let licences = third_party::text(release, "fewer-cli")?;
    write(&prefix.join("share/doc/fewer").join(third_party::NAME), licences)?;
    let archive = format!("{name}.tar.gz");
    archive::tar(release, &folder, &name, &release.out.join(&archive))?;
    Ok(Made::Files(vec![archive]))
}
