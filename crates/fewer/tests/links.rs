//! Links: not followed unless asked, and then only as far as they do not lead in a circle.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::os::unix::fs::symlink;
use std::path::Path;

use fewer::{Errno, Fields, Order, Walk};
use scene::tree::{directory, file};
use scene::{assert_same, see, see_iter, witness};

/// Both orders, and the iterator, see what `find -L` prints, and come to its end.
fn follows_like_find(root: &Path) -> scene::Seen {
    let expected = witness::find(&["-L"], root, &[]);
    let walk = Walk::new(root).follow(true);
    assert_same(&see(&walk.clone().order(Order::Sorted)).sorted(), &expected, "sorted");
    assert_same(&see_iter(&walk).sorted(), &expected, "iterator");
    let seen = see(&walk);
    let mut lines = seen.lines.clone();
    lines.sort();
    assert_same(&lines, &expected, "any");
    seen
}

#[test]
fn a_link_to_its_own_directory_is_an_error_and_not_an_entry() {
    let place = tempfile::tempdir().unwrap();
    let root = directory(place.path(), "r");
    symlink(".", root.join("here")).unwrap();
    let seen = follows_like_find(&root);
    assert_eq!((seen.errnos(), &seen.errors[0].2), (vec![Errno::LOOP], &root.join("here")));
}

#[test]
fn a_link_to_a_directory_above_is_an_error_and_not_an_entry() {
    let place = tempfile::tempdir().unwrap();
    let root = directory(place.path(), "r");
    directory(&root, "a/b");
    symlink("../..", root.join("a/b/up")).unwrap();
    let seen = follows_like_find(&root);
    assert_eq!((seen.errnos(), &seen.errors[0].2), (vec![Errno::LOOP], &root.join("a/b/up")));
}

/// The circle closes at a directory that is no link: r/up leads above the root, and up/r is r.
#[test]
fn a_circle_through_a_directory_above_the_root_ends_where_find_ends_it() {
    let place = tempfile::tempdir().unwrap();
    let root = directory(place.path(), "top/r");
    file(&root, "file", "");
    symlink("..", root.join("up")).unwrap();
    let seen = follows_like_find(&root);
    assert_eq!(seen.errnos(), [Errno::LOOP]);
}

#[test]
fn a_link_that_points_at_itself_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    symlink("self", place.path().join("self")).unwrap();
    let seen = follows_like_find(place.path());
    assert_eq!(seen.errnos(), [Errno::LOOP]);
}

#[test]
fn two_links_at_each_other_are_two_errors() {
    let place = tempfile::tempdir().unwrap();
    symlink("b", place.path().join("a")).unwrap();
    symlink("a", place.path().join("b")).unwrap();
    let seen = follows_like_find(place.path());
    assert_eq!(seen.errnos(), [Errno::LOOP, Errno::LOOP]);
}

#[test]
fn a_directory_reached_twice_but_not_in_a_circle_is_walked_twice() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "real/x", "");
    symlink("real", place.path().join("first")).unwrap();
    symlink("real", place.path().join("second")).unwrap();
    let seen = follows_like_find(place.path());
    assert_eq!((seen.lines.len(), seen.errors.len()), (7, 0));
}

#[test]
fn a_link_that_points_nowhere_is_a_link() {
    let place = tempfile::tempdir().unwrap();
    symlink("nothing", place.path().join("dangling")).unwrap();
    let seen = follows_like_find(place.path());
    assert!(seen.errors.is_empty());
}

#[test]
fn a_link_as_root_is_followed_only_with_a_slash_or_when_asked() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "real/x", "");
    let link = place.path().join("link");
    symlink("real", &link).unwrap();
    let mut slash = link.clone().into_os_string();
    slash.push("/");
    for root in [link.as_path(), Path::new(&slash)] {
        let expected = witness::find(&[], root, &[]);
        assert_same(&see(&Walk::new(root)).sorted(), &expected, "not followed");
        follows_like_find(root);
    }
    assert_eq!(see(&Walk::new(&link)).lines.len(), 1);
    assert_eq!(see(&Walk::new(&slash)).lines.len(), 2);
    assert_eq!(see(&Walk::new(&link).follow(true)).lines.len(), 2);
}

/// Metadata is that of what the link leads to where it leads somewhere, else that of the link.
#[test]
fn stat_answers_for_the_end_of_a_followed_link() {
    let place = tempfile::tempdir().unwrap();
    let target = file(place.path(), "target", "12345");
    let root = directory(place.path(), "r");
    symlink(&target, root.join("good")).unwrap();
    symlink("nowhere", root.join("bad")).unwrap();
    let (good, bad) = (root.join("good"), root.join("bad"));
    for (follow, path, bytes) in
        [(true, &good, 5), (true, &bad, 7), (false, &good, target.as_os_str().len() as u64)]
    {
        // Below a root, and as a root.
        for walk in [Walk::new(&root), Walk::new(path)] {
            let entries: Vec<_> = walk.follow(follow).iter().map(Result::unwrap).collect();
            let entry = entries.iter().find(|entry| entry.path() == path).unwrap();
            let size = entry.stat(Fields::SIZE).map(|stat| stat.size());
            assert_eq!(size, Ok(bytes), "{} at depth {}", path.display(), entry.depth());
        }
    }
}

/// As the visitor gets them, before they are owned.
#[test]
fn a_visited_link_can_be_read_and_its_target_asked() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "target", "12345");
    symlink("target", place.path().join("link")).unwrap();
    Walk::new(place.path()).visit(
        || {
            |item: fewer::walk::Item<'_>, _: &mut Vec<u8>| {
                let entry = item.unwrap();
                if entry.name_bytes() == b"link" {
                    assert_eq!(entry.read_link().unwrap(), b"target");
                    assert_eq!(entry.stat(Fields::SIZE).unwrap().size(), 6);
                    assert!(entry.open().is_ok());
                }
                fewer::Answer::Continue
            }
        },
        |_| fewer::Answer::Continue,
    );
}
