//! No half-finished work is kept: no macros for missing code, no notes to oneself.

use super::rust::lines_with_word;
use super::{Finding, Tree};

const MACROS: &[&str] = &["dbg!", "todo!", "unimplemented!"];

/// Composed here, so that this file does not contain them.
const NOTES: &[&str] = &[concat!("FIX", "ME"), concat!("TO", "DO"), concat!("XX", "X")];

pub(crate) fn words(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.name.ends_with("Cargo.lock")) {
        let mut find = |text: &str, words: &[&str]| {
            for word in words {
                for line in lines_with_word(text, word) {
                    findings.push(Finding::new(&file.name, line, format!("left over: {word}")));
                }
            }
        };
        find(&file.code, MACROS);
        find(&file.comments, NOTES);
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::*;

    #[test]
    fn macros_count_in_code_and_notes_in_comments() {
        let note = NOTES[0];
        let text = format!("todo!()\n// todo!() {note}\n\"dbg! {note}\"\nlet x = 1;");
        let tree = Tree { root: "/".into(), files: vec![File::new("a.rs", text)] };
        let lines: Vec<_> = words(&tree).unwrap().iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [1, 2]);
    }
}
