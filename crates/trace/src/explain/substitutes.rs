//! What a language does by itself, so that no program need be started for it. It is data:
//! `substitutes.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::remedies;
use crate::Language;
use crate::packed::packed;

/// By program: its line in each language. `same` has programs that do the same by another name.
type Substitutes = BTreeMap<String, BTreeMap<String, String>>;

/// Lines that are shown.
const MOST: usize = 3;
/// Programs that do the same by another name.
const SAME: &str = "same";
/// The line behind the others.
const ALL: &str = "all";

static SUBSTITUTES: OnceLock<Substitutes> = OnceLock::new();

fn substitutes() -> &'static Substitutes {
    // A test reads the file; without it the remedy of the rule would be shown.
    SUBSTITUTES
        .get_or_init(|| toml_edit::de::from_str(&packed!("substitutes.toml")).unwrap_or_default())
}

/// Lines that do in a language what some programs do, and one that starts a program once for all;
/// `None` if the language has no line for any of them.
pub(crate) fn snippet(programs: &[&[u8]], language: Language) -> Option<String> {
    let mut lines = Vec::new();
    for program in programs {
        let Some((name, line)) = line(program, language) else { continue };
        let line = format!("{line}   {} instead of {name}", comment(language));
        if lines.len() < MOST && !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return None;
    }
    let all = substitutes().get(ALL).and_then(|all| remedies::in_language(all, language));
    lines.extend(all.map(str::to_owned));
    Some(lines.join("\n"))
}

/// The name of a program as it was started, and its line.
fn line(program: &[u8], language: Language) -> Option<(&str, &'static str)> {
    let all = substitutes();
    let name = std::str::from_utf8(program).ok()?;
    let known = all.get(SAME)?.get(name).map_or(name, String::as_str);
    let lines = all.get(known).filter(|_| known != SAME && known != ALL)?;
    Some((name, remedies::in_language(lines, language)?))
}

/// How a comment begins.
fn comment(language: Language) -> &'static str {
    use Language::{C, Cpp, Go, Java, Lisp, Node, Perl, Php, Python, Ruby, Rust, Shell};
    match language {
        C | Cpp | Rust | Go | Node | Java | Php => "//",
        Python | Ruby | Perl | Shell => "#",
        Lisp => ";",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_has_a_line_and_a_comment_behind_it() {
        let programs: [&[u8]; 3] = [b"basename", b"no such program", b"whoami"];
        assert_eq!(
            snippet(&programs, Language::Perl).unwrap(),
            "use File::Basename; my $base = basename $path;   # instead of basename\n\
             my $user = getpwuid $uid;   # instead of whoami\n\
             system 'true', @items;   # or one for all; a list of words starts no shell"
        );
        assert_eq!(snippet(&[b"no such program", b"same", b"all"], Language::Perl), None);
        assert!(snippet(&[b"rm"], Language::Lisp).unwrap().contains("; instead of rm"));
    }

    #[test]
    fn the_table_is_whole() {
        let read: Substitutes = toml_edit::de::from_str(include_str!("substitutes.toml")).unwrap();
        for (program, lines) in &read {
            for (key, line) in lines {
                let is_known = match program.as_str() {
                    SAME => read.contains_key(line),
                    _ => remedies::KEYS.contains(&key.as_str()) && !line.contains('\n'),
                };
                assert!(is_known, "{program}: {key}");
            }
        }
    }
}
