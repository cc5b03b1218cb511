//! The file system that answers late: it shows the tree as it is, answers do not wait for each
//! other, and nothing stays mounted.

// Tests may; those of this file have helpers, which clippy does not take for tests.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Instant;

/// A folder of five directories with twenty files and a link each.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("delayfs-{name}-{}", std::process::id()));
        for directory in 0..5 {
            let directory = path.join(format!("d{directory}"));
            std::fs::create_dir_all(&directory).unwrap();
            for file in 0..20 {
                std::fs::write(directory.join(format!("f{file}")), "x").unwrap();
            }
            std::os::unix::fs::symlink("f0", directory.join("link")).unwrap();
        }
        Folder(path)
    }

    /// Runs a shell command in it, behind a delay; None where that cannot be.
    fn delayed(&self, milliseconds: u32, command: &str) -> Option<Output> {
        let delay = milliseconds.to_string();
        let output = Command::new(env!("CARGO_BIN_EXE_delayfs"))
            .args([&delay, ".", "--", "sh", "-c", "cd \"$0\" && eval \"$1\""])
            .args([&*self.0.to_string_lossy(), command])
            .current_dir(&self.0)
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        if complaint.contains("not permitted") || complaint.contains("/dev/fuse") {
            eprintln!("skipped: it needs root and FUSE: {complaint}");
            return None;
        }
        Some(output)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Names, kinds, sizes, modes, times, owners and link targets.
const LOOK: &str = "find . -printf '%P %y %s %m %T@ %U %n %l\\n' | sort";

#[test]
fn it_shows_the_tree_as_it_is_and_nothing_stays_mounted() {
    let folder = Folder::new("same");
    let Some(output) = folder.delayed(1, LOOK) else { return };
    let plain = Command::new("sh").args(["-c", LOOK]).current_dir(&folder.0).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&plain.stdout));
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1 + 5 * 22);
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
    assert!(!mounts.contains("delayfs-same"), "{mounts}");
}

/// Twenty questions and more, which one after the other would take 8 s. A busy machine may take
/// long for other reasons, but not each time.
#[test]
fn answers_do_not_wait_for_each_other() {
    let folder = Folder::new("at-once");
    let command = "for f in d0/f*; do stat $f >/dev/null & done; wait; exit 7";
    let mut seconds = Vec::new();
    for _ in 0..3 {
        let started = Instant::now();
        let Some(output) = folder.delayed(400, command) else { return };
        assert_eq!(output.status.code(), Some(7), "it ends as the command does");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let asked = said.split_once("delayfs: ").and_then(|(_, rest)| rest.split_once(' '));
        let asked: u32 = asked.unwrap().0.parse().unwrap();
        assert!(asked >= 20, "{said}");
        seconds.push(started.elapsed().as_secs_f64());
        assert!(seconds.iter().all(|seconds| *seconds >= 0.4));
        if seconds.iter().any(|seconds| *seconds < 6.0) {
            return;
        }
    }
    panic!("{seconds:?} s");
}
