//! A tracer of its own, so that it can be sent signals, killed, and run without privilege.

use std::fmt::Write as _;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use fewer_trace::source::{Subject, Target};

use super::fixture::{compiled, quietly, watched};

/// Not a test: what the tests below start. It traces what its environment says, and writes down
/// how that ended, and the notes.
#[test]
#[ignore = "it is a tracer for other tests"]
fn tracer() {
    let variable = |name| std::env::var(name).unwrap();
    let place = variable("FEWER_TEST_PLACE");
    let place = Path::new(&place);
    let subject = match std::env::var("FEWER_TEST_PROCESS") {
        Ok(process) => Subject::Running(vec![Target::Process(process.parse().unwrap())]),
        Err(_) => Subject::Command(quietly(
            place,
            &["/bin/sh", "-c", &format!("echo $$ > process; {}", variable("FEWER_TEST_SCRIPT"))],
        )),
    };
    let run = watched(&subject, false);
    let mut text = format!("{:?}\n", run.ending);
    for note in run.notes() {
        writeln!(text, "{} {}", note.id, note.text).unwrap();
    }
    std::fs::write(place.join("ending"), text).unwrap();
}

struct Tracer {
    child: Child,
    place: tempfile::TempDir,
}

impl Tracer {
    fn of(script: &str) -> Tracer {
        Tracer::start(&[], &[("FEWER_TEST_SCRIPT", script)])
    }

    fn start(before: &[&str], variables: &[(&str, &str)]) -> Tracer {
        let place = tempfile::tempdir().unwrap();
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(place.path(), everybody).unwrap();
        let program = std::env::current_exe().unwrap();
        let mut words: Vec<_> = before.iter().map(std::ffi::OsString::from).collect();
        words.push(program.into());
        let child = Command::new(&words[0])
            .args(&words[1..])
            .args(["--ignored", "--exact", "tracer::tracer"])
            .env("FEWER_TEST_PLACE", place.path())
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        Tracer { child, place }
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.place.path().join(name)).unwrap_or_default()
    }

    /// Waits until a file has something in it.
    fn wait_for(&self, name: &str) -> String {
        until(|| Some(self.read(name)).filter(|text| text.ends_with('\n')))
    }

    fn process(&self) -> u32 {
        self.wait_for("process").trim().parse().unwrap()
    }

    fn end(&mut self) -> ExitStatus {
        until(|| self.child.try_wait().unwrap())
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "that never happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// `target` is a process, or with a minus a group.
fn send(signal: &str, target: &str) {
    let kill = format!("kill -{signal} {target}");
    assert!(Command::new("/bin/sh").args(["-c", &kill]).status().unwrap().success());
}

pub(crate) fn status_line(process: u32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
}

/// Notes each signal that it gets, and goes on for a while after the first.
const COUNTS: &str = "trap 'echo T >> got' TERM; trap 'echo I >> got' INT; echo > ready; \
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.05; done; exit 5";

#[test]
fn a_signal_to_the_tracer_alone_or_to_all_reaches_the_program_once() {
    for (signal, group, letter) in
        [("TERM", "", "T\n"), ("INT", "", "I\n"), ("TERM", "-", "T\n"), ("INT", "-", "I\n")]
    {
        let mut tracer = Tracer::of(COUNTS);
        tracer.wait_for("ready");
        send(signal, &format!("{group}{}", tracer.child.id()));
        assert!(tracer.end().success());
        assert_eq!(tracer.read("got"), letter);
        assert_eq!(tracer.read("ending"), "Exited(5)\n");
    }
}

#[test]
fn a_tracer_that_dies_takes_its_tracees_along() {
    let mut tracer = Tracer::of("echo > ready; sleep 1000 & sleep 1000");
    tracer.wait_for("ready");
    let process = tracer.process();
    send("KILL", &tracer.child.id().to_string());
    tracer.end();
    until(|| {
        status_line(process, "State:").is_none_or(|state| state.starts_with('Z')).then_some(())
    });
}

#[test]
fn what_outlives_the_program_ends_when_asked_to() {
    let mut tracer = Tracer::of("setsid sleep 1000 & echo > ready; exit 6");
    tracer.wait_for("ready");
    let process = tracer.process();
    until(|| status_line(process, "State:").is_none().then_some(()));
    send("INT", &tracer.child.id().to_string());
    assert!(tracer.end().success());
    assert_eq!(tracer.read("ending"), "Exited(6)\n");
}

#[test]
fn a_process_is_let_go_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let script = "while [ -d \"$PWD\" ] && [ ! -e enough ]; do cat /etc/passwd > /dev/null; done";
    let mut shell = Command::new("/bin/sh");
    let mut shell = shell.args(["-c", script]).current_dir(place.path()).spawn().unwrap();
    let id = shell.id();
    let processors = status_line(id, "Cpus_allowed:");
    let mut tracer = Tracer::start(&[], &[("FEWER_TEST_PROCESS", &id.to_string())]);
    let is_traced =
        |by: &str| status_line(id, "TracerPid:").filter(|it| (it == "0") == (by == "0"));
    until(|| is_traced("somebody"));
    std::thread::sleep(Duration::from_millis(100));
    send("INT", &tracer.child.id().to_string());
    assert!(tracer.end().success());
    assert_eq!(tracer.read("ending"), "Detached\n");
    assert_eq!(status_line(id, "Cpus_allowed:"), processors);
    assert_eq!(status_line(id, "TracerPid:").as_deref(), Some("0"));
    std::fs::write(place.path().join("enough"), "").unwrap();
    assert!(until(|| shell.try_wait().unwrap()).success());
}

