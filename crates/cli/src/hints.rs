//! What other programs call a verb or a flag, and what it is called here: said instead of a bare
//! error.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use sys::OsStrExt;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Programs, and the verb that does their work.
const VERBS: &[(&[&str], &str)] = &[
    (&["find", "bfs"], "fewer walk [PATH]... -g GLOB (docs/coming-from.md has find's tests)"),
    (&["fd", "fdfind"], "fewer walk -r REGEX [PATH]... (docs/coming-from.md has fd's flags)"),
    (&["tree"], "fewer ls --tree [PATH]..."),
    (&["dir", "vdir", "ll", "eza", "exa", "lsd"], "fewer ls [PATH]..."),
    (&["tail"], "fewer lines --last 10 [-f] [FILE]..."),
    (&["head"], "fewer lines --first 10 [FILE]..."),
    (&["cat"], "fewer lines [FILE]..."),
    (&["wc"], "fewer lines --count [FILE]..."),
    (&["du", "dust", "dua", "pdu", "ncdu", "gdu"], "fewer size [PATH]..."),
    (
        &["grep", "rg", "ag", "ack"],
        "nothing here searches in files: fewer walk -t f -X grep -n PATTERN",
    ),
    (&["inotifywait", "fswatch", "watchexec", "entr", "monitor"], "fewer watch [DIR]..."),
    (&["rm", "delete"], "nothing here removes files: fewer walk -g GLOB -X rm"),
    (&["strace", "ltrace", "trace", "perf"], "fewer why -- PROGRAM, fewer count -- PROGRAM"),
    (&["bash", "dash", "ksh", "zsh", "run", "exec"], "fewer sh [SCRIPT]"),
    (&["query"], "fewer-table query TABLE (docs/scan.md)"),
    (&["top"], "fewer-table top TABLE (docs/scan.md)"),
];

/// Words of find, and the flags of `walk`.
const FIND: &[(&str, &str)] = &[
    ("-name", "-g GLOB"),
    ("-iname", "-i -g GLOB"),
    ("-path", "-p -g GLOB"),
    ("-wholename", "-p -g GLOB"),
    ("-ipath", "-i -p -g GLOB"),
    ("-regex", "-p -r REGEX"),
    ("-iregex", "-i -p -r REGEX"),
    ("-type", "-t TYPE"),
    ("-maxdepth", "-d N"),
    ("-mindepth", "--min-depth N"),
    ("-size", "--size [+-]N[UNIT]"),
    ("-empty", "-t e"),
    ("-executable", "-t x"),
    ("-perm", "-t x, or --format '{permissions} {}'"),
    ("-mtime", "--changed-within 7d, --changed-before 7d"),
    ("-mmin", "--changed-within 10min, --changed-before 10min"),
    ("-newer", "--newer FILE"),
    ("-newermt", "--newer TIME"),
    ("-user", "-o USER"),
    ("-group", "-o :GROUP"),
    ("-uid", "-o NUMBER"),
    ("-gid", "-o :NUMBER"),
    ("-xdev", "--one-file-system"),
    ("-mount", "--one-file-system"),
    ("-follow", "-L"),
    ("-prune", "-E GLOB"),
    ("-not", "-E GLOB"),
    ("!", "-E GLOB"),
    ("-or", "-g A -g B, -r A -r B"),
    ("-exec", "-x COMMAND, -X COMMAND for many at once"),
    ("-execdir", "-x COMMAND"),
    ("-ok", "-x COMMAND (which does not ask)"),
    ("-delete", "-X rm"),
    ("-print", "nothing: paths are printed"),
    ("-print0", "-0"),
    ("-printf", "--printf TEMPLATE"),
    ("-ls", "--format '{mode} {links} {user} {group} {size} {mtime} {}'"),
    ("-quit", "-1"),
    ("-links", "--format '{links} {}'"),
    ("-inum", "--format '{inode} {}'"),
    ("-depth", "nothing: a directory comes before what is in it"),
    ("-daystart", "--newer DATE, --older DATE"),
    ("-amin", "--format '{atime} {}'"),
    ("-atime", "--format '{atime} {}'"),
    ("-ctime", "--format '{ctime} {}'"),
    ("-cmin", "--format '{ctime} {}'"),
];

