//! A command, how it is run, and what it may do.

use trace::Text;

use crate::allowed::Allowed;
use crate::measured::Status;
use crate::slope::PerItem;

/// What is run, and how.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Run {
    /// The program and its arguments, or a line for the shell.
    pub line: CommandLine,
    /// Where it runs, from the file's own directory; `None`: there.
    pub directory: Option<Text>,
    /// Whether all calls count, not only those that have to do with files.
    pub all: bool,
}

/// A command line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CommandLine {
    /// A program and its arguments.
    Words(Vec<Text>),
    /// A line that `sh` runs.
    Shell(String),
}

impl Default for CommandLine {
    fn default() -> CommandLine {
        CommandLine::Words(Vec::new())
    }
}

/// A command, and what it may do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Command {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// What is run.
    pub run: Run,
    /// How it ends.
    pub status: Status,
    /// What it may do.
    pub allowed: Allowed,
    /// How many remedies may work for it, tried by running it with and without them; `None`: none
    /// is tried.
    pub proved: Option<u64>,
}

/// A command with `{n}` in it, and what it may do per item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scale {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// What is run, with `{n}` where the number of items stands.
    pub run: Run,
    /// How it ends.
    pub status: Status,
    /// Numbers of items, growing; two at least.
    pub n: Vec<u64>,
    /// What it may do per item.
    pub per_item: PerItem,
}

impl CommandLine {
    /// The program and its arguments.
    #[must_use]
    pub fn words(&self) -> Vec<Text> {
        match self {
            CommandLine::Words(words) => words.clone(),
            CommandLine::Shell(line) => ["sh", "-c", line].map(Text::from).into(),
        }
    }

    /// The same with a number for each `{n}`.
    #[must_use]
    pub fn with(&self, n: u64) -> CommandLine {
        let filled = |word: &Text| {
            let number = n.to_string();
            let mut rest = &*word.0;
            let mut out = Vec::new();
            while let Some(at) = memchr::memmem::find(rest, PLACEHOLDER) {
                out.extend_from_slice(&rest[..at]);
                out.extend_from_slice(number.as_bytes());
                rest = &rest[at + PLACEHOLDER.len()..];
            }
            out.extend_from_slice(rest);
            Text(out.into())
        };
        match self {
            CommandLine::Words(words) => CommandLine::Words(words.iter().map(filled).collect()),
            CommandLine::Shell(line) => CommandLine::Shell(line.replace("{n}", &n.to_string())),
        }
    }

    /// Whether a shell that ends like this could not run its line (POSIX: 127 is not found, 126 not
    /// to be run).
    #[must_use]
    pub fn is_unknown_to_shell(&self, status: Status) -> bool {
        matches!((self, status), (CommandLine::Shell(_), Status::Exited(126 | 127)))
    }

    /// Whether there is a `{n}` in it.
    #[must_use]
    pub fn has_placeholder(&self) -> bool {
        self.words().iter().any(|word| memchr::memmem::find(&word.0, PLACEHOLDER).is_some())
    }
}

/// Where the number of items stands.
const PLACEHOLDER: &[u8] = b"{n}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_take_their_place_in_every_word() {
        let words =
            CommandLine::Words(vec!["f".into(), "{n}-{n}".into(), Text(b"\xff{n}"[..].into())]);
        assert_eq!(words.with(7).words()[1..], ["7-7".into(), Text(b"\xff7"[..].into())]);
        let shell = CommandLine::Shell("ls {n} | wc".into());
        assert_eq!(shell.with(20).words(), ["sh", "-c", "ls 20 | wc"].map(Text::from));
        assert!(!CommandLine::Shell("ls n".into()).has_placeholder());
    }
}
