//! `az://`: pages that come one after the other, each beginning where the one before says.

use crate::answers::{Answers, printed, refused, walk};

/// The key of an account, in base 64: `key`.
pub(crate) const KEY: (&str, &str) = ("AZURE_STORAGE_ACCOUNT_KEY", "a2V5");
pub(crate) const ACCOUNT: (&str, &str) = ("AZURE_STORAGE_ACCOUNT_NAME", "logs");

pub(crate) fn page(names: &[&str], prefixes: &[&str], marker: &str) -> (&'static str, String) {
    let blob = |name: &&str| {
        format!(
            "<Blob><Name>{name}</Name><Properties><Content-Length>7</Content-Length>\
             <Last-Modified>Mon, 12 Oct 2009 17:50:30 GMT</Last-Modified></Properties></Blob>"
        )
    };
    let prefix = |name: &&str| format!("<BlobPrefix><Name>{name}</Name></BlobPrefix>");
    let blobs: String = names.iter().map(blob).chain(prefixes.iter().map(prefix)).collect();
    let body = format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\
         <EnumerationResults><Blobs>{blobs}</Blobs>\
         <NextMarker>{marker}</NextMarker></EnumerationResults>"
    );
    ("200 OK", body)
}

fn refusal(status: &'static str, code: &str) -> (&'static str, String) {
    let message = "Why.\nRequestId:1\nTime:2026-11-28T00:00:00Z";
    let body = format!("\u{feff}<Error><Code>{code}</Code><Message>{message}</Message></Error>");
    (status, body)
}

/// Walks over these answers: what is printed, and the heads of the requests.
fn walked(
    answers: Vec<(&'static str, String)>,
    words: &[&str],
    variables: &[(&str, &str)],
) -> (String, Vec<String>) {
    let server = Answers::give(answers);
    let endpoint = ["--endpoint-url", &server.address()];
    let out = printed(&[words, &endpoint].concat(), variables);
    (out, server.heads())
}

/// The first line of each head.
fn targets(heads: &[String]) -> Vec<&str> {
    heads.iter().filter_map(|head| head.split(' ').nth(1)).collect()
}

#[test]
fn pages_come_one_after_the_other_by_their_markers() {
    let answers = vec![page(&["b", "c"], &[], "2!8!b+/="), page(&["a", "d%41+"], &[], "")];
    let (out, heads) = walked(answers, &["az://c/", "-j", "8"], &[ACCOUNT, KEY]);
    assert_eq!(out, "az://c/b\naz://c/c\naz://c/a\naz://c/d%41+\n");
    let first = "/logs/c?restype=container&comp=list";
    assert_eq!(targets(&heads), [first, &format!("{first}&marker=2%218%21b%2B%2F%3D")]);
}

#[test]
fn one_level_is_asked_of_the_store() {
    let answers = vec![page(&["p/b"], &["p/a/", "p/c/"], "")];
    let (out, heads) = walked(answers, &["az://c/p/", "-d", "1", "--sort"], &[ACCOUNT, KEY]);
    assert_eq!(out, "az://c/p/a/\naz://c/p/b\naz://c/p/c/\n");
    let target = "/logs/c?restype=container&comp=list&prefix=p%2F&delimiter=%2F";
    assert_eq!(targets(&heads), [target]);
}

#[test]
fn output_is_that_of_a_walk() {
    let answers = || vec![page(&["a.gz", "b"], &[], "")];
    let words = ["az://c", "--format", "{size} {mtime:%Y} {}", "-e", "gz"];
    assert_eq!(walked(answers(), &words, &[ACCOUNT, KEY]).0, "7 2009 az://c/a.gz\n");
    let count = walked(answers(), &["az://c", "--count"], &[ACCOUNT, KEY]).0;
    assert_eq!(count, "2 entries, 0 directories, 2 files, 0 links, 0 other\n");
    let (out, heads) = walked(
        vec![page(&["a", "b"], &[], "more")],
        &["az://c", "--max-results", "2"],
        &[ACCOUNT, KEY],
    );
    assert_eq!((&*out, heads.len()), ("az://c/a\naz://c/b\n", 1));
    assert_eq!(walked(vec![page(&[], &[], "")], &["az://c"], &[ACCOUNT, KEY]).0, "");
}

#[test]
fn each_kind_of_credentials_is_sent_in_its_place() {
    let head = |variables: &[(&str, &str)], words: &[&str]| {
        let words = [&["az://c"], words].concat();
        walked(vec![page(&[], &[], "")], &words, &[&[ACCOUNT], variables].concat()).1.remove(0)
    };
    let signed = head(&[KEY], &[]).to_lowercase();
    assert!(signed.contains("\r\nauthorization: sharedkey logs:"), "{signed}");
    assert!(signed.contains("\r\nx-ms-version: 2023-11-03\r\n"), "{signed}");
    let token = head(&[("AZURE_STORAGE_TOKEN", "Token")], &[]);
    assert!(token.to_lowercase().contains("\r\nauthorization: bearer token\r\n"), "{token}");
    for signature in ["sv=2023-11-03&sig=a%2Bb%3D", "?sv=2023-11-03&sig=a%2Bb%3D"] {
        let signed = head(&[("AZURE_STORAGE_SAS_TOKEN", signature)], &[]);
        let query = "/logs/c?restype=container&comp=list&sv=2023-11-03&sig=a%2Bb%3D ";
        assert!(signed.contains(query) && !signed.contains("uthorization"), "{signed}");
    }
    let anonymous = head(&[KEY], &["--no-sign-request"]).to_lowercase();
    assert!(!anonymous.contains("authorization"), "{anonymous}");
    assert!(anonymous.contains("\r\nx-ms-version: "), "{anonymous}");
}

#[test]
fn what_fails_on_its_way_is_sent_again() {
    let answers = vec![
        refusal("503 Server Busy", "ServerBusy"),
        page(&["a"], &[], "m"),
        ("", String::new()),
        refusal("500 Internal Server Error", "OperationTimedOut"),
        ("200 OK", page(&["b", "c"], &[], "").1.split_at(150).0.to_owned()),
        refusal("503 Server Busy", "ServerBusy"),
        page(&["b"], &[], ""),
    ];
    let server = Answers::give(answers);
    let words = ["az://c", "--calls", "--json", "--endpoint-url", &server.address()];
    let output = walk(&words, &[ACCOUNT, KEY]);
    assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 2);
    let expected =
        "{\"v\":1,\"keys\":2,\"requests\":7,\"repeated\":5,\"slowed\":2,\"cents\":0.0035}\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    assert_eq!(targets(&server.heads()).iter().filter(|it| it.ends_with("&marker=m")).count(), 5);
}

