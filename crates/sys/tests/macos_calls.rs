//! The page on macOS names every call that is counted there, and no other.

use std::collections::BTreeSet;
use std::path::Path;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in the counter's list for macOS and FreeBSD, without those of FreeBSD alone.
fn counted(counter: &str) -> BTreeSet<String> {
    let list = counter.split("target_os = \"macos\"").nth(1).expect("a list of calls for macOS");
    let list = &list[..list.find("\n}").expect("the end of the list")];
    let rows = list.lines().filter(|line| line.ends_with(';') && !line.contains("on FreeBSD"));
    rows.map(|row| row.split('"').nth(1).expect("a name").to_owned()).collect()
}

/// The names in the first column of the table of calls.
fn documented(page: &str) -> Vec<String> {
    let table = page.split("| call | used for | manual |").nth(1).expect("a table of calls");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).expect("a name").to_owned()).collect()
}

#[test]
fn every_call_of_macos_is_on_its_page_with_its_manual() {
    let page = text("../../docs/macos.md");
    let names = documented(&page);
    let documented: BTreeSet<String> = names.iter().cloned().collect();
    assert_eq!(names.len(), documented.len(), "a call is there twice");
    let counted = counted(&text("src/counter.rs"));
    assert!(counted.len() > 40 && counted.contains("getattrlistbulk"), "{counted:?}");
    assert_eq!(counted, documented);
}
