//! From an address to the code object that it is in, the function, and the form. Laid out as in
//! `src/code/debug-info.lisp` and `src/compiler/debug-dump.lisp` of SBCL 2.2.9.

use super::super::copies::Memory;
use super::forms;
use super::objects::{self, NIL, integer};
use crate::Location;
use crate::source::memory;

/// The lowest byte of what a code object begins with.
const CODE: u64 = 0x35;

/// Objects begin at multiples of this.
const ALIGNED: usize = 16;

/// So much before an address is looked through for the beginning of its code object, at a time and
/// in all.
const STEP: u64 = 16 << 10;
const FARTHEST: u64 = 1 << 20;

/// At most so many functions are in one code object.
const FUNCTIONS: usize = 1 << 12;

/// A code object.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeObject {
    pub(super) code: u64,
    /// Its size, where its instructions begin, and its debug information.
    pub(super) head: [u64; 3],
}

/// A function in a code object: its words behind the first.
struct Function {
    words: [u64; 8],
    /// Where its instructions begin, and those that are out of the way, from the object's on.
    start: u64,
    elsewhere: u64,
    form: u64,
}

/// Where an address is: the code object, and function, file and line in words.
pub(super) fn locate(
    memory: &mut Memory,
    process: libc::pid_t,
    address: u64,
) -> Option<(CodeObject, Location)> {
    // Behind a call: the instruction before is meant.
    let inside = address.checked_sub(1)?;
    let object = object(process, inside)?;
    let begin = object.code + (object.head[1] & u64::from(u32::MAX));
    let at = inside.checked_sub(begin)?;
    let [_, source, functions] = objects::slots(memory, object.head[2])?;
    let function = function(memory, functions, at)?;
    let [name, _, blocks, top, ..] = function.words;
    let name = objects::name(memory, name)?;
    let [file, _, positions, _] = objects::slots(memory, source)?;
    let file = objects::string(memory, file).unwrap_or_default();
    // SBCL's own source is not at hand.
    let line = if file.is_empty() || file.starts_with("SYS:") {
        None
    } else {
        let size = (object.head[0] >> 32) * 8;
        let blocks = objects::table(memory, blocks).unwrap_or_default();
        let top = objects::number(top);
        let (top, form) = form(&blocks, at, size, top).unwrap_or((top, function.form));
        let positions = objects::numbers(memory, positions).unwrap_or_default();
        let position = top.and_then(|top| positions.get(usize::try_from(top).ok()?).copied());
        top.and_then(|top| forms::line(process, &file, top, position, form))
    };
    let line = line.unwrap_or(0);
    Some((object, Location { function: name, file, line }))
}

/// The code object that holds an address: it lies before it, and says how long it is.
fn object(process: libc::pid_t, address: u64) -> Option<CodeObject> {
    let mut end = (address & !(ALIGNED as u64 - 1)).checked_add(ALIGNED as u64)?;
    let last = address.saturating_sub(FARTHEST);
    while end > last {
        let start = end.saturating_sub(STEP);
        let mut bytes = Vec::new();
        // Three words of the object that begins last.
        let length = usize::try_from(end - start).ok()? + ALIGNED;
        memory::ranges(process, &[(start, length)], &mut bytes);
        if bytes.len() < length {
            // The beginning of the mapping is nearer.
            let nearer = (start | 0xfff) + 1;
            let length = usize::try_from(end.checked_sub(nearer)?).ok()? + ALIGNED;
            memory::ranges(process, &[(nearer, length)], &mut bytes);
            return if bytes.len() < length { None } else { last_in(&bytes, nearer, address) };
        }
        if let Some(found) = last_in(&bytes, start, address) {
            return Some(found);
        }
        end = start;
    }
    None
}

/// The last code object in a copy of memory that holds an address.
fn last_in(bytes: &[u8], start: u64, address: u64) -> Option<CodeObject> {
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|it| u64::from_le_bytes(*it)).collect();
    (0..words.len().saturating_sub(2)).step_by(2).rev().find_map(|at| {
        let head = [words[at], words[at + 1], words[at + 2]];
        let code = start + 8 * at as u64;
        let (size, boxed) = ((head[0] >> 32) * 8, head[1] & u64::from(u32::MAX));
        let is_code = head[0] & 0xff == CODE
            && boxed % 8 == 0
            && boxed >= 32
            && head[2] & 15 == 3
            && (code + boxed..code + size).contains(&address);
        is_code.then_some(CodeObject { code, head })
    })
}

