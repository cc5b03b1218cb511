//! A script's descriptors: what they read and write, and what each thing costs in calls.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::CString;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use coreutils::Input;
use fewer::{Descriptor, Scope};
use fewer_shell::processes::{Run, spawn, wait};
use fewer_shell::streams::{Ended, FULL, How, Open, Reader, Table};
use sys::{Call, Calls, Errno, calls};

fn cost<T>(f: impl FnOnce() -> T) -> (T, Calls) {
    let before = calls();
    let done = f();
    (done, calls().since(&before))
}

struct Fixture {
    folder: tempfile::TempDir,
    scope: Scope,
    table: Table,
    /// The counters are those of the process, so one test at a time. The last field, as what the
    /// others close when they are dropped is counted.
    _alone: MutexGuard<'static, ()>,
}

impl Fixture {
    fn new() -> Fixture {
        static ONE: Mutex<()> = Mutex::new(());
        let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let scope = Scope::start().enter(folder.path()).unwrap();
        Fixture { folder, scope, table: Table::empty(), _alone: alone }
    }

    fn open(&self, name: &str, how: How) -> Rc<Open> {
        self.table.open(&self.scope, name.as_bytes(), how).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Runs a script in another shell, with the table's descriptors.
    fn run(&self, script: &str) -> i32 {
        let child = start(script, &self.table, &self.scope);
        sys::ExitStatus::from_wait(wait(child, &self.table).unwrap()).in_shell()
    }
}

fn start(script: &str, table: &Table, scope: &Scope) -> sys::Process {
    let arguments = ["sh", "-c", script].map(|word| CString::new(word).unwrap());
    let environment = [c"PATH=/usr/bin:/bin".to_owned()];
    let run = Run {
        path: c"/bin/sh",
        arguments: &arguments,
        environment: &environment,
        default_signals: &[13],
    };
    spawn(&run, table, scope).unwrap()
}

/// Does something until nothing has held it up: what was kept for 50 ms is written at once, which
/// is one call more.
fn not_held_up<T>(f: impl Fn() -> T) -> T {
    not_held_up_after(|| (), f)
}

/// The same with something before it, which may take its time.
fn not_held_up_after<T>(before: impl Fn(), f: impl Fn() -> T) -> T {
    let begun = Instant::now();
    loop {
        before();
        let start = Instant::now();
        let done = f();
        if start.elapsed() < Duration::from_millis(50) {
            return done;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "held up each time");
    }
}

/// A shell's words that wait until there is a file `go`; after half a minute they wait in vain.
const UNTIL_GO: &str = "n=0; until [ -e go ] || [ $n = 3000 ]; do sleep 0.01; n=$((n + 1)); done";

fn line(open: &Open) -> Option<String> {
    let mut bytes = Vec::new();
    let ended = open.read_until(b'\n', &mut bytes, usize::MAX, None).unwrap();
    (ended == Ended::Delimiter || !bytes.is_empty()).then(|| String::from_utf8(bytes).unwrap())
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|number| format!("{number}\n")).collect()
}

/// What a child of the test writes, as a pipe.
fn piped(table: &Table, program: &str, arguments: &[&str]) -> (Rc<Open>, std::process::Child) {
    let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let stdout: OwnedFd = child.stdout.take().unwrap().into();
    (table.of(Descriptor::from(stdout)), child)
}

#[test]
fn small_writes_are_one_call() {
    let fixture = Fixture::new();
    let write = || {
        let out = fixture.open("f", How::Write);
        (0..1000).for_each(|_| out.write(b"hello\n").unwrap());
    };
    let (_, calls) = not_held_up(|| cost(write));
    assert_eq!(fixture.text("f"), "hello\n".repeat(1000));
    assert_eq!((calls.of(Call::Openat), calls.of(Call::Close)), (1, 1));
    assert_eq!((calls.of(Call::Write), calls.total()), (1, 3));
}

