//! Names of owners against glibc's own reading of the same files, and what they cost.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::ffi::CString;
use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer::Owners;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use scene::skip;
use sys::{Call, calls};

/// The counters are those of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the test again in a process with an /etc of these three files; true in that process.
fn with_files(test: &str, passwd: &str, group: &str, sources: &str) -> bool {
    const MARK: &str = "FEWER_TEST_OWNER";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    if !sys::NAME_SERVICES {
        skip("a static build has no name services to compare with");
        return false;
    }
    let place = tempfile::tempdir().unwrap();
    let mut script = "set -e; cd \"$0\"; ".to_owned();
    for (name, text) in [("passwd", passwd), ("group", group), ("nsswitch.conf", sources)] {
        fs::write(place.path().join(name), text).unwrap();
        script.push_str(&format!("mount --bind {name} /etc/{name}; "));
    }
    script.push_str("exec \"$1\" --exact \"$2\" --nocapture");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &script]).arg(place.path());
    command.arg(std::env::current_exe().unwrap()).arg(test).env(MARK, "1");
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) if String::from_utf8_lossy(&output.stdout).contains("running 1 test") => {
            panic!(
                "{}",
                String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)
            );
        }
        _ => skip("files cannot be mounted over those in /etc here"),
    }
    false
}

/// Where a line has blanks in front and no newline behind, because it is the last one or a NUL ends
/// it, glibc 2.36 moves it over itself without its end, and reads the last digits twice. Nobody
/// should follow it there.
fn unambiguous(text: Vec<u8>) -> Vec<u8> {
    let mut sound = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        sound.extend_from_slice(line);
        if line.first().is_some_and(u8::is_ascii_whitespace) {
            sound.retain(|&byte| byte != 0);
            if !line.ends_with(b"\n") {
                sound.push(b'\n');
            }
        }
    }
    sound
}

/// Lines like those of passwd(5) and group(5), and what people make of them.
fn a_file() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![
        6 => "[a-c]{1,2}",
        1 => Just(String::new()),
        1 => "[+-][a-c]?",
        1 => "[ #\t][a-c]",
    ];
    let number = prop_oneof![
        8 => (0_u32..6).prop_map(|number| number.to_string()),
        1 => "[ +-]{0,2}[0-5]",
        1 => "[0-5][ x\r]",
        1 => proptest::sample::select(vec![
            "", "-", "4294967294", "4294967295", "4294967296", "-1", "18446744073709551615",
            "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "05", "0x5",
            "99999999999999999999999", "-4294967295",
        ])
        .prop_map(str::to_owned),
    ];
    let rest = prop_oneof![4 => Just(":"), 2 => Just(""), 1 => Just("::::::"), 1 => Just(":a,b")];
    let line = prop_oneof![
        8 => (name, number.clone(), number, rest)
            .prop_map(|(name, id, other, rest)| format!("{name}:x:{id}:{other}{rest}")),
        1 => "[a-c:0-5+# \0-]{0,9}",
    ];
    let end = prop_oneof![8 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n")];
    let text = proptest::collection::vec((line, end), 0..8).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| (line + end).into_bytes()).collect::<Vec<u8>>()
    });
    (text, any::<bool>()).prop_map(|(mut text, whole)| {
        if !whole {
            text.pop();
        }
        text
    })
}

