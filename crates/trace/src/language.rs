//! What a program is written in: whom the remedy speaks to.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A language that remedies are written for.
#[derive(
    Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C, and whatever looks like it.
    #[default]
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Python.
    Python,
    /// JavaScript in Node.
    Node,
    /// Java, and what else runs on its machine.
    Java,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// PHP.
    Php,
    /// Common Lisp.
    Lisp,
    /// A shell's script.
    Shell,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Rust => "Rust",
            Language::Go => "Go",
            Language::Python => "Python",
            Language::Node => "Node",
            Language::Java => "Java",
            Language::Ruby => "Ruby",
            Language::Perl => "Perl",
            Language::Php => "PHP",
            Language::Lisp => "Lisp",
            Language::Shell => "shell",
        })
    }
}
