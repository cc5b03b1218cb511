//! The first difference between two runs, in words.

use fewer::present::escaped;

use crate::source::scratch::{Left, Outcome};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How the second run differs from the first; `None` if it ended, printed and left the same.
pub(super) fn difference(first: &Outcome, second: &Outcome) -> Option<String> {
    if first.ending != second.ending {
        return Some(format!("it {} instead of {}", second.ending, words(first)));
    }
    let streams = [
        ("standard output", &first.out, &second.out),
        ("standard error", &first.errors, &second.errors),
    ];
    let differ = streams.into_iter().find_map(|(name, first, second)| printed(name, first, second));
    differ.or_else(|| left(first, second))
}

/// "ended with status 3" as "with status 3": what comes behind "instead of ending".
fn words(outcome: &Outcome) -> String {
    outcome.ending.to_string().replacen("ended", "ending", 1).replacen("was", "being", 1)
}

fn printed(name: &str, first: &[u8], second: &[u8]) -> Option<String> {
    let at = first.iter().zip(second).position(|(a, b)| a != b);
    let at = at.or_else(|| (first.len() != second.len()).then(|| first.len().min(second.len())))?;
    let number = first[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let line = |text: &[u8]| {
        let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |it| it + 1);
        let line = text[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let part = &line[..line.len().min(60)];
        format!("'{}'", escaped(part))
    };
    Some(format!("{name}, line {number}: {} instead of {}", line(second), line(first)))
}

fn left(first: &Outcome, second: &Outcome) -> Option<String> {
    let paths = first.contents.keys().chain(second.contents.keys());
    let path =
        paths.filter(|path| first.contents.get(*path) != second.contents.get(*path)).min()?;
    let how = match (first.contents.get(path), second.contents.get(path)) {
        (None, Some(Left::Removed)) => "is removed",
        (None, _) => "is written to",
        (_, None) => "is left alone",
        (
            Some(Left::There { mode, owner, .. }),
            Some(Left::There { mode: other, owner: by, .. }),
        ) if (mode, owner) != (other, by) => "has another kind, mode or owner",
        (Some(_), Some(_)) => "has other contents",
    };
    Some(format!("'{}' {how}", path_words(path)))
}

fn path_words(path: &Path) -> String {
    escaped(path.as_os_str().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::source::Ending;

    fn run(status: u8, out: &str, file: Option<&str>) -> Outcome {
        let there = |contents: &str| Left::There {
            mode: 0o100_644,
            owner: (0, 0),
            contents: contents.into(),
        };
        let file = file.map(|contents| ("/tmp/f\n".into(), there(contents)));
        Outcome {
            ending: Ending::Exited(status),
            wall: Duration::ZERO,
            processor: Duration::ZERO,
            out: out.into(),
            errors: Vec::new(),
            contents: file.into_iter().collect(),
            agent: None,
            empty: Vec::new(),
        }
    }

    #[test]
    fn the_first_difference_is_said() {
        let plain = run(0, "a\nbcd\n", Some("x"));
        let words = |other: &Outcome| difference(&plain, other).unwrap();
        assert_eq!(difference(&plain, &plain.clone()), None);
        assert_eq!(
            words(&run(1, "", None)),
            "it ended with status 1 instead of ending with status 0"
        );
        assert_eq!(
            words(&run(0, "a\nbxd\n", Some("x"))),
            "standard output, line 2: 'bxd' instead of 'bcd'"
        );
        assert_eq!(
            words(&run(0, "a\nbcd\nmore", Some("x"))),
            "standard output, line 3: 'more' instead of ''"
        );
        assert_eq!(words(&run(0, "a\nbcd\n", Some("y"))), "'/tmp/f\\n' has other contents");
        assert_eq!(words(&run(0, "a\nbcd\n", None)), "'/tmp/f\\n' is left alone");
    }
}
