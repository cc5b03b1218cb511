//! Paths joined as text, without a call. Where a component is a symbolic link, the result may name
//! another directory than the kernel would reach: the caller has to check.

use crate::error::Errno;

/// `dir` as seen from `base`: without `.`, empty names and every `..` that has a name before it.
/// The base stays as it is; it is empty, absolute, or a result of this function.
///
/// Price: none.
#[must_use]
pub fn join(base: Vec<u8>, dir: &[u8]) -> Vec<u8> {
    join_checked(base, dir, |_| Ok(())).unwrap_or_default() // which cannot fail
}

/// As [`join`]; `check` gets each path made of names of `dir` before a `..` shortens it.
pub(crate) fn join_checked(
    base: Vec<u8>,
    dir: &[u8],
    check: impl Fn(&[u8]) -> Result<(), Errno>,
) -> Result<Vec<u8>, Errno> {
    let (root, names) = dir.split_at(sys::root_length(dir));
    let mut path = if root.is_empty() { base } else { root.to_vec() };
    let mut names_to_pop = 0_usize;
    for name in names.split(|&byte| sys::is_separator(byte)) {
        match name {
            b"" | b"." => {}
            b".." => {
                if names_to_pop > 0 {
                    check(&path)?;
                    names_to_pop -= 1;
                }
                pop(&mut path);
            }
            _ => {
                names_to_pop += 1;
                push(&mut path, name);
            }
        }
    }
    Ok(path)
}

/// `name` in the directory `base`, which ends with a slash or is empty; an absolute `name` as it
/// is. `.` and `..` stay.
pub(crate) fn below(base: &[u8], name: &[u8]) -> Vec<u8> {
    if sys::root_length(name) > 0 { name.to_vec() } else { [base, name].concat() }
}

/// An absolute path without empty components, `.` and `..`.
pub(crate) fn normalize(path: &[u8]) -> Vec<u8> {
    join(b"/".to_vec(), path)
}

/// The path behind `directory`, unless it is absolute or empty. `.` in front is left out; `..`
/// stays, because a link may stand before it. Free.
#[must_use]
pub fn absolute(directory: &[u8], path: &[u8]) -> Vec<u8> {
    if path.is_empty() || sys::root_length(path) > 0 {
        return path.to_vec();
    }
    let mut rest = path;
    while let [b'.', separator, below @ ..] = rest
        && sys::is_separator(*separator)
    {
        rest = &below[below.iter().take_while(|byte| sys::is_separator(**byte)).count()..];
    }
    let mut absolute = directory.to_vec();
    push(&mut absolute, if rest == b"." { b"" } else { rest });
    absolute
}

/// The last name of a path; empty if the path ends in a slash. Free.
#[must_use]
pub fn base_name(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(path, |slash| &path[slash + 1..])
}

/// Whether one of the names is `..`. Free.
#[must_use]
pub fn has_parent(path: &[u8]) -> bool {
    path.split(|&byte| sys::is_separator(byte)).any(|name| name == b"..")
}

/// Whether the path can be the logical path of a directory (POSIX, `pwd -L`).
/// Free.
#[must_use]
pub fn is_plain_absolute(path: &[u8]) -> bool {
    let mut names = path.split(|&byte| sys::is_separator(byte));
    sys::root_length(path) > 0 && !names.any(|name| matches!(name, b"." | b".."))
}

/// A path without the slashes at its end; of a path of nothing but slashes one stays. (With a slash
/// behind it the kernel follows a link.) Free.
#[must_use]
pub fn without_trailing_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(1, |last| last + 1);
    &path[..end.min(path.len())]
}

