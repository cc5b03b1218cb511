//! `gs://`: the server of this repository answers as S3 does, which is how Google's XML API answers.

use std::time::Duration;

use replay::{Faults, Keys, Replay};

use crate::answers::{Answers, printed, refused, walk};
use crate::price::most_requests;

const KEYS: [&str; 5] = ["a b+c%41", "logs/1", "logs/2", "new\nline", "é<&>"];

const EMPTY: &str = "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult \
    xmlns='http://doc.s3.amazonaws.com/2006-03-01'><Name>b</Name><Prefix/><KeyCount>0</KeyCount>\
    <IsTruncated>false</IsTruncated></ListBucketResult>";

fn server() -> Replay {
    Replay::start(Keys::listed(KEYS.map(str::to_owned).into()), Faults::default()).unwrap()
}

#[test]
fn every_key_is_printed_as_its_address() {
    let server = server();
    let endpoint = server.address();
    let all: String = KEYS.map(|key| format!("gs://b/{key}\0")).concat();
    let words = ["-0", "--sort", "--no-sign-request", "--endpoint-url", &endpoint];
    assert_eq!(printed(&[&["gs://b"], &words[..]].concat(), &[]), all);
    assert_eq!(printed(&[&["gcs://b/l", "-d", "1"], &words[..]].concat(), &[]), "gs://b/logs/\0");
    assert_eq!(
        printed(&["gs://b/logs/", "--sort"], &[("STORAGE_EMULATOR_HOST", &endpoint)]),
        "gs://b/logs/1\ngs://b/logs/2\n"
    );
}

#[test]
fn a_large_bucket_is_listed_side_by_side_within_the_limit_of_requests() {
    let faults = Faults {
        refuse_every: Some(9),
        // So slow that what else the machine does plays no part.
        first_byte: Duration::from_millis(60),
        reset_every: Some(31),
        ..Faults::default()
    };
    let server = Replay::start(Keys::skewed(60_000, 3), faults).unwrap();
    let words = ["gs://b", "--count", "--calls", "--json", "--no-sign-request"];
    let output = walk(&words, &[("STORAGE_EMULATOR_HOST", &server.address())]);
    let (out, costs) = (String::from_utf8(output.stdout).unwrap(), output.stderr);
    let (out, costs): (serde_json::Value, serde_json::Value) =
        (serde_json::from_str(&out).unwrap(), serde_json::from_slice(&costs).unwrap());
    assert_eq!(out["entries"], 60_000);
    let (requests, repeated) =
        (costs["requests"].as_u64().unwrap(), costs["repeated"].as_u64().unwrap());
    assert!(requests - repeated <= most_requests(60) && repeated > 0, "{costs}");
    assert!(server.most_at_once() > 2, "{}", server.most_at_once());
}

#[test]
fn a_listing_goes_on_from_its_checkpoint() {
    let server = Replay::start(Keys::skewed(3_000, 3), Faults::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let words = ["gs://b", "-0", "--max-results", "700", "--checkpoint"];
    let words = [&words[..], &[checkpoint.to_str().unwrap()]].concat();
    let mut found = Vec::new();
    for run in 1.. {
        let part = printed(&words, &[("STORAGE_EMULATOR_HOST", &server.address())]);
        found.extend(part.split_terminator('\0').map(str::to_owned));
        if !checkpoint.exists() {
            assert_eq!(run, 5);
            break;
        }
    }
    found.sort();
    let keys = Keys::skewed(3_000, 3);
    let all: Vec<String> = (0..3_000).map(|at| format!("gs://b/{}", keys.key(at))).collect();
    assert_eq!(found, all);
}

#[test]
fn a_token_is_sent_and_none_where_none_is_wanted() {
    let sent = |words: &[&str], variables: &[(&str, &str)]| {
        let server = Answers::give(vec![("200 OK", EMPTY.to_owned())]);
        let endpoint = ["--endpoint-url", &server.address()];
        assert_eq!(printed(&[words, &endpoint].concat(), variables), "");
        server.heads().remove(0).to_lowercase()
    };
    let token = ("GOOGLE_BEARER_TOKEN", "ya29.Token");
    let head = sent(&["gs://b/a+b"], &[token]);
    assert!(head.contains("\r\nauthorization: bearer ya29.token\r\n"), "{head}");
    assert!(head.starts_with("get /b?list-type=2&encoding-type=url&prefix=a%2bb "), "{head}");
    assert!(!sent(&["gs://b", "--no-sign-request"], &[token]).contains("authorization"));
    let skip = ("GOOGLE_SKIP_SIGNATURE", "true");
    assert!(!sent(&["gs://b"], &[token, skip]).contains("authorization"));
}

#[test]
fn what_google_refuses_is_an_error_with_its_words() {
    let error = |code: &str, message: &str| {
        format!(
            "<?xml version='1.0' encoding='UTF-8'?><Error><Code>{code}</Code>\
             <Message>{message}</Message><Details>More.</Details></Error>"
        )
    };
    for (status, code, message) in [
        ("404 Not Found", "NoSuchBucket", "The specified bucket does not exist."),
        ("403 Forbidden", "AccessDenied", "Access denied."),
        ("401 Unauthorized", "AuthenticationRequired", "Authentication required."),
    ] {
        let server = Answers::give(vec![(status, error(code, message))]);
        let words = ["gs://b/p", "--no-sign-request", "--endpoint-url", &server.address()];
        let said = refused(&words, &[]);
        let number = &status[..3];
        let expected = format!(
            "fewer: cannot list 'gs://b/p': the store answers {number} {code}: {message}\n"
        );
        assert_eq!(said, expected);
    }
}

#[test]
fn what_cannot_be_is_refused_before_the_first_request() {
    for (words, variables, part) in [
        (&["gs://b", "--region", "us-east-1"][..], &[][..], "--region is about S3"),
        (&["gs://b", "--profile", "x"], &[], "--profile is about S3"),
        (&["gs://b", "s3://b", "--endpoint-url", "http://127.0.0.1:1"], &[], "of one store"),
        (&["gs://"], &[], "bucket"),
        (&["gs://b"], &[("GOOGLE_APPLICATION_CREDENTIALS", "/none")], "/none"),
        (&["gs://b"], &[("GOOGLE_SKIP_SIGNATURE", "perhaps")], "GOOGLE_SKIP_SIGNATURE"),
        (&["gs://b", "--endpoint-url", "http://10.255.255.1"], &[], "https://"),
        (&["gs://b", "--owner", "root"], &[], "--owner"),
    ] {
        let message = refused(words, variables);
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
    }
}