/// Flags of fd and others that `walk` does not have, and what does it.
const FLAGS: &[(&[&str], &str)] = &[
    (&["-l", "--list-details"], "-X ls -ld, or fewer ls -lR"),
    (&["-F", "--fixed-strings", "--literal"], "-g '*TEXT*'"),
    (&["-q", "--quiet"], "-1 and a test whether it prints anything"),
    (&["--strip-cwd-prefix"], "--printf '%P\\n'"),
    (&["--prune"], "-E GLOB, which enters nothing that matches"),
    (&["--search-path"], "the path as an argument"),
    (&["-C", "--base-directory"], "cd DIRECTORY first"),
    (&["--show-errors"], "nothing: errors are shown"),
    (&["--and"], "-p -r 'A.*B'"),
    (
        &["--no-ignore-vcs", "--no-ignore-parent", "--no-global-ignore-file", "--no-require-git"],
        "nothing: only --gitignore ignores files",
    ),
    (&["--ignore-file"], "-E GLOB, or --gitignore"),
    (&["--delete"], "-X rm"),
    (&["--unsorted", "-U"], "nothing: only --sort sorts"),
    (&["--name"], "-g GLOB"),
];

/// Flags of `walk` that not every build has, and the feature that they come with.
const OPTIONAL_FLAGS: &[(&[&str], &str)] = &[(&["--parquet", "--arrow", "--csv"], "tables")];

/// Verbs that not every build has, and the feature that they come with.
const OPTIONAL_VERBS: &[(&str, &str)] = &[("scan", "tables")];

/// Flags of `walk` whose value may be a word of find.
const TAKES_ANY_WORD: &[&str] =
    &["-g", "--glob", "-r", "--regex", "-E", "--exclude", "--format", "--printf", "-e"];

/// Flags behind which words belong to a command.
const COMMANDS: &[&str] = &["-x", "--exec", "-X", "--exec-batch"];

/// The message for a command line of `walk` that is one of find. `-empty` would otherwise be read
/// as `-e mpty`, and `-xdev` would run `dev`.
pub(crate) fn words_of_find(words: &[OsString]) -> Option<String> {
    let is = |word: &OsStr, known: &[&str]| known.iter().any(|known| word == *known);
    if words.get(1).is_none_or(|verb| verb != "walk") {
        return None;
    }
    let mut found = String::new();
    for pair in words[1..].windows(2) {
        let [before, word] = pair else { continue };
        if is(word, COMMANDS) || word == "--" {
            break;
        }
        let row = FIND.iter().find(|(name, _)| word == *name);
        if let Some((name, flag)) = row.filter(|_| !is(before, TAKES_ANY_WORD)) {
            found.push_str(&format!("\n  {name:<12} {flag}"));
        }
    }
    (!found.is_empty()).then(|| format!("these words are find's; in their place walk has{found}"))
}

/// A line to print behind an error of the parser, if the word is known from elsewhere.
pub(crate) fn after(error: &clap::Error) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let (word, table) = match word(ContextKind::InvalidSubcommand) {
        Some(verb) => (verb, VERBS),
        None => (word(ContextKind::InvalidArg)?.split([' ', '=']).next()?, FLAGS),
    };
    if let Some((_, feature)) = OPTIONAL_FLAGS.iter().find(|(names, _)| names.contains(&word))
        && error.kind() == ErrorKind::UnknownArgument
    {
        return Some(format!("walk has {word} in a build with --features {feature}"));
    }
    if let Some((_, feature)) = OPTIONAL_VERBS.iter().find(|(name, _)| *name == word)
        && error.kind() == ErrorKind::InvalidSubcommand
    {
        return Some(format!("{word} is there in a build with --features {feature}"));
    }
    let (_, hint) = table.iter().find(|(names, _)| names.contains(&word))?;
    Some(format!("in place of {word}: {hint}"))
}

/// How to find names after a pattern that was taken for a path: `fewer walk -g '*.rs' src`.
/// `paths` are the other arguments.
pub(crate) fn pattern(word: &OsStr, paths: &[&OsStr]) -> String {
    let bytes = word.as_bytes();
    let has = |signs: &[u8]| bytes.iter().any(|byte| signs.contains(byte));
    let is_regex = has(b"^$()|+\\") || bytes.windows(2).any(|pair| pair == b".*");
    let flag = match () {
        () if is_regex => "-r",
        () if has(b"*?[{") => "-g",
        () => "-i -r",
    };
    let mut line = format!("names are found by: fewer walk {flag}").into_bytes();
    for word in std::iter::once(&word).chain(paths) {
        line.push(b' ');
        line.extend_from_slice(&fewer::present::quote::word(word.as_bytes()));
    }
    fewer::present::escaped(&line)
}

/// What to say of `. src`, which for fd is a pattern and a path: here both are paths, and the
/// second is below the first.
pub(crate) fn dot_and_paths(paths: &[PathBuf]) -> Option<String> {
    let (dot, others) = paths.split_first()?;
    let is_below = |path: &PathBuf| !path.is_absolute() && !path.starts_with("..");
    if dot.as_os_str() != "." || others.is_empty() || !others.iter().all(is_below) {
        return None;
    }
    let others: Vec<_> = others.iter().map(|path| path.display().to_string()).collect();
    let others = fewer::present::escaped(others.join(" ").as_bytes());
    Some(format!("'.' is a path, too, and has all of {others}: fewer walk {others}"))
}