/// Appends a component, with a slash before it unless the path is empty or ends with one. An empty
/// component changes nothing. Free.
pub fn push(path: &mut Vec<u8>, name: &[u8]) {
    if name.is_empty() {
        return;
    }
    if path.last().is_some_and(|last| !sys::is_separator(*last)) {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

fn pop(path: &mut Vec<u8>) {
    let root = sys::root_length(path);
    if root > 0 && path[root..].iter().all(|byte| sys::is_separator(*byte)) {
        path.truncate(root); // the root is above itself
        return;
    }
    let is_separator = |byte: &u8| sys::is_separator(*byte);
    let end = path.iter().rposition(|byte| !is_separator(byte)).map_or(0, |last| last + 1);
    let start = path[..end].iter().rposition(is_separator).map_or(0, |slash| slash + 1);
    match &path[start..end] {
        b"" | b".." => push(path, b".."),
        _ if start > root.max(1) => path.truncate(start - 1),
        _ => path.truncate(start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, dir: &str) -> String {
        String::from_utf8(join(base.into(), dir.as_bytes())).unwrap()
    }

    #[test]
    fn words_are_joined_as_words() {
        for (base, dir, path) in [
            ("", "a", "a"),
            ("", "./a//b/.", "a/b"),
            ("a", "..", ""),
            ("a/b", "..", "a"),
            ("a/b", "../../..", ".."),
            ("..", "../x", "../../x"),
            ("a", "/", "/"),
            ("a", "/x/../y/", "/y"),
            ("/", "..", "/"),
            ("/", "../../etc", "/etc"),
            ("/a", "..", "/"),
            ("/a", "../b", "/b"),
            ("/a//b/", "", "/a//b/"),
            ("/a//b/", "..", "/a/"),
            ("/a/", "../c", "/c"),
            ("//", "..", "/"),
            ("", "...", "..."),
            ("", "", ""),
        ] {
            assert_eq!(joined(base, dir), path, "'{dir}' from '{base}'");
        }
    }

    #[test]
    fn an_absolute_path_keeps_what_links_may_change() {
        for (directory, path, expected) in [
            ("/w", "a/b", "/w/a/b"),
            ("/w", ".", "/w"),
            ("/w", "./", "/w"),
            ("/w", ".//./a", "/w/a"),
            ("/w", "../a", "/w/../a"),
            ("/w", "/x", "/x"),
            ("/", "a", "/a"),
            ("/", ".", "/"),
            ("/w", "", ""),
        ] {
            let found = absolute(directory.as_bytes(), path.as_bytes());
            assert_eq!(found, expected.as_bytes(), "'{path}' in {directory}");
        }
    }

    #[test]
    fn names_of_the_directory_are_checked_before_they_are_taken_off() {
        let seen = std::cell::RefCell::new(Vec::new());
        let check = |path: &[u8]| {
            seen.borrow_mut().push(path.to_vec());
            Ok(())
        };
        let path = join_checked(b"/base/x".to_vec(), b"../a/b/../../../c", check);
        assert_eq!(path.unwrap(), b"/c");
        assert_eq!(*seen.borrow(), [b"/base/a/b".to_vec(), b"/base/a".to_vec()]);
        let refused = join_checked(b"/".to_vec(), b"a/..", |_| Err(Errno::NOTDIR));
        assert_eq!(refused, Err(Errno::NOTDIR));
    }

    #[test]
    fn a_path_has_a_last_name() {
        assert_eq!(base_name(b"/a/b.c"), b"b.c");
        assert_eq!(base_name(b"pipe:[1]"), b"pipe:[1]");
        assert_eq!(base_name(b"/a/"), b"");
    }

    #[test]
    fn a_logical_path_is_absolute_and_has_no_dots() {
        assert!(is_plain_absolute(b"/") && is_plain_absolute(b"/a/b..c/.d"));
        for path in ["", "a", "./a", "/a/.", "/../a", "/a/../b"] {
            assert!(!is_plain_absolute(path.as_bytes()), "{path}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config {
            failure_persistence: None,
            ..Default::default()
        })]
        #[test]
        fn what_is_joined_stays_joined(
            base in "(/|\\.\\./|\\.\\.|a|bc|\\.|/a){0,9}",
            dir in "[/.a]{0,12}",
        ) {
            let base = join(Vec::new(), base.as_bytes());
            let once = join(base.clone(), dir.as_bytes());
            proptest::prop_assert_eq!(&join(Vec::new(), &once), &once);
            proptest::prop_assert!(!once.windows(2).any(|pair| pair == b"//"));
        }
    }
}
