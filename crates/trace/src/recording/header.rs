//! The first line of a recording.

use serde::{Deserialize, Serialize};

use crate::{Machine, Text};

/// What a recording says about itself.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always `recording`.
    fewer: FormatName,
    v: u32,
    /// The version of fewer that made it.
    pub version: String,
    /// The machine: arguments are as that machine has them.
    pub machine: Machine,
    /// The command that was recorded; empty if a running process was.
    pub command: Vec<Text>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormatName {
    Recording,
}

/// What comes first, so that a recording is not taken for other text.
pub(super) const BEGINNING: &[u8] = br#"{"fewer":"recording""#;

/// The one version of the format so far.
pub(super) const VERSION: u32 = 1;

impl Header {
    /// That of a recording made here and now.
    #[must_use]
    pub fn new(command: Vec<Text>) -> Header {
        Header {
            fewer: FormatName::Recording,
            v: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: Machine::HERE,
            command,
        }
    }

    /// Whether a file that begins with this line is a recording.
    #[must_use]
    pub fn is_in(line: &[u8]) -> bool {
        line.starts_with(BEGINNING)
    }

    /// From the first line. `Err` says in words what is wrong with it.
    pub(super) fn parse(line: &[u8]) -> Result<Header, String> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        if !Header::is_in(line) {
            return Err("this is no recording of fewer".to_owned());
        }
        let version = serde_json::from_slice(line).map(|Version { v }| v);
        match version {
            Ok(VERSION) => serde_json::from_slice(line).map_err(|error| error.to_string()),
            Ok(other) => Err(format!("version {other} of the format is not known here")),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_begins_as_it_must_and_is_read_again() {
        let header = Header::new(vec![Text::from("a\nb"), Text::from(&b"\xff"[..])]);
        let line = serde_json::to_vec(&header).unwrap();
        assert!(Header::is_in(&line));
        assert_eq!(Header::parse(&line), Ok(header));
    }

    #[test]
    fn other_text_and_other_versions_are_refused() {
        let refusal = |line: &str| Header::parse(line.as_bytes()).unwrap_err();
        assert_eq!(refusal("{}"), "this is no recording of fewer");
        assert_eq!(
            refusal(r#"{"fewer":"recording","v":2,"new":true}"#),
            "version 2 of the format is not known here"
        );
        assert!(refusal(r#"{"fewer":"recording","v":1}"#).contains("missing field"));
        assert!(refusal(r#"{"fewer":"recording"#).contains("no recording"));
    }
}
