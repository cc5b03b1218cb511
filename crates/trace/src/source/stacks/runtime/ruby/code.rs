//! From code and an instruction to label, file and line.

use super::layout::{BODY, LINES_COUNT, LINES_TABLE, Layout, body};
use crate::Location;
use crate::source::memory;

/// No text is longer, no code has more instructions.
const LONGEST: u64 = 1 << 12;
const MOST: u64 = 1 << 24;

/// In an object: its flags. A flag: what it holds lies elsewhere (a text) or in it (an array).
const IS_ELSEWHERE: u64 = 1 << 13;
const IS_INSIDE: u64 = 1 << 13;
/// Kinds of objects, the lowest bits of the flags.
const KINDS: u64 = 0x1f;
const IS_TEXT: u64 = 5;
const IS_ARRAY: u64 = 7;
/// In a text: its length, where its characters are; those of a short one begin here, or where its
/// length would be.
const LENGTH: u64 = 16;
const CHARACTERS: u64 = 24;
/// In an array: its first element, or where its elements are.
const ELEMENT: u64 = 16;
const ELEMENTS: u64 = 32;

fn word(process: libc::pid_t, at: u64) -> Option<u64> {
    memory::array(process, at).map(u64::from_ne_bytes)
}

fn number(process: libc::pid_t, at: u64) -> Option<u32> {
    memory::array(process, at).map(u32::from_ne_bytes)
}

/// The location of an instruction of code. `None` if anything looks odd.
pub(super) fn location(
    process: libc::pid_t,
    layout: &Layout,
    code: u64,
    instruction: u64,
) -> Option<Location> {
    let at = word(process, code.checked_add(BODY)?)?;
    let field = |distance: u64| word(process, at.checked_add(distance)?);
    let count = u64::from(number(process, at.checked_add(body::COUNT)?)?);
    let behind = instruction.checked_sub(field(body::INSTRUCTIONS)?)?;
    if behind % 8 != 0 || behind / 8 > count || count > MOST {
        return None;
    }
    // The instruction that runs is the one before, unless none has begun.
    let line = line(process, layout, at, (behind / 8).saturating_sub(1))?;
    let function = text(process, layout, field(body::LABEL)?)?;
    let file = file(process, layout, field(body::FILE)?)?;
    Some(Location { function, file, line })
}

/// A file is a text, or an array of one and its whole path.
fn file(process: libc::pid_t, layout: &Layout, object: u64) -> Option<String> {
    let flags = word(process, object)?;
    if flags & KINDS != IS_ARRAY {
        return text(process, layout, object);
    }
    let elements = if flags & IS_INSIDE != 0 {
        object.checked_add(ELEMENT)?
    } else {
        word(process, object.checked_add(ELEMENTS)?)?
    };
    text(process, layout, word(process, elements)?)
}

/// The characters of a text.
fn text(process: libc::pid_t, layout: &Layout, object: u64) -> Option<String> {
    let flags = word(process, object)?;
    if flags & KINDS != IS_TEXT {
        return None;
    }
    let length = || word(process, object.checked_add(LENGTH)?);
    let (length, at) = match (flags & IS_ELSEWHERE != 0, layout.is_length_in_flags) {
        (true, _) => (length()?, word(process, object.checked_add(CHARACTERS)?)?),
        (false, true) => (flags >> 14 & 0x1f, object.checked_add(LENGTH)?),
        (false, false) => (length()?, object.checked_add(CHARACTERS)?),
    };
    let count = usize::try_from(length).ok().filter(|_| length <= LONGEST)?;
    let mut bytes = Vec::new();
    memory::ranges(process, &[(at, count)], &mut bytes);
    (bytes.len() == count).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The line of an instruction, given by its number.
fn line(process: libc::pid_t, layout: &Layout, body: u64, instruction: u64) -> Option<u32> {
    let at = body.checked_add(layout.lines)?;
    let entries = word(process, at)?;
    let count = u64::from(number(process, at.checked_add(LINES_COUNT)?)?);
    let entry = match count {
        0 => return Some(0),
        1 => 0,
        _ => rank(process, word(process, at.checked_add(LINES_TABLE)?)?, instruction)?
            .checked_sub(1)?,
    };
    if entry >= count {
        return None;
    }
    number(process, entries.checked_add(entry * layout.entry)?)
}

/// In the table of which instructions begin an entry: that many instructions at the beginning have
/// their ranks there, nine in a word of seven bits each; behind them are blocks of 512.
const AT_ONCE: u64 = 54;
const IN_WORD: u64 = 9;
const BLOCK: u64 = 512;
/// In a block: how many entries there are before it; in words of nine bits how many before each of
/// its parts but the first; a bit for each instruction.
const BLOCK_SIZE: u64 = 80;
const PARTS: u64 = 8;
const BITS: u64 = 16;

/// How many entries begin up to an instruction.
fn rank(process: libc::pid_t, table: u64, instruction: u64) -> Option<u64> {
    if instruction < AT_ONCE {
        let ranks = word(process, table.checked_add(8 * (instruction / IN_WORD))?)?;
        return Some(ranks >> (7 * (instruction % IN_WORD)) & 0x7f);
    }
    let (block, bit) = ((instruction - AT_ONCE) / BLOCK, (instruction - AT_ONCE) % BLOCK);
    let start = table.checked_add(8 * (AT_ONCE / IN_WORD) + BLOCK_SIZE * block)?;
    let before = u64::from(number(process, start)?);
    let part = bit / 64;
    let ranks = word(process, start.checked_add(PARTS)?)?;
    let in_block = if part == 0 { 0 } else { ranks >> (9 * (part - 1)) & 0x1ff };
    let bits = word(process, start.checked_add(BITS + 8 * part)?)?;
    Some(before + in_block + u64::from((bits << (63 - bit % 64)).count_ones()))
}
