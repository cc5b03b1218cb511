//! Names of files as bash finds them: random trees, random patterns.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use fewer::Scope;
use fewer_shell::pattern::files::{FileOptions, expand, is_pattern};
use proptest::prelude::*;

/// What is in the tree: a path, and what it is: `d`, `f`, or a link to elsewhere.
fn make(root: &Path, names: &[(String, u8)]) {
    for (path, kind) in names {
        let path = root.join(path);
        let Some(parent) = path.parent() else { continue };
        // A file may be in the way of a directory.
        if std::fs::create_dir_all(parent).is_err() {
            continue;
        }
        let _ = match kind {
            0 => std::fs::create_dir(&path),
            1 => std::os::unix::fs::symlink(".", &path),
            2 => std::os::unix::fs::symlink("nowhere", &path),
            _ if path.exists() => Ok(()),
            _ => std::fs::write(&path, ""),
        };
    }
}

fn bash(root: &Path, patterns: &[String], options: &FileOptions) -> Vec<Vec<Vec<u8>>> {
    let mut script = String::from("shopt -s nullglob\n");
    for (name, on) in [
        ("dotglob", options.dotglob),
        ("globstar", options.globstar),
        ("nocaseglob", options.nocaseglob),
        ("extglob", options.extended),
        ("globskipdots", !options.dots),
    ] {
        let _ = writeln!(script, "shopt -{} {name}", if on { "s" } else { "u" });
    }
    script.push_str("IFS=\nt() { local p=$1; printf '%s\\0' $p; printf '\\1'; }\n");
    for pattern in patterns {
        let _ = writeln!(script, "t '{}'", pattern.replace('\'', "'\\''"));
    }
    let mut command = Command::new("bash");
    command.env("LC_ALL", "C.UTF-8").current_dir(root).args(["-c", &script]);
    let output = command.output().expect("bash").stdout;
    let all: Vec<&[u8]> = output.split(|&it| it == 1).collect();
    assert_eq!(all.len(), patterns.len() + 1);
    let words = |it: &&[u8]| it.split(|&it| it == 0).map(<[u8]>::to_vec).collect::<Vec<_>>();
    all[..patterns.len()]
        .iter()
        .map(words)
        .map(|mut words| {
            words.pop();
            // Nothing matched: printf says one empty word.
            if words == [b"".to_vec()] { Vec::new() } else { words }
        })
        .collect()
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[abAB]{1,2}", 1 => "\\.[ab.]?[ab]", 1 => "[ab]\n", 1 => "[é*?\\[\\\\]",
        1 => "a[bc] [d]"
    ]
}

fn tree() -> impl Strategy<Value = Vec<(String, u8)>> {
    let path = prop::collection::vec(name(), 1..4).prop_map(|names| names.join("/"));
    prop::collection::vec((path, 0..8u8), 0..14)
}

fn pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just("*".to_owned()), 2 => Just("?".to_owned()), 3 => "[abA]",
        1 => Just("é".to_owned()),
        1 => "\\[[!^]?[abA]-?[ab]?\\]", 1 => Just("[".to_owned()), 1 => "\\\\[*?a\\[\\\\]",
        1 => "[@+]\\([ab.]{1,2}\\|[ab?]\\)", 1 => "[?*]\\([ab.]{1,2}\\|[ab*?]\\)",
        1 => Just(".".to_owned()),
    ];
    let part = prop_oneof![
        8 => prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat()),
        2 => Just("**".to_owned()), 1 => Just(".".to_owned()), 1 => Just("..".to_owned()),
        1 => Just(".*".to_owned()),
    ];
    (
        "(\\./|//)?",
        prop::collection::vec((part, prop_oneof![5 => Just("/"), 1 => Just("//")]), 1..4),
        any::<bool>(),
    )
        .prop_map(|(start, parts, slash)| {
            let mut pattern = if start == "//" { String::new() } else { start };
            let count = parts.len();
            for (number, (part, slashes)) in parts.into_iter().enumerate() {
                pattern += &part;
                if number + 1 < count || slash {
                    pattern += slashes;
                }
            }
            pattern
        })
}

fn options() -> impl Strategy<Value = FileOptions> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(dotglob, globstar, nocaseglob, extended, dots)| FileOptions {
            dotglob,
            globstar,
            nocaseglob,
            extended,
            utf8: true,
            dots: dots && !extended && !globstar,
            plain_classes: false,
        },
    )
}

fn config() -> ProptestConfig {
    let cases = std::env::var("CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(20);
    ProptestConfig { cases, max_shrink_iters: 400, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn names_of_files_are_those_that_bash_finds(
        tree in tree(), patterns in prop::collection::vec(pattern(), 60), options in options()
    ) {
        // So deep that no pattern leads out of it.
        let outside = tempfile::tempdir()?;
        let root = outside.path().join("1/2/3/4/5/6");
        std::fs::create_dir_all(&root)?;
        make(&root, &tree);
        let scope = Scope::start().enter(&root)?;
        for (pattern, theirs) in patterns.iter().zip(bash(&root, &patterns, &options)) {
            // bash has its own ways with `**//x` and `**/**`.
            if options.globstar && (pattern.contains("//") || pattern.contains("**/**")) {
                continue;
            }
            if !is_pattern(pattern.as_bytes(), options.extended) {
                continue;
            }
            let ours = expand(&scope, pattern.as_bytes(), &options);
            let shown = |names: &[Vec<u8>]| -> Vec<String> {
                names.iter().map(|it| it.escape_ascii().to_string()).collect()
            };
            prop_assert_eq!(shown(&ours), shown(&theirs), "{:?}, bash on the right", pattern);
        }
    }
}
