//! Compares the outcome of a program with what a case expects, and describes the differences.

use std::collections::BTreeMap;

use serde_json::Value;

use super::bytes::{is_like, show};
use super::format::{Case, Order};
use super::item::Expected;
use super::spawn::{Outcome, ending};
use std::os::unix::process::ExitStatusExt;

/// More differences than this are counted, not shown.
const SHOWN: usize = 8;

/// All failures of the outcome; none if it is as expected.
pub(crate) fn complaints(case: &Case, outcome: &Outcome) -> Vec<String> {
    let mut wrong = Vec::new();
    let expected_end = match case.signal {
        Some(signal) => outcome.status.signal() == Some(signal.number()),
        None => outcome.status.code() == Some(case.exit),
    };
    if !expected_end {
        let wanted = case.signal.map_or(format!("exit {}", case.exit), |signal| {
            format!("killed by signal {}", signal.number())
        });
        wrong.push(format!("ended with {}, not with {wanted}", ending(outcome.status)));
    }
    let stderr = lines(&outcome.stderr, b'\n');
    match &case.stderr_has {
        Some(has) => wrong.extend(has_all("stderr", &stderr, has)),
        None => wrong.extend(same_set("stderr", &stderr, &case.stderr)),
    }
    if case.stdout_to.is_none() {
        stdout(case, &outcome.stdout, &mut wrong);
    }
    wrong
}

fn stdout(case: &Case, bytes: &[u8], wrong: &mut Vec<String>) {
    let end = case.ends.byte();
    let unended = bytes.last().is_some_and(|&last| last != end);
    if unended != case.unended {
        let not = if unended { "does not end" } else { "ends" };
        wrong.push(format!("stdout: the last line {not}"));
    }
    let actual = lines(bytes, end);
    if let Some(expected) = &case.stdout {
        // A line that holds its own terminator reads as several lines, here as there.
        let expected = split_at_ends(expected, end);
        match case.order {
            Order::Given => wrong.extend(same_sequence("stdout", &actual, &expected)),
            Order::Any | Order::Parents => wrong.extend(same_set("stdout", &actual, &expected)),
        }
    }
    if let Some(has) = &case.stdout_has {
        wrong.extend(has_all("stdout", &actual, has));
    }
    if let Some(count) = case.stdout_lines
        && count != actual.len()
    {
        wrong.push(format!("stdout: {} lines, not {count}", actual.len()));
    }
    if let Some(objects) = &case.json {
        wrong.extend(same_objects(&actual, objects, case.order));
    }
    if case.order == Order::Parents {
        wrong.extend(parents_first(&actual));
    }
}

/// Compares the output of the oracle with that of the program.
pub(crate) fn against_oracle(case: &Case, oracle: &[u8], stdout: &[u8]) -> Vec<String> {
    let end = case.ends.byte();
    let expected: Vec<Expected> =
        lines(oracle, end).into_iter().map(|line| Expected::Line(line.to_owned())).collect();
    let actual = lines(stdout, end);
    match case.order {
        Order::Given => same_sequence("stdout against the oracle", &actual, &expected),
        Order::Any | Order::Parents => same_set("stdout against the oracle", &actual, &expected),
    }
}

fn lines(bytes: &[u8], end: u8) -> Vec<&[u8]> {
    let bytes = bytes.strip_suffix(&[end]).unwrap_or(bytes);
    if bytes.is_empty() { Vec::new() } else { bytes.split(|&byte| byte == end).collect() }
}

fn split_at_ends(expected: &[Expected], end: u8) -> Vec<Expected> {
    let split = |one: &Expected| match one {
        Expected::Like(_) => vec![one.clone()],
        _ => {
            let pieces = one.lines().into_iter().flat_map(|line| {
                line.split(|&byte| byte == end).map(<[u8]>::to_vec).collect::<Vec<_>>()
            });
            pieces.map(Expected::Line).collect()
        }
    };
    expected.iter().flat_map(split).collect()
}

