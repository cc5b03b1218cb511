//! `tidy`: what this project calls a rule is checked here, one file per kind of rule. A rule that
//! finds nothing has passed; a finding names its file, its line and the reason.

mod cycles;
mod dead;
mod doors;
mod leftovers;
mod licences;
mod rooms;
mod rust;
mod size;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::place;
use crate::tally::Tally;

pub(crate) struct Finding {
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    pub(crate) why: String,
}

impl Finding {
    fn new(file: &str, line: usize, why: impl Into<String>) -> Finding {
        Finding { file: file.to_owned(), line, why: why.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.why)
    }
}

/// One text file of the repository.
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// For Rust: the text without what is in comments and string literals, line for line.
    pub(crate) code: String,
    /// For Rust: what is in comments, line for line; for anything else the text itself.
    pub(crate) comments: String,
}

impl File {
    pub(crate) fn new(name: &str, text: String) -> File {
        let (code, comments) = match name.ends_with(".rs") {
            true => rust::split(&text),
            false => (String::new(), text.clone()),
        };
        File { name: name.to_owned(), text, code, comments }
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.name.ends_with(".rs")
    }

    pub(crate) fn is_under(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.name.starts_with(folder))
    }
}

pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<File>,
}

type Rule = fn(&Tree) -> Result<Vec<Finding>, String>;

const RULES: &[(&str, Rule)] = &[
    ("lines of at most 100 columns", size::columns),
    ("files of at most 600 lines", size::lines),
    ("rooms have names that say something", rooms::names),
    ("unsafe only where it may live", doors::unsafe_code),
    ("extern \"C\" only at the C border", doors::extern_c),
    ("one door to the operating system", doors::system),
    ("no file-system logic in the command line", doors::command_line),
    ("nothing changes the process's directory or umask", doors::process_state),
    ("no module cycles", cycles::modules),
    ("no dead Rust files", dead::files),
    ("no leftovers", leftovers::words),
    ("licences that may be shipped", licences::tree),
];

pub(crate) fn run() -> Result<Tally, String> {
    let tree = read(&place::root()?)?;
    let mut tally = Tally::default();
    for (name, rule) in RULES {
        // A rule that cannot be checked has not passed, and must not keep the others from running.
        let findings = rule(&tree).unwrap_or_else(|why| vec![Finding::new(name, 0, why)]);
        for finding in &findings {
            println!("{finding}");
        }
        if !findings.is_empty() {
            println!("tidy: broken: {name}");
        }
        tally.count(findings.is_empty());
    }
    Ok(tally)
}

fn read(root: &Path) -> Result<Tree, String> {
    let mut files = Vec::new();
    for name in place::files(root)? {
        let bytes = std::fs::read(root.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        // What is not text has no columns and no words.
        if let Ok(text) = String::from_utf8(bytes)
            && !text.contains('\0')
        {
            files.push(File::new(&name, text));
        }
    }
    Ok(Tree { root: root.to_owned(), files })
}
