//! `fewer ls` and `fewer size` of `az://` and `gs://`.

use replay::{Faults, Keys, Replay};

use crate::answers::{Answers, run};
use crate::azure::{ACCOUNT, KEY, page};

/// What is printed, and what was said beside.
fn output(words: &[&str]) -> (String, String) {
    let output = run(words, &[ACCOUNT, KEY, ("TZ", "UTC")]);
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn azure_lists_one_level_for_a_request_a_page() {
    let answers = vec![page(&["p/b", "p/c"], &["p/a/"], "more"), page(&["p/d"], &["p/e/"], "")];
    let server = Answers::give(answers);
    let words = ["ls", "az://c/p/", "-lr", "--time-style=long-iso", "--calls"];
    let endpoint = ["--endpoint-url", &server.address()];
    let (out, costs) = output(&[&words[..], &endpoint].concat());
    let time = "2009-10-12 17:50";
    let rows = format!("? {0:>16} e/\n7 {time} d\n7 {time} c\n7 {time} b\n? {0:>16} a/\n", '?');
    assert_eq!(out, rows);
    assert!(costs.starts_with("       2 list requests for 5 keys"), "{costs}");
    let targets = server.heads();
    let wanted = "&prefix=p%2F&delimiter=%2F";
    assert!(targets.iter().all(|head| head.contains(wanted)), "{targets:?}");
}

#[test]
fn azure_has_sums_of_all_pages() {
    let server = Answers::give(vec![page(&["a/b", "c"], &[], "more"), page(&["a/d/e"], &[], "")]);
    let endpoint = ["--endpoint-url", &server.address()];
    let (out, _) = output(&[&["size", "az://c", "-b", "-a"], &endpoint[..]].concat());
    assert_eq!(out, "7\taz://c/c\n14\taz://c/a/\n21\taz://c\n");
    assert_eq!(server.heads().len(), 2);
}

#[test]
fn google_is_listed_and_measured_as_s3_is() {
    let keys = ["a b+c%41", "logs/1", "logs/2/x", "é<&>"].map(str::to_owned);
    let server = Replay::start(Keys::listed(keys.into()), Faults::default()).unwrap();
    let endpoint = ["--no-sign-request", "--endpoint-url", &server.address()];
    let (out, _) = output(&[&["ls", "gcs://b"], &endpoint[..]].concat());
    assert_eq!(out, "a b+c%41\nlogs/\né<&>\n");
    let (out, _) = output(&[&["size", "gs://b/logs/", "-b", "-r", "-0"], &endpoint[..]].concat());
    let [one, two] = [1, 2].map(replay::size_of);
    assert_eq!(out, format!("{}\tgs://b/logs/\0{two}\tgs://b/logs/2/\0", one + two));
}