/// Compares as sets in which a line may occur several times. Patterns match lines that are left
/// over.
fn same_set(stream: &str, actual: &[&[u8]], expected: &[Expected]) -> Vec<String> {
    let mut left: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
    for line in actual {
        *left.entry(line.to_vec()).or_default() += 1;
    }
    for line in expected.iter().flat_map(Expected::lines) {
        *left.entry(line).or_default() -= 1;
    }
    let mut missing = Vec::new();
    for pattern in expected {
        let Expected::Like(pattern) = pattern else { continue };
        match left.iter_mut().find(|(line, count)| **count > 0 && is_like(pattern, line)) {
            Some((_, count)) => *count -= 1,
            None => missing.push(format!("a line like '{}'", show(pattern))),
        }
    }
    let times = |line: &[u8], count: i64| match count {
        1 => format!("'{}'", show(line)),
        _ => format!("'{}' {count} times", show(line)),
    };
    let short = left.iter().filter(|(_, count)| **count < 0);
    missing.extend(short.map(|(line, count)| times(line, -count)));
    let extra = left.iter().filter(|(_, count)| **count > 0);
    let extra: Vec<String> = extra.map(|(line, count)| times(line, *count)).collect();
    let mut wrong = some_of(&format!("{stream}: missing"), &missing);
    wrong.extend(some_of(&format!("{stream}: unexpected"), &extra));
    wrong
}

fn some_of(what: &str, lines: &[String]) -> Vec<String> {
    let mut shown: Vec<String> =
        lines.iter().take(SHOWN).map(|line| format!("{what} {line}")).collect();
    if lines.len() > SHOWN {
        shown.push(format!("{what} {} more", lines.len() - SHOWN));
    }
    shown
}

fn same_sequence(stream: &str, actual: &[&[u8]], expected: &[Expected]) -> Vec<String> {
    let mut wanted = Vec::new();
    for one in expected {
        match one {
            Expected::Like(pattern) => wanted.push((true, pattern.clone())),
            _ => wanted.extend(one.lines().into_iter().map(|line| (false, line))),
        }
    }
    let is_as_wanted = |(like, text): &(bool, Vec<u8>), line: &[u8]| match like {
        true => is_like(text, line),
        false => text == line,
    };
    let pairs = wanted.iter().zip(actual);
    let equal = pairs.take_while(|(wanted, line)| is_as_wanted(wanted, line)).count();
    if equal == wanted.len() && equal == actual.len() {
        return Vec::new();
    }
    let or_end = |line: Option<String>| line.unwrap_or_else(|| "the end".to_owned());
    let is = or_end(actual.get(equal).map(|line| format!("'{}'", show(line))));
    let should = or_end(wanted.get(equal).map(|(_, text)| format!("'{}'", show(text))));
    vec![format!("{stream}: line {} is {is}, not {should}", equal + 1)]
}

/// Each expected line has an actual line of its own; there may be more of those.
fn has_all(stream: &str, actual: &[&[u8]], expected: &[Expected]) -> Vec<String> {
    let wrong = same_set(stream, actual, expected);
    wrong.into_iter().filter(|why| !why.contains(": unexpected ")).collect()
}

/// Each line is an object that has all fields of the expected one; it may have others.
fn same_objects(actual: &[&[u8]], expected: &[Value], order: Order) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut objects = Vec::new();
    for line in actual {
        match serde_json::from_slice::<Value>(line) {
            Ok(object) => objects.push(object),
            Err(why) => wrong.push(format!("stdout: '{}' is not JSON: {why}", show(line))),
        }
    }
    for object in expected {
        let place = match order {
            Order::Given => (!objects.is_empty() && has_fields(&objects[0], object)).then_some(0),
            _ => objects.iter().position(|actual| has_fields(actual, object)),
        };
        match place {
            Some(at) => drop(objects.remove(at)),
            None => wrong.push(format!("stdout: missing {object}")),
        }
    }
    let extra: Vec<String> = objects.iter().map(Value::to_string).collect();
    wrong.extend(some_of("stdout: unexpected", &extra));
    wrong
}

