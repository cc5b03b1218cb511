//! Where git keeps its rules beside the `.gitignore` files.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;

use kernel::{At, Fields, Kind};

use super::Patterns;
use crate::error::Errno;

/// An ignore file of more than this is an error rather than read.
const LIMIT_BYTES: usize = 16 << 20;

/// The contents of a file; `Err(None)` if there is none.
pub(super) fn read(at: At<'_>, file: &CStr) -> Result<Vec<u8>, Option<Errno>> {
    kernel::read_all(at, file, LIMIT_BYTES).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::ISDIR => None,
        _ => Some(errno),
    })
}

/// `name` below `base`, unless it is absolute.
pub(super) fn join(base: &[u8], name: &[u8]) -> Vec<u8> {
    if name.starts_with(b"/") { name.to_vec() } else { [base, name].concat() }
}

/// What a path, given with its NUL, is; `None` if there is nothing.
pub(super) fn kind(at: At<'_>, path_with_nul: &[u8]) -> Option<Kind> {
    let path = CStr::from_bytes_with_nul(path_with_nul).ok()?;
    Some(kernel::stat(at, path, false, Fields::KIND).ok()?.kind())
}

/// The file of excludes of the repository whose top is at `base`, relative to `at`: where `.git`,
/// of this kind, says (gitrepository-layout(5)). `None` if it makes no repository.
pub(super) fn exclude_of_repository(at: At<'_>, base: &[u8], git: Kind) -> Option<Vec<u8>> {
    match git {
        Kind::File => exclude_of_worktree(at, base).map(|exclude| join(base, &exclude)),
        // A directory, or a link to one.
        Kind::Directory | Kind::Symlink => Some(join(base, b".git/info/exclude")),
        _ => None,
    }
}

/// For a worktree, whose `.git` is a file that says where its repository is; relative to `base`
/// unless absolute.
fn exclude_of_worktree(at: At<'_>, base: &[u8]) -> Option<Vec<u8>> {
    let file = |name: &[u8]| read(at, &CString::new(join(base, name)).ok()?).ok();
    let text = file(b".git")?;
    let git = text.strip_prefix(b"gitdir: ")?.trim_ascii_end().to_vec();
    let common = match file(&join(&[&git[..], b"/"].concat(), b"commondir")) {
        Some(common) => join(&[&git[..], b"/"].concat(), common.trim_ascii_end()),
        None => git,
    };
    Some([&common[..], b"/info/exclude"].concat())
}

/// The user's own excludes: the file that `core.excludesFile` names, else `git/ignore` in the
/// user's configuration folder. Relative to `at`, should the environment name them so.
pub(super) fn user_excludes(at: At<'_>) -> Patterns {
    let home = std::env::var_os("HOME").map(|home| home.as_bytes().to_vec());
    let config = match std::env::var_os("XDG_CONFIG_HOME") {
        Some(folder) if !folder.is_empty() => Some(folder.as_bytes().to_vec()),
        _ => home.as_ref().map(|home| [&home[..], b"/.config"].concat()),
    };
    let in_folder = |folder: &Option<Vec<u8>>, file: &[u8]| {
        folder.as_ref().map(|folder| [&folder[..], file].concat())
    };
    let read = |path: Vec<u8>| read(at, &CString::new(path).ok()?).ok();
    let user = [in_folder(&home, b"/.gitconfig"), in_folder(&config, b"/git/config")];
    let named = user
        .into_iter()
        .flatten()
        .chain([b"/etc/gitconfig".to_vec()])
        .find_map(|path| excludes_file(&read(path)?, home.as_deref()));
    let path = named.or_else(|| in_folder(&config, b"/git/ignore"));
    path.and_then(read).map(|text| super::parse(&text)).unwrap_or_default()
}

/// The value of `excludesFile` in section `[core]` of a git configuration (git-config(1)).
fn excludes_file(config: &[u8], home: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut in_core = false;
    let mut found = None;
    for line in config.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        let mut line = line;
        if let Some(section) = line.strip_prefix(b"[") {
            let end = section.iter().position(|&byte| byte == b']').unwrap_or(section.len());
            in_core = section[..end].eq_ignore_ascii_case(b"core");
            line = section.get(end + 1..).unwrap_or_default(); // a key may stand right behind it
        }
        let Some(equals) = line.iter().position(|&byte| byte == b'=') else { continue };
        if in_core && line[..equals].trim_ascii().eq_ignore_ascii_case(b"excludesfile") {
            found = Some(value(line[equals + 1..].trim_ascii()));
        }
    }
    let found = found?;
    match (found.strip_prefix(b"~/"), home) {
        (Some(rest), Some(home)) => Some([home, b"/", rest].concat()),
        _ => Some(found),
    }
}

/// A value with its quotes, escapes and comment taken away.
fn value(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::new();
    let (mut quoted, mut end) = (false, 0);
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' | b';' if !quoted => break,
            b'\\' => value.extend(bytes.next()),
            _ => value.push(byte),
        }
        if quoted || !byte.is_ascii_whitespace() {
            end = value.len();
        }
    }
    value.truncate(end);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_excludes_file_in_core_counts() {
        let config = b"[user]\n excludesfile = no\n[core]\n\tExcludesFile = \"~/x\"\n[a]\nb=c\n";
        assert_eq!(excludes_file(config, Some(b"/home/me")), Some(b"/home/me/x".to_vec()));
        assert_eq!(excludes_file(config, None), Some(b"~/x".to_vec()));
        let one_line = b"[core] excludesFile = ~/\"a b\"/c ; mine\n";
        assert_eq!(excludes_file(one_line, Some(b"/h")), Some(b"/h/a b/c".to_vec()));
        assert_eq!(excludes_file(b"[core \"x\"]\nexcludesfile = y\n[\n", None), None);
        assert_eq!(excludes_file(b"[core]\neditor = vi\n", None), None);
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config {
            failure_persistence: None,
            ..Default::default()
        })]
        #[test]
        fn any_configuration_has_a_file_of_excludes_or_none(
            odd in "(\\[|core|\\]|excludesfile|=|~/|\"|#|;|\\\\|\n| |a){0,30}",
        ) {
            if let Some(path) = excludes_file(odd.as_bytes(), Some(b"/home")) {
                proptest::prop_assert!(path.len() <= odd.len() + b"/home".len());
            }
        }
    }
}