#[test]
fn large_writes_go_through_in_order() {
    let fixture = Fixture::new();
    let large = "x".repeat(100_000);
    let (_, calls) = not_held_up(|| {
        let out = fixture.open("f", How::Write);
        cost(|| {
            for text in ["a", &large, "b", &large[..60_000], &large[..6000]] {
                out.write(text.as_bytes()).unwrap();
            }
            out.flush().unwrap();
        })
    });
    assert_eq!(fixture.text("f"), format!("a{large}b{}", "x".repeat(66_000)));
    assert_eq!((calls.of(Call::Write), calls.total()), (4, 4));
}

#[test]
fn two_streams_to_one_file_keep_their_order() {
    let fixture = Fixture::new();
    let (_, calls) = not_held_up(|| {
        fixture.write("f", "");
        let [a, b, other] = [("f", How::Append), ("f", How::Append), ("g", How::Write)]
            .map(|(name, how)| fixture.open(name, how));
        for round in 0..3 {
            a.write(format!("a{round} ").as_bytes()).unwrap();
            other.write(b"x").unwrap();
            b.write(format!("b{round} ").as_bytes()).unwrap();
        }
        drop((a, b));
        assert_eq!(fixture.text("f"), "a0 b0 a1 b1 a2 b2 ");
        // Another file waits for neither.
        cost(|| other.flush().unwrap())
    });
    assert_eq!((fixture.text("g").as_str(), calls.total()), ("xxx", 1));
}

#[test]
fn what_is_written_is_there_when_somebody_looks() {
    let fixture = Fixture::new();
    let (out, before) = not_held_up(|| {
        fixture.write("f", "");
        let out = fixture.open("f", How::Append);
        out.write(b"one\n").unwrap();
        (out, fixture.text("f"))
    });
    fixture.table.put(3, Some(Rc::clone(&out)));
    assert_eq!(before, "");
    // A child,
    assert_eq!(fixture.run("test \"$(cat f)\" = one && echo two >&3"), 0);
    out.write(b"three\n").unwrap();
    // the script itself,
    assert_eq!(line(&fixture.open("f", How::Read)).unwrap(), "one");
    assert_eq!(fixture.text("f"), "one\ntwo\nthree\n");
    out.write(b"four\n").unwrap();
    fixture.table.flush_files();
    assert_eq!(fixture.text("f"), "one\ntwo\nthree\nfour\n");
    // somebody who empties it,
    out.write(b"five\n").unwrap();
    drop(fixture.open("f", How::Write));
    assert_eq!(fixture.text("f"), "");
    // and whoever waits.
    out.write(b"six\n").unwrap();
    std::thread::sleep(Duration::from_millis(60));
    fixture.table.tick();
    assert_eq!(fixture.text("f"), "six\n");
}

#[test]
fn a_write_after_a_while_shows_at_once() {
    let fixture = Fixture::new();
    let out = fixture.open("f", How::Append);
    let write_and_wait = || {
        out.flush().unwrap();
        fixture.write("f", "");
        out.write(b"a").unwrap();
        std::thread::sleep(Duration::from_millis(60));
    };
    let (first, second) = not_held_up_after(write_and_wait, || {
        out.write(b"b").unwrap();
        let first = fixture.text("f");
        out.write(b"c").unwrap();
        (first, fixture.text("f"))
    });
    assert_eq!((first.as_str(), second.as_str()), ("ab", "ab"));
}

#[test]
fn null_costs_nothing() {
    let fixture = Fixture::new();
    let (_, calls) = cost(|| {
        let out = fixture.open("/dev/null", How::Write);
        out.write(b"gone").unwrap();
        let input = fixture.open("/dev/null", How::Read);
        assert_eq!(line(&input), None);
        assert!(!input.is_terminal());
    });
    assert_eq!(calls.total(), 0);
    fixture.table.put(0, Some(fixture.open("/dev/null", How::Read)));
    fixture.table.put(1, Some(fixture.open("/dev/null", How::Write)));
    assert_eq!(fixture.run("read x; test $? = 1 && test -c /dev/stdin && echo gone"), 0);
}

