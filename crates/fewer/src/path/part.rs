//! The parts of a path that placeholders name, those of fd.

use super::lexical::{base_name, without_trailing_slashes};

/// A part of a path. Slashes at its end do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// `{}`: all of it, as it is written.
    Whole,
    /// `{/}`: the last name.
    Name,
    /// `{//}`: what is before the last name; `.` if there is nothing.
    Parent,
    /// `{.}`: all of it without the extension.
    WithoutExtension,
    /// `{/.}`: the last name without the extension.
    Stem,
}

impl PathPart {
    /// The placeholders.
    pub(crate) const PLACEHOLDERS: [(&str, PathPart); 5] = [
        ("{}", PathPart::Whole),
        ("{/}", PathPart::Name),
        ("{//}", PathPart::Parent),
        ("{.}", PathPart::WithoutExtension),
        ("{/.}", PathPart::Stem),
    ];

    /// This part of a path. Free.
    #[must_use]
    pub fn of(self, path: &[u8]) -> &[u8] {
        if self == PathPart::Whole {
            return path;
        }
        let path = without_trailing_slashes(path);
        let name = base_name(path);
        match self {
            PathPart::Whole => path,
            PathPart::Name => {
                if name.is_empty() {
                    path
                } else {
                    name
                }
            }
            PathPart::Parent => match path.len() - name.len() {
                0 => b".",
                end => without_trailing_slashes(&path[..end]),
            },
            PathPart::WithoutExtension => &path[..path.len() - extension_length(name)],
            PathPart::Stem => &name[..name.len() - extension_length(name)],
        }
    }
}

/// The length of the extension of a name, with its dot. A dot at the beginning is none.
fn extension_length(name: &[u8]) -> usize {
    match memchr::memrchr(b'.', name) {
        None | Some(0) => 0,
        Some(_) if name == b".." => 0,
        Some(dot) => name.len() - dot,
    }
}

/// What is behind the last dot of a name; empty if there is none, or only one in front.
pub(crate) fn extension(name: &[u8]) -> &[u8] {
    name[name.len() - extension_length(name)..].strip_prefix(b".").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placeholder_names_its_part() {
        for (path, parts) in [
            ("a/b.tar.gz", ["a/b.tar.gz", "b.tar.gz", "a", "a/b.tar", "b.tar"]),
            ("./x", ["./x", "x", ".", "./x", "x"]),
            ("x.c", ["x.c", "x.c", ".", "x", "x"]),
            ("d.x/", ["d.x/", "d.x", ".", "d", "d"]),
            ("a/.rc", ["a/.rc", ".rc", "a", "a/.rc", ".rc"]),
            ("..", ["..", "..", ".", "..", ".."]),
            ("/etc", ["/etc", "etc", "/", "/etc", "etc"]),
            ("/", ["/", "/", "/", "/", ""]),
        ] {
            for ((placeholder, part), expected) in PathPart::PLACEHOLDERS.into_iter().zip(parts) {
                assert_eq!(part.of(path.as_bytes()), expected.as_bytes(), "{placeholder} {path}");
            }
        }
    }
}
