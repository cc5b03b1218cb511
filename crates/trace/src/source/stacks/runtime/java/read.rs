//! Reading one thing from a process's memory, and from a copy of it.

use super::super::copies::Memory;
use super::layout::Start;
use super::tables::Integer;
use crate::source::memory;

/// Nothing that is read at once is longer.
const LONGEST: usize = 4 << 20;

/// Bytes: all of them, or nothing.
pub(super) fn bytes(process: libc::pid_t, at: u64, length: usize) -> Option<Vec<u8>> {
    if at == 0 || length > LONGEST {
        return None;
    }
    let mut bytes = vec![0; length];
    (memory::read(process, at, &mut bytes).ok()? == length).then_some(bytes)
}

/// A word.
pub(super) fn pointer(process: libc::pid_t, at: u64) -> Option<u64> {
    memory::array(process, at).map(u64::from_ne_bytes)
}

/// An integer of a structure.
pub(super) fn integer(process: libc::pid_t, structure: u64, field: Integer) -> Option<u64> {
    let bytes = bytes(process, structure.checked_add(field.at)?, field.length.into())?;
    integer_in(&bytes, Integer { at: 0, ..field })
}

/// An integer of a structure that was copied.
pub(super) fn integer_in(copy: &[u8], field: Integer) -> Option<u64> {
    let begin = usize::try_from(field.at).ok()?;
    let bytes = copy.get(begin..begin.checked_add(field.length.into())?)?;
    Some(match *bytes {
        [byte] => byte.into(),
        [a, b] => u16::from_ne_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
        _ => u64::from_ne_bytes(bytes.try_into().ok()?),
    })
}

/// An integer of a structure, by the copies of last time.
pub(super) fn integer_of(memory: &mut Memory, structure: u64, field: Integer) -> Option<u64> {
    let at = structure.checked_add(field.at)?;
    let within = Integer { at: at & 7, ..field };
    let part = (usize::try_from(within.at).ok()?, usize::from(field.length));
    integer_in(&memory.parts(at & !7, 8, &[part])?, within)
}

/// A word of a structure that was copied.
pub(super) fn pointer_in(copy: &[u8], at: u64) -> Option<u64> {
    integer_in(copy, Integer { at, length: 8 })
}

/// Where a part of a piece of code begins.
pub(super) fn start(process: libc::pid_t, blob: u64, start: Start) -> Option<u64> {
    let of_blob = |field| integer(process, blob, field);
    match start {
        Start::Address(at) => pointer(process, blob.checked_add(at)?),
        Start::Behind(field) => blob.checked_add(of_blob(field)?),
        Start::In(data, field) => {
            pointer(process, blob.checked_add(data)?)?.checked_add(of_blob(field)?)
        }
        Start::Beyond(first, second) => {
            blob.checked_add(of_blob(first)?)?.checked_add(of_blob(second)?)
        }
    }
}
