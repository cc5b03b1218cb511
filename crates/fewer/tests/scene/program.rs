//! Programs that a test makes and runs.

use std::path::Path;
use std::process::Command;

/// Copies a program to where everybody may run it. Not by a descriptor of this process: a child
/// that another test starts meanwhile has it open until its `execve`, and a file that is open for
/// writing cannot be run (`ETXTBSY`).
#[track_caller]
pub(crate) fn copy_program(from: &Path, to: &Path) {
    let status = Command::new("install").args(["-m", "755", "--"]).args([from, to]).status();
    assert!(status.unwrap().success(), "{} is copied", from.display());
}