/// The function that an instruction of a code object belongs to.
fn function(memory: &mut Memory, first: u64, at: u64) -> Option<Function> {
    let mut functions: Vec<Function> = Vec::new();
    let mut next = first;
    while next != NIL {
        let words: [u64; 8] = objects::slots(memory, next)?;
        let packed = objects::octets(memory, words[6])?;
        let mut bytes = packed.iter().copied();
        let (start, elsewhere) = (integer(&mut bytes)?, integer(&mut bytes)?);
        let form = integer(&mut bytes)?;
        next = words[7];
        functions.push(Function { words, start, elsewhere, form });
        if functions.len() > FUNCTIONS {
            return None;
        }
    }
    // What is out of the way of all functions stands behind them, in the same order.
    let is_elsewhere = functions.first().is_some_and(|first| at >= first.elsewhere);
    let begin =
        |function: &Function| if is_elsewhere { function.elsewhere } else { function.start };
    let found = functions.iter().rposition(|function| begin(function) <= at).unwrap_or(0);
    (found < functions.len()).then(|| functions.swap_remove(found))
}

/// What is said of a place in a function: the lowest three bits of a byte are its kind.
const STEPPING: u8 = 8;
const CONTEXT: u8 = 16;
const LIVE: u8 = 32;
const ZERO_FORM: u8 = 64;
const EQUAL_LIVE: u8 = 128;

/// The numbers of the outermost form and of the form that an instruction comes from, as a table of
/// places says; the former is in it only where a function is of several. Which variables are alive
/// takes so many bytes as there are variables for; how many that is shows where the table ends.
fn form(table: &[u8], at: u64, size: u64, top: Option<u64>) -> Option<(Option<u64>, u64)> {
    let places = (1..32).find_map(|alive| places(table, alive, size, top))?;
    places.iter().rfind(|place| place.0 <= at).map(|place| (place.1, place.2))
}

/// All places: where, and the numbers of the forms. `None` if the table does not end with one.
fn places(
    table: &[u8],
    alive: usize,
    size: u64,
    top: Option<u64>,
) -> Option<Vec<(u64, Option<u64>, u64)>> {
    let mut bytes = table.iter().copied();
    let (mut places, mut at, mut previous) = (Vec::new(), 0u64, 0);
    while let Some(flags) = bytes.next() {
        let is = |flag: u8| flags & flag != 0;
        at = at.checked_add(integer(&mut bytes)?).filter(|at| *at < size)?;
        let top = if top.is_some() { top } else { Some(integer(&mut bytes)?) };
        let form = match (is(ZERO_FORM), is(EQUAL_LIVE) && is(LIVE)) {
            (true, _) => 0,
            (false, true) => previous,
            (false, false) => {
                previous = integer(&mut bytes)?;
                previous
            }
        };
        if is(LIVE) && !is(EQUAL_LIVE) {
            bytes.nth(alive - 1)?;
        }
        if is(STEPPING) {
            let length = usize::try_from(integer(&mut bytes)?).ok()?;
            bytes.nth(length.checked_sub(1)?)?;
        }
        if is(CONTEXT) {
            integer(&mut bytes)?;
        }
        places.push((at, top, form));
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table that SBCL 2.2.9 made, and what its own debugger says of it.
    #[test]
    fn places_as_sbcl_itself_has_them() {
        let table =
            [103, 61, 1, 133, 22, 9, 166, 5, 133, 26, 10, 166, 5, 133, 30, 11, 166, 7, 196, 83];
        let expected = [(60, None), (61, Some(0)), (83, Some(9)), (113, Some(9)), (114, Some(10))];
        for (at, found) in expected.into_iter().chain([(155, Some(11)), (239, Some(0))]) {
            let found = found.map(|form| (Some(3), form));
            assert_eq!(form(&table, at, 300, Some(3)), found, "{at}");
        }
        assert_eq!(form(&[7, 0x80, 2, 4, 5, 11, 5], 266, 300, Some(3)), Some((Some(3), 4)));
        assert_eq!(form(&[7, 0x80, 2, 6, 4, 5, 11, 7, 5], 267, 300, None), Some((Some(7), 5)));
        for damaged in [&[][..], &[7], &[7, 0x80], &[7, 0xff, 0xff, 0xff], &[0x27, 1, 1]] {
            assert_eq!(form(damaged, 5, 300, Some(3)), None, "{damaged:?}");
        }
    }
}
