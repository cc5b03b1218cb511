//! What is printed, in all three forms, of the same findings.

use std::io::Write;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use fewer::Time;

use super::*;
use crate::junit::{self, Circumstances};
use crate::outcome::{Checked, Outcome};
use crate::stream::run;
use trace::Name;

const HOSTILE: &str = "a<b>&\"'\u{1b}[31m\u{0}\n\u{202e}\u{fffe}]]>";

fn compared(before: &[(&str, &str, &str, u64)], now: &[(&str, &str, &str, u64)]) -> Outcome {
    let allowed = Allowed::of_runs(&[run(before)]);
    Outcome::Compared(Comparison::new(&allowed, &run(now)))
}

fn checked(title: &str, outcome: Outcome) -> Checked {
    let (unseen, took) = (Vec::new(), Duration::from_millis(1500));
    Checked { title: title.to_owned(), outcome, unseen, took, blessed: false }
}

/// One of each kind.
fn all() -> Vec<Checked> {
    let files: Vec<String> = (0..40).map(|i| format!("/home/a/tree/f{i:02}")).collect();
    let open = ("openat", "/home/a/tree", "main lister.c:20", 1);
    let stats: Vec<_> =
        files.iter().map(|file| ("newfstatat", file.as_str(), "show lister.c:14", 1)).collect();
    let with_stats = [&[open][..], &stats].concat();
    let hostile = [open, ("read", "/home/a/\u{1b}]0;x\u{7}", "main lister.c:9", 2)];
    let slope = |stats| {
        let runs =
            |n| vec![run(&[("openat", "x", "f a.c:1", n), ("statx", "x", "f a.c:2", n * stats)])];
        Slope::new(&[(10, runs(10)), (20, runs(20))]).unwrap()
    };
    let (before, now) = (slope(0).per_item, slope(1));
    let (steeper, fewer) = (before.beyond(&now.per_item), before.fewer(&now.per_item));
    let sloped = Sloped { now, allowed: before.total, steeper, fewer };
    let complaint = b"lister: \x1b[1mno\x1b[0m\n".to_vec();
    let (now, recorded) = (Status::Exited(3), Status::Exited(0));
    vec![
        checked("./lister tree", compared(&[open], &with_stats)),
        checked("./lister fewer", compared(&with_stats, &[open])),
        checked(HOSTILE, compared(&[open], &hostile)),
        checked("find d{n}", Outcome::Sloped(sloped)),
        checked("false", Outcome::Ended { now, recorded, complaint }),
        checked("nosuch", Outcome::NotRun("cannot run 'nosuch': No such file".to_owned())),
    ]
}