/// Whether a path that does not exist looks like a pattern.
pub(crate) fn is_pattern(path: &[u8]) -> bool {
    path.iter().any(|byte| b"*?[{^$|+\\(".contains(byte))
}

/// What to say of an address of a store in a build that knows none.
#[cfg(not(feature = "stores"))]
pub(crate) fn address(name: &[u8]) -> Option<String> {
    let schemes = [b"s3://".as_slice(), b"gs://", b"az://", b"hdfs://", b"https://", b"http://"];
    let is_address = schemes.iter().any(|scheme| name.starts_with(scheme));
    is_address.then(|| "addresses of stores need a build with --features stores".to_owned())
}

/// The same for the first of these paths that is one.
#[cfg(not(feature = "stores"))]
pub(crate) fn addresses(paths: &[PathBuf]) -> Option<String> {
    paths.iter().find_map(|path| address(path.as_os_str().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "tables"))]
    #[test]
    fn a_flag_of_another_build_is_known() {
        for flag in ["--parquet", "--arrow", "--csv"] {
            let words = ["fewer", "walk", flag, "x"];
            let error = crate::flags::fewer().try_get_matches_from(words).unwrap_err();
            let expected = format!("walk has {flag} in a build with --features tables");
            assert_eq!(after(&error), Some(expected));
        }
    }

    #[test]
    #[cfg(not(feature = "tables"))]
    fn a_verb_of_another_build_is_known() {
        let error = crate::flags::fewer().try_get_matches_from(["fewer", "scan", "x"]);
        let hint = after(&error.unwrap_err());
        assert_eq!(hint.as_deref(), Some("scan is there in a build with --features tables"));
    }

    #[test]
    fn a_verb_of_another_program_is_known() {
        let error = crate::flags::fewer().try_get_matches_from(["fewer", "query", "t"]);
        let hint = "in place of query: fewer-table query TABLE (docs/scan.md)";
        assert_eq!(after(&error.unwrap_err()).as_deref(), Some(hint));
    }

    #[test]
    fn what_is_suggested_is_understood() {
        let is_own = |hint: &&(_, &str)| !hint.1.starts_with("fewer-table ");
        for (_, hint) in VERBS.iter().filter(is_own) {
            let verb = hint.split("fewer ").nth(1).unwrap().split(' ').next().unwrap();
            let fewer = crate::flags::fewer();
            assert!(fewer.find_subcommand(verb).is_some(), "{hint}");
        }
        let mut walk = crate::flags::fewer();
        walk.build();
        let walk = walk.find_subcommand("walk").unwrap();
        let is_flag = |word: &str| match word.strip_prefix("--") {
            Some(long) => walk.get_arguments().any(|flag| {
                flag.get_long() == Some(long)
                    || flag.get_all_aliases().is_some_and(|names| names.contains(&long))
            }),
            None => walk.get_arguments().any(|flag| flag.get_short() == word[1..].chars().next()),
        };
        let hints = FIND.iter().map(|row| row.1).chain(FLAGS.iter().map(|row| row.1));
        for hint in hints {
            let flag = hint.split(' ').next().unwrap();
            assert!(!flag.starts_with('-') || is_flag(flag), "{hint}");
        }
        for (names, _) in FLAGS {
            assert!(names.iter().all(|name| !is_flag(name)), "{names:?} is there");
        }
    }

    #[test]
    fn words_of_find_are_only_looked_for_among_flags() {
        let hint =
            |line: &str| words_of_find(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let two = hint("fewer walk . -type f -name x").unwrap();
        assert!(two.contains("-t TYPE") && two.contains("-g GLOB"), "{two}");
        for line in ["fewer walk -g -name", "fewer walk -x find {} -name x", "fewer walk -- -name"]
        {
            assert_eq!(hint(line), None, "{line}");
        }
        assert_eq!(hint("fewer ls -print"), None);
    }

    #[test]
    fn a_pattern_is_quoted_and_goes_to_its_flag() {
        let line = |word: &str, paths: &[&str]| {
            let paths: Vec<&OsStr> = paths.iter().map(OsStr::new).collect();
            pattern(OsStr::new(word), &paths)
        };
        assert!(
            line("*.rs", &["src"]).ends_with("fewer walk -g '*.rs' src"),
            "{}",
            line("*.rs", &["src"])
        );
        assert!(line("^x.*rc$", &[]).ends_with("fewer walk -r '^x.*rc$'"));
        assert!(line("netfl", &[]).ends_with("fewer walk -i -r netfl"));
    }
}