/// A line of each thread of a process.
fn of_threads(process: u32, name: &str) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    let text = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("status"));
    let texts: Vec<String> = tasks.flatten().filter_map(|task| text(task).ok()).collect();
    let line = |text: &String| {
        text.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
    };
    texts.iter().filter_map(line).collect()
}

#[test]
fn threads_and_children_are_let_go_as_they_were() {
    let place = tempfile::tempdir().unwrap();
    let mut family = Command::new(compiled("family", &[]));
    // If this test fails, they stay, and must not keep open what it writes to.
    let family = family.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut family = family.current_dir(place.path()).spawn().unwrap();
    let id = family.id();
    until(|| (of_threads(id, "State:").len() == 5).then_some(()));
    let processors = status_line(id, "Cpus_allowed:");
    for round in 0..3 {
        // A process that is stopped stays so, and one that is not does not stop.
        if round == 2 {
            send("STOP", &id.to_string());
        }
        let mut tracer = Tracer::start(&[], &[("FEWER_TEST_PROCESS", &id.to_string())]);
        until(|| of_threads(id, "TracerPid:").iter().all(|it| it != "0").then_some(()));
        std::thread::sleep(Duration::from_millis(200));
        send(["INT", "TERM", "INT"][round], &tracer.child.id().to_string());
        assert!(tracer.end().success());
        assert_eq!(tracer.read("ending"), "Detached\n");
        assert_eq!(of_threads(id, "TracerPid:"), ["0"; 5]);
        assert!(of_threads(id, "Cpus_allowed:").iter().all(|its| Some(its) == processors.as_ref()));
        assert!(of_threads(id, "SigPnd:").iter().all(|signals| signals == "0000000000000000"));
        // A thread that is let go in a stop runs for a moment before it stops again.
        if round == 2 {
            until(|| of_threads(id, "State:").iter().all(|it| it.starts_with('T')).then_some(()));
        }
        let states = of_threads(id, "State:");
        assert!(states.iter().all(|it| it.starts_with('T') == (round == 2)), "{states:?}");
    }
    send("CONT", &id.to_string());
    std::fs::write(place.path().join("enough"), "").unwrap();
    assert!(until(|| family.try_wait().unwrap()).success());
}

#[test]
fn without_privilege_it_works_and_says_what_it_takes_away() {
    let su = Path::new("/usr/bin/su");
    let is_root = status_line(std::process::id(), "Uid:").is_some_and(|ids| ids.starts_with('0'));
    if !is_root || !su.exists() {
        return;
    }
    let nobody =
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"];
    let script = "cat /etc/passwd; su --version; su --version; exit 8";
    let mut tracer = Tracer::start(&nobody, &[("FEWER_TEST_SCRIPT", script)]);
    assert!(tracer.end().success());
    let expected = "Exited(8)\nsetuid /usr/bin/su is setuid: being traced, it ran without that \
        privilege\n";
    assert_eq!(tracer.read("ending"), expected);
}
