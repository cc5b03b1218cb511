//! From a path as a program gives it to the absolute path that it means, without a system call.

/// The result of joining two paths.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Joined {
    /// How many names were put behind the directory.
    pub(crate) names: usize,
    /// Whether a `..` is left in it, behind what may be a link.
    pub(crate) has_parents: bool,
}

/// Puts `path` behind `base`, into `whole`. `.` and doubled slashes go; `..` goes where what is
/// before it is known to be no link: at the beginning, if `base` is the kernel's own path of a
/// directory (`base_is_real`).
pub(crate) fn join(base: &[u8], base_is_real: bool, path: &[u8], whole: &mut Vec<u8>) -> Joined {
    whole.clear();
    whole.extend_from_slice(base.strip_suffix(b"/").unwrap_or(base));
    let mut joined = Joined { names: 0, has_parents: false };
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => continue,
            b".." if base_is_real && joined.names == 0 && !joined.has_parents => {
                whole.truncate(memchr::memrchr(b'/', whole).unwrap_or(0));
                continue;
            }
            b".." => joined.has_parents = true,
            _ => joined.names += 1,
        }
        whole.push(b'/');
        whole.extend_from_slice(name);
    }
    if whole.is_empty() {
        whole.push(b'/');
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, path: &str) -> String {
        let mut whole = Vec::new();
        join(base.as_bytes(), true, path.as_bytes(), &mut whole);
        String::from_utf8(whole).unwrap()
    }

    #[test]
    fn dots_and_doubled_slashes_go() {
        assert_eq!(joined("/a", "./b//c/./d/"), "/a/b/c/d");
        assert_eq!(joined("/", "usr"), "/usr");
        assert_eq!(joined("/", "/"), "/");
        assert_eq!(joined("/", "."), "/");
        assert_eq!(joined("/a/b", ""), "/a/b");
    }

    #[test]
    fn parents_go_only_where_nothing_before_them_may_be_a_link() {
        assert_eq!(joined("/a/b", ".."), "/a");
        assert_eq!(joined("/a/b", "../../../c"), "/c");
        assert_eq!(joined("/", ".."), "/");
        assert_eq!(joined("/a", "link/../c"), "/a/link/../c");
        let mut whole = Vec::new();
        let result = join(b"/a/b", false, b"../c", &mut whole);
        assert_eq!((&*whole, result.has_parents), (&b"/a/b/../c"[..], true));
    }
}