#[test]
fn what_azure_refuses_is_an_error_with_its_words() {
    for (status, code) in [
        ("404 The specified container does not exist.", "ContainerNotFound"),
        ("403 Forbidden", "AuthenticationFailed"),
        ("409 Conflict", "PublicAccessNotPermitted"),
    ] {
        let server = Answers::give(vec![refusal(status, code)]);
        let said = refused(&["az://c/p", "--endpoint-url", &server.address()], &[ACCOUNT, KEY]);
        let number = &status[..3];
        let expected =
            format!("fewer: cannot list 'az://c/p': the store answers {number} {code}: Why.\n");
        assert_eq!(said, expected);
    }
}

#[test]
fn a_sorted_listing_needs_a_store_that_lists_in_order() {
    let server = Answers::give(vec![page(&["b", "a"], &[], "")]);
    let said = refused(&["az://c", "--sort", "--endpoint-url", &server.address()], &[ACCOUNT, KEY]);
    assert!(said.contains("after 'b' comes 'a'"), "{said}");
}

#[test]
fn what_cannot_be_is_refused_before_the_first_request() {
    let local = "http://127.0.0.1:1";
    for (words, variables, part) in [
        (&["az://c"][..], &[][..], "AZURE_STORAGE_ACCOUNT_NAME is not set"),
        (&["az://c", "--checkpoint", "x"], &[ACCOUNT], "--checkpoint: Azure Blob Storage"),
        (&["az://c", "--region", "us-east-1"], &[ACCOUNT], "--region is about S3"),
        (&["az://c", "--owner", "root"], &[ACCOUNT], "--owner"),
        (&["az://c@a.dfs.core.windows.net/p"], &[], "bucket"),
        (&["abfss://c@a.example/p"], &[], "@"),
        (&["wasbs://c@a.blob.core.windows.net/p"], &[], "wasbs://"),
        (&["az://c", "gs://b", "--endpoint-url", local], &[ACCOUNT], "of one store"),
        (&["az://c"], &[ACCOUNT, ("AZURE_STORAGE_ACCOUNT_KEY", "no base 64")], "no credentials"),
        (&["az://c"], &[("AZURE_STORAGE_CONNECTION_STRING", "x")], "without '='"),
        (
            &["az://c", "--endpoint-url", "http://10.255.255.1"],
            &[ACCOUNT, ("AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=secret")],
            "https://",
        ),
    ] {
        let message = refused(words, variables);
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
        assert!(!message.contains("secret") && !message.contains("no base 64"), "{message}");
    }
}
