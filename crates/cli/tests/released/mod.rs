//! The released binary, which these tests compare with other programs.

use std::path::PathBuf;

/// Its path: beside the test, which is in TARGET/debug/deps.
pub(crate) fn released() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let fewer = here.ancestors().nth(3).unwrap().join("release/fewer");
    assert!(fewer.is_file(), "{} is missing: cargo build --release", fewer.display());
    fewer
}
