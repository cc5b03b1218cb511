//! `peers`: compares the versions of other programs on this machine with those that expected
//! output was made with (`cases/peers.toml`). A difference is a warning, counted as skipped.

use std::process::Command;

use serde::Deserialize;

use crate::checkout;
use crate::tally::Tally;

/// The table of peers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    peer: Vec<Peer>,
}

/// A program whose output is expected somewhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peer {
    name: String,
    /// The first line of the output of `command` must contain this word.
    version: String,
    command: Vec<String>,
    /// The tests that depend on it; for readers.
    used_by: String,
}

impl Peer {
    /// What differs on this machine; `None` if nothing does.
    fn difference(&self) -> Option<String> {
        let (program, arguments) = self.command.split_first()?;
        let Ok(said) = checkout::output(Command::new(program).args(arguments)) else {
            return Some("is not installed, or does not say its version".to_owned());
        };
        let said = String::from_utf8_lossy(&said);
        let first = said.lines().next().unwrap_or_default();
        (!has_version(first, &self.version)).then(|| format!("is '{first}'"))
    }
}

/// Whether the version, or a patch release of it, is in the text.
fn has_version(text: &str, version: &str) -> bool {
    text.match_indices(version).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + version.len()..].chars().next();
        !before.is_some_and(|char| char.is_ascii_digit() || char == '.')
            && !after.is_some_and(|char| char.is_ascii_digit())
    })
}

pub(crate) fn run() -> Result<Tally, String> {
    let file = checkout::root()?.join("cases/peers.toml");
    let text =
        std::fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let peers: Peers = toml::from_str(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    // The table itself could be read: on a machine of other versions that is all that passes.
    let mut tally = Tally { passed: 1, ..Tally::default() };
    for peer in &peers.peer {
        match peer.difference() {
            None => tally.passed += 1,
            Some(what) => {
                let Peer { name, version, used_by, .. } = peer;
                println!("differs: {name} {what} here; expected output is of {version}: {used_by}");
                tally.skipped += 1;
            }
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_word_or_the_beginning_of_one() {
        assert!(has_version("ls (GNU coreutils) 9.1", "9.1"));
        assert!(has_version("git version 2.39.5", "2.39"));
        assert!(has_version("0.5.12-2", "0.5.12"));
        assert!(!has_version("ls (GNU coreutils) 9.10", "9.1"));
        assert!(!has_version("sed (GNU sed) 4.9.1.9.1x", "1.9"));
    }

    #[test]
    fn a_program_that_is_missing_differs() {
        let peer = |command: &str| Peer {
            name: "x".to_owned(),
            version: "1.0".to_owned(),
            command: vec![command.to_owned()],
            used_by: String::new(),
        };
        assert!(peer("/no/such/program").difference().is_some());
    }
}
