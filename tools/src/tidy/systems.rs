//! What systems and machines differ in is below `sys` and the tracer's source: elsewhere only the
//! files that are named here ask which one it is.

use std::collections::BTreeSet;

use super::rust::without_tests;
use super::system_boundary::is_test;
use super::{File, Finding, Tree};

/// Where the rule holds.
const FOLDERS: &[&str] = &["crates/", "bindings/"];

/// The folders that are about systems and machines. Their own maps say which file is for which.
const SYSTEMS: &[&str] = &["crates/sys/", "crates/trace/src/source/"];

/// The files that may ask for the system or the machine, and what for.
const NAMED: &[&str] = &[
    "crates/agent/src/lib.rs",
    // Which verbs there are, which flags, and what is said of the others.
    "crates/cli/src/flags/mod.rs", "crates/cli/src/lines/mod.rs", "crates/cli/src/main.rs",
    "crates/cli/src/not_here.rs", "crates/cli/src/snapshots/filters.rs",
    "crates/cli/src/snapshots/mod.rs",
    // Which parts the library has.
    "crates/fewer/src/lib.rs", "crates/fewer/src/lines/mod.rs", "crates/fewer/src/walk/mod.rs",
    // What a descriptor of the language is.
    "bindings/node/src/descriptor.rs",
    // Which table of system calls is this machine's.
    "crates/trace/src/syscall/name.rs",
];

/// What asks, and the words in it that are about systems; also all that begin with `target_`.
const QUESTIONS: &[&str] = &["cfg(", "cfg!(", "cfg_attr("];
const WORDS: &[&str] = &["unix", "windows", "tracer"];

pub(crate) fn named(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(judge(tree, NAMED))
}

fn judge(tree: &Tree, named: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut without: BTreeSet<&str> = named.iter().copied().collect();
    for file in tree.files.iter().filter(|file| is_judged(file)) {
        let asking = questions(&without_tests(&file.code));
        if named.contains(&file.name.as_str()) {
            if !asking.is_empty() {
                without.remove(file.name.as_str());
            }
            continue;
        }
        findings.extend(asking.into_iter().map(|(line, word)| {
            let why = format!("cfg of {word}: give crates/sys a function that all systems have");
            Finding::new(&file.name, line, why)
        }));
    }
    // A name that is not needed is a way in for the next one.
    findings.extend(without.into_iter().map(|name| {
        Finding::new(name, 1, "asks for no system: take it off the list in tidy/systems.rs")
    }));
    findings
}

fn is_judged(file: &File) -> bool {
    file.is_rust() && file.is_under(FOLDERS) && !file.is_under(SYSTEMS) && !is_test(file)
}

/// The line of each question for a system, and the word that asks.
fn questions(code: &str) -> Vec<(usize, String)> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut found = Vec::new();
    for question in QUESTIONS {
        for (at, _) in code.match_indices(question) {
            let inside = in_parentheses(&code[at + question.len()..]);
            let mut words = inside.split(|char| !is_word(char));
            let word = words.find(|word| WORDS.contains(word) || word.starts_with("target_"));
            if let (Some(word), false) = (word, code[..at].ends_with(is_word)) {
                found.push((code[..at].matches('\n').count() + 1, word.to_owned()));
            }
        }
    }
    found.sort();
    found
}

/// What is before the parenthesis that closes one opened in front of the text.
fn in_parentheses(text: &str) -> &str {
    let mut depth = 1_usize;
    let end = text.find(|char| {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKING: &str = "#[cfg(all(feature = \"a\",\n    unix))]\nfn f() {}\n\
        // cfg(windows)\nconst A: bool = cfg!(target_os = \"linux\");\n\
        #[cfg_attr(not(tracer), allow(x))]\nfn g() {}\n";

    fn found(files: &[(&str, &str)], named: &[&str]) -> Vec<(String, usize)> {
        let files = files.iter().map(|(name, text)| File::new(name, (*text).to_owned())).collect();
        let findings = judge(&Tree { root: "/".into(), files }, named);
        findings.into_iter().map(|finding| (finding.file, finding.line)).collect()
    }

    #[test]
    fn a_system_is_asked_for_in_named_files() {
        let name = "crates/fewer/src/a.rs";
        let lines = [1, 5, 6].map(|line| (name.to_owned(), line));
        assert_eq!(found(&[(name, ASKING)], &[]), lines);
        assert!(found(&[(name, ASKING)], &[name]).is_empty());
        for free in ["crates/sys/src/a.rs", "crates/trace/src/source/a.rs", "tools/src/a.rs"] {
            assert!(found(&[(free, ASKING)], &[]).is_empty());
        }
        assert_eq!(found(&[("bindings/python/src/a.rs", ASKING)], &[]).len(), 3);
    }

    #[test]
    fn a_named_file_that_asks_for_none_is_taken_off() {
        let name = "crates/fewer/src/a.rs";
        assert_eq!(found(&[(name, "fn f() {}")], &[name]), [(name.to_owned(), 1)]);
        assert_eq!(found(&[], &[name]), [(name.to_owned(), 1)]);
    }

    #[test]
    fn other_questions_and_tests_are_free() {
        let text = "#[cfg(feature = \"walk\")]\nfn f(unix: u8) {}\n#[cfg(test)]\nmod tests {\n    \
                    const A: bool = cfg!(windows);\n}\n#[cfg(not(debug_assertions))]\nfn g() {}\n";
        assert!(found(&[("crates/fewer/src/a.rs", text)], &[]).is_empty());
        assert!(found(&[("crates/fewer/tests/a.rs", ASKING)], &[]).is_empty());
    }
}
