//! From a code object to function, file and line.

use super::layout::{HEAD, Layout};
use crate::Location;
use crate::source::memory;

/// No name of a function or a file is longer.
const LONGEST_TEXT: u64 = 1 << 14;

/// No table of lines is longer.
const LONGEST_TABLE: u64 = 1 << 24;

/// Where `ob_size` of an object is, and the characters of a bytes object.
const SIZE: u64 = 16;
const BYTES: u64 = 32;

/// The location of an instruction. `None` if anything looks odd.
pub(super) fn location(
    process: libc::pid_t,
    layout: &Layout,
    code: u64,
    instruction: u64,
    head: &[u8],
) -> Option<Location> {
    let field = |at: usize| {
        let bytes = head.get(at.checked_sub(HEAD.0)?..)?.get(..8)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    };
    let function = text(process, layout, field(layout.code.name)?)?;
    let file = text(process, layout, field(layout.code.file)?)?;
    let begin = layout.code.first_line.checked_sub(HEAD.0)?;
    let first = i32::from_ne_bytes(head.get(begin..begin + 4)?.try_into().ok()?);
    let start = code.checked_add(layout.code.instructions as u64)?;
    // The number of instructions (of two bytes each) is the object's size.
    let size = field(16)?;
    // Before the first instruction: the function is just being entered.
    let unit = match instruction.checked_sub(start) {
        Some(bytes) if bytes % 2 == 0 && bytes / 2 < size => bytes / 2,
        None if start - instruction == 2 => 0,
        _ => return None,
    };
    let table = object_bytes(process, field(layout.code.lines)?)?;
    let line = line(&table, i64::from(first), unit)?;
    Some(Location { function, file, line: u32::try_from(line).unwrap_or(0) })
}

fn fetch(process: libc::pid_t, at: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    memory::ranges(process, &[(at, length)], &mut bytes);
    (bytes.len() == length).then_some(bytes)
}

/// The bytes of a bytes object.
fn object_bytes(process: libc::pid_t, object: u64) -> Option<Vec<u8>> {
    let size = fetch(process, object.checked_add(SIZE)?, 8)?;
    let size = u64::from_ne_bytes(size.try_into().ok()?);
    let length = usize::try_from(size).ok().filter(|_| size <= LONGEST_TABLE)?;
    fetch(process, object.checked_add(BYTES)?, length)
}

/// The characters of a text: a `str` in one of its compact forms.
fn text(process: libc::pid_t, layout: &Layout, object: u64) -> Option<String> {
    let head = fetch(process, object.checked_add(SIZE)?, 20)?;
    let length = u64::from_ne_bytes(head[..8].try_into().ok()?);
    let state = u32::from_ne_bytes(head[16..].try_into().ok()?);
    let count = usize::try_from(length).ok().filter(|_| length <= LONGEST_TEXT)?;
    // Bits: interned 2, kind 3, compact 1, ascii 1.
    let (kind, compact, ascii) = (state >> 2 & 7, state >> 5 & 1, state >> 6 & 1);
    if compact == 0 {
        return None;
    }
    let start = object.checked_add(if ascii == 1 { layout.ascii } else { layout.compact } as u64)?;
    let text = match kind {
        1 => fetch(process, start, count)?.into_iter().map(char::from).collect(),
        2 => {
            let bytes = fetch(process, start, 2 * count)?;
            let units =
                bytes.chunks_exact(2).map(|two| u32::from(u16::from_ne_bytes([two[0], two[1]])));
            units.map(character).collect()
        }
        4 => {
            let bytes = fetch(process, start, 4 * count)?;
            let four = |four: &[u8]| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
            bytes.chunks_exact(4).map(four).map(character).collect()
        }
        _ => return None,
    };
    Some(text)
}

/// A byte of a path that is no UTF-8 is half a surrogate for Python.
fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The line of an instruction, by a code object's table of places (`Objects/locations.md`): each
/// entry begins with a byte that has its highest bit set, a kind in four bits, and the number of
/// instructions less one in three.
fn line(table: &[u8], first: i64, unit: u64) -> Option<i64> {
    let (mut line, mut covered, mut rest) = (first, 0, table);
    while let Some((&head, after)) = rest.split_first() {
        if head & 0x80 == 0 {
            return None;
        }
        let end = after.iter().position(|byte| byte & 0x80 != 0).unwrap_or(after.len());
        let (entry, next) = after.split_at(end);
        let kind = head >> 3 & 15;
        line += match kind {
            0..=9 | 15 => 0,
            10..=12 => i64::from(kind - 10),
            _ => signed(entry)?,
        };
        covered += u64::from(head & 7) + 1;
        if unit < covered {
            return Some(if kind == 15 { 0 } else { line });
        }
        rest = next;
    }
    None
}

/// Six bits at a time, the lowest first; the lowest bit of all is the sign.
fn signed(entry: &[u8]) -> Option<i64> {
    let mut number = 0u64;
    for (place, byte) in entry.iter().enumerate().take(6) {
        number |= u64::from(byte & 0x3f) << (6 * place);
        if byte & 0x40 == 0 {
            let size = i64::try_from(number >> 1).ok()?;
            return Some(if number & 1 == 0 { size } else { -size });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn lines_as_python_itself_has_them() {
        let script = r#"
import sys
text = "def f(a,\n      b=(1,\n  2)):\n" + "\n" * 300 + "  for x in a:\n    g(x,\n      b)\n" + \
    "\n" * 70 + "  try:\n    return [y for y in\n  a]\n  finally:\n    with a as b: del b\n"
space = {}
exec(compile(text, "t", "exec"), space)
code = space["f"].__code__
print(code.co_linetable.hex(), code.co_firstlineno)
for start, end, line in code.co_lines():
    for unit in range(start // 2, end // 2):
        print(unit, line or 0)
"#;
        let mut asked = 0;
        for python in ["python3.11", "python3.12", "python3.13", "python3"] {
            let output = Command::new(python).args(["-c", script]).output();
            let Some(output) = output.ok().filter(|output| output.status.success()) else {
                continue;
            };
            let output = String::from_utf8(output.stdout).unwrap();
            let mut lines = output.lines();
            let (table, first) = lines.next().unwrap().split_once(' ').unwrap();
            let pair = |at: usize| u8::from_str_radix(&table[at..at + 2], 16).unwrap();
            let table: Vec<u8> = (0..table.len()).step_by(2).map(pair).collect();
            for expected in lines {
                let (unit, expected) = expected.split_once(' ').unwrap();
                let found = line(&table, first.parse().unwrap(), unit.parse().unwrap());
                assert_eq!(found, Some(expected.parse().unwrap()), "{python}, unit {unit}");
                asked += 1;
            }
            assert_eq!(line(&table, 1, 100_000), None);
        }
        assert!(asked > 100);
    }

    #[test]
    fn a_damaged_table_has_no_lines() {
        for table in [&b""[..], b"\x00", b"\x7f\x80", b"\xf0", b"\xf0\x7f\x7f\x7f\x7f\x7f\x7f\x7f"]
        {
            assert_eq!(line(table, 1, 3), None);
        }
    }
}