#[test]
fn any_file_is_read_as_glibc_reads_it() {
    let name = "any_file_is_read_as_glibc_reads_it";
    if !with_files(name, "", "", "passwd: files\ngroup: files\n") {
        return;
    }
    let ids = (0..7).chain([u32::MAX, u32::MAX - 1]);
    let names = ["a", "b", "c", "aa", "ab", "ba", "", "+", "+a", "-b", " a", "#a", "a ", "zz"];
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) };
    let done = TestRunner::new(config).run(&(a_file(), a_file()), |(passwd, group)| {
        let (passwd, group) = (unambiguous(passwd), unambiguous(group));
        fs::write("/etc/passwd", &passwd).unwrap();
        fs::write("/etc/group", &group).unwrap();
        let owners = Owners::from_files(passwd, group);
        for id in ids.clone() {
            let (user, group) = (sys::user_name(id), sys::group_name(id));
            prop_assert_eq!(owners.user(id), user.as_deref(), "user {}", id);
            prop_assert_eq!(owners.group(id), group.as_deref(), "group {}", id);
        }
        for name in names {
            let text = CString::new(name).unwrap();
            prop_assert_eq!(owners.user_id(name.as_bytes()), sys::user_id(&text), "{:?}", name);
            prop_assert_eq!(owners.group_id(name.as_bytes()), sys::group_id(&text), "{:?}", name);
        }
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(TestError::Fail(reason, (passwd, group))) => {
            panic!("{reason}\n{}\n{}", passwd.escape_ascii(), group.escape_ascii());
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

#[test]
fn this_machine_s_owners_are_those_of_getent() {
    let owners = Owners::new();
    assert_eq!((owners.user(0), owners.user_id(b"root")), (Some(&b"root"[..]), Some(0)));
    if !sys::NAME_SERVICES {
        return skip("a static build has no name services to compare with");
    }
    for database in ["passwd", "group"] {
        let output = Command::new("getent").arg(database).output();
        let Ok(output) = output else { return skip("there is no getent") };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let name = line.split(':').next().unwrap().as_bytes();
            let id: u32 = line.split(':').nth(2).unwrap().parse().unwrap();
            let text = CString::new(name).unwrap();
            if database == "passwd" {
                assert_eq!(owners.user_id(name), sys::user_id(&text), "{line}");
                assert_eq!(owners.user(id), sys::user_name(id).as_deref(), "{line}");
            } else {
                assert_eq!(owners.group_id(name), sys::group_id(&text), "{line}");
                assert_eq!(owners.group(id), sys::group_name(id).as_deref(), "{line}");
            }
        }
    }
}

#[test]
fn fifty_users_and_fifty_that_nobody_is_cost_two_files() {
    let name = "fifty_users_and_fifty_that_nobody_is_cost_two_files";
    let users: String = (0..50).map(|id| format!("user{id}:x:{id}:1::/:\n")).collect();
    if !with_files(name, &users, "one:x:1:\n", "passwd: files\ngroup: files\n") {
        return;
    }
    let _alone = alone();
    let before = calls();
    let owners = Owners::new();
    assert_eq!(calls().since(&before).total(), 0);
    for id in 0..50 {
        assert_eq!(owners.user(id), Some(format!("user{id}").as_bytes()));
    }
    let price = calls().since(&before);
    assert_eq!((price.of(Call::Openat), price.of(Call::Read), price.of(Call::Close)), (2, 4, 2));
    for id in 50..100 {
        assert_eq!(owners.user(id), None);
    }
    assert_eq!(owners.user_id(b"nobody here"), None);
    assert_eq!(calls().since(&before), price);
    assert_eq!(owners.group(1), Some(&b"one"[..]));
    assert_eq!(calls().since(&price).total() - before.total(), 4);
}

#[test]
fn a_source_before_the_files_has_the_first_word() {
    let name = "a_source_before_the_files_has_the_first_word";
    // systemd knows root by itself, whatever the file says; if it is not installed, the file's word
    // is all there is.
    if !with_files(name, "liar:x:0:0::/:\n", "liar:x:0:\n", "passwd: systemd files\ngroup: files\n")
    {
        return;
    }
    let owners = Owners::new();
    assert_eq!(owners.user(0), sys::user_name(0).as_deref());
    assert_eq!(owners.group(0), Some(&b"liar"[..]));
}

#[test]
fn whom_systemd_makes_up_is_known_without_a_record() {
    let name = "whom_systemd_makes_up_is_known_without_a_record";
    if !with_files(name, "", "", "passwd: files systemd\ngroup: files systemd\n") {
        return;
    }
    let owners = Owners::new();
    for id in [0, 65534, 54321] {
        assert_eq!(owners.user(id), sys::user_name(id).as_deref(), "user {id}");
        assert_eq!(owners.group(id), sys::group_name(id).as_deref(), "group {id}");
    }
    for name in [c"root", c"nobody", c"nogroup", c"somebody"] {
        assert_eq!(owners.user_id(name.to_bytes()), sys::user_id(name), "user {name:?}");
        assert_eq!(owners.group_id(name.to_bytes()), sys::group_id(name), "group {name:?}");
    }
}

#[test]
fn many_threads_get_the_same_names() {
    let users: String = (0..1000).map(|id| format!("user{id}:x:{id}:1::/:\n")).collect();
    let owners = Owners::from_files(users.into_bytes(), Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for id in 0..2000 {
                    let name = format!("user{id}");
                    assert_eq!(owners.user(id), (id < 1000).then_some(name.as_bytes()));
                }
            });
        }
    });
}
