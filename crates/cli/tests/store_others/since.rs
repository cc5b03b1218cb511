//! `fewer walk --since FILE` of `az://` and `gs://`.

use std::fs;
use std::path::PathBuf;

use replay::{Faults, Keys, Replay};

use crate::answers::{Answers, walk};
use crate::azure::{ACCOUNT, KEY};

/// A blob: name, size and ETag.
type Blob = (&'static str, u64, &'static str);

fn page(blobs: &[Blob], marker: &str) -> (&'static str, String) {
    let blob = |(name, size, etag): &Blob| {
        let kind = if name.ends_with('/') { "directory" } else { "file" };
        format!(
            "<Blob><Name>{}</Name><Properties><Content-Length>{size}</Content-Length>\
             <Last-Modified>Mon, 12 Oct 2009 17:50:30 GMT</Last-Modified><Etag>{etag}</Etag>\
             <ResourceType>{kind}</ResourceType></Properties></Blob>",
            name.trim_end_matches('/')
        )
    };
    let blobs: String = blobs.iter().map(blob).collect();
    let body = format!(
        "<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker>{marker}</NextMarker>\
         </EnumerationResults>"
    );
    ("200 OK", body)
}

fn refusal() -> (&'static str, String) {
    ("403 Forbidden", "<Error><Code>Denied</Code><Message>Why.</Message></Error>".to_owned())
}

/// One server for all runs, and a folder for the manifest.
struct Container {
    endpoint: String,
    folder: tempfile::TempDir,
}

impl Container {
    fn new(endpoint: String) -> Container {
        Container { endpoint, folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("manifest")
    }

    /// Status, changes and messages.
    fn since(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let file = self.file();
        let since = ["--since", file.to_str().unwrap(), "--endpoint-url", &self.endpoint];
        let output = walk(&[words, &since].concat(), &[ACCOUNT, KEY]);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// What is printed; nothing went wrong.
    fn changes(&self, words: &[&str]) -> String {
        let (status, out, message) = self.since(words);
        assert_eq!((status, message.as_str()), (Some(0), ""), "{words:?}");
        out
    }

    fn names(&self) -> Vec<std::ffi::OsString> {
        fs::read_dir(self.folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect()
    }
}

const FIRST: [Blob; 5] =
    [("a", 1, "e1"), ("b/c", 1, "e2"), ("b/d.gz", 1, "e3"), ("f/", 0, ""), ("g", 1, "e4")];

#[test]
fn azure_says_what_is_new_gone_and_changed_over_all_pages() {
    let now = || page(&[("a", 1, "e1"), ("b/c", 2, "e2"), ("b/d.gz", 1, "other")], "more");
    let rest = || page(&[("g", 1, "e4"), ("h", 1, "e5")], "");
    let all = || vec![now(), rest()];
    let first = vec![page(&FIRST[..2], "m"), page(&FIRST[2..], "")];
    let server = Answers::give([first, vec![page(&FIRST, "")], all(), all(), all()].concat());
    let container = Container::new(server.address());
    let new = "A az://c/a\nA az://c/b/c\nA az://c/b/d.gz\nA az://c/f/\nA az://c/g\n";
    assert_eq!(container.changes(&["az://c", "--update"]), new);
    assert_eq!(container.changes(&["az://c"]), "");
    let changes = "M az://c/b/c\nM az://c/b/d.gz\nD az://c/f/\nA az://c/h\n";
    assert_eq!(container.changes(&["az://c/", "-j", "8"]), changes);
    assert_eq!(
        container.changes(&["az://c", "--update", "-e", "gz", "--json"]),
        "{\"v\":1,\"change\":\"changed\",\"path\":{\"text\":\"az://c/b/d.gz\"},\"kind\":\"file\"}\n"
    );
    assert_eq!(container.changes(&["az://c"]), "");
    assert_eq!(container.names(), ["manifest"]);
    // Two pages each but for the second run: the listing costs what it does without --since.
    assert_eq!(server.heads().len(), 9);
}

#[test]
fn azure_calls_nothing_gone_that_it_did_not_list() {
    let out_of_order = page(&[("b/c", 1, "e2"), ("a", 1, "e1")], "");
    let answers = vec![
        page(&FIRST, ""),
        // All that is behind the first page is not listed.
        page(&[("a", 2, "e1"), ("b/a", 1, "e9")], "more"),
        refusal(),
        refusal(),
        out_of_order,
        page(&FIRST, ""),
    ];
    let server = Answers::give(answers);
    let container = Container::new(server.address());
    container.changes(&["az://c", "--update"]);
    let before = fs::read(container.file()).unwrap();
    for (status, changes, part) in [
        (1, "M az://c/a\nA az://c/b/a\n", "403 Denied: Why."),
        (2, "", "403 Denied: Why."),
        (2, "", "after 'b/c' comes 'a'"),
    ] {
        let (code, out, message) = container.since(&["az://c", "--update"]);
        assert_eq!((code, &*out), (Some(status), changes), "{message}");
        assert!(message.starts_with("fewer: cannot list 'az://c/': "), "{message}");
        assert!(message.contains(part), "{message}");
        assert!(fs::read(container.file()).unwrap() == before);
        assert_eq!(container.names(), ["manifest"]);
    }
    assert_eq!(container.changes(&["az://c"]), "");
    server.heads();
}

#[test]
fn a_manifest_of_another_container_account_or_store_is_refused_before_a_request() {
    let server = Answers::give(vec![page(&FIRST, "")]);
    let container = Container::new(server.address());
    container.changes(&["az://c", "--update"]);
    server.heads();
    let other = Container { endpoint: "http://127.0.0.1:1/other".to_owned(), ..container };
    for (words, part) in [
        (&["az://d"][..], "and not of 'az://d/'"),
        (&["az://c"], "http://127.0.0.1:1/other"),
        (&["gs://c", "--no-sign-request"], "and not of 'gs://c/'"),
        (&["az://c", "--update", "--checkpoint", "c"], "--checkpoint"),
    ] {
        let (status, out, message) = other.since(words);
        assert_eq!((status, &*out), (Some(2), ""), "{message}");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn google_says_what_changed_as_s3_does() {
    let server = Replay::start(Keys::numbered("p/k", 5_000), Faults::default()).unwrap();
    let container = Container::new(server.address());
    let words = ["gs://b/p", "--no-sign-request"];
    let all = container.changes(&[&words[..], &["--update"]].concat());
    assert_eq!(all.lines().count(), 5_000);
    assert!(all.starts_with("A gs://b/p/k0000\nA gs://b/p/k0001\n"), "{}", &all[..60]);
    assert_eq!(container.changes(&words), "");
    drop(server);
    let keys: Vec<String> = (0..4_998).map(|at| format!("p/k{at:04}")).collect();
    let keys = [&keys[..], &["p/new".to_owned()]].concat();
    let faults = Faults::default();
    let server = Replay::start_again(&container.endpoint, Keys::listed(keys), faults).unwrap();
    // An object is made of its index among the keys: those before are the same.
    let changes = "D gs://b/p/k4998\nD gs://b/p/k4999\nA gs://b/p/new\n";
    assert_eq!(container.changes(&["gcs://b/p", "--no-sign-request", "--update"]), changes);
    assert_eq!(container.changes(&words), "");
    drop(server);
}
