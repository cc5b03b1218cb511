//! `sed`, as scripts call it for one value: `s` and `y` for each line from a pipe to a pipe.

use std::ffi::CString;

use super::arguments::{Arguments, Known};
use super::source::each_line;
use super::{Broken, Lent, Tool};
use crate::Text;

pub(super) const SED: Tool =
    Tool { name: "sed", fits: |arguments, lent| script(arguments, lent).is_some(), run };

const OPTIONS: Known = Known { short: b"ne:", long: &[], anywhere: true };

/// How many groups a replacement can name.
const MOST_GROUPS: usize = 9;

/// What is done to each line.
struct Script {
    /// Only what `p` says is printed.
    quiet: bool,
    commands: Vec<Command>,
}

enum Command {
    Substitute(Substitute),
    /// `y`: what each byte becomes.
    Exchange(Box<[u8; 256]>),
}

struct Substitute {
    pattern: sys::Regex,
    by: Vec<Part>,
    all: bool,
    print: bool,
}

/// A piece of what is put in place of a match.
enum Part {
    Text(Vec<u8>),
    Group(usize),
}

/// The script, if it is one that is done here. Files are left to the real one, to read and to
/// write: what it says of them, and where it leaves them.
fn script(arguments: &[Text], lent: &Lent<'_>) -> Option<Script> {
    let mut options = Arguments::new(&OPTIONS, arguments);
    let (mut quiet, mut given) = (false, None);
    while let Some((letter, value)) = options.next()? {
        match letter {
            b'n' => quiet = true,
            _ if given.is_some() => return None,
            _ => given = Some(value),
        }
    }
    let operands = options.operands(lent)?;
    let text = match (given, &operands[..]) {
        (Some(text), []) => text,
        (None, [text]) => *text,
        _ => return None,
    };
    let pipes = lent.input.stat().is_none() && lent.output.stat().is_none();
    if !pipes || lent.asks || lent.terminal || (lent.environment)(b"POSIXLY_CORRECT").is_some() {
        return None;
    }
    let commands = commands(text, lent.utf8)?;
    let prints = |command: &Command| matches!(command, Command::Substitute(it) if it.print);
    // What is printed twice depends on whether the last line has an end.
    if commands.iter().any(prints) && !(quiet && commands.len() == 1) {
        return None;
    }
    Some(Script { quiet, commands })
}

fn commands(mut text: &[u8], utf8: bool) -> Option<Vec<Command>> {
    let mut commands = Vec::new();
    loop {
        let start = text.iter().position(|byte| !b" \t\n;".contains(byte));
        let Some(start) = start else { break };
        let (name, delimiter) = (text[start], *text.get(start + 1)?);
        if !delimiter.is_ascii_punctuation() || delimiter == b'\\' {
            return None;
        }
        let rest = &text[start + 2..];
        let (from, rest) = until(rest, delimiter)?;
        let (to, rest) = until(rest, delimiter)?;
        let end = rest.iter().position(|byte| matches!(byte, b';' | b'\n')).unwrap_or(rest.len());
        let flags = rest[..end].trim_ascii_end();
        commands.push(match name {
            b's' => Command::Substitute(substitute(from, to, flags, delimiter, utf8)?),
            b'y' if flags.is_empty() => Command::Exchange(exchange(from, to)?),
            _ => return None,
        });
        text = &rest[end..];
    }
    (!commands.is_empty()).then_some(commands)
}

/// What stands before the delimiter, and what stands behind it.
fn until(text: &[u8], delimiter: u8) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if byte == delimiter => return Some((&text[..at], &text[at + 1..])),
            _ => at += 1,
        }
    }
}

fn exchange(from: &[u8], to: &[u8]) -> Option<Box<[u8; 256]>> {
    let strange = |byte: &u8| !byte.is_ascii_graphic() || *byte == b'\\';
    if from.len() != to.len() || from.iter().chain(to).any(strange) {
        return None;
    }
    let mut table: Box<[u8; 256]> = Box::new(std::array::from_fn(|byte| byte.to_le_bytes()[0]));
    // The first that is said of a byte counts.
    for (&from, &to) in from.iter().zip(to).rev() {
        table[usize::from(from)] = to;
    }
    Some(table)
}

fn substitute(
    from: &[u8],
    to: &[u8],
    flags: &[u8],
    delimiter: u8,
    utf8: bool,
) -> Option<Substitute> {
    let (all, print) = match flags {
        b"" => (false, false),
        b"g" => (true, false),
        b"p" => (false, true),
        b"gp" | b"pg" => (true, true),
        _ => return None,
    };
    let (expression, groups) = expression(from, delimiter)?;
    let pattern = sys::Regex::basic(&CString::new(expression).ok()?, utf8, groups)?;
    // Where nothing is found behind something, sed has rules of its own.
    if all && pattern.captures_from(b"", 0).is_some() {
        return None;
    }
    Some(Substitute { pattern, by: replacement(to, delimiter, groups)?, all, print })
}

