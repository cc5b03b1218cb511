//! From a code object to function, file and line.

use super::super::copies::Memory;
use super::layout::{HEAD, Layout, Position};
use crate::Location;

/// No name of a function or a file is longer.
const LONGEST_TEXT: u64 = 1 << 14;

/// No table of lines is longer.
const LONGEST_TABLE: u64 = 1 << 24;

/// Where `ob_size` of an object is, and the characters of a bytes object.
const SIZE: u64 = 16;
const BYTES: u64 = 32;

/// The location of an instruction, its address, or its number; and the texts and tables that say
/// so. `None` if anything looks odd.
pub(super) fn location(
    memory: &mut Memory,
    layout: &Layout,
    code: u64,
    instruction: u64,
    head: &[u8],
) -> Option<(Location, Texts)> {
    let field = |at: usize| {
        let bytes = head.get(at.checked_sub(HEAD.0)?..)?.get(..8)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    };
    let mut texts = Texts::default();
    let function = text(memory, layout, field(layout.code.name)?, &mut texts)?;
    let file = text(memory, layout, field(layout.code.file)?, &mut texts)?;
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
    let table = field(layout.code.lines)?;
    let bytes = object_bytes(memory, table)?;
    let (line, needed) = layout.code.table.line(&bytes, i64::from(first), unit)?;
    texts.keep(table.checked_add(SIZE)?, &bytes.len().to_ne_bytes());
    texts.keep(table.checked_add(BYTES)?, &bytes[..needed]);
    Some((Location { function, file, line: u32::try_from(line).unwrap_or(0) }, texts))
}

/// What lies behind the pointers of a code object: ranges of memory, and what was there.
#[derive(Debug, Default)]
pub(super) struct Texts(Vec<(u64, Box<[u8]>)>);

impl Texts {
    fn keep(&mut self, at: u64, bytes: &[u8]) {
        self.0.push((at, bytes.into()));
    }

    /// They matter.
    pub(super) fn use_of(&self, memory: &mut Memory) {
        self.0.iter().for_each(|(at, bytes)| memory.use_of(*at, bytes));
    }

    /// Whether they are still there.
    pub(super) fn are_there(&self, memory: &mut Memory) -> bool {
        self.0.iter().all(|(at, bytes)| memory.is(*at, bytes))
    }
}

/// The bytes of a bytes object.
fn object_bytes(memory: &mut Memory, object: u64) -> Option<Vec<u8>> {
    let size = memory.look(object.checked_add(SIZE)?, 8)?;
    let size = u64::from_ne_bytes(size.try_into().ok()?);
    let length = usize::try_from(size).ok().filter(|_| size <= LONGEST_TABLE)?;
    memory.look(object.checked_add(BYTES)?, length)
}

/// The characters of a text: a `str` in one of its compact forms.
fn text(memory: &mut Memory, layout: &Layout, object: u64, texts: &mut Texts) -> Option<String> {
    let at = object.checked_add(SIZE)?;
    let head = memory.look(at, 20)?;
    let length = u64::from_ne_bytes(head[..8].try_into().ok()?);
    let state = u32::from_ne_bytes(head[16..].try_into().ok()?);
    let count = usize::try_from(length).ok().filter(|_| length <= LONGEST_TEXT)?;
    // Bits: interned 2, kind 3, compact 1, ascii 1.
    let (kind, compact, ascii) = (state >> 2 & 7, state >> 5 & 1, state >> 6 & 1);
    if compact == 0 || ![1, 2, 4].contains(&kind) {
        return None;
    }
    let start = object.checked_add(if ascii == 1 { layout.ascii } else { layout.compact } as u64)?;
    let bytes = memory.look(start, count * kind as usize)?;
    texts.keep(at, &head[..8]);
    // Only the kind of its characters matters: that it is interned may come later.
    texts.keep(at.checked_add(16)?, &head[16..17]);
    texts.keep(start, &bytes);
    let four = |four: &[u8]| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
    Some(match kind {
        1 => bytes.into_iter().map(char::from).collect(),
        2 => {
            let units =
                bytes.chunks_exact(2).map(|two| u32::from(u16::from_ne_bytes([two[0], two[1]])));
            units.map(character).collect()
        }
        _ => bytes.chunks_exact(4).map(four).map(character).collect(),
    })
}

/// A byte of a path that is no UTF-8 is half a surrogate for Python.
fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}
