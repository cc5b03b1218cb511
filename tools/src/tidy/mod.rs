//! `tidy`: checks the rules of this project, one file per kind of rule. A rule without findings has
//! passed; a finding names its file, its line and the reason.

mod cycles;
mod dead;
mod definitions;
mod dependencies;
mod dialects;
mod leftovers;
mod licences;
mod links;
mod names;
mod rust;
mod size;
mod system_boundary;
mod systems;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::checkout;
use crate::tally::Tally;

pub(crate) struct Finding {
    pub(crate) file: String,
    /// The line number, from 1.
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
    /// For Rust: the text without the insides of comments and string literals, line for line.
    pub(crate) code: String,
    /// For Rust: the comments, line for line; for anything else the text itself.
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
    ("types of at most 20 fields", size::fields),
    ("modules have names that say something", names::vague),
    ("names in the words of the field", names::private_words),
    ("unsafe only where it may live", system_boundary::unsafe_code),
    ("extern \"C\" only at the FFI boundary", system_boundary::extern_c),
    ("system calls only in crates/sys and the tracer", system_boundary::system),
    ("no file-system logic in the command line", system_boundary::command_line),
    ("nothing changes the process's directory or umask", system_boundary::process_state),
    ("which system it is, is asked in named files", systems::named),
    ("one definition for each concept", definitions::only_one),
    ("no module cycles", cycles::modules),
    ("what dialects differ in is in their profiles", dialects::named),
    ("no dead Rust files", dead::files),
    ("links lead to files and headings", links::targets),
    ("the site's table of contents is complete", links::contents),
    ("no leftovers", leftovers::words),
    ("licences that may be shipped", licences::tree),
    ("few dependencies", dependencies::few),
];

pub(crate) fn run() -> Result<Tally, String> {
    let tree = read(&checkout::root()?)?;
    let mut tally = Tally::default();
    for (name, rule) in RULES {
        // A rule that cannot be checked has not passed, and must not keep the others from running.
        let findings = rule(&tree).unwrap_or_else(|why| vec![Finding::new(name, 0, why)]);
        for finding in &findings {
            println!("{finding}");
        }
        if !findings.is_empty() {
            println!("tidy: failed: {name}");
        }
        tally.count(findings.is_empty());
    }
    Ok(tally)
}

fn read(root: &Path) -> Result<Tree, String> {
    let mut files = Vec::new();
    for name in checkout::files(root)? {
        let bytes = std::fs::read(root.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        // A file that is not text has no columns and no words.
        if let Ok(text) = String::from_utf8(bytes)
            && !text.contains('\0')
        {
            files.push(File::new(&name, text));
        }
    }
    Ok(Tree { root: root.to_owned(), files })
}
