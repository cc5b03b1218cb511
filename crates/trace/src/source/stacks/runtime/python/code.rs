//! From a code object to function, file and line.

use super::layout::{HEAD, Layout, Position};
use crate::Location;
use crate::source::memory;

/// No name of a function or a file is longer.
const LONGEST_TEXT: u64 = 1 << 14;

/// No table of lines is longer.
const LONGEST_TABLE: u64 = 1 << 24;

/// Where `ob_size` of an object is, and the characters of a bytes object.
const SIZE: u64 = 16;
const BYTES: u64 = 32;

/// The location of an instruction: its address, or its number. `None` if anything looks odd.
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
    let unit = match layout.frame.position {
        Position::Index(_, _) => instruction,
        Position::Pointer(_) => {
            let start = code.checked_add(layout.code.instructions as u64)?;
            // The number of instructions (of two bytes each) is the object's size.
            let size = field(16)?;
            // Before the first instruction: the function is just being entered.
            match instruction.checked_sub(start) {
                Some(bytes) if bytes % 2 == 0 && bytes / 2 < size => bytes / 2,
                None if start - instruction == 2 => 0,
                _ => return None,
            }
        }
    };
    let table = object_bytes(process, field(layout.code.lines)?)?;
    let line = layout.code.table.line(&table, i64::from(first), unit)?;
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
