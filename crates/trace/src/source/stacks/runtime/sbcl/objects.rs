//! Objects of SBCL: what the lowest bits of a word say, and what lies where a pointer leads
//! (`src/compiler/generic/objdef.lisp`).

use super::super::copies::Memory;

/// The end of a list. It lies in static memory.
pub(super) const NIL: u64 = 0x5000_0117;

/// The lowest four bits of pointers.
const LIST: u64 = 7;
const OTHER: u64 = 15;
const INSTANCE: u64 = 3;

/// The lowest byte of what an object begins with.
const SYMBOL: u64 = 0x2d;
const BIGNUM: u64 = 0x11;
const STRUCTURE: u64 = 0x39;
const BASE_STRING: u64 = 225;
const STRING: u64 = 229;

const UNSIGNED_BYTES: u64 = 157;
const SIGNED_BYTES: u64 = 189;

/// What is longer is not packed.
const LARGEST_PACKED: usize = 64 << 10;

/// No name and no vector is longer.
const LONGEST: u64 = 1 << 20;

/// No name has more parts, nor parts of parts.
const PARTS: usize = 16;
const DEPTH: usize = 4;

/// The number that a word is, if it is one.
pub(super) fn number(word: u64) -> Option<u64> {
    (word & 1 == 0).then_some(word >> 1)
}

/// Where an object of a kind of pointer begins.
fn begin(object: u64, pointer: u64) -> Option<u64> {
    if object & 15 == pointer { object.checked_sub(pointer) } else { None }
}

/// The words of a structure behind its first.
pub(super) fn slots<const N: usize>(memory: &mut Memory, object: u64) -> Option<[u64; N]> {
    let at = begin(object, INSTANCE)?;
    if memory.word(at)? & 0xff != STRUCTURE {
        return None;
    }
    memory.words(at.checked_add(8)?)
}

/// The lowest bytes of an integer, the lowest first.
pub(super) fn octets(memory: &mut Memory, object: u64) -> Option<Vec<u8>> {
    if let Some(number) = number(object) {
        return Some(number.to_le_bytes().to_vec());
    }
    let at = begin(object, OTHER)?;
    let [header, digits] = memory.words(at)?;
    (header & 0xff == BIGNUM).then(|| digits.to_le_bytes().to_vec())
}

/// The numbers of a vector of unsigned numbers.
pub(super) fn numbers(memory: &mut Memory, object: u64) -> Option<Vec<u64>> {
    let at = begin(object, OTHER)?;
    let [header, count] = memory.words(at)?;
    // The width of an element, and how far it is shifted.
    let (width, shift) = match header & 0xff {
        153 | 157 | 189 => (1, 0),
        161 | 165 | 193 => (2, 0),
        169 | 173 | 197 => (4, 0),
        181 | 185 => (8, 0),
        137 | 177 | 201 => (8, 1),
        _ => return None,
    };
    let count = usize::try_from(number(count).filter(|count| *count <= LONGEST)?).ok()?;
    let bytes = memory.bytes(at.checked_add(16)?, count * width)?;
    let value = |element: &[u8]| {
        let mut word = [0; 8];
        word[..width].copy_from_slice(element);
        u64::from_le_bytes(word) >> shift
    };
    Some(bytes.chunks_exact(width).map(value).collect())
}

/// The bytes of a table in debug information. A vector of signed bytes is as it is, one of unsigned
/// bytes is packed.
pub(super) fn table(memory: &mut Memory, object: u64) -> Option<Vec<u8>> {
    let kind = memory.word(begin(object, OTHER)?)? & 0xff;
    let bytes: Vec<u8> = numbers(memory, object)?.into_iter().map(|byte| byte as u8).collect();
    match kind {
        SIGNED_BYTES => Some(bytes),
        UNSIGNED_BYTES if bytes.len() > LARGEST_PACKED => Some(bytes),
        UNSIGNED_BYTES => unpacked(&bytes),
        _ => None,
    }
}

