//! A process that runs already.

use std::process::{Child, Command, Stdio};

use fewer_trace::source::{Ending, Options, Subject, Target};
use fewer_trace::{Event, Name};

use super::fixture::{compiled, watched};
use super::tracer::{status_line, until};

struct Running(Child);

/// Waits until the first thread of a process has ended; nobody has asked for its status then.
fn wait_for_its_end(process: &Running) {
    until(|| status_line(process.0.id(), "State:")?.starts_with('Z').then_some(()));
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

/// Its number is that of the process, of which /proc then knows little by that.
#[test]
fn the_first_thread_may_have_ended() {
    let mut process = Command::new(compiled("headless", &[]));
    let process = Running(process.current_dir("/etc").spawn().unwrap());
    wait_for_its_end(&process);
    let run = watched(&Subject::Running(vec![Target::Process(process.0.id())]), false);
    assert_eq!(run.ending, Ending::Exited(7));
    assert!(run.files(Name::Openat).contains(&"/etc/passwd".to_owned()));
    let program = run.events.iter().find_map(|event| match event {
        Event::Process(process) => Some(run.path(process.program)),
        _ => None,
    });
    assert!(program.is_some_and(|program| program.ends_with("/headlesscc")));
}

#[test]
fn a_process_that_is_not_there_is_an_error() {
    let mut gone = Running(Command::new("true").spawn().unwrap());
    gone.0.wait().unwrap();
    // Its parent has not waited for it.
    let ended = Running(Command::new("true").spawn().unwrap());
    wait_for_its_end(&ended);
    for number in [gone.0.id(), ended.0.id(), 0, u32::MAX] {
        let subject = Subject::Running(vec![Target::Process(number)]);
        let error =
            fewer_trace::source::trace(&subject, &Options::default(), &mut |_| {}).unwrap_err();
        let expected = format!("cannot trace process '{number}': No such process");
        assert_eq!(error.to_string(), expected);
    }
}
