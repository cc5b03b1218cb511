//! Children of a scope behave as those of the standard library's `Command` with `current_dir`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command as StdCommand;

use fewer::scope::Stdio;
use fewer::{Command, Errno, Scope};
use scene::program::copy_program;
use scene::tree::{directory, file};

/// Arguments, variables to set and to remove, and whether the others are removed first.
type Orders<'o> = (&'o [&'o str], &'o [(&'o str, &'o str)], &'o [&'o str], bool);

/// Exit code, signal, standard output, standard error; or the number of the error.
type Answer = Result<(Option<i32>, Option<i32>, Vec<u8>, Vec<u8>), Option<i32>>;

/// What becomes of our command and of theirs with the same orders.
fn both(place: &Path, program: &str, orders: Orders<'_>) -> (Answer, Answer) {
    let (arguments, set, remove, clear) = orders;
    let mut ours = Scope::start().enter(place).unwrap().command(program);
    let mut theirs = StdCommand::new(program);
    if clear {
        ours = ours.env_clear();
        theirs.env_clear();
    }
    ours = set.iter().fold(ours.args(arguments), |ours, (name, value)| ours.env(name, value));
    ours = remove.iter().fold(ours, |ours, name| ours.env_remove(name));
    theirs.args(arguments).envs(set.iter().copied()).current_dir(place);
    for name in remove {
        theirs.env_remove(name);
    }
    let ours = ours
        .output()
        .map_err(|error| Some(error.errno().raw_os_error()))
        .map(|output| (output.status.code(), output.status.signal(), output.stdout, output.stderr));
    let theirs = theirs
        .output()
        .map_err(|error| error.raw_os_error())
        .map(|output| (output.status.code(), output.status.signal(), output.stdout, output.stderr));
    (ours, theirs)
}

#[track_caller]
fn agree(place: &Path, program: &str, orders: Orders<'_>) -> Answer {
    let (ours, theirs) = both(place, program, orders);
    assert_eq!(ours, theirs, "{program}");
    ours
}

fn programs(place: &Path) {
    let texts = tempfile::tempdir().unwrap();
    directory(place, "bin");
    for (name, text, mode) in [
        ("good", "#!/bin/sh\necho good \"$0\" \"$@\"\n", 0o755),
        ("bin/good", "#!/bin/sh\necho good in bin \"$@\"\n", 0o755),
        ("forbidden", "#!/bin/sh\n", 0o644),
        ("lonely", "#!/no/such/interpreter\n", 0o755),
        ("nonsense", "\x7fELF, but not quite", 0o755),
        ("headless", "echo headless\n", 0o755),
    ] {
        let path = place.join(name);
        copy_program(&file(texts.path(), name, text), &path).unwrap();
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
    directory(place, "dir");
    std::os::unix::fs::symlink("loop", place.join("loop")).unwrap();
}

#[test]
fn a_child_is_in_the_directory_and_knows_no_more_than_that() {
    let place = tempfile::tempdir().unwrap();
    let script = "env pwd -P; echo \"$@\"; exit 7";
    let arguments = ["-c", script, "sh", "a b", "", "\n"];
    let answer = agree(place.path(), "sh", (&arguments, &[], &[], false));
    let (code, _, stdout, _) = answer.unwrap();
    assert_eq!(code, Some(7));
    assert!(
        stdout.starts_with(place.path().canonicalize().unwrap().as_os_str().as_encoded_bytes())
    );
    // The same descriptors, signals and variables: these say all there is to know of them.
    for arguments in [
        &["ls", "/proc/self/fd"][..],
        &["grep", "-E", "^(Sig(Blk|Ign|Cgt)|Threads)", "/proc/self/status"],
        &["printenv", "-0"],
    ] {
        let orders = (&arguments[1..], &[][..], &[][..], false);
        assert_eq!(agree(place.path(), arguments[0], orders).unwrap().0, Some(0));
    }
}

#[test]
fn the_environment_is_changed_as_it_is_there() {
    let place = tempfile::tempdir().unwrap();
    type Change<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], bool);
    let changes: [Change<'_>; 6] = [
        (&[("A", "1"), ("B", ""), ("A", "2")], &[], false),
        (&[("ZZ", "=x=")], &["HOME", "no such"], false),
        (&[], &[], true),
        (&[("A", "1"), ("0", "2")], &["A"], true),
        (&[("PWD", "mine")], &[], false),
        (&[("A", "1")], &["PATH"], false),
    ];
    for (set, remove, clear) in changes {
        for program in ["/usr/bin/env", "env"] {
            agree(place.path(), program, (&[], set, remove, clear)).unwrap();
        }
    }
}

#[test]
fn programs_are_found_and_not_found_as_they_are_there() {
    let place = tempfile::tempdir().unwrap();
    programs(place.path());
    let absolute = place.path().join("good").into_os_string().into_string().unwrap();
    let names = [
        "good",
        "./good",
        "bin/good",
        "dir",
        "./dir",
        "forbidden",
        "./forbidden",
        "lonely",
        "./lonely",
        "nonsense",
        "./nonsense",
        "./headless",
        "headless",
        "loop",
        "./loop",
        "none",
        "./none",
        "none/good",
        "good/x",
        "",
        "/",
        ".",
        "..",
        &absolute,
        &"n".repeat(300),
    ];
    let here = place.path().to_str().unwrap();
    let searched = [
        None,
        Some(format!("{here}:{here}/bin")),
        Some("bin:none:".to_owned()),
        Some("none:dir:bin".to_owned()),
        Some(String::new()),
        Some("good:loop/x:bin".to_owned()),
    ];
    for name in names {
        for path in &searched {
            let set: &[(&str, &str)] = match path {
                Some(path) => &[("PATH", path)],
                None => &[],
            };
            let (ours, theirs) = both(place.path(), name, (&["x"], set, &[], false));
            assert_eq!(ours, theirs, "{name} in {path:?}");
        }
    }
}

