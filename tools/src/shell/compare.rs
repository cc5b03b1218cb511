//! Compares a run with the expected outcome.

use super::format::{Case, Outcome};
use crate::cases::bytes::show;
use crate::cases::spent::Spent;

/// All differences between a run and what it should be.
pub(crate) fn differences(expected: &Outcome, outcome: &Outcome) -> Vec<String> {
    let mut wrong = Vec::new();
    if outcome.status != expected.status {
        wrong.push(format!("status {}, not {}", outcome.status, expected.status));
    }
    if outcome.stdout != expected.stdout {
        wrong.push(first_difference("stdout", &expected.stdout, &outcome.stdout));
    }
    for (name, content) in &expected.left {
        match outcome.left.get(name) {
            None => wrong.push(format!("{} is not left", show(name))),
            Some(other) if other != content => {
                wrong.push(first_difference(&show(name), content, other));
            }
            Some(_) => {}
        }
    }
    for (name, content) in &outcome.left {
        if !expected.left.contains_key(name) {
            wrong.push(format!("{} is left: {}", show(name), show(content)));
        }
    }
    wrong
}

/// The first line in which two texts differ.
fn first_difference(what: &str, expected: &[u8], got: &[u8]) -> String {
    let mut line = 1;
    let (mut wanted, mut given) = (expected.split(|&b| b == b'\n'), got.split(|&b| b == b'\n'));
    loop {
        let (a, b) = (wanted.next(), given.next());
        if a != b {
            let text = |side: Option<&[u8]>| side.map_or("the end".to_owned(), quoted);
            return format!("{what}, line {line}: {}, not {}", text(b), text(a));
        }
        if a.is_none() {
            return format!("{what} is the same");
        }
        line += 1;
    }
}

fn quoted(text: &[u8]) -> String {
    format!("'{}'", show(text))
}

/// The calls and processes beyond those that a case allows.
pub(crate) fn over_budget(case: &Case, spent: &Spent) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(allowed) = case.processes
        && spent.processes > allowed
    {
        wrong.push(format!("{} processes, at most {allowed}", spent.processes));
    }
    let total = spent.total_but_memory();
    if let Some(allowed) = case.calls
        && total != allowed
    {
        wrong.push(format!("{total} calls, not {allowed}"));
    }
    if let Some(allowed) = case.at_most
        && total > allowed
    {
        wrong.push(format!("{total} calls, at most {allowed}"));
    }
    if !wrong.is_empty() {
        let all = spent.calls.iter().map(|(name, count)| format!("{count} {name}"));
        wrong.push(format!("all calls: {}", all.collect::<Vec<_>>().join(", ")));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_difference_is_said_once() {
        let mut expected = Outcome { stdout: b"a\nb\nc\n".to_vec(), ..Outcome::default() };
        expected.left.insert(b"f".to_vec(), b"1".to_vec());
        assert!(differences(&expected, &expected.clone()).is_empty());
        let mut other = expected.clone();
        other.stdout = b"a\nx\nc\n".to_vec();
        assert_eq!(differences(&expected, &other), ["stdout, line 2: 'x', not 'b'"]);
        other = expected.clone();
        other.status = 1;
        other.left.insert(b"g".to_vec(), b"2".to_vec());
        other.left.remove(&b"f"[..]);
        assert_eq!(
            differences(&expected, &other),
            ["status 1, not 0", "f is not left", "g is left: 2"]
        );
    }
}
