//! Paths as Windows takes them: where the root ends and the names begin.

use crate::LastName;

/// Whether the byte stands between the names of a path. Free.
#[inline]
#[must_use]
pub const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Whether a path leads away from the directory that it is used in: `\x`, `C:x`, `\\server\x`.
pub(crate) fn is_absolute(path: &[u8]) -> bool {
    root_length(path) > 0
}

/// How many bytes of a path are its root, with the separator behind it: `\`, `C:`, `C:\`,
/// `\\server\share\`, `\\?\C:\`, `\\?\UNC\server\share\`, `\\.\device\`; 0 for a relative path.
/// Free.
#[must_use]
pub fn root_length(path: &[u8]) -> usize {
    match path {
        [a, b, mark @ (b'?' | b'.'), c, rest @ ..]
            if is_separator(*a) && is_separator(*b) && is_separator(*c) =>
        {
            let is_server = *mark == b'?' && rest.get(..3).is_some_and(|it| it == b"UNC");
            4 + after_names(rest, if is_server { 3 } else { 1 })
        }
        [a, b, rest @ ..] if is_separator(*a) && is_separator(*b) => 2 + after_names(rest, 2),
        [a, ..] if is_separator(*a) => 1,
        [letter, b':', rest @ ..] if letter.is_ascii_alphabetic() => {
            2 + usize::from(rest.first().is_some_and(|byte| is_separator(*byte)))
        }
        _ => 0,
    }
}

/// Where the first `names` of a path end, with the separator behind them.
fn after_names(path: &[u8], names: usize) -> usize {
    let mut at = 0;
    for _ in 0..names {
        let name = path[at..].iter().position(|byte| is_separator(*byte));
        let Some(name) = name else { return path.len() };
        at += name + 1;
    }
    at
}

/// What the last name of a path is; separators behind it do not count. Free.
#[must_use]
pub fn last_name(path: &[u8]) -> LastName {
    match &path[last_name_start(path)..] {
        b"" => LastName::None,
        name => match name.iter().rposition(|byte| !is_separator(*byte)).map(|end| &name[..=end]) {
            None => LastName::None,
            Some(b"..") => LastName::Parent,
            Some(name) if name.iter().all(|byte| matches!(byte, b'.' | b' ')) => LastName::Dot,
            Some(_) => LastName::Name,
        },
    }
}

/// Where the last name of a path begins.
pub(crate) fn last_name_start(path: &[u8]) -> usize {
    let root = root_length(path);
    let names = &path[root..];
    let end = names.iter().rposition(|byte| !is_separator(*byte)).map_or(0, |last| last + 1);
    let start = names[..end].iter().rposition(|byte| is_separator(*byte));
    root + start.map_or(0, |slash| slash + 1)
}

/// A path of the kernel or of Win32 as users write it, with `/`: `C:/folder/file` for
/// `\\?\C:\folder\file`, `//server/share/file` for `\\?\UNC\server\share\file`. It stays as it is
/// where a name ends in a dot or a space, which Windows would take off, and where it begins with
/// neither drive nor server. Price: none.
pub(crate) fn as_written(path: &[u8]) -> Vec<u8> {
    let is_kept = |name: &[u8]| matches!(name.last(), Some(b'.' | b' '));
    if path.split(|byte| is_separator(*byte)).skip(4).any(is_kept) {
        return path.to_vec();
    }
    let written = match path.strip_prefix(br"\\?\") {
        Some(rest) => match rest.strip_prefix(br"UNC\") {
            Some(share) => [br"\\", share].concat(),
            None if rest.get(1) == Some(&b':') => rest.to_vec(),
            None => return path.to_vec(),
        },
        None => path.to_vec(),
    };
    written.into_iter().map(|byte| if byte == b'\\' { b'/' } else { byte }).collect()
}

/// Goes one name further, from an absolute path without `.` and `..`. The root is above itself.
pub(crate) fn step(path: &mut Vec<u8>, name: &[u8]) {
    match name {
        b"." => {}
        b".." => {
            let above = path.iter().rposition(|byte| is_separator(*byte)).unwrap_or(0);
            path.truncate(above.max(root_length(path)));
        }
        _ => {
            if path.last().is_some_and(|byte| !is_separator(*byte)) {
                path.push(b'\\');
            }
            path.extend_from_slice(name);
        }
    }
}

