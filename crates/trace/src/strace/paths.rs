//! From the path argument of a call to the file that it means.

use crate::source::join;

/// `path` as seen from `directory`, without dots and doubled slashes. A `..` at the beginning of
/// `path` takes a name off `directory`, as if none of those were a link; else a walk up and down a
/// tree would make paths without end. Behind a name it stays, since that may be a link. Without a
/// directory the path stays relative: to one that is not known.
pub(super) fn join(directory: Option<&[u8]>, path: &[u8]) -> Vec<u8> {
    let directory = if path.starts_with(b"/") { b"" } else { directory.unwrap_or_default() };
    let is_absolute = directory.starts_with(b"/") || path.starts_with(b"/");
    let mut joined = Vec::new();
    join::join(directory, is_absolute, path, &mut joined);
    if !is_absolute && directory.is_empty() {
        joined.remove(0);
    }
    if joined.is_empty() {
        joined.push(b'.');
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn what_means_nothing_is_left_out() {
        let is = |directory: Option<&str>, path: &str, joined: &str| {
            assert_eq!(join(directory.map(str::as_bytes), path.as_bytes()), joined.as_bytes());
        };
        is(Some("/a/b"), "c", "/a/b/c");
        is(Some("/a/b"), "/c//d/./e/", "/c/d/e");
        is(Some("/"), "c", "/c");
        is(Some("/"), ".", "/");
        is(Some("/a"), "../b", "/b");
        is(Some("/a/b"), "..", "/a");
        is(Some("/"), "../..", "/");
        is(Some("/a"), "b/../c", "/a/b/../c");
        is(None, "../b", "../b");
        is(Some("x"), "../b", "x/../b");
        is(None, "./b", "b");
        is(None, ".", ".");
        is(Some("x"), "b", "x/b");
        is(Some("/a"), "", "/a");
    }
}
