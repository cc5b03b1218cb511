//! How large the released programs are without symbols. Bytes, unlike times, are the same on every
//! machine with this compiler.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

/// A file of the release folder, and the most bytes that it may have.
const LIMITS: &[(&str, u64)] = &[("fewer", 8_388_608), ("libfewer.so", 2_621_440)];

#[test]
fn released_programs_are_small() {
    let here = std::env::current_exe().unwrap();
    // This test is in TARGET/debug/deps.
    let release = here.ancestors().nth(3).unwrap().join("release");
    let folder = tempfile::tempdir().unwrap();
    for (name, limit) in LIMITS {
        let stripped = folder.path().join(name);
        strip(&release.join(name), &stripped);
        let bytes = std::fs::metadata(&stripped).unwrap().len();
        assert!(bytes <= *limit, "{name}: {bytes} bytes; at most {limit}");
    }
}

fn strip(program: &Path, stripped: &Path) {
    let mut strip = Command::new("strip");
    let status = strip.arg("-o").arg(stripped).arg(program).status().unwrap();
    assert!(status.success(), "{} is missing: cargo build --release", program.display());
}
