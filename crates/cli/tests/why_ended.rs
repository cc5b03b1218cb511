//! What is to end `fewer count` ends the program, also if that makes calls all the time.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use folder::{Folder, send, wait_until};

/// As `timeout` does: the program itself gets no signal from elsewhere.
#[test]
fn a_signal_for_the_tracer_alone_reaches_the_program() {
    for tier in ["ptrace", "agent"] {
        let folder = Folder::new();
        let script = "echo >ready; exec dd if=/dev/zero of=/dev/null bs=1";
        let words = ["count", "--tier", tier, "-o", "counts", "sh", "-c", script];
        let mut fewer = folder.command(&words);
        fewer.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut fewer = fewer.spawn().unwrap();
        wait_until("it runs", || folder.0.join("ready").exists());
        // Now it makes calls all the time, whatever else the machine does; if not, it ends all the
        // same.
        std::thread::sleep(Duration::from_secs(1));
        send(fewer.id(), "TERM");
        let began = Instant::now();
        while fewer.try_wait().unwrap().is_none() {
            if began.elapsed() > Duration::from_secs(60) {
                let group = format!("-{}", fewer.id());
                let _ended = Command::new("kill").args(["-s", "KILL", "--", &group]).status();
                panic!("--tier {tier}: it runs on");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let counts = std::fs::read_to_string(folder.0.join("counts")).unwrap();
        assert!(counts.contains(" write"), "--tier {tier}: {counts}");
    }
}
