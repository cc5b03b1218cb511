//! `sed` with `s` and `y` commands alone, from a pipe to a pipe: as scripts change one value.

use super::arguments::{Arguments, KnownOptions};
use super::source::{each_line, hand_over, of_file};
use crate::{Io, ToolJob, ToolResult, bre};

const OPTIONS: KnownOptions = KnownOptions { short: b"ne:", long: &[], anywhere: true };

/// How many groups a replacement can name.
const MOST_GROUPS: usize = 9;

/// What is done to each line.
pub(crate) struct Sed {
    /// Only lines with the flag `p` are printed.
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

impl Sed {
    /// Files are left to the real one, as standard input too: how far it reads them, and what it
    /// says about them, is its own.
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Sed> {
        let mut options = Arguments::new(&OPTIONS, arguments);
        let (mut quiet, mut script) = (false, None);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'n' => quiet = true,
                _ if script.is_some() => return None,
                _ => script = Some(value),
            }
        }
        let operands = options.operands(io)?;
        let text = match (script, &operands[..]) {
            (Some(text), []) => text,
            (None, [text]) => *text,
            _ => return None,
        };
        let pipes = io.input.stat().is_none() && io.output.stat().is_none();
        if !pipes || io.input_is_terminal || io.output_is_terminal || io.is_posixly_correct() {
            return None;
        }
        let commands = commands(text, io.utf8)?;
        let prints = |command: &Command| matches!(command, Command::Substitute(it) if it.print);
        // What is printed twice depends on whether the last line has an end.
        if commands.iter().any(prints) && !(quiet && commands.len() == 1) {
            return None;
        }
        Some(Sed { quiet, commands })
    }
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

/// The text before the delimiter, and the text behind it.
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
    let pattern = bre::compile(&expression(from, delimiter)?, utf8)?;
    let groups = pattern.groups();
    // Where nothing is found behind something, sed has rules of its own.
    if groups > MOST_GROUPS || all && pattern.captures_from(b"", 0).is_some() {
        return None;
    }
    Some(Substitute { pattern, by: replacement(to, delimiter, groups)?, all, print })
}

/// The expression for the C library. `None` for escapes that sed itself reads (`\n`, `\w`, …).
fn expression(text: &[u8], delimiter: u8) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (byte, next) {
            (b'\\', Some(b'/')) if delimiter == b'/' => out.push(b'/'),
            (b'\\', Some(escaped)) if escaped != delimiter && b"()$.*[]^\\".contains(&escaped) => {
                out.extend_from_slice(&[b'\\', escaped]);
            }
            (b'\\', _) => return None,
            (b'[', _) => {
                let bracket = &text[at..at + bre::bracket(&text[at..])?];
                is_plain_bracket(bracket).then(|| out.extend_from_slice(bracket))?;
                at += bracket.len();
                continue;
            }
            // The C library's dot is no NUL.
            (b'.', _) => out.extend_from_slice(b"[^\n]"),
            _ => out.push(byte),
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    (!out.is_empty()).then_some(out)
}

/// Whether sed reads brackets as the C library does: without escapes, which only sed knows there.
fn is_plain_bracket(text: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
    let escapes = text.split(|&byte| byte != b'\\').any(|run| run.len() % 2 == 1);
    !(escapes || has(b"[.") || has(b"[="))
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

impl ToolJob for Sed {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut out = Vec::new();
        let output = &mut *io.output;
        let done = of_file(each_line(io.input, b'\n', |line, ended| {
            let mut line = std::borrow::Cow::Borrowed(line);
            let mut printed = !self.quiet;
            for command in &self.commands {
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
            hand_over(&mut out, output)
        }))?;
        output.write(&out)?;
        Ok(if done.is_ok() { 0 } else { 4 })
    }
}

impl Substitute {
    /// The line with its matches replaced; `None` without a match.
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
