//! Whole listings, of a server that answers as S3 does, with every fault that a store may have.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::net::TcpListener;
use std::num::NonZero;
use std::time::Duration;

use fewer_stores::{Answer, Error, KeyRange, List, Location, Outcome, Overrides, Reason};
use replay::{Faults, Keys, Replay};

const KEYS: u64 = 15_000;

fn no_faults() -> Faults {
    Faults::default()
}

fn all_keys(count: u64) -> Vec<Vec<u8>> {
    let keys = Keys::skewed(count, 7);
    (0..count).map(|index| keys.key(index).into_bytes()).collect()
}

/// With the time that a request may take. On a busy machine the server takes its time as well, and
/// what takes too long is sent again.
fn overrides(server: &Replay, timeout: Duration) -> Overrides {
    Overrides {
        endpoint: Some(server.address()),
        anonymous: true,
        timeout: Some(timeout),
        ..Overrides::default()
    }
}

fn list(server: &Replay, prefix: &str) -> List {
    let location = Location::parse(&format!("s3://bucket/{prefix}")).unwrap();
    List::new(location).overrides(overrides(server, Duration::from_secs(60)))
}

/// The keys in the order in which they came, and what the listing came to.
fn listed(list: &List) -> (Vec<Vec<u8>>, Result<Outcome, Error>) {
    let mut keys = Vec::new();
    let result = list.run(|object| {
        keys.push(object.key.to_owned());
        Answer::Continue
    });
    (keys, result.map_err(|failed| failed.error))
}

/// Lists a bucket of a server with faults: every key once, whatever they are.
fn survives(faults: Faults) -> Outcome {
    let hangs = faults.hang_every.is_some();
    let server = Replay::start(Keys::skewed(KEYS, 7), faults).unwrap();
    let list = list(&server, "");
    let impatient = overrides(&server, Duration::from_millis(500));
    let (mut keys, result) = listed(&if hangs { list.overrides(impatient) } else { list });
    let outcome = result.unwrap();
    keys.sort();
    assert_eq!(keys, all_keys(KEYS));
    assert_eq!(outcome.keys, KEYS);
    assert!(outcome.left.is_empty());
    outcome
}

fn refused(faults: Faults) -> Reason {
    let server = Replay::start(Keys::skewed(KEYS, 7), faults).unwrap();
    listed(&list(&server, "")).1.unwrap_err().reason().clone()
}

#[test]
fn every_key_comes_once_with_its_size_and_time() {
    let server = Replay::start(Keys::skewed(KEYS, 7), no_faults()).unwrap();
    let keys = Keys::skewed(KEYS, 7);
    let outcome = list(&server, "").run(|object| {
        let index = keys.after(std::str::from_utf8(object.key).unwrap()) - 1;
        assert_eq!(object.size, replay::size_of(index));
        assert_eq!(object.modified.seconds, replay::modified_of(index));
        Answer::Continue
    });
    let outcome = outcome.unwrap();
    assert_eq!(outcome.keys, KEYS);
    assert_eq!(outcome.requests, server.requests());
    // The most that the plan allows, whatever answers first.
    assert!(outcome.requests <= 15 + 28, "{outcome:?}");
}

#[test]
fn requests_are_side_by_side() {
    let slow = Faults { first_byte: Duration::from_millis(5), ..no_faults() };
    let server = Replay::start(Keys::skewed(100_000, 7), slow).unwrap();
    listed(&list(&server, "")).1.unwrap();
    assert!(server.most_at_once() > 3, "{}", server.most_at_once());
    let server = Replay::start(Keys::skewed(KEYS, 7), no_faults()).unwrap();
    let one = list(&server, "").requests(NonZero::<usize>::MIN);
    let outcome = listed(&one).1.unwrap();
    assert_eq!((server.most_at_once(), outcome.requests), (1, 15));
}

#[test]
fn a_bucket_with_all_keys_in_one_folder_is_shared_out() {
    // The first split is behind that folder, where nothing is: that is an answer, too.
    const KEYS: u32 = 1_000_000;
    let name = |at: u32| format!("logs/{:03}/part-{at:06}", at / 1000);
    // So slow that what else the machine does plays no part.
    let slow = Faults { first_byte: Duration::from_millis(60), ..no_faults() };
    let server = Replay::start(Keys::listed((0..KEYS).map(name).collect()), slow).unwrap();
    let (mut keys, result) = listed(&list(&server, ""));
    let outcome = result.unwrap();
    keys.sort();
    let expected: Vec<Vec<u8>> = (0..KEYS).map(|at| name(at).into_bytes()).collect();
    assert!(keys == expected);
    assert!(server.most_at_once() > 3, "{}", server.most_at_once());
    // What is split costs a request or two. How much is split depends on what answers first; from
    // this size on all that is allowed is a tenth.
    assert!(outcome.requests <= 1100, "{}", outcome.requests);
}