#[test]
fn errors_of_writing_are_told_once() {
    let fixture = Fixture::new();
    // A device refuses at once, a pipe when it is written to.
    let full = fixture.open("/dev/full", How::Write);
    assert_eq!(full.write(b"x"), Err(Errno::NOSPC));
    assert_eq!(full.flush(), Ok(()));
    let refused = not_held_up(|| {
        let (reader, writer) = fixture.table.pipe().unwrap();
        drop(reader);
        let first = writer.write(b"x");
        fixture.table.settle();
        let later = [writer.write(b"y"), writer.write(b"z"), writer.flush()];
        fixture.table.put(5, Some(Rc::clone(&writer)));
        (first, later, writer.write(b"z"), fixture.table.finish())
    });
    let later = [Err(Errno::PIPE), Ok(()), Err(Errno::PIPE)];
    assert_eq!(refused, (Ok(()), later, Ok(()), Err((5, Errno::PIPE))));
    // The wrong direction.
    fixture.write("f", "text\n");
    assert_eq!(fixture.open("f", How::Read).write(b"x"), Err(Errno::BADF));
    let mut bytes = Vec::new();
    let read = fixture.open("f", How::Append).read_until(b'\n', &mut bytes, 9, None);
    assert_eq!(read, Err(Errno::BADF));
    let read = fixture.open(".", How::Read).read_until(b'\n', &mut bytes, 9, None);
    assert_eq!(read, Err(Errno::ISDIR));
}

#[test]
fn files_are_opened_as_the_script_says() {
    let fixture = Fixture::new();
    fixture.write("f", "old\n");
    let open = |path: &str, how| fixture.table.open(&fixture.scope, path.as_bytes(), how).map(drop);
    assert_eq!(open("f", How::NoClobber), Err(Errno::EXIST));
    assert_eq!(open("new", How::NoClobber), Ok(()));
    assert_eq!(open("/dev/tty0 no", How::Read), Err(Errno::NOENT));
    assert_eq!(open("/dev/full", How::NoClobber), Ok(()));
    assert_eq!(open("", How::Write), Err(Errno::NOENT));
    assert_eq!(open("none", How::Read), Err(Errno::NOENT));
    assert_eq!(open("/dev/fd/9", How::Read), Err(Errno::BADF));
    let both = fixture.open("f", How::ReadWrite);
    assert_eq!(line(&both).unwrap(), "old");
    both.write(b"new\n").unwrap();
    both.flush().unwrap();
    assert_eq!(fixture.text("f"), "old\nnew\n");
}

#[test]
fn what_was_read_and_not_used_is_put_back() {
    let fixture = Fixture::new();
    fixture.write("f", &numbered(10_000));
    let input = fixture.open("f", How::Read);
    fixture.table.put(0, Some(Rc::clone(&input)));
    for expected in ["1", "4", "7"] {
        assert_eq!(line(&input).as_deref(), Some(expected));
        let script =
            format!("read a; read b; test $a$b = {0}{1}", plus(expected, 1), plus(expected, 2));
        assert_eq!(fixture.run(&script), 0);
    }
    // Nothing read, nothing put back.
    let (_, calls) = cost(|| fixture.table.settle());
    assert_eq!(calls.total(), 0);
}

fn plus(number: &str, more: u32) -> u32 {
    number.parse::<u32>().unwrap() + more
}

#[test]
fn a_file_is_read_in_blocks() {
    let fixture = Fixture::new();
    let text = numbered(500_000);
    fixture.write("f", &text);
    let (lines, calls) = cost(|| {
        let input = fixture.open("f", How::Read);
        std::iter::from_fn(|| line(&input)).count()
    });
    assert_eq!(lines, 500_000);
    let each_mib = calls.total() * (1 << 20) / text.len() as u64;
    assert!(each_mib <= 10, "{calls:?}");
}

