//! What was found, as JUnit XML, the way servers for continuous integration read it: a suite for
//! the file, a case for each command. Elements, attributes and their order are those of the
//! schema of Ant's reports (JUnit.xsd), which the others only widen.

use std::fmt::Write;
use std::time::Duration;

use fewer::{Time, Zone};

use crate::outcome::{Checked, Outcome};
use crate::text;

/// When and where the commands were run.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// When they began.
    pub when: Time,
    /// The name of the machine.
    pub host: String,
}

/// What became of all commands of a file.
#[must_use]
pub fn checked(file: &[u8], checked: &[Checked], at: &Circumstances) -> String {
    let failures = checked.iter().filter(|it| !it.passed() && !is_error(it)).count();
    let errors = checked.iter().filter(|it| is_error(it)).count();
    let took: Duration = checked.iter().map(|it| it.took).sum();
    let tests = checked.len();
    let counts = format!(
        "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\"",
        seconds(took)
    );
    let suite = attribute(&format!("fewer budget {}", String::from_utf8_lossy(file)));
    let host = if at.host.is_empty() { "localhost" } else { &at.host };
    let (when, host) = (timestamp(at.when), attribute(host));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let place = format!("timestamp=\"{when}\" hostname=\"{host}\"");
    let suite_is = format!("name=\"{suite}\" package=\"fewer.budget\" id=\"0\"");
    let _ = writeln!(out, "  <testsuite {suite_is} {counts} {place}>");
    out.push_str("    <properties/>\n");
    checked.iter().for_each(|it| case(it, &suite, &mut out));
    out.push_str("    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n");
    out
}

fn is_error(checked: &Checked) -> bool {
    matches!(checked.outcome, Outcome::NotRun(_))
}

fn case(it: &Checked, suite: &str, out: &mut String) {
    let (name, took) = (attribute(&it.title), seconds(it.took));
    let _ = write!(out, "    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{took}\"");
    if it.passed() {
        out.push_str("/>\n");
        return;
    }
    let details = text::details(it);
    let message = match &it.outcome {
        Outcome::Compared(comparison) => {
            let new: u64 = comparison.excess.iter().map(super::Excess::new_calls).sum();
            format!("{new} calls more than allowed")
        }
        Outcome::Sloped(sloped) => {
            let (now, allowed) = (sloped.now.per_item.total, sloped.allowed);
            format!("{now} calls per item, {allowed} allowed")
        }
        _ => details.lines().next().unwrap_or_default().trim().to_owned(),
    };
    let (element, kind) = match &it.outcome {
        Outcome::Compared(_) | Outcome::Sloped(_) => ("failure", "calls"),
        Outcome::Proved { .. } => ("failure", "proved"),
        Outcome::Ended { .. } => ("failure", "status"),
        Outcome::NotRun(_) => ("error", "run"),
    };
    let _ = writeln!(
        out,
        ">\n      <{element} message=\"{}\" type=\"{kind}\">{}</{element}>\n    </testcase>",
        attribute(&message),
        content(&details),
    );
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// A text inside double quotes.
fn attribute(text: &str) -> String {
    escaped(text, true)
}

/// A text between tags.
fn content(text: &str) -> String {
    escaped(text, false)
}

/// XML 1.0 has no way to write most control characters: they become U+FFFD. In attributes a parser
/// would take a newline or a tab for a space.
fn escaped(text: &str, in_quotes: bool) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' if !in_quotes => out.push(character),
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", character as u32);
            }
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            _ => out.push(character),
        }
    }
    out
}

/// As ISO 8601 has it, without a zone.
fn timestamp(time: Time) -> String {
    let mut out = Vec::new();
    Zone::utc().write(b"%Y-%m-%dT%H:%M:%S", time, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
