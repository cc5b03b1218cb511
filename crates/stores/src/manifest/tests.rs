use fewer::Time;

use super::*;

fn listing(is_tree: bool) -> Listing {
    Listing { address: "s3://b/p".to_owned(), endpoint: None, is_tree }
}

fn record(path: &str, size: u64) -> Record<'_> {
    let is_directory = path.ends_with('/');
    let modified = Time { seconds: 1_700_000_000, nanoseconds: 5 };
    Record { path: path.as_bytes(), is_directory, size, modified, etag: None, permissions: None }
}

/// The changes that a listing of these records comes to, each as `A path`.
fn compared(path: &Path, listing: Listing, update: bool, records: &[Record<'_>]) -> Vec<String> {
    let mut comparison = Comparison::open(path, listing, update).unwrap();
    let mut changes = Vec::new();
    let mut note = |kind: ChangeKind, record: &Record<'_>| {
        changes.push(format!("{} {}", kind.name(), String::from_utf8_lossy(record.path)));
        Answer::Continue
    };
    for record in records {
        comparison.found(record, &mut note).unwrap();
    }
    comparison.rest(&mut note).unwrap();
    comparison.save().unwrap();
    changes
}

fn file() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest");
    (folder, path)
}

#[test]
fn what_is_new_gone_and_changed_is_told_in_the_order_of_the_keys() {
    let (_folder, path) = file();
    let first = [record("b", 1), record("c", 2), record("e", 3), record("f", 4)];
    let all = compared(&path, listing(false), true, &first);
    assert_eq!(all, ["added b", "added c", "added e", "added f"]);
    assert_eq!(compared(&path, listing(false), false, &first), [""; 0]);
    let second = [record("a", 1), record("c", 2), record("d", 1), record("e", 4)];
    let changes = ["added a", "removed b", "added d", "changed e", "removed f"];
    assert_eq!(compared(&path, listing(false), false, &second), changes);
    // Without an update the first is still there.
    assert_eq!(compared(&path, listing(false), true, &second), changes);
    assert_eq!(compared(&path, listing(false), true, &second), [""; 0]);
    let none = ["removed a", "removed c", "removed d", "removed e"];
    assert_eq!(compared(&path, listing(false), false, &[]), none);
}

#[test]
fn a_change_is_one_of_size_time_etag_or_permissions() {
    let (_folder, path) = file();
    let etag = Some(etag_hash("0123").unwrap());
    let was = Record { etag, permissions: Some(0o644), ..record("k", 7) };
    compared(&path, listing(false), true, &[was]);
    let later = Time { nanoseconds: 6, ..was.modified };
    for (now, is_change) in [
        (was, false),
        (Record { size: 8, ..was }, true),
        (Record { modified: later, ..was }, true),
        (Record { etag: etag_hash("0124"), ..was }, true),
        (Record { permissions: Some(0o600), ..was }, true),
        (Record { is_directory: true, ..was }, true),
    ] {
        let changes = compared(&path, listing(false), false, &[now]);
        assert_eq!(changes.len(), usize::from(is_change), "{now:?}");
    }
    assert_eq!(etag_hash(""), None);
}

#[test]
fn of_a_directory_in_a_tree_size_and_time_do_not_count() {
    let (_folder, path) = file();
    let directory = Record { is_directory: true, permissions: Some(0o755), ..record("d", 0) };
    compared(&path, listing(true), true, &[directory]);
    let later = Time { seconds: 1_800_000_000, nanoseconds: 0 };
    let now = Record { modified: later, ..directory };
    assert_eq!(compared(&path, listing(true), false, &[now]), [""; 0]);
    let closed = Record { permissions: Some(0), ..directory };
    assert_eq!(compared(&path, listing(true), false, &[closed]), ["changed d"]);
}

#[test]
fn a_tree_has_a_directory_before_its_entries_and_they_before_the_next_name() {
    let (_folder, path) = file();
    let tree = ["", "a", "a/b", "a/b/c", "a-", "é"].map(|path| record(path, 1));
    compared(&path, listing(true), true, &tree);
    assert_eq!(compared(&path, listing(true), false, &tree), [""; 0]);
    let now = ["", "a", "a-", "a-/x"].map(|path| record(path, 1));
    let changes = ["removed a/b", "removed a/b/c", "added a-/x", "removed é"];
    assert_eq!(compared(&path, listing(true), false, &now), changes);
}

#[test]
fn what_was_not_listed_is_not_gone_and_no_manifest_is_written() {
    let (_folder, path) = file();
    let tree = ["", "a", "a/b", "a/b/c", "ab", "z"].map(|path| record(path, 1));
    compared(&path, listing(true), true, &tree);
    let before = std::fs::read(&path).unwrap();
    let mut comparison = Comparison::open(&path, listing(true), true).unwrap();
    let mut gone = Vec::new();
    let mut note = |_: ChangeKind, record: &Record<'_>| {
        gone.push(record.path.to_vec());
        Answer::Continue
    };
    comparison.found(&record("", 1), &mut note).unwrap();
    comparison.found(&record("a", 1), &mut note).unwrap();
    comparison.unlisted(b"a");
    comparison.found(&record("z", 1), &mut note).unwrap();
    comparison.rest(&mut note).unwrap();
    comparison.save().unwrap();
    assert_eq!(gone, [b"ab"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_listing_longer_than_a_block_comes_back() {
    let (_folder, path) = file();
    let keys: Vec<String> = (0..40_000).map(|at| format!("{}/{at:08}", "k".repeat(20))).collect();
    let etag = |at: usize| (!at.is_multiple_of(3)).then_some(at as u64);
    let records = |size: u64| {
        let of = move |(at, key)| Record { etag: etag(at), ..record(key, size) };
        keys.iter().map(String::as_str).enumerate().map(of).collect::<Vec<_>>()
    };
    compared(&path, listing(false), true, &records(1));
    assert!(std::fs::metadata(&path).unwrap().len() > 512 << 10);
    assert_eq!(compared(&path, listing(false), false, &records(1)), [""; 0]);
    assert_eq!(compared(&path, listing(false), false, &records(2)).len(), 40_000);
    assert_eq!(compared(&path, listing(false), false, &records(1)[1..]).len(), 1);
}

#[test]
fn a_file_with_any_byte_changed_or_cut_off_is_no_manifest() {
    let (_folder, path) = file();
    compared(&path, listing(false), true, &[record("a", 1), record("b/", 2)]);
    let whole = std::fs::read(&path).unwrap();
    let is_refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Comparison::open(&path, listing(false), false).is_err()
    };
    assert!(!is_refused(&whole));
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert!(is_refused(&damaged), "byte {at}");
        assert!(is_refused(&whole[..at]), "{at} bytes");
    }
    assert!(is_refused(&[&whole[..], b"\0"].concat()));
}

#[test]
fn a_manifest_is_of_one_address_and_one_server() {
    let (_folder, path) = file();
    compared(&path, listing(false), true, &[record("a", 1)]);
    let other = Listing { address: "s3://c/".to_owned(), ..listing(false) };
    let elsewhere = Listing { endpoint: Some("http://x".to_owned()), ..listing(false) };
    for (of, words) in [(other, "of 's3://b/p', and not of 's3://c/'"), (elsewhere, "http://x")] {
        for update in [false, true] {
            let error = Comparison::open(&path, of.clone(), update).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
    let gone = Comparison::open(&path.with_extension("gone"), listing(false), false);
    assert_eq!(gone.unwrap_err().errno(), Some(Errno::NOENT));
}