#[test]
fn one_line_of_a_file_costs_four_calls() {
    let fixture = Fixture::new();
    fixture.write("f", &numbered(100_000));
    let (_, calls) = cost(|| line(&fixture.open("f", How::Read)));
    // openat, statx, read, close: no lseek, as nobody else has it.
    assert_eq!(calls.total(), 4, "{calls:?}");
}

#[test]
fn a_pipe_is_left_to_children_where_the_script_stopped() {
    let fixture = Fixture::new();
    let (input, mut writer) = piped(&fixture.table, "seq", &["30000"]);
    fixture.table.put(0, Some(Rc::clone(&input)));
    let mut next = 1;
    while let Some(text) = line(&input) {
        assert_eq!(text, next.to_string());
        next += 1;
        if next % 1000 == 0 {
            assert_eq!(fixture.run(&format!("read x; test $x = {next}")), 0);
            next += 1;
        }
    }
    assert_eq!(next, 30_001);
    writer.wait().unwrap();
}

#[test]
fn a_pipe_costs_few_calls() {
    let fixture = Fixture::new();
    let text = numbered(1_000_000);
    fixture.write("f", &text);
    let path = fixture.folder.path().join("f");
    let (input, mut writer) = piped(&fixture.table, "cat", &[path.to_str().unwrap()]);
    let (lines, calls) = cost(|| std::iter::from_fn(|| line(&input)).count());
    assert_eq!(lines, 1_000_000);
    let each_mib = calls.total() * (1 << 20) / text.len() as u64;
    assert!(each_mib <= 100, "{each_mib}: {calls:?}");
    writer.wait().unwrap();
}

#[test]
fn two_readers_of_a_pipe_take_turns() {
    let fixture = Fixture::new();
    let (reader, writer) = fixture.table.pipe().unwrap();
    writer.write(b"a\nb\nc\nd\ne\n").unwrap();
    writer.flush().unwrap();
    fixture.table.put(0, Some(Rc::clone(&reader)));
    assert_eq!(line(&reader).unwrap(), "a");
    let other = fixture.open("/dev/stdin", How::Read);
    assert!(!Rc::ptr_eq(&other, &reader));
    assert_eq!(line(&other).unwrap(), "b");
    assert_eq!(line(&reader).unwrap(), "c");
    assert_eq!(line(&other).unwrap(), "d");
    drop(other);
    assert_eq!(line(&reader).unwrap(), "e");
}

#[test]
fn a_socket_is_left_where_the_script_stopped() {
    let fixture = Fixture::new();
    let (here, mut there) = std::os::unix::net::UnixStream::pair().unwrap();
    there.write_all(b"a\nb\nc\n").unwrap();
    drop(there);
    let input = fixture.table.of(Descriptor::from(OwnedFd::from(here)));
    fixture.table.put(0, Some(Rc::clone(&input)));
    assert_eq!(line(&input).unwrap(), "a");
    assert_eq!(fixture.run("read x; test $x = b"), 0);
    assert_eq!((line(&input).unwrap(), line(&input)), ("c".into(), None));
}

#[test]
fn reading_ends_at_a_limit_a_delimiter_or_a_time() {
    let fixture = Fixture::new();
    let (reader, writer) = fixture.table.pipe().unwrap();
    writer.write(b"abc:de").unwrap();
    let mut bytes = Vec::new();
    assert_eq!(reader.read_until(b':', &mut bytes, 2, None), Ok(Ended::Limit));
    assert_eq!(reader.read_until(b':', &mut bytes, 9, None), Ok(Ended::Delimiter));
    assert_eq!(bytes, b"abc");
    let start = Instant::now();
    let deadline = start + Duration::from_millis(40);
    assert_eq!(reader.read_until(b':', &mut bytes, 9, Some(deadline)), Ok(Ended::Late));
    assert!(start.elapsed() >= Duration::from_millis(40));
    assert_eq!(bytes, b"abcde");
    drop(writer);
    assert_eq!(reader.read_until(b':', &mut bytes, 9, Some(deadline)), Ok(Ended::End));
}

