//! From the path argument of a call to the file that it means.

/// `path` as seen from `directory`, without dots and doubled slashes. A `..` at the beginning of
/// `path` takes a name off `directory`, as if none of those were a link; else a walk up and down a
/// tree would make paths without end. Behind a name it stays, since that may be a link. Without a
/// directory the path stays relative: to one that is not known.
pub(super) fn join(directory: Option<&[u8]>, path: &[u8]) -> Vec<u8> {
    let directory = if path.starts_with(b"/") { b"" } else { directory.unwrap_or_default() };
    let whole = if directory.is_empty() { path } else { directory };
    let is_absolute = whole.starts_with(b"/");
    let mut joined = directory.strip_suffix(b"/").unwrap_or(directory).to_vec();
    let mut is_beginning = true;
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => continue,
            b".." if is_beginning && is_absolute => {
                joined.truncate(memchr::memrchr(b'/', &joined).unwrap_or(0));
                continue;
            }
            _ => is_beginning = false,
        }
        if is_absolute || !joined.is_empty() {
            joined.push(b'/');
        }
        joined.extend_from_slice(part);
    }
    if joined.is_empty() {
        joined.push(if is_absolute { b'/' } else { b'.' });
    }
    joined
}

/// Whether a name on the way is `..`.
pub(super) fn goes_up(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|part| part == b"..")
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