#[test]
fn a_nul_is_an_error_wherever_it_is() {
    let scope = Scope::start();
    let nul = |command: Command| command.spawn().unwrap_err().errno();
    assert_eq!(nul(scope.command("a\0b")), Errno::INVAL);
    assert_eq!(nul(scope.command("true").arg("\0")), Errno::INVAL);
    assert_eq!(nul(scope.command("true").env("A", "\0")), Errno::INVAL);
    assert_eq!(nul(scope.command("true").env("\0", "")), Errno::INVAL);
    let error = scope.command("no\nprogram").spawn().unwrap_err();
    assert_eq!(error.to_string(), "cannot run 'no\\nprogram': No such file or directory");
}

#[test]
fn output_of_any_size_on_both_streams_is_collected() {
    let place = tempfile::tempdir().unwrap();
    let script = "head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; echo end; exit 1";
    let orders: Orders<'_> = (&["-c", script], &[], &[], false);
    let (code, _, stdout, stderr) = agree(place.path(), "sh", orders).unwrap();
    assert_eq!((code, stdout.len(), stderr.len()), (Some(1), 3_000_004, 2_000_000));
    // One stream alone, and one that ends long before the other.
    let scope = Scope::start();
    let only = scope.command("echo").arg("x").stderr(Stdio::null()).output().unwrap();
    assert_eq!((&*only.stdout, &*only.stderr), (&b"x\n"[..], &b""[..]));
    let script = "exec >&-; sleep 0.05; echo late >&2";
    let late = scope.command("sh").args(["-c", script]).output().unwrap();
    assert_eq!((&*late.stdout, &*late.stderr), (&b""[..], &b"late\n"[..]));
    // Standard input is empty unless told.
    assert_eq!(scope.command("cat").output().unwrap().stdout, b"");
}

#[test]
fn streams_are_connected_as_told() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "in", "from a file\n");
    let scope = Scope::start().enter(place.path()).unwrap();
    let out = std::fs::File::create(place.path().join("out")).unwrap();
    let cat = scope
        .command("cat")
        .stdin(scope.open("in").unwrap())
        .stdout(Stdio::from_file(out.as_fd().try_clone_to_owned().unwrap()));
    assert!(cat.status().unwrap().success());
    // A command can be started again; the file goes on from where it was.
    let cat = cat.stdin(scope.open("in").unwrap());
    assert!(cat.status().unwrap().success());
    assert_eq!(
        std::fs::read_to_string(place.path().join("out")).unwrap(),
        "from a file\nfrom a file\n"
    );
    let both = ["-c", "echo out; echo err >&2"];
    let out = Stdio::from_file(out);
    let one_file = scope.command("sh").args(both).stdout(out).stderr(Stdio::piped());
    let output = one_file.stdin(Stdio::null()).spawn().unwrap().wait_with_output().unwrap();
    assert_eq!((&*output.stdout, &*output.stderr), (&b""[..], &b"err\n"[..]));
    // One child's output is the next one's input.
    let mut first = scope.command("echo").arg("through").stdout(Stdio::piped()).spawn().unwrap();
    let second =
        scope.command("tr").args(["a-z", "A-Z"]).stdin(first.stdout.take().unwrap()).output();
    assert_eq!(second.unwrap().stdout, b"THROUGH\n");
    assert!(first.wait().unwrap().success());
}

#[test]
fn a_child_is_talked_to_waited_for_and_ended() {
    let scope = Scope::start();
    let cat = scope.command("cat");
    let mut child = cat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    assert!(Path::new(&format!("/proc/{}", child.id())).exists());
    child.stdin.as_mut().unwrap().write_all(b"hello").unwrap();
    let mut heard = [0; 5];
    child.stdout.as_mut().unwrap().read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello");
    assert_eq!(child.try_wait().unwrap(), None);
    let ended = child.wait().unwrap(); // closes its input first, or it would wait for ever
    assert!(ended.success());
    assert_eq!((child.wait().unwrap(), child.try_wait().unwrap()), (ended, Some(ended)));
    child.kill().unwrap(); // it is known to have ended: no signal is sent

    let mut sleeper = scope.command("sleep").arg("1000").spawn().unwrap();
    assert_eq!(sleeper.try_wait().unwrap(), None);
    sleeper.kill().unwrap();
    assert_eq!(sleeper.wait().unwrap().signal(), Some(9));
    let theirs = StdCommand::new("sh").args(["-c", "kill -9 $$"]).status().unwrap();
    assert_eq!(theirs.signal(), Some(9));
}

#[test]
fn writing_to_a_child_that_has_gone_is_an_error() {
    let scope = Scope::start();
    let mut child = scope.command("true").stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    child.wait().unwrap();
    // Children that other tests are starting have the pipe, too, until they run their programs.
    let error = (0..1000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        stdin.write_all(&[0; 10]).err()
    });
    assert_eq!(error.unwrap().kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn many_children_of_many_scopes_at_once_leave_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    for number in 0..8 {
        file(place.path(), &format!("{number}/f"), &number.to_string());
    }
    let top = Scope::start().enter(place.path()).unwrap();
    std::thread::scope(|all| {
        for number in 0..8 {
            let top = &top;
            all.spawn(move || {
                let scope = top.enter(number.to_string()).unwrap();
                for _ in 0..20 {
                    let output = scope.command("cat").arg("f").output().unwrap();
                    assert_eq!(output.stdout, number.to_string().as_bytes());
                }
            });
        }
    });
}