#[test]
fn sorted_is_in_the_order_of_bytes() {
    let server = Replay::start(Keys::skewed(KEYS, 7), no_faults()).unwrap();
    let (keys, result) = listed(&list(&server, "").sorted(true));
    result.unwrap();
    assert_eq!(keys, all_keys(KEYS));
}

#[test]
fn a_prefix_leaves_out_the_rest() {
    let server = Replay::start(Keys::skewed(KEYS, 7), no_faults()).unwrap();
    let (mut keys, result) = listed(&list(&server, "logs/2021/1"));
    result.unwrap();
    keys.sort();
    let mut expected = all_keys(KEYS);
    expected.retain(|key| key.starts_with(b"logs/2021/1"));
    assert!(!expected.is_empty());
    assert_eq!(keys, expected);
}

#[test]
fn one_level_has_objects_and_common_prefixes() {
    let keys = ["a/b/c", "a/b/d", "a/e", "a/f/g", "a/h", "b"].map(str::to_owned);
    let server = Replay::start(Keys::listed(keys.into()), no_faults()).unwrap();
    let mut found = Vec::new();
    let outcome = list(&server, "a/").one_level(true).run(|object| {
        found.push((String::from_utf8_lossy(object.key).into_owned(), object.is_common_prefix));
        Answer::Continue
    });
    assert_eq!(outcome.unwrap().requests, 1);
    let expected = [("a/b/", true), ("a/e", false), ("a/f/", true), ("a/h", false)];
    assert_eq!(found, expected.map(|(key, is)| (key.to_owned(), is)));
}