/// What `lz-compress` has packed: 210 comes before a
/// distance backwards and a length, 218 before the distance of three bytes, and before 0 they stand
/// for themselves.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut found) = (packed.iter().copied().peekable(), Vec::new());
    while let Some(byte) = bytes.next() {
        if !matches!(byte, 210 | 218) || bytes.next_if_eq(&0).is_some() {
            found.push(byte);
        } else {
            let distance = integer(&mut bytes)?;
            let length = if byte == 210 { integer(&mut bytes)? } else { 3 };
            let from = found.len().checked_sub(usize::try_from(distance).ok()?)?;
            if length > LONGEST || distance == 0 {
                return None;
            }
            for at in from..from + usize::try_from(length).ok()? {
                found.push(found[at]);
            }
        }
        if found.len() as u64 > LONGEST {
            return None;
        }
    }
    Some(found)
}

/// Seven bits at a time, the lowest first; the highest bit says that there are more.
pub(super) fn integer(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for position in 0..9 {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The characters of a string.
pub(super) fn string(memory: &mut Memory, object: u64) -> Option<String> {
    let at = begin(object, OTHER)?;
    let [header, count] = memory.words(at)?;
    let count = usize::try_from(number(count).filter(|count| *count <= LONGEST)?).ok()?;
    let text = at.checked_add(16)?;
    if header & 0xff == BASE_STRING {
        return Some(memory.bytes(text, count)?.into_iter().map(char::from).collect());
    }
    if header & 0xff != STRING {
        return None;
    }
    let bytes = memory.bytes(text, 4 * count)?;
    let character = |four: &[u8; 4]| char::from_u32(u32::from_le_bytes(*four));
    bytes.as_chunks().0.iter().map(character).collect()
}

/// The name of a function, as SBCL prints it where all symbols are at home.
pub(super) fn name(memory: &mut Memory, object: u64) -> Option<String> {
    printed(memory, object, 0)
}

fn printed(memory: &mut Memory, object: u64, depth: usize) -> Option<String> {
    if object == NIL {
        return Some(if depth == 0 { "NIL" } else { "()" }.to_owned());
    }
    if let Some(number) = number(object) {
        return Some(number.to_string());
    }
    if depth > DEPTH {
        return Some("#".to_owned());
    }
    if let Some(at) = begin(object, OTHER) {
        if memory.word(at)? & 0xff != SYMBOL {
            return string(memory, object).map(|text| format!("{text:?}"));
        }
        // The highest bits say which package is its home.
        let name = memory.word(at.checked_add(40)?)? & 0xffff_ffff_ffff;
        return string(memory, name);
    }
    let mut rest = object;
    let mut parts: Vec<String> = Vec::new();
    while rest != NIL && parts.len() < PARTS {
        let [first, next] = memory.words(begin(rest, LIST)?)?;
        let part = printed(memory, first, depth + 1).unwrap_or_else(|| "#".to_owned());
        // Of the names of functions these alone are keywords.
        parts.push(if part == "IN" { ":IN".to_owned() } else { part });
        rest = next;
    }
    Some(format!("({})", parts.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sbcl_itself_has_packed_is_unpacked() {
        let packed = [1, 2, 3, 4, 5, 6, 210, 6, 6, 7, 210, 7, 7, 8, 210, 1, 6, 9, 250, 210, 0, 3];
        let expected = [
            1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 9,
            250, 210, 3,
        ];
        assert_eq!(unpacked(&packed).as_deref(), Some(&expected[..]));
        assert_eq!(unpacked(&[1, 2, 3, 218, 3, 218, 0]), Some(vec![1, 2, 3, 1, 2, 3, 218]));
        for damaged in
            [&[210][..], &[210, 1], &[1, 210, 2, 3], &[1, 210, 1, 0xff, 0xff, 0xff, 0x7f]]
        {
            assert_eq!(unpacked(damaged), None, "{damaged:?}");
        }
    }
}
