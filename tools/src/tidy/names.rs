//! Names say what a thing is, in the field's words.

use super::{File, Finding, Tree};

/// Names of files and folders that say nothing.
const VAGUE: &[&str] = &["common", "core", "helper", "helpers", "misc", "types", "util", "utils"];

/// Names that an engineer of the field would not guess, and words that say it: the whole name of a
/// module, a type or a public function. A longer name may contain one of them.
const PRIVATE_WORDS: &[&str] = &[
    "ahead: read_ahead", "aim: targets", "asked: options or request", "border: boundary",
    "broken: tool error", "course: interner or timeline", "door: boundary",
    "elsewhere: link target", "fits: supports", "given: argument", "lend: borrow",
    "lent: tool I/O", "life: process state", "own: the word for what it owns", "pen: writer",
    "place: position, path, index or folder", "press: printer",
    "quick: a hash or a cache, by its name", "room: module, buffer or capacity",
    "round: session or pass", "scout: lookup", "sheet: table", "teller: visitor",
    "told: event sink, report or finding", "turn: lock", "way: path, method or stack",
];

/// Where [`PRIVATE_WORDS`] are refused. The next folder without them is added here.
const FOLDERS: &[&str] = &[
    "bench/", "bindings/", "crates/budget/", "crates/cli/", "crates/coreutils/", "crates/fewer/",
    "crates/ffi/", "crates/shell/", "crates/stores/", "crates/sys/", "crates/tables/",
    "crates/trace/", "fuzz/", "tools/",
];

const DEFINING: &[&str] = &["enum", "mod", "struct", "trait", "type", "union"];

pub(crate) fn vague(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in &tree.files {
        let stem = file.name.strip_suffix(".rs").unwrap_or(&file.name);
        if let Some(name) = stem.split('/').find(|part| VAGUE.contains(part)) {
            let why = format!("'{name}' says nothing about what is in it");
            findings.push(Finding::new(&file.name, 1, why));
        }
    }
    Ok(findings)
}

pub(crate) fn private_words(tree: &Tree) -> Result<Vec<Finding>, String> {
    let files = tree.files.iter().filter(|file| file.is_rust() && file.is_under(FOLDERS));
    Ok(files
        .flat_map(|file| defined(file).filter_map(|(line, name)| judge(file, line, name)))
        .collect())
}

fn judge(file: &File, line: usize, name: &str) -> Option<Finding> {
    let mut words = PRIVATE_WORDS.iter().filter_map(|row| row.split_once(": "));
    let (_, say) = words.find(|(word, _)| name.eq_ignore_ascii_case(word))?;
    Some(Finding::new(&file.name, line, format!("'{name}' is a private word; say {say}")))
}

/// Line and name of each type, module and public function that the code defines.
fn defined(file: &File) -> impl Iterator<Item = (usize, &str)> {
    file.code.lines().enumerate().flat_map(|(at, line)| {
        let is_public = line.trim_start().starts_with("pub");
        let mut words = line.split(|char: char| !char.is_alphanumeric() && char != '_');
        let mut before = "";
        let names = std::iter::from_fn(move || {
            loop {
                let word = words.find(|word| !word.is_empty())?;
                let last = std::mem::replace(&mut before, word);
                if DEFINING.contains(&last) || last == "fn" && is_public {
                    return Some(word);
                }
            }
        });
        names.map(move |name| (at + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(name: &str, text: &str) -> Tree {
        Tree { root: "/".into(), files: vec![File::new(name, text.to_owned())] }
    }

    #[test]
    fn folders_and_modules_have_names_that_say_something() {
        let files = ["src/utils/a.rs", "src/types.rs", "src/mytypes.rs", "src/core.md"];
        let files = files.map(|name| File::new(name, String::new())).into();
        let findings = vague(&Tree { root: "/".into(), files }).unwrap();
        let found: Vec<_> = findings.iter().map(|finding| finding.file.as_str()).collect();
        assert_eq!(found, ["src/utils/a.rs", "src/types.rs"]);
    }

    #[test]
    fn private_words_are_refused_as_whole_names() {
        let text = "mod told;\npub(crate) struct Asked<'a> {\nenum Way { A }\npub fn fits() {}\n\
                    fn fits() {}\nlet told = own;\n// struct Pen\npub struct ReadAhead;\n\
                    pub(super) type Place = u8;";
        let findings = private_words(&tree("crates/cli/src/a.rs", text)).unwrap();
        let lines: Vec<_> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 9]);
        assert_eq!(findings[1].why, "'Asked' is a private word; say options or request");
        assert!(private_words(&tree("notes/a.rs", text)).unwrap().is_empty());
    }
}