#[test]
fn bytes_are_read_without_a_call_and_given_to_children() {
    for (seekable, left) in [(false, ""), (true, "b\nc\n")] {
        let fixture = Fixture::new();
        let text: Rc<[u8]> = b"x\na\nb\nc\n"[..].into();
        let input = fixture.table.from_bytes(text, seekable);
        let (first, calls) = cost(|| line(&input));
        assert_eq!((first.as_deref(), calls.total()), (Some("x"), 0));
        fixture.table.put(0, Some(Rc::clone(&input)));
        // `head` goes back to where it stopped, if it can.
        let (status, calls) = cost(|| fixture.run("test $(head -n1) = a"));
        let calls = calls.total() - calls.of(Call::Clone3) - calls.of(Call::Wait4);
        // pipe2, write, close; memfd_create, write, lseek
        assert_eq!((status, calls), (0, 3));
        let rest: String = std::iter::from_fn(|| line(&input)).map(|line| line + "\n").collect();
        assert_eq!(rest, left);
    }
}

#[test]
fn many_bytes_are_given_to_a_child_too() {
    let fixture = Fixture::new();
    let input = fixture.table.from_bytes(numbered(100_000).into_bytes().into(), false);
    assert_eq!(line(&input).as_deref(), Some("1"));
    fixture.table.put(0, Some(input));
    assert_eq!(fixture.run("read x; test $x = 2 && test $(tail -n1) = 100000"), 0);
}

#[test]
fn a_capture_collects_what_the_script_and_its_children_write() {
    let fixture = Fixture::new();
    let capture = fixture.table.capture(1 << 20);
    fixture.table.put(1, Some(Rc::clone(&capture)));
    let (_, calls) = cost(|| capture.write(b"one\n").unwrap());
    assert_eq!(calls.total(), 0);
    let start = Instant::now();
    let (_, calls) = cost(|| assert_eq!(fixture.run("echo two"), 0));
    // A poll that nothing comes for ends after 10 ms or more.
    let in_vain = start.elapsed().as_millis() as u64 / 10;
    assert_eq!((calls.of(Call::Pipe2), calls.of(Call::Close)), (1, 2), "{calls:?}");
    assert!(calls.of(Call::Read) <= 2, "{calls:?}");
    assert!(calls.of(Call::Poll) <= 3 + in_vain, "{calls:?}");
    capture.write(b"three\n").unwrap();
    assert_eq!(fixture.run("seq 100000 >/dev/null; echo four"), 0);
    // More than a pipe holds.
    assert_eq!(fixture.run("seq 20000"), 0);
    let all = String::from_utf8(capture.collected().unwrap()).unwrap();
    assert_eq!(all, format!("one\ntwo\nthree\nfour\n{}", numbered(20_000)));
}

#[test]
fn a_grandchild_keeps_a_capture_open_but_not_the_next_command() {
    let fixture = Fixture::new();
    let capture = fixture.table.capture(1 << 20);
    fixture.table.put(1, Some(Rc::clone(&capture)));
    assert_eq!(fixture.run(&format!("{{ {UNTIL_GO}; echo late; }} & echo early")), 0);
    capture.write(b"next\n").unwrap();
    fixture.table.put(1, None);
    fixture.write("go", "");
    assert_eq!(capture.collected().unwrap(), b"early\nnext\nlate\n");
}