fn has_fields(actual: &Value, expected: &Value) -> bool {
    let Some(fields) = expected.as_object() else { return actual == expected };
    fields.iter().all(|(key, value)| actual.get(key) == Some(value))
}

fn parents_first(actual: &[&[u8]]) -> Vec<String> {
    let places: BTreeMap<&[u8], usize> =
        actual.iter().enumerate().map(|(place, line)| (*line, place)).collect();
    let mut late = Vec::new();
    for (place, line) in actual.iter().enumerate() {
        let Some(slash) = line.iter().rposition(|&byte| byte == b'/') else { continue };
        // `d/` is the parent of `d/x` if the root was written with a slash.
        let parents = [places.get(&line[..slash]), places.get(&line[..=slash])];
        if parents.into_iter().flatten().any(|&parent| parent > place) {
            late.push(format!("'{}' before its directory", show(line)));
        }
    }
    some_of("stdout:", &late)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(lines: &[&str]) -> Vec<Expected> {
        lines.iter().map(|line| Expected::Line(line.as_bytes().to_vec())).collect()
    }

    fn like(pattern: &str) -> Expected {
        Expected::Like(pattern.as_bytes().to_vec())
    }

    #[test]
    fn a_set_has_no_order_but_counts() {
        assert!(same_set("s", &[b"a", b"b"], &expected(&["b", "a"])).is_empty());
        let wrong = same_set("s", &[b"a", b"a", b"c"], &expected(&["a", "b"]));
        assert_eq!(wrong, ["s: missing 'b'", "s: unexpected 'a'", "s: unexpected 'c'"]);
    }

    #[test]
    fn a_pattern_takes_one_line_that_no_plain_line_wants() {
        let mut both = expected(&["error: a"]);
        both.insert(0, like("error: *"));
        assert!(same_set("s", &[b"error: a", b"error: b"], &both).is_empty());
        let wrong = same_set("s", &[b"error: a"], &both);
        assert_eq!(wrong, ["s: missing a line like 'error: *'"]);
    }

    #[test]
    fn a_sequence_is_compared_line_by_line() {
        assert!(
            same_sequence("s", &[b"a", b"bc"], &[expected(&["a"])[0].clone(), like("b*")])
                .is_empty()
        );
        let wrong = same_sequence("s", &[b"a"], &expected(&["a", "b"]));
        assert_eq!(wrong, ["s: line 2 is the end, not 'b'"]);
    }

    #[test]
    fn an_empty_output_has_no_line_and_an_empty_line_is_one() {
        assert!(lines(b"", b'\n').is_empty());
        assert_eq!(lines(b"\n\n", b'\n').len(), 2);
        assert_eq!(lines(b"a\nb\n", b'\n'), [b"a", b"b"]);
    }

    #[test]
    fn an_expected_line_with_a_newline_is_two_lines() {
        assert_eq!(split_at_ends(&expected(&["d/a\nb"]), b'\n'), expected(&["d/a", "b"]));
        assert_eq!(split_at_ends(&expected(&["d/a\nb"]), 0).len(), 1);
    }

    #[test]
    fn objects_may_have_more_fields() {
        let wanted = [serde_json::json!({ "kind": "file", "path": { "text": "d" } })];
        let line = br#"{"v":1,"path":{"text":"d"},"kind":"file"}"#;
        assert!(same_objects(&[line], &wanted, Order::Any).is_empty());
        assert_eq!(same_objects(&[b"{\"kind\":\"file\"}"], &wanted, Order::Any).len(), 2);
        assert_eq!(same_objects(&[line, b"nonsense"], &wanted, Order::Any).len(), 1);
    }

    #[test]
    fn a_directory_comes_before_what_is_below_it() {
        assert!(parents_first(&[b"d", b"d/a", b"d/a/b"]).is_empty());
        assert_eq!(parents_first(&[b"d", b"d/a/b", b"d/a"]).len(), 1);
        assert_eq!(parents_first(&[b"d/x", b"d/"]).len(), 1);
    }
}
