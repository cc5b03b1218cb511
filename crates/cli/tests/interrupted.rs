//! Ctrl-C while something is printed: the command ends by the signal, as find and ls do, and what
//! was written is how the whole output begins.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Stdio;
use std::time::Duration;

use folder::Folder;

/// More than a pipe and the blocks of a command hold: a command that prints it all has to wait.
fn large() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("d")).unwrap();
    for number in 0..6000 {
        folder.write(&format!("d/{number:0>200}"), "");
    }
    folder.write("lines", &(0..400_000).map(|line| format!("{line}\n")).collect::<String>());
    folder
}

#[test]
fn ctrl_c_ends_the_command_and_what_was_written_stays() {
    let folder = large();
    for words in [
        &["walk", "--sort", "d"][..],
        &["walk", "--sort", "--json", "d"],
        &["ls", "-l", "d"],
        &["ls", "-R", "d"],
        &["lines", "lines"],
        &["lines", "--number", "lines"],
    ] {
        let whole = folder.fewer(words).stdout;
        let mut fewer = folder.command(words);
        let mut fewer = fewer.stdout(Stdio::piped()).process_group(0).spawn().unwrap();
        let mut pipe = fewer.stdout.take().unwrap();
        let mut written = vec![0; 4096];
        pipe.read_exact(&mut written).unwrap();
        // By now it waits for its reader.
        std::thread::sleep(Duration::from_millis(100));
        let kill = ["-s", "INT", "--", &format!("-{}", fewer.id())].map(str::to_owned);
        assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
        pipe.read_to_end(&mut written).unwrap();
        assert_eq!(fewer.wait().unwrap().signal(), Some(2), "{words:?}");
        assert!(written.len() < whole.len() && whole.starts_with(&written), "{words:?}");
    }
}
