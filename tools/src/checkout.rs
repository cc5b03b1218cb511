//! The checkout: its root, its files, its target folder; and the programs in PATH.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A home for programs that are run here: no user, not even root, can make it, so they leave
/// nothing there.
pub(crate) const NO_HOME: &str = "/proc/nonexistent";

/// The checkout that this chore is for: the one that `cargo run` found, else the one around the
/// current directory. Not the one it was built in, which may share its target folder with others.
pub(crate) fn root() -> Result<PathBuf, String> {
    let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => PathBuf::from(package),
        None => std::env::current_dir().map_err(|why| format!("no current directory: {why}"))?,
    };
    let mut above = start.ancestors();
    above
        .find(|folder| folder.join("tools/Cargo.toml").is_file())
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} is not in a checkout", start.display()))
}

/// Cargo's output folder, wherever CARGO_TARGET_DIR or a cargo configuration put it.
pub(crate) fn target(root: &Path) -> Result<PathBuf, String> {
    let metadata = cargo_metadata(&root.join("Cargo.toml"), &["--no-deps"])?;
    metadata["target_directory"]
        .as_str()
        .map(PathBuf::from)
        .ok_or_else(|| "cargo metadata names no target_directory".to_owned())
}

/// The files in the repository: tracked ones, and new ones that are not ignored.
pub(crate) fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "-c", "-o", "--exclude-standard"]);
    let listed = output(&mut git)?;
    let mut files: Vec<String> = listed
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .filter(|name| root.join(name).is_file())
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

pub(crate) fn cargo_metadata(
    manifest: &Path,
    arguments: &[&str],
) -> Result<serde_json::Value, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest);
    let json = output(cargo.args(arguments))?;
    serde_json::from_slice(&json).map_err(|error| format!("cargo metadata: {error}"))
}

/// The standard output of a command that has to succeed.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("cannot run {program}: {error}"))?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let why = String::from_utf8_lossy(&done.stderr);
    Err(format!("{program} failed, {}: {}", done.status, why.trim_end()))
}

/// Whether a program of this name is in PATH.
pub(crate) fn has_program(name: &str) -> bool {
    program(name).is_ok()
}

/// The path of a program in PATH.
pub(crate) fn program(name: &str) -> Result<PathBuf, String> {
    fewer::path::find_program(None, name).map_err(|_| format!("{name} is not installed"))
}

/// The owner of /proc/self is the effective user of this process.
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}