#[test]
fn keys_may_have_any_character() {
    let keys = [
        "a b+c", "new\nline", "tab\t", "\u{1}", "é", "日本", "\u{10ffff}", "%41", "a%",
        "a&b<c>\"'", "..", "../x", "//", "/", "a//b", "a/", "\\", "~", "#?", "\u{feff}",
        "\u{fffd}",
    ];
    let keys = keys.map(str::to_owned);
    let server = Replay::start(Keys::listed(keys.to_vec()), no_faults()).unwrap();
    let (found, result) = listed(&list(&server, "").sorted(true));
    result.unwrap();
    let mut expected = keys.map(String::into_bytes);
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn what_was_left_has_every_missing_key_and_no_other() {
    for sorted in [false, true] {
        let server = Replay::start(Keys::skewed(KEYS, 7), no_faults()).unwrap();
        let (mut keys, mut left) = (Vec::new(), vec![KeyRange::ALL]);
        let mut times = 0;
        while !left.is_empty() {
            let mut more = 2_777;
            let list = list(&server, "").sorted(sorted).ranges(left);
            let outcome = list.run(|object| {
                keys.push(object.key.to_owned());
                more -= 1;
                if more == 0 { Answer::Stop } else { Answer::Continue }
            });
            left = outcome.unwrap().left;
            times += 1;
        }
        assert_eq!(times, KEYS.div_ceil(2_777));
        if !sorted {
            keys.sort();
        }
        assert_eq!(keys, all_keys(KEYS), "sorted: {sorted}");
    }
}

#[test]
fn a_store_that_wants_fewer_requests_gets_fewer() {
    let first_byte = Duration::from_millis(2);
    let outcome = survives(Faults { slow_down: Some(1), first_byte, ..no_faults() });
    assert!(outcome.slowed > 0);
    let outcome = survives(Faults { refuse_every: Some(5), ..no_faults() });
    assert!(outcome.slowed >= 2, "{outcome:?}");
    assert_eq!(outcome.repeated, outcome.slowed, "{outcome:?}");
}

#[test]
fn what_fails_on_its_way_is_sent_again() {
    for faults in [
        Faults { fail_every: Some(3), ..no_faults() },
        Faults { reset_every: Some(3), ..no_faults() },
        Faults { cut_connection_every: Some(3), ..no_faults() },
        Faults { cut_body_every: Some(3), ..no_faults() },
        Faults { hang_every: Some(5), ..no_faults() },
    ] {
        let described = format!("{faults:?}");
        let outcome = survives(faults);
        assert!(outcome.repeated > 0 && outcome.slowed == 0, "{outcome:?} {described}");
    }
}

#[test]
fn pages_may_be_short_empty_or_begin_with_a_key_that_was_there() {
    survives(Faults { short_pages: true, ..no_faults() });
    survives(Faults { empty_pages_every: Some(3), ..no_faults() });
    survives(Faults { duplicates: true, ..no_faults() });
}

#[test]
fn a_store_that_ignores_start_after_is_listed_by_tokens() {
    let outcome = survives(Faults { ignores_start_after: true, ..no_faults() });
    assert!(outcome.requests <= 17, "{outcome:?}");
}

#[test]
fn a_store_without_order_is_listed_serially_but_not_sorted() {
    let outcome = survives(Faults { unordered: true, ..no_faults() });
    assert_eq!(outcome.requests, 15);
    let unordered = Faults { unordered: true, ..no_faults() };
    let server = Replay::start(Keys::skewed(KEYS, 7), unordered).unwrap();
    let (keys, result) = listed(&list(&server, "").sorted(true));
    let reason = result.unwrap_err().reason().clone();
    assert!(matches!(reason, Reason::Unordered { .. }), "{reason:?}");
    assert!(keys.is_empty());
}

#[test]
fn a_store_that_repeats_itself_is_an_error() {
    let reason = refused(Faults { repeats_token: true, ..no_faults() });
    assert!(matches!(reason, Reason::Answer(_)), "{reason:?}");
}

#[test]
fn a_store_that_refuses_is_asked_once() {
    for (faults, status, name) in [
        (Faults { denied: true, ..no_faults() }, 403, "AccessDenied"),
        (Faults { no_bucket: true, ..no_faults() }, 404, "NoSuchBucket"),
    ] {
        let server = Replay::start(Keys::skewed(KEYS, 7), faults).unwrap();
        let failed = list(&server, "").run(|_| Answer::Continue).unwrap_err();
        let Reason::Refused { status: found, code, .. } = failed.error.reason() else {
            panic!("{failed}")
        };
        assert_eq!((*found, &**code), (status, name));
        assert_eq!((failed.outcome.requests, failed.outcome.repeated), (1, 0));
    }
}

/// An answer without an end takes no memory without an end.
#[test]
fn an_answer_that_never_ends_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut head =
                b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<ListBucketResult>".to_vec();
            while connection.write_all(&head).is_ok() {
                head = vec![b' '; 1 << 20];
            }
        }
    });
    let overrides = Overrides { endpoint: Some(endpoint), anonymous: true, ..Overrides::default() };
    let list = List::new(Location::parse("s3://bucket").unwrap()).overrides(overrides);
    let reason = listed(&list).1.unwrap_err().reason().clone();
    assert_eq!(reason, Reason::Answer("it has more than 64 MiB".to_owned()));
}

#[test]
fn a_bucket_elsewhere_costs_one_request_more() {
    let elsewhere = Faults { wrong_region: Some("eu-west-3".into()), ..no_faults() };
    let server = Replay::start(Keys::numbered("k", 1500), elsewhere).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let keys = "[elsewhere]\naws_access_key_id = A\naws_secret_access_key = b\n";
    std::fs::write(file.path(), keys).unwrap();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_lists_with_a_profile", "--ignored", "--nocapture"])
        .env("AWS_SHARED_CREDENTIALS_FILE", file.path())
        .env("AWS_ENDPOINT_URL", server.address())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(server.requests() >= 3, "{}", server.requests());
}

/// Runs in a process whose environment has the settings.
#[test]
#[ignore = "run by another test"]
fn child_lists_with_a_profile() {
    let profile = Some("elsewhere".to_owned());
    let location = Location::parse("s3://bucket").unwrap();
    let list = List::new(location).overrides(Overrides { profile, ..Overrides::default() });
    assert_eq!(listed(&list).1.unwrap().keys, 1500);
}

#[test]
fn a_server_that_is_not_there_is_given_up() {
    // Nobody listens at a port that only an administrator may take.
    let overrides = Overrides {
        endpoint: Some("http://127.0.0.1:1".to_owned()),
        anonymous: true,
        timeout: Some(Duration::from_millis(100)),
        ..Overrides::default()
    };
    let location = Location::parse("s3://bucket").unwrap();
    let (_, result) = listed(&List::new(location).overrides(overrides));
    let reason = result.unwrap_err().reason().clone();
    assert!(matches!(reason, Reason::GaveUp { attempts: 5, .. }), "{reason:?}");
}