#[test]
fn a_capture_has_a_limit() {
    let fixture = Fixture::new();
    let capture = fixture.table.capture(10);
    capture.write(b"0123456789").unwrap();
    assert_eq!(capture.write(b"x"), Err(FULL));
    fixture.table.put(1, Some(Rc::clone(&capture)));
    let child = start_yes(&fixture);
    assert_eq!(wait(child, &fixture.table), Err(FULL));
    // The child writes in vain, and has ended.
    assert_eq!(
        sys::ExitStatus::from_wait(wait(child, &fixture.table).unwrap()).in_shell(),
        128 + 13
    );
}

fn start_yes(fixture: &Fixture) -> sys::Process {
    start("exec yes", &fixture.table, &fixture.scope)
}

#[test]
fn closed_numbers_are_closed_in_children() {
    let fixture = Fixture::new();
    let errors = fixture.open("errors", How::Write);
    fixture.table.put(2, Some(errors));
    fixture.table.put(1, Some(fixture.open("f", How::Write)));
    assert_eq!(fixture.run("echo x && exec cat"), 1);
    assert!(fixture.text("errors").contains("Bad file descriptor"), "{}", fixture.text("errors"));
    // Private ones, and those nobody put there.
    let private = fixture.open("g", How::Write);
    fixture.table.put_private(7, private);
    assert_eq!(fixture.run("echo x >&7"), 2);
    let shared = fixture.table.get(7);
    fixture.table.put(8, shared);
    assert_eq!(fixture.run("echo y >&8"), 0);
    assert_eq!((fixture.text("f").as_str(), fixture.text("g").as_str()), ("x\n", "y\n"));
    assert_eq!((fixture.table.lowest_free(7), fixture.table.lowest_free(0)), (9, 0));
}

#[test]
fn a_file_that_a_child_still_has_is_put_right_when_it_is_closed() {
    let fixture = Fixture::new();
    fixture.write("f", &numbered(10_000));
    fixture.table.put(1, Some(fixture.open("said", How::Write)));
    fixture.table.put(0, Some(fixture.open("f", How::Read)));
    let script = format!("{UNTIL_GO}; head -n1");
    let child = start(&script, &fixture.table, &fixture.scope);
    assert_eq!(line(&fixture.table.get(0).unwrap()).as_deref(), Some("1"));
    fixture.table.put(0, None);
    fixture.write("go", "");
    wait(child, &fixture.table).unwrap();
    assert_eq!(fixture.text("said"), "2\n");
}

#[test]
fn a_file_beside_a_pipe_with_something_kept_costs_three_calls() {
    let fixture = Fixture::new();
    let rounds = not_held_up(|| {
        let table = Table::empty();
        let (_reader, writer) = table.pipe().unwrap();
        [(); 5].map(|()| {
            let (_, calls) = cost(|| {
                writer.write(b"progress\n").unwrap();
                let file = table.open(&fixture.scope, b"f", How::Append).unwrap();
                file.write(b"text\n").unwrap();
            });
            calls.total()
        })
    });
    // At first, what pipes are on: pipe2 and two statx.
    assert_eq!(rounds, [6, 3, 3, 3, 3]);
}

#[test]
fn a_tool_leaves_what_it_has_not_used() {
    let fixture = Fixture::new();
    let text = numbered(200_000);
    let (reader, writer) = fixture.table.pipe().unwrap();
    writer.write(b"1\n2\n3\n").unwrap();
    drop(writer);
    fixture.write("f", &text);
    let bytes = fixture.table.from_bytes(text.into_bytes().into(), false);
    for open in [bytes, reader, fixture.open("f", How::Read)] {
        let mut input = Reader::new(Rc::clone(&open));
        assert!(input.fill().unwrap().starts_with(b"1\n2\n"));
        input.consume(2);
        drop(input);
        assert_eq!(line(&open).as_deref(), Some("2"));
        fixture.table.put(0, Some(Rc::clone(&open)));
        assert_eq!(fixture.run("read x; test $x = 3"), 0);
    }
}
