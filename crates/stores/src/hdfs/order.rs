//! Where a path stands in a sorted walk: a directory before what is in it, and that before the
//! names behind it.

use std::cmp::Ordering;

/// A path below the root. It compares as a sorted walk visits: by the bytes of names, so that a
/// slash comes before any byte that a name can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position(pub(super) String);

impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        compare(self.0.as_bytes(), other.0.as_bytes())
    }
}

/// How paths below a root compare.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (a.get(common), b.get(common)) {
        (Some(b'/'), Some(_)) => Ordering::Less,
        (Some(_), Some(b'/')) => Ordering::Greater,
        (a, b) => a.cmp(&b),
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A path below a directory. The root of HDFS ends in a slash, the root of a walk is empty.
pub(super) fn join(directory: &str, below: &str) -> String {
    let slash = match directory.is_empty() || below.is_empty() || directory.ends_with('/') {
        true => "",
        false => "/",
    };
    [directory, slash, below].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_comes_before_its_entries_and_they_before_the_next_name() {
        let sorted = ["", "a", "a/\u{1}", "a/b", "a/b/c", "a/é", "a\u{0}", "a b", "a-", "a0", "é"];
        let mut positions = sorted.map(|path| Position(path.to_owned())).to_vec();
        positions.reverse();
        positions.sort();
        assert_eq!(positions, sorted.map(|path| Position(path.to_owned())));
    }

    #[test]
    fn a_path_has_one_slash_between_names() {
        let joined =
            [join("/", "a"), join("/", ""), join("/a", "b"), join("", "a"), join("/a", "")];
        assert_eq!(joined, ["/a", "/", "/a/b", "a", "/a"]);
    }
}
