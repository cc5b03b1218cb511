//! From a place in a function's code to its line (`luaG_getfuncline` in `ldebug.c` of Lua 5.4), and
//! the function's name, which Lua does not keep: the source has it where the function begins.

use std::io::Read as _;
use std::path::PathBuf;

use super::super::copies::Memory;
use super::state::Call;
use crate::Location;

/// Kinds of texts: short ones have their length in their header.
const SHORT: u8 = 4;
const LONG: u8 = 20;

/// No text is longer, and of a text that is a program so much is shown.
const LONGEST: u64 = 1 << 12;
const SHOWN: usize = 40;

/// No function has more instructions.
const INSTRUCTIONS: u64 = 1 << 24;

/// So much is read of a source file.
const LARGEST: u64 = 4 << 20;

/// Function, file and line of a call.
pub(super) fn location(memory: &mut Memory, call: Call) -> Option<Location> {
    let source = text(memory, call.source())?;
    let line = line(memory, &call).unwrap_or(0);
    let (file, is_file) = match (source.strip_prefix('@'), source.strip_prefix('=')) {
        (Some(file), _) => (file.to_owned(), true),
        (_, Some(name)) => (format!("<{name}>"), false),
        _ => {
            let first: String = source.lines().next().unwrap_or("").chars().take(SHOWN).collect();
            (format!("<{first}>"), false)
        }
    };
    let begins = call.begins();
    let function = if begins == 0 {
        "main chunk".to_owned()
    } else {
        let text = if is_file { line_of(memory.thread(), &file, begins) } else { None };
        let named = text.as_deref().and_then(name);
        let whole = file.trim_matches(['<', '>']);
        named.unwrap_or_else(|| format!("function <{whole}:{begins}>"))
    };
    Some(Location { function, file, line })
}

/// The characters of a text.
fn text(memory: &mut Memory, at: u64) -> Option<String> {
    let [head, length] = memory.words(at.checked_add(8)?)?;
    let length = match head.to_le_bytes() {
        [SHORT, _, _, length, ..] => u64::from(length),
        [LONG, ..] => length.min(LONGEST),
        _ => return None,
    };
    let bytes = memory.bytes(at.checked_add(24)?, usize::try_from(length).ok()?)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The line of an instruction. `None` if the program was stripped of lines.
fn line(memory: &mut Memory, call: &Call) -> Option<u32> {
    let (count, full) = (call.instructions(), call.full_lines());
    if call.line_bytes() != count || count > INSTRUCTIONS || full > count {
        return None;
    }
    let table = memory.bytes(call.line_table(), usize::try_from(count).ok()?)?;
    let full = if full == 0 {
        Vec::new()
    } else {
        memory.bytes(call.full_table(), usize::try_from(8 * full).ok()?)?
    };
    line_by(&table, &full, call.begins(), usize::try_from(call.at).ok()?)
}

/// Each instruction's line is told as the difference from the one before; of some it is told in
/// full, with the number of the instruction.
fn line_by(table: &[u8], full: &[u8], begins: u32, at: usize) -> Option<u32> {
    let four = |bytes: &[u8; 4]| u32::from_ne_bytes(*bytes);
    let numbers: Vec<u32> = full.as_chunks().0.iter().map(four).collect();
    let known = numbers.as_chunks().0.iter().rfind(|[of, _]| *of as usize <= at);
    let (from, line) = known.map_or((0, begins), |[of, line]| (*of as usize + 1, *line));
    let steps = table.get(from..=at).unwrap_or_default();
    let line =
        steps.iter().fold(i64::from(line), |line, step| line + i64::from(step.cast_signed()));
    u32::try_from(line).ok().filter(|line| *line > 0)
}

/// The text of a line of a file, as the process finds it.
fn line_of(process: libc::pid_t, file: &str, line: u32) -> Option<String> {
    let base = if file.starts_with('/') { "root" } else { "cwd" };
    let mut path = PathBuf::from(format!("/proc/{process}/{base}"));
    path.push(file.trim_start_matches('/'));
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let text =
        bytes.split(|&byte| byte == b'\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// The name of the function that a line defines: what stands behind `function`, or before it and a
/// `=`. `None` if it has no name, or if there is more than one function.
fn name(line: &str) -> Option<String> {
    let is_part = |character: char| character.is_alphanumeric() || "_.:".contains(character);
    let is_word = |(at, _): &(usize, &str)| {
        let (before, after) = (&line[..*at], &line[at + "function".len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    let mut words = line.match_indices("function").filter(is_word);
    let (at, word) = words.next()?;
    if words.next().is_some() {
        return None;
    }
    let behind = line[at + word.len()..].trim_start();
    let named = &behind[..behind.find(|character| !is_part(character)).unwrap_or(behind.len())];
    let before = line[..at].trim_end().strip_suffix('=').unwrap_or("").trim_end();
    let begin = before.rfind(|character| !is_part(character));
    let given =
        &before[begin.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
    [named, given].into_iter().find(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_names_that_they_are_defined_with() {
        for (line, expected) in [
            ("local function load(path)", Some("load")),
            ("function Store.site:render (x) return x end", Some("Store.site:render")),
            ("  M.visit = function(node)", Some("M.visit")),
            ("local é = function()", Some("é")),
            ("return function(a)", None),
            ("each(list, function(x)", None),
            ("t['a'] = function()", None),
            ("local f, g = function() end, function() end", None),
            ("local my_function = 1", None),
            ("x == function() end", None),
            ("", None),
        ] {
            assert_eq!(name(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn lines_are_differences_from_those_told_in_full() {
        let table = [0, 1, 1, 0xff, 0x80, 2, 0x80, 3];
        let full: Vec<u8> = [4u32, 900, 6, 70].into_iter().flat_map(u32::to_ne_bytes).collect();
        let expected = [10, 11, 12, 11, 900, 902, 70, 73];
        for (at, line) in expected.into_iter().enumerate() {
            assert_eq!(line_by(&table, &full, 10, at), Some(line), "{at}");
        }
        assert_eq!(line_by(&[0x90, 1], &[], 1, 0), None);
    }
}
