//! From an address to the code object that it is in, the function, and the form.

use super::forms::{self, Form};
use super::functions::{self, Function};
use super::layout::{Heap, Layout, WORDS};
use super::objects;
use crate::Location;
use crate::source::memory;

/// Objects begin at multiples of this.
const ALIGNED: usize = 16;

/// So much before an address is looked through for the beginning of its code object, at a time and
/// in all.
const STEP: u64 = 16 << 10;
const FARTHEST: u64 = 1 << 20;

/// A code object.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeObject {
    pub(super) code: u64,
    /// Its size, where its instructions begin, and among the rest its debug information.
    pub(super) head: [u64; 4],
}

/// Where an address is: the code object, and function, file and line in words.
pub(super) fn locate(
    heap: &mut Heap,
    process: libc::pid_t,
    address: u64,
) -> Option<(CodeObject, Location)> {
    // Behind a call: the instruction before is meant.
    let inside = address.checked_sub(1)?;
    let object = object(heap.layout, process, inside)?;
    let begin = object.code + (object.head[1] & u64::from(u32::MAX));
    let at = inside.checked_sub(begin)?;
    let info: [u64; WORDS] = objects::slots(heap, object.head[heap.layout.info])?;
    let function = functions::function(heap, info, at)?;
    let name = objects::name(heap, function.name)?;
    let [file, _, positions] = objects::slots(heap, info[1])?;
    let file = objects::string(heap, file).unwrap_or_default();
    // SBCL's own source is not at hand.
    let line = if file.is_empty() || file.starts_with("SYS:") {
        None
    } else {
        let size = (object.head[0] >> 32) * 8;
        let positions = objects::numbers(heap, positions).unwrap_or_default();
        line(heap, process, &file, &function, (at, size), &positions)
    };
    Some((object, Location { function: name, file, line: line.unwrap_or(0) }))
}

/// The line of an instruction at a place in code of a size.
fn line(
    heap: &mut Heap,
    process: libc::pid_t,
    file: &str,
    function: &Function,
    (at, size): (u64, u64),
    positions: &[u64],
) -> Option<u32> {
    let place = function.places.find(heap, at, size);
    let own = function.form.map(|form| (0, None, form));
    let (_, top, form) = place.or(own)?;
    let top = top.or(function.top)?;
    let listed = || positions.get(usize::try_from(top).ok()?).copied();
    let position = function.position.or_else(listed);
    let in_quoted = heap.layout.in_quoted;
    forms::line(process, file, Form { top, position, number: form, in_quoted })
}

/// The code object that holds an address: it lies before it, and says how long it is.
fn object(layout: &Layout, process: libc::pid_t, address: u64) -> Option<CodeObject> {
    let mut end = (address & !(ALIGNED as u64 - 1)).checked_add(ALIGNED as u64)?;
    let last = address.saturating_sub(FARTHEST);
    while end > last {
        let start = end.saturating_sub(STEP);
        let mut bytes = Vec::new();
        // The first words of the object that begins last.
        let length = usize::try_from(end - start).ok()? + ALIGNED;
        memory::ranges(process, &[(start, length)], &mut bytes);
        if bytes.len() < length {
            // The beginning of the mapping is nearer.
            let nearer = (start | 0xfff) + 1;
            let length = usize::try_from(end.checked_sub(nearer)?).ok()? + ALIGNED;
            memory::ranges(process, &[(nearer, length)], &mut bytes);
            return if bytes.len() < length {
                None
            } else {
                last_in(layout, &bytes, nearer, address)
            };
        }
        if let Some(found) = last_in(layout, &bytes, start, address) {
            return Some(found);
        }
        end = start;
    }
    None
}

/// The last code object in a copy of memory that holds an address.
fn last_in(layout: &Layout, bytes: &[u8], start: u64, address: u64) -> Option<CodeObject> {
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|it| u64::from_le_bytes(*it)).collect();
    (0..words.len().saturating_sub(3)).step_by(2).rev().find_map(|at| {
        let head = [words[at], words[at + 1], words[at + 2], words[at + 3]];
        let code = start + 8 * at as u64;
        let (size, boxed) = ((head[0] >> 32) * 8, head[1] & u64::from(u32::MAX));
        let is_code = head[0] & 0xff == layout.code
            && boxed % 8 == 0
            && boxed >= 32
            && head[layout.info] & 15 == 3
            && (code + boxed..code + size).contains(&address);
        is_code.then_some(CodeObject { code, head })
    })
}