/// The folder of a path with the separator behind it, and its last name, if that is one which
/// could be that of a device but has something around it: `aux.txt`, `C:\x\nul`. A device is a
/// name alone, `nul`, or what is written with `\\.\`.
pub(crate) fn folder_and_file(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_alone = |name: &[u8]| !name.iter().any(|byte| matches!(byte, b'.' | b' '));
    let (folder, name) = path.split_at(last_name_start(path));
    let end = name.iter().rposition(|byte| !matches!(byte, b'.' | b' '))?;
    let is_file = !folder.is_empty() || !is_alone(name.strip_suffix(b":").unwrap_or(name));
    (is_file && !path.starts_with(br"\\.\")).then_some((folder, &name[..=end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_the_kernel_is_written_as_users_do() {
        for (kernel, expected) in [
            (r"\\?\C:\", "C:/"),
            (r"\\?\Z:\a\b c", "Z:/a/b c"),
            (r"C:\a", "C:/a"),
            (r"\\?\UNC\server\share\a\b", "//server/share/a/b"),
            (r"\\?\UNC\server\share", "//server/share"),
            (r"\\server\share\a", "//server/share/a"),
            (r"\\?\Volume{1-2}\a", r"\\?\Volume{1-2}\a"),
            (r"\\?\C:\a.\b", r"\\?\C:\a.\b"),
            (r"\\?\C:\a ", r"\\?\C:\a "),
        ] {
            assert_eq!(as_written(kernel.as_bytes()), expected.as_bytes(), "{kernel}");
        }
    }

    #[test]
    fn steps_end_at_the_root() {
        for (from, names, to) in [
            (r"\\?\C:\a", r"b", r"\\?\C:\a\b"),
            (r"\\?\C:\", r"b", r"\\?\C:\b"),
            (r"\\?\C:\a\b", r"..", r"\\?\C:\a"),
            (r"\\?\C:\a", r"..", r"\\?\C:\"),
            (r"\\?\C:\a", r"..\..\.\b", r"\\?\C:\b"),
            (r"\\?\UNC\s\h\a", r"..\..\..\b", r"\\?\UNC\s\h\b"),
            (r"\\?\UNC\s\h", r"..\b", r"\\?\UNC\s\h\b"),
        ] {
            let mut path = from.as_bytes().to_vec();
            names.split('\\').for_each(|name| step(&mut path, name.as_bytes()));
            assert_eq!(path, to.as_bytes(), "{names} from {from}");
        }
    }

    #[test]
    fn what_has_more_than_the_name_of_a_device_is_a_file() {
        for (path, expected) in [
            ("nul", None),
            ("nul:", None),
            (r"\\.\nul", None),
            ("aux.txt", Some(("", "aux.txt"))),
            ("aux.txt. ", Some(("", "aux.txt"))),
            (r".\nul", Some((r".\", "nul"))),
            (r"C:\x\com1.log", Some((r"C:\x\", "com1.log"))),
        ] {
            let expected = expected.map(|(a, b): (&str, &str)| (a.as_bytes(), b.as_bytes()));
            assert_eq!(folder_and_file(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn a_root_is_a_drive_a_share_or_a_device() {
        for (root, rest) in [
            ("", "a/b"),
            ("", ""),
            ("", "a:b:c/d"),
            ("/", "a"),
            ("\\", ""),
            ("C:", ""),
            ("c:", "x"),
            ("C:\\", "x"),
            ("C:/", "a/b"),
            ("\\\\server\\share\\", "a"),
            ("//server/share", ""),
            ("\\\\server", ""),
            ("\\\\?\\C:\\", "a"),
            ("\\\\?\\C:", ""),
            ("\\\\?\\UNC\\server\\share\\", "a"),
            ("\\\\.\\NUL", ""),
            ("\\\\.\\pipe\\", "x"),
            ("", "1:x"),
            ("", "é:x"),
        ] {
            let path = [root, rest].concat();
            // A name that has a colon behind its first letter is a drive.
            let expected = if rest == "a:b:c/d" { 2 } else { root.len() };
            assert_eq!(root_length(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_name_is_not_taken_for_one() {
        use LastName::{Dot, Name, None, Parent};
        for (path, expected) in [
            ("a", Name),
            ("a/", Name),
            ("a\\b\\", Name),
            ("C:a", Name),
            ("/a", Name),
            ("a.", Name),
            (".a", Name),
            ("..a", Name),
            ("\\\\s\\h\\a", Name),
            (".", Dot),
            ("a/.", Dot),
            ("a/./", Dot),
            ("C:.", Dot),
            ("...", Dot),
            ("a/. .", Dot),
            ("..", Parent),
            ("a\\..\\", Parent),
            ("C:..", Parent),
            ("", None),
            ("/", None),
            ("\\\\", None),
            ("C:", None),
            ("C:\\", None),
            ("C:/", None),
            ("\\\\s\\h", None),
            ("\\\\s\\h\\", None),
            ("\\\\?\\C:\\", None),
            ("\\\\?\\C:", None),
            ("\\\\?\\UNC\\s\\h\\", None),
            ("//", None),
            ("C://", None),
        ] {
            assert_eq!(last_name(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn a_last_name_begins_behind_its_folder_or_the_root() {
        for (path, start) in [("a", 0), ("a/b", 2), ("a/b/", 2), ("C:a", 2), ("C:\\a", 3), ("/", 1)]
        {
            assert_eq!(last_name_start(path.as_bytes()), start, "{path}");
        }
    }
}
