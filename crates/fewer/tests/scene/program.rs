//! Programs that a test makes and runs.

use std::path::Path;
use std::process::Command;

/// Copies a program to where everybody may run it. Not by a descriptor of this process: a child
/// that another test starts meanwhile has it open until its `execve`, and a file that is open for
/// writing cannot be run (`ETXTBSY`).
pub(crate) fn copy_program(from: &Path, to: &Path) -> Result<(), String> {
    let output = Command::new("install").args(["-m", "755", "--"]).args([from, to]).output();
    let output = output.map_err(|why| format!("install: {why}"))?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(errors) }
}
