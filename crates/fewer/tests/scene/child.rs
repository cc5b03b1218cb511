//! Tests that need a process of their own: with few descriptors, as another user, alone.
//!
//! The test binary starts itself again for one test, which knows from its environment that it is
//! the child, and where to work.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::copy_program;

const PLACE: &str = "FEWER_TEST_PLACE";

/// The folder to work in, if this is a child.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

/// Runs the test called `test` of this binary in a process of its own, started by `wrapper` (which
/// gets the program and its arguments behind its own), and fails if it fails.
#[track_caller]
pub(crate) fn run(wrapper: &[&str], test: &str, place: &Path) {
    let program = std::env::current_exe().unwrap();
    run_program(wrapper, &program, test, place, &[]);
}

/// As [`run`], with a copy of this binary that every user may run, and more in the environment.
#[track_caller]
pub(crate) fn run_as_nobody(wrapper: &[&str], test: &str, place: &Path) {
    let program = place.join("test-binary");
    std::fs::set_permissions(place, PermissionsExt::from_mode(0o755)).unwrap();
    copy_program(&std::env::current_exe().unwrap(), &program).unwrap();
    run_program(wrapper, &program, test, place, &[]);
}

/// As [`run`], with more in the environment.
#[track_caller]
pub(crate) fn run_with(env: &[(&str, &Path)], test: &str, place: &Path) {
    let program = std::env::current_exe().unwrap();
    run_program(&[], &program, test, place, env);
}

#[track_caller]
fn run_program(wrapper: &[&str], program: &Path, test: &str, place: &Path, env: &[(&str, &Path)]) {
    let mut command = match wrapper {
        [] => Command::new(program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
    };
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env(PLACE, place).envs(env.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let ran = text.contains("1 passed");
    assert!(
        output.status.success() && ran,
        "{test} in its own process ({:?}): {}\n{text}\n{}",
        wrapper,
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    // What was skipped.
    let _ = std::io::stderr().write_all(&output.stderr);
}

/// A wrapper that limits the number of descriptors.
pub(crate) fn with_descriptors(limit: u32) -> [String; 3] {
    ["sh".into(), "-c".into(), format!("ulimit -n {limit} && exec \"$0\" \"$@\"")]
}