/// The expression as the C library is to have it, and how many groups it has. What sed itself reads
/// in it (`\n`, `\w`, …) is left to the real one.
fn expression(text: &[u8], delimiter: u8) -> Option<(Vec<u8>, usize)> {
    let (mut out, mut groups, mut at) = (Vec::new(), 0, 0);
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (byte, next) {
            (b'\\', Some(b'(')) => {
                groups += 1;
                out.extend_from_slice(b"\\(");
            }
            (b'\\', Some(b'/')) if delimiter == b'/' => out.push(b'/'),
            (b'\\', Some(escaped)) if escaped != delimiter && b")$.*[]^\\".contains(&escaped) => {
                out.extend_from_slice(&[b'\\', escaped]);
            }
            (b'\\', _) => return None,
            (b'[', _) => {
                let end = bracket(&text[at..])?;
                out.extend_from_slice(&text[at..at + end]);
                at += end;
                continue;
            }
            // The C library's dot is no NUL.
            (b'.', _) => out.extend_from_slice(b"[^\n]"),
            _ => out.push(byte),
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    (!out.is_empty() && groups <= MOST_GROUPS).then_some((out, groups))
}

/// How long `[…]` is. In it sed reads `\n`, but not a backslash of which there are two.
fn bracket(text: &[u8]) -> Option<usize> {
    let mut at = 1 + usize::from(text.get(1) == Some(&b'^'));
    at += usize::from(text.get(at) == Some(&b']'));
    loop {
        match (*text.get(at)?, text.get(at + 1)) {
            (b']', _) => return Some(at + 1),
            (b'\\', Some(b'\\')) => at += 2,
            (b'[', Some(b':')) => at += 2 + memchr::memmem::find(&text[at + 2..], b":]")? + 2,
            (b'\\', _) | (b'[', Some(b'.' | b'=')) => return None,
            _ => at += 1,
        }
    }
}

fn replacement(text: &[u8], delimiter: u8, groups: usize) -> Option<Vec<Part>> {
    let (mut parts, mut literal) = (Vec::new(), Vec::new());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let group = match byte {
            b'&' => 0,
            b'\\' => match *bytes.next()? {
                digit @ b'1'..=b'9' => usize::from(digit - b'0'),
                escaped if b"&\\".contains(&escaped) || escaped == delimiter => {
                    literal.push(escaped);
                    continue;
                }
                _ => return None,
            },
            byte => {
                literal.push(byte);
                continue;
            }
        };
        if group > groups {
            return None;
        }
        parts.push(Part::Text(std::mem::take(&mut literal)));
        parts.push(Part::Group(group));
    }
    parts.push(Part::Text(literal));
    Some(parts)
}

/// What one may write to a block before it is handed over.
const BLOCK_BYTES: usize = 32 << 10;

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(script) = script(arguments, lent) else { return Ok(1) };
    let mut out = Vec::new();
    let output = &mut *lent.output;
    let done = each_line(lent.input, b'\n', |line, ended| {
        let mut line = std::borrow::Cow::Borrowed(line);
        let mut printed = !script.quiet;
        for command in &script.commands {
            match command {
                Command::Exchange(table) => {
                    line.to_mut().iter_mut().for_each(|byte| *byte = table[usize::from(*byte)]);
                }
                Command::Substitute(it) => {
                    if let Some(changed) = it.apply(&line) {
                        line = changed.into();
                        printed |= it.print;
                    }
                }
            }
        }
        if printed {
            out.extend_from_slice(&line);
            out.extend_from_slice(if ended { b"\n" } else { b"" });
        }
        if out.len() >= BLOCK_BYTES {
            output.write(&out)?;
            out.clear();
        }
        Ok(())
    })?;
    output.write(&out)?;
    Ok(if done.is_ok() { 0 } else { 4 })
}

impl Substitute {
    /// The line with what it matches replaced; nothing if it matches nothing.
    fn apply(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut from = 0;
        while let Some(groups) = self.pattern.captures_from(line, from) {
            let Some(&Some((start, end))) = groups.first() else { break };
            out.extend_from_slice(&line[from..start]);
            for part in &self.by {
                match part {
                    Part::Text(text) => out.extend_from_slice(text),
                    Part::Group(number) => {
                        if let Some(&Some((start, end))) = groups.get(*number) {
                            out.extend_from_slice(&line[start..end]);
                        }
                    }
                }
            }
            from = end;
            if !self.all {
                out.extend_from_slice(&line[from..]);
                return Some(out);
            }
        }
        if out.is_empty() && from == 0 {
            return None;
        }
        out.extend_from_slice(&line[from..]);
        Some(out)
    }
}

#[cfg(test)]
mod tests;
