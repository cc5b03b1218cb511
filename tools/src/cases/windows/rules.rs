//! Which cases Windows, or Wine in its place, cannot have, by what they are made of.

use std::collections::BTreeSet;
use std::path::Path;

use super::SCOPE;
use crate::cases::format::Case;
use crate::cases::item::{Item, What};

/// The file systems on which nothing is special.
pub(super) const PLAIN_FILE_SYSTEMS: &[&str] = &["ext4", "tmpfs"];

/// Verbs and flags that are on Linux only.
const VERBS: &[&[u8]] = &[b"sh", b"why", b"count", b"budget", b"watch"];
const FOLLOW: &[&[u8]] = &[b"-f", b"--follow"];
/// What starts a program: flags of `walk`, steps with a scope.
const STARTS: &[&[u8]] = &[b"-x", b"-X", b"--exec", b"--exec-batch"];
const STEPS: &[&[u8]] = &[b"run", b"output"];

/// The reason why a case is not for Windows. A program that is not beside `fewer` is one verb of
/// another.
pub(crate) fn why_not(case: &Case, fewer: Option<&Path>) -> Option<String> {
    let has_scope = fewer.is_none_or(|fewer| fewer.with_file_name(SCOPE).exists());
    let has_program = case.program.is_none() || has_scope;
    let items = || case.tree.iter().chain(&case.meanwhile);
    let any = |is: fn(&Item) -> bool| items().any(is);
    let sets_rights = any(|item| item.mode.is_some() || item.owner.is_some());
    let is_special =
        any(|item| matches!(item.what, What::Fifo | What::Socket | What::Device { .. }));
    let is_mounted =
        any(|item| matches!(item.what, What::Mount { .. } | What::Bind { .. } | What::Subvolume));
    let reasons = [
        (!has_program, "the program is not built for Windows"),
        (is_on_linux_only(case), "the verb or flag is there on Linux only"),
        (starts_programs(case), "starts programs that are for Linux"),
        (case.program.is_some() && has_one(case, &[b"symlink"]), "Wine makes no links"),
        (names_linux(case), "looks at what only Linux has"),
        (!case.on.is_empty(), "is about a file system of Linux"),
        (is_mounted, "is about mounts"),
        (case.inject.is_some() || case.pause.is_some(), "strace sees no calls of Windows"),
        (case.user.is_some() || sets_rights, "Windows has neither modes nor numbers of users"),
        (case.nofile.is_some(), "Windows limits no number of handles"),
        (case.signal.is_some(), "Windows has no signals"),
        (!case.closed.is_empty(), "Wine opens streams that are closed"),
        (is_special, "Windows has no such files"),
        (
            any(|item| matches!(item.what, What::Link { .. })),
            "Wine shows links as what they lead to",
        ),
        (has_foreign_name(case), "Windows has no such names"),
    ];
    reasons.iter().find(|(is_so, _)| *is_so).map(|(_, reason)| (*reason).to_owned())
}

fn verb(case: &Case) -> &[u8] {
    case.run.first().map_or(&b""[..], |word| &word.0)
}

fn has_one(case: &Case, words: &[&[u8]]) -> bool {
    case.run.iter().any(|word| words.contains(&word.0.as_slice()))
}

fn is_on_linux_only(case: &Case) -> bool {
    let is_plain = case.program.is_none();
    is_plain && (VERBS.contains(&verb(case)) || verb(case) == b"lines" && has_one(case, FOLLOW))
}

fn starts_programs(case: &Case) -> bool {
    match case.program {
        None => verb(case) == b"walk" && has_one(case, STARTS),
        Some(_) => has_one(case, STEPS),
    }
}

/// Whether a word names a folder of Linux.
fn names_linux(case: &Case) -> bool {
    const FOLDERS: &[&[u8]] = &[b"/proc", b"/sys", b"/dev", b"/etc"];
    let is_there = |word: &[u8]| FOLDERS.iter().any(|folder| word.starts_with(folder));
    case.run.iter().any(|word| is_there(&word.0))
        || case.stdin_from.iter().any(|path| is_there(&path.0))
}

/// Whether a name in the tree or a word of the command is none on Windows, or two names are one.
fn has_foreign_name(case: &Case) -> bool {
    let paths: Vec<&[u8]> = case.tree.iter().flat_map(names).collect();
    let words = case.run.iter().map(|word| word.0.as_slice());
    let folded: BTreeSet<String> = paths.iter().map(|path| folded(path)).collect();
    let distinct: BTreeSet<&[u8]> = paths.iter().copied().collect();
    folded.len() < distinct.len()
        || paths.iter().any(|path| path.split(|&byte| byte == b'/').any(is_foreign))
        || words.into_iter().any(|word| std::str::from_utf8(word).is_err())
}

/// The paths and names that an item makes.
fn names(item: &Item) -> Vec<&[u8]> {
    let mut names = vec![item.path.as_slice()];
    match &item.what {
        What::HardLink { to } | What::Rename { to } => names.push(to),
        What::Chain(chain) => {
            names.push(&chain.name);
            names.extend(chain.leaf.as_deref());
        }
        _ => {}
    }
    names
}

fn folded(path: &[u8]) -> String {
    String::from_utf8_lossy(path).to_uppercase()
}

/// Whether a name has what no name may have on Windows.
fn is_foreign(name: &[u8]) -> bool {
    let is_forbidden = |byte: &u8| *byte < b' ' || br#"<>:"|?*\"#.contains(byte);
    std::str::from_utf8(name).is_err() || name.iter().any(is_forbidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::format::parse;

    fn reason(text: &str) -> Option<String> {
        let text = format!("[[case]]\nname = 'a'\n{text}");
        why_not(&parse(&text).unwrap().remove(0).with_windows(), Some(Path::new("fewer.exe")))
    }

    #[test]
    fn what_windows_has_is_run() {
        for text in [
            "run = ['walk', 'd']\ntree = [{ file = 'd/A' }, { file = 'e/a' }, { file = 'd/.x. ' }]",
            "run = ['walk', 'd']\non = ['ext4', 'xfs']",
            "run = ['lines', '-x', 'ü']",
            "run = ['ls', '-f']",
        ] {
            assert_eq!(reason(text), None, "{text}");
        }
    }

    #[test]
    fn what_it_has_not_is_skipped_for_a_reason() {
        for (text, why) in [
            ("run = ['walk', '-x', 'ls']", "for Linux"),
            ("run = ['lines', '--follow', 'a']", "Linux only"),
            ("run = ['sh', '-c', 'x']", "Linux only"),
            ("run = ['walk', '/proc/self']", "only Linux"),
            ("run = ['walk']\non = ['btrfs']", "file system"),
            ("run = ['walk']\ntree = [{ file = 'a:b' }]", "names"),
            ("run = ['walk']\ntree = [{ file = 'a\\nb' }]", "names"),
            ("run = ['walk']\ntree = [{ file = 'd/a' }, { file = 'D/a' }]", "names"),
            ("run = ['walk', '\\xff']", "names"),
            ("run = ['walk']\ntree = [{ fifo = 'a' }]", "files"),
            ("run = ['walk']\ntree = [{ dir = 'a', mode = '0700' }]", "modes"),
            ("run = ['walk']\nuser = 'nobody'", "modes"),
        ] {
            assert!(reason(text).unwrap().contains(why), "{text}");
        }
    }
}
