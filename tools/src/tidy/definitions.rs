//! One home for each concept: what only its definition would contain stands in one place.

use super::rust::without_tests;
use super::system_boundary::is_test;
use super::{File, Finding, Tree};

/// What is defined once, by what a definition of it contains.
struct Concept {
    what: &'static str,
    /// Texts of which each definition would contain one, outside of comments and tests.
    signs: &'static [&'static str],
    /// Where it is defined, and what is let off, each with its reason. Without any, a crate has it.
    homes: &'static [&'static str],
}

const CONCEPTS: &[Concept] = &[
    Concept {
        what: "search of PATH",
        signs: &["split_paths(", "\"/bin:/usr/bin\""],
        // The first has the default; the last puts a directory in front of PATH.
        homes: &[
            "crates/sys/src/unix/program.rs", "crates/fewer/src/path/program.rs",
            "tools/src/readme.rs",
        ],
    },
    Concept {
        what: "quoting for a shell",
        signs: &[r"'\\''"],
        homes: &["crates/fewer/src/quote.rs"],
    },
    Concept {
        what: "locale of the environment",
        signs: &["[\"LC_ALL\", ", "LC_ALL\"[..], ", "eq_ignore_ascii_case(b\"UTF-8\")"],
        homes: &["crates/fewer/src/locale.rs"],
    },
    Concept {
        what: "paths joined as text",
        signs: &["b\"..\" => {"],
        // The second and the third ask the disk; the last is below the first in the order of
        // crates, and does what the kernel of Windows does not.
        homes: &[
            "crates/fewer/src/path/lexical.rs", "crates/fewer/src/path/canonical.rs",
            "crates/coreutils/src/files/canonical.rs", "crates/sys/src/windows_formats/path.rs",
        ],
    },
    Concept {
        what: "time since 1970",
        signs: &["UNIX_EPOCH)"],
        homes: &["crates/sys/src/time.rs"],
    },
    Concept {
        what: "letters of C's escapes",
        signs: &["7 => b'a'"],
        homes: &["crates/fewer/src/quote.rs"],
    },
    Concept {
        what: "bytes in JSON",
        signs: &["base64::", r#"{\"text\":"#, r#"{\"bytes\":"#],
        homes: &["crates/fewer/src/lossless.rs"],
    },
    Concept {
        what: "names of errors and signals",
        signs: &["\"ENOTDIR\"", "\"VTALRM\"", "\"SIGSEGV\""],
        homes: &["crates/sys/src/linux/constant_names.rs"],
    },
    Concept {
        what: "words for an errno",
        signs: &["(os error"],
        homes: &["crates/sys/src/errno.rs"],
    },
    Concept {
        what: "exit statuses of shells, and how a process ended",
        signs: &["128 + signal", "u8 = 127", "u8 = 126", "status & 0x7f"],
        homes: &["crates/sys/src/exit_status.rs"],
    },
    Concept {
        what: "calendar",
        signs: &["146_097", "146097", "% 400"],
        homes: &["crates/fewer/src/localtime/clock.rs"],
    },
    Concept { what: "SHA-256", signs: &["0x6a09e667", "0x6a09_e667"], homes: &[] },
    Concept { what: "hasher of tables", signs: &["impl Hasher for"], homes: &[] },
    Concept {
        what: "hash of contents",
        signs: &["DefaultHasher"],
        // Python asks each object for its hash; the last makes a number of a path.
        homes: &["bindings/python/src/entry.rs", "crates/sys/src/windows/stat.rs"],
    },
    Concept {
        what: "thousands separators",
        signs: &["is_multiple_of(3)"],
        homes: &["crates/trace/src/figures.rs"],
    },
    Concept {
        what: "what controls a terminal",
        signs: &[r"'\u{202e}'", r"'\u{2066}'"],
        homes: &["crates/fewer/src/escape.rs"],
    },
    Concept {
        what: "how many descriptors may be held",
        signs: &["sys::descriptor_limit()"],
        homes: &["crates/fewer/src/descriptors.rs"],
    },
];

pub(crate) fn only_one(tree: &Tree) -> Result<Vec<Finding>, String> {
    // The table above is one of signs, not of definitions.
    let files = tree.files.iter().filter(|file| file.is_rust() && !is_test(file));
    Ok(files.filter(|file| file.name != "tools/src/tidy/definitions.rs").flat_map(copies).collect())
}

/// The definitions in a file of what has its home elsewhere.
fn copies(file: &File) -> Vec<Finding> {
    let foreign: Vec<&Concept> =
        CONCEPTS.iter().filter(|concept| !concept.homes.contains(&&*file.name)).collect();
    let code = without_tests(&file.code);
    let lines = file.text.lines().zip(code.lines()).zip(file.comments.lines()).enumerate();
    let mut findings = Vec::new();
    for (at, ((line, code), comment)) in lines {
        if code.trim().is_empty() {
            continue;
        }
        // A comment ends its line.
        let line = &line[..line.len() - comment.trim_start().len()];
        for concept in foreign.iter().filter(|it| it.signs.iter().any(|sign| line.contains(sign))) {
            let home = concept.homes.first().unwrap_or(&"a crate");
            let why = format!("a second definition of the {}: {home} has it", concept.what);
            findings.push(Finding::new(&file.name, at + 1, why));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, text: &str) -> Vec<usize> {
        let files = vec![File::new(name, text.to_owned())];
        let findings = only_one(&Tree { root: "/".into(), files }).unwrap();
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_second_definition_is_found_and_the_first_is_not() {
        let text = "fn ended(status: i32) -> i32 {\n    128 + signal\n}\n";
        assert_eq!(lines("crates/shell/src/run/a.rs", text), [2]);
        assert!(lines("crates/sys/src/exit_status.rs", text).is_empty());
        let text = "fn quoted(word: &str) -> String {\n    word.replace('\\'', \"'\\\\''\")\n}\n";
        assert_eq!(lines("crates/trace/src/a.rs", text), [2]);
    }

    #[test]
    fn comments_and_tests_define_nothing() {
        let text = "let x = y; // 128 + signal\n/// 128 + signal\nfn f() {}\n\
                    #[cfg(test)]\nmod tests {\n    use base64::Engine;\n}\n";
        assert!(lines("crates/cli/src/a.rs", text).is_empty());
        assert!(lines("crates/cli/tests/a.rs", "use base64::Engine;").is_empty());
    }

    #[test]
    fn each_home_is_there() {
        let root = crate::checkout::root().unwrap();
        for home in CONCEPTS.iter().flat_map(|concept| concept.homes) {
            assert!(root.join(home).is_file(), "{home}");
        }
    }
}
