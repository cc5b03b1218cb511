//! A process that runs already.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fewer_trace::Name;
use fewer_trace::source::{Ending, Options, Subject, Target};

use super::fixture::{compiled, watched};

struct Running(Child);

impl Running {
    /// Waits until its first thread has ended. Nobody has asked for the status then.
    fn ends(&self) {
        let status = format!("/proc/{}/status", self.0.id());
        while !std::fs::read_to_string(&status).unwrap().contains("State:\tZ") {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Of a script that begins as soon as it is watched.
fn running(script: &str) -> Running {
    let script = format!("while grep -q 'TracerPid:.0' /proc/$$/status; do :; done; {script}");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &script]).current_dir("/usr").stdin(Stdio::null()).stdout(Stdio::null());
    Running(shell.spawn().unwrap())
}

#[test]
fn a_process_is_watched_until_it_ends() {
    let shell = running("exec 7</etc; cd share; cat /proc/self/stat <&7; : < doc; exit 9");
    let run = watched(&Subject::Running(vec![Target::Process(shell.0.id())]), false);
    assert_eq!(run.ending, Ending::Exited(9));
    let opened = run.files(Name::Openat);
    assert!(opened.contains(&"/usr/share/doc".to_owned()), "{opened:?}");
    assert!(run.files(Name::Dup2).contains(&"/etc".to_owned()));
    assert!(run.named(Name::Execve).any(|call| run.path(call.path).ends_with("/cat")));
}

#[test]
fn all_threads_are_watched() {
    let _ = compiled("threads", &[]);
    let program = compiled("threads", &[]);
    let shell = running(&format!("exec '{}'", program.display()));
    let run = watched(&Subject::Running(vec![Target::Process(shell.0.id())]), false);
    let reads = run.files(Name::Read).iter().filter(|path| *path == "/etc/passwd").count();
    assert_eq!(reads, 800);
}

/// Its number is that of the process.
#[test]
fn the_first_thread_may_have_ended() {
    let _ = compiled("headless", &[]);
    let mut process = Command::new(compiled("headless", &[]));
    let process = Running(process.stdout(Stdio::piped()).spawn().unwrap());
    process.ends();
    let run = watched(&Subject::Running(vec![Target::Process(process.0.id())]), false);
    assert!(run.files(Name::Openat).contains(&"/etc/passwd".to_owned()));
}

#[test]
fn a_process_that_is_not_there_is_an_error() {
    let mut gone = Running(Command::new("true").spawn().unwrap());
    gone.0.wait().unwrap();
    // Its parent has not waited for it.
    let ended = Running(Command::new("true").spawn().unwrap());
    ended.ends();
    for number in [gone.0.id(), ended.0.id(), 0, u32::MAX] {
        let subject = Subject::Running(vec![Target::Process(number)]);
        let error =
            fewer_trace::source::trace(&subject, &Options::default(), &mut |_| {}).unwrap_err();
        let expected = format!("cannot trace process '{number}': No such process");
        assert_eq!(error.to_string(), expected);
    }
}