#[test]
fn text_names_calls_files_and_lines() {
    let text = text::checked(b"b.toml", &all());
    let expected = "\
failed: ./lister tree
  41 calls, 1 allowed
  40 new newfstatat on ./tree/**: 40, 0 allowed
    such as ./tree/f00, ./tree/f01, ./tree/f02
    40 from show at lister.c:14
passed: ./lister fewer
  1 calls, 41 allowed
  fewer newfstatat: 0, 40 recorded
";
    assert!(text.starts_with(expected), "{text}");
    let expected = "\
failed: find d{n}
  2 calls per item, 1 allowed
  1 statx per item, 0 allowed
    1 from f at a.c:2
failed: false
  ended with exit status 3, recorded with exit status 0
  stderr: lister: \\x1b[1mno\\x1b[0m
failed: nosuch
  cannot run 'nosuch': No such file
b.toml: 1 passed, 5 failed
--bless writes down what commands ask for now
";
    assert!(text.ends_with(expected), "{text}");
    let steers = |it: char| it != '\n' && fewer::present::controls_terminal(it);
    assert!(!text.chars().any(steers), "{text:?}");
}

#[test]
fn what_was_recorded_is_said() {
    let runs = [4, 6, 5].map(|count| run(&[("openat", "/etc/x", "f a.c:1", count)]));
    let mut command = Command { allowed: Allowed::of_runs(&runs), ..Command::default() };
    command.run.line = CommandLine::Shell("x".to_owned());
    command.status = Status::Exited(1);
    let expected = "\
b.toml: recorded: x: 4 to 8 calls; 0 of the loader are set aside
  openat varies from run to run: 4 to 8 are allowed
  it ends with exit status 1: that is recorded as well
";
    assert_eq!(text::recorded(b"b.toml", &command, &runs), expected);
    let json: serde_json::Value =
        serde_json::from_str(&json::recorded(b"b.toml", &command, &runs)).unwrap();
    assert_eq!(json["calls"]["openat"]["most"], 8);
    assert_eq!(json["run"]["words"][2]["text"], "x");
}

#[test]
fn calls_per_item_are_said() {
    let runs: Vec<_> =
        [0, 8, 16].map(|n| (n, vec![run(&[("write", "x", "f a.c:1", 1 + n / 16)])])).into();
    let slope = Slope::new(&runs).unwrap();
    let mut scale = Scale { n: vec![0, 8, 16], ..Scale::default() };
    scale.run.line = CommandLine::Shell("x {n}".to_owned());
    let expected = "\
x {n}: 1/16 calls per item
      1/16 write
  not linear: with 8 items 1/2 fewer calls in total than on the line
  not linear: with 8 items 1/2 fewer write than on the line
";
    assert_eq!(text::measured_scale(&scale, &slope, &[]), expected);
    let json: serde_json::Value =
        serde_json::from_str(&json::scale(None, &scale, &slope, &[])).unwrap();
    assert_eq!(json["per_item"]["calls"]["write"], "1/16");
    assert_eq!(json["per_item"]["off"][0]["off"], "-1/2");
}

#[test]
fn json_has_the_same() {
    let json: serde_json::Value = serde_json::from_str(&json::checked(b"\xff", &all())).unwrap();
    assert_eq!((&json["v"], &json["file"]["bytes"]), (&1.into(), &"/w==".into()));
    assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &5.into()));
    let excess = &json["commands"][0]["calls"]["excess"][0];
    assert_eq!(excess["name"], Name::Newfstatat.to_string());
    assert_eq!(excess["file"], "./tree/**");
    assert_eq!(excess["origins"][0]["caller"], "show at lister.c:14");
    assert_eq!(json["commands"][3]["per_item"]["excess"][0]["calls"], 1);
    assert_eq!(json["commands"][4]["ended"]["now"]["exit"], 3);
    assert!(json["commands"][5]["not_run"]["why"].is_string());
}

/// Python's parser reads it, and finds the elements and attributes of Ant's schema (JUnit.xsd)
/// in their order.
#[test]
fn junit_is_what_servers_read() {
    let at = Circumstances {
        when: Time { seconds: 951_827_696, nanoseconds: 0 },
        host: "a&b".to_owned(),
    };
    let xml = junit::checked(b"b<\xff>.toml", &all(), &at);
    let script = r#"
import sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == "testsuites" and not root.attrib
[suite] = root
assert suite.tag == "testsuite"
needed = {"name", "tests", "failures", "errors", "time", "timestamp", "hostname", "package", "id"}
assert needed == set(suite.attrib), suite.attrib
tags = [child.tag for child in suite]
assert tags[0] == "properties" and tags[-2:] == ["system-out", "system-err"], tags
cases = suite[1:-2]
assert int(suite.get("tests")) == len(cases) == 6
kinds = [[child.tag for child in case] for case in cases]
assert kinds == [["failure"], [], ["failure"], ["failure"], ["failure"], ["error"]], kinds
assert [suite.get("failures"), suite.get("errors"), suite.get("time")] == ["4", "1", "9.000"]
assert suite.get("timestamp") == "2000-02-29T12:34:56" and suite.get("hostname") == "a&b"
for case in cases:
    assert {"name", "classname", "time"} == set(case.attrib)
    for child in case:
        assert {"message", "type"} == set(child.attrib)
assert cases[0][0].get("message") == "40 calls more than allowed"
assert "show at lister.c:14" in cases[0][0].text
name = cases[2].get("name")
assert name == "a<b>&\"'\ufffd[31m\ufffd\n\u202e\ufffd]]>", ascii(name)
assert cases[5][0].get("message") == "cannot run 'nosuch': No such file"
"#;
    let mut python = Process::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .spawn()
        .expect("this test needs python3");
    python.stdin.take().unwrap().write_all(xml.as_bytes()).unwrap();
    assert!(python.wait().unwrap().success(), "{xml}");
}
