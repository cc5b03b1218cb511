//! Limits on the length of lines and files, and on the fields of a type.

use super::{File, Finding, Tree};

const COLUMNS: usize = 100;
const LINES: usize = 600;
const FIELDS: usize = 20;

/// Source folders whose types keep to the limit.
const SMALL_TYPES: &[&str] = &["bindings/", "crates/"];

/// Written by programs, or texts by others.
const NOT_OURS: &[&str] = &["Cargo.lock", "LICENSE", "report.svg"];

/// Files that may be longer: tables and records, by name, each with a reason.
const LONG: &[(&str, &str)] = &[
    ("bench/record/", "records are kept as they were measured"),
    ("crates/trace/src/syscall/name.rs", "the table of all system calls"),
    ("crates/trace/src/explain/remedies.toml", "the table of remedies, in twelve languages"),
    ("docs/why.md", "it has a section for each kind of waste"),
    ("include/fewer.h", "C programs include one header, and it is the manual"),
];

fn is_ours(file: &File) -> bool {
    let base = file.name.rsplit('/').next().unwrap_or_default();
    !NOT_OURS.iter().any(|name| base.starts_with(name))
}

fn is_long_by_name(file: &File) -> bool {
    LONG.iter().any(|(name, _)| file.name.starts_with(name))
}

pub(crate) fn columns(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_ours(file) && !is_long_by_name(file)) {
        let markdown = file.name.ends_with(".md");
        for (at, line) in file.text.lines().enumerate() {
            let columns = line.chars().count();
            // A table row or an address cannot be broken in two, nor can a line that a shell
            // writes.
            let said = file.name.starts_with("cases/sh/");
            let whole =
                said || line.contains("://") || (markdown && line.trim_start().starts_with('|'));
            if columns > COLUMNS && !whole {
                let why = format!("{columns} columns; at most {COLUMNS}");
                findings.push(Finding::new(&file.name, at + 1, why));
            }
        }
    }
    Ok(findings)
}

pub(crate) fn lines(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_ours(file) && !is_long_by_name(file)) {
        let lines = file.text.lines().count();
        if lines > LINES {
            let why = format!("{lines} lines; at most {LINES}");
            findings.push(Finding::new(&file.name, lines, why));
        }
    }
    Ok(findings)
}

/// A type with many fields is a module that was never cut.
pub(crate) fn fields(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && file.is_under(SMALL_TYPES)) {
        // The line and the indentation of the type that is open, and how many fields it has so far.
        let mut open: Option<(usize, usize, usize)> = None;
        for (at, line) in file.code.lines().enumerate() {
            let text = line.trim_start();
            let indent = line.len() - text.len();
            match &mut open {
                Some((_, outer, count)) if indent == *outer + 4 => {
                    *count += usize::from(text.contains(": "));
                }
                Some((start, outer, count)) if indent == *outer && text.starts_with('}') => {
                    if *count > FIELDS {
                        let why = format!("{count} fields; at most {FIELDS}");
                        findings.push(Finding::new(&file.name, *start, why));
                    }
                    open = None;
                }
                None if text.split(' ').any(|word| word == "struct") && text.ends_with('{') => {
                    open = Some((at + 1, indent, 0));
                }
                _ => {}
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: String, rule: super::super::Rule) -> usize {
        let tree = Tree { root: "/".into(), files: vec![File::new(name, text)] };
        rule(&tree).unwrap().len()
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(found("a.rs", "é".repeat(100), columns), 0);
        assert_eq!(found("a.rs", "é".repeat(101), columns), 1);
    }

    #[test]
    fn fields_are_those_of_one_type() {
        let structure = |fields: usize| {
            let fields: String = (0..fields).map(|at| format!("    pub f{at}: u8,\n")).collect();
            format!("pub struct S {{\n{fields}}}\n\nfn f() {{\n    let a: u8 = 1;\n}}\n")
        };
        for (file, limited) in
            [("crates/fewer/src/a.rs", 1), ("crates/cli/src/a.rs", 1), ("fuzz/a.rs", 0)]
        {
            assert_eq!(found(file, structure(20), fields), 0);
            assert_eq!(found(file, structure(21), fields), limited);
        }
    }

    #[test]
    fn tables_addresses_and_lock_files_are_excepted() {
        let long = "x".repeat(120);
        assert_eq!(found("a.md", format!("| {long} |"), columns), 0);
        assert_eq!(found("a.md", format!("https://{long}"), columns), 0);
        assert_eq!(found("Cargo.lock", long.clone(), columns), 0);
        assert_eq!(found("a.md", long, columns), 1);
    }

    #[test]
    fn a_file_ends_after_600_lines() {
        assert_eq!(found("a.rs", "x\n".repeat(600), lines), 0);
        assert_eq!(found("a.rs", "x\n".repeat(601), lines), 1);
    }
}
