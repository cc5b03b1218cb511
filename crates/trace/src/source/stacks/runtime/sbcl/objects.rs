//! Objects of SBCL: what the lowest bits of a word say, and what lies where a pointer leads
//! (`src/compiler/generic/objdef.lisp`).

use super::layout::{BASE_STRING, Heap};

/// The lowest four bits of pointers.
const LIST: u64 = 7;
const OTHER: u64 = 15;
const INSTANCE: u64 = 3;

/// The lowest byte of what an object begins with.
const SYMBOL: u64 = 0x2d;
const BIGNUM: u64 = 0x11;
const SIMPLE_VECTOR: u64 = 137;
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

/// Whether it is NIL, the end of a list: its own first and its own rest.
pub(super) fn is_end(heap: &mut Heap, object: u64) -> bool {
    begin(object, LIST).and_then(|at| heap.memory.words(at)) == Some([object, object])
}

/// The first of a list; `None` if it is none.
pub(super) fn first(heap: &mut Heap, object: u64) -> Option<u64> {
    heap.memory.word(begin(object, LIST)?)
}

/// The words of a structure behind its first.
pub(super) fn slots<const N: usize>(heap: &mut Heap, object: u64) -> Option<[u64; N]> {
    let at = begin(object, INSTANCE)?;
    if heap.memory.word(at)? & 0xff != heap.layout.structure {
        return None;
    }
    heap.memory.words(at.checked_add(8)?)
}

/// The lowest bytes of an integer, the lowest first.
pub(super) fn octets(heap: &mut Heap, object: u64) -> Option<Vec<u8>> {
    if let Some(number) = number(object) {
        return Some(number.to_le_bytes().to_vec());
    }
    let at = begin(object, OTHER)?;
    let [header, digits] = heap.memory.words(at)?;
    (header & 0xff == BIGNUM).then(|| digits.to_le_bytes().to_vec())
}

/// The numbers of a vector of unsigned numbers.
pub(super) fn numbers(heap: &mut Heap, object: u64) -> Option<Vec<u64>> {
    let at = begin(object, OTHER)?;
    let [header, count] = heap.memory.words(at)?;
    // The width of an element, and how far it is shifted.
    let (width, shift) = match heap.kind(header) {
        153 | 157 | 189 => (1, 0),
        161 | 165 | 193 => (2, 0),
        169 | 173 | 197 => (4, 0),
        181 | 185 => (8, 0),
        SIMPLE_VECTOR | 177 | 201 => (8, 1),
        _ => return None,
    };
    let count = usize::try_from(number(count).filter(|count| *count <= LONGEST)?).ok()?;
    let bytes = heap.memory.bytes(at.checked_add(16)?, count * width)?;
    let value = |element: &[u8]| {
        let mut word = [0; 8];
        word[..width].copy_from_slice(element);
        u64::from_le_bytes(word) >> shift
    };
    Some(bytes.chunks_exact(width).map(value).collect())
}

/// The bytes of a table in debug information. A vector of signed bytes is as it is, one of unsigned
/// bytes is packed.
pub(super) fn table(heap: &mut Heap, object: u64) -> Option<Vec<u8>> {
    let header = heap.memory.word(begin(object, OTHER)?)?;
    let kind = heap.kind(header);
    let bytes: Vec<u8> = numbers(heap, object)?.into_iter().map(|byte| byte as u8).collect();
    match kind {
        SIGNED_BYTES => Some(bytes),
        UNSIGNED_BYTES if bytes.len() > LARGEST_PACKED => Some(bytes),
        UNSIGNED_BYTES => unpacked(&bytes),
        _ => None,
    }
}

/// The bytes of a vector. One of signed bytes says how many there are, and is packed by zstd, if
/// SBCL was built with it; one of unsigned bytes is as it is (`compress-vector` in
/// `src/runtime/var-io.c`).
pub(super) fn compressed(heap: &mut Heap, object: u64) -> Option<Vec<u8>> {
    let header = heap.memory.word(begin(object, OTHER)?)?;
    let bytes: Vec<u8> = numbers(heap, object)?.into_iter().map(|byte| byte as u8).collect();
    match heap.kind(header) {
        UNSIGNED_BYTES => Some(bytes),
        SIGNED_BYTES => inflated(&bytes),
        _ => None,
    }
}

fn inflated(packed: &[u8]) -> Option<Vec<u8>> {
    let mut packed = packed.iter();
    let length = integer(&mut packed.by_ref().copied()).filter(|length| *length <= LONGEST)?;
    let length = usize::try_from(length).ok()?;
    let mut bytes = Vec::with_capacity(length);
    ruzstd::decoding::FrameDecoder::new().decode_all_to_vec(packed.as_slice(), &mut bytes).ok()?;
    (bytes.len() == length).then_some(bytes)
}

/// An element of a vector of objects. A vector of one is that object itself (`compact-vector`).
pub(super) fn element(heap: &mut Heap, vector: u64, index: u64) -> Option<u64> {
    let Some(at) = begin(vector, OTHER) else { return Some(vector) };
    let [header, count] = heap.memory.words(at)?;
    if heap.kind(header) != SIMPLE_VECTOR {
        return Some(vector);
    }
    let within = index < number(count)?;
    if within { heap.memory.word(at.checked_add(16 + 8 * index)?) } else { None }
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
            // The short distance is a byte, and no number of several.
            let (distance, length) = match byte {
                210 => (integer(&mut bytes)?, integer(&mut bytes)?),
                _ => (u64::from(bytes.next()?), 3),
            };
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

/// Passes over a text: how many characters it has, each of which is a number.
pub(super) fn skip_text(bytes: &mut impl Iterator<Item = u8>) -> Option<()> {
    (0..integer(bytes)?).try_for_each(|_| integer(bytes).map(|_| ()))
}

/// The characters of a string.
pub(super) fn string(heap: &mut Heap, object: u64) -> Option<String> {
    let at = begin(object, OTHER)?;
    let [header, count] = heap.memory.words(at)?;
    let count = usize::try_from(number(count).filter(|count| *count <= LONGEST)?).ok()?;
    let text = at.checked_add(16)?;
    if header & 0xff == BASE_STRING {
        return Some(heap.memory.bytes(text, count)?.into_iter().map(char::from).collect());
    }
    if header & 0xff != STRING {
        return None;
    }
    let bytes = heap.memory.bytes(text, 4 * count)?;
    let character = |four: &[u8; 4]| char::from_u32(u32::from_le_bytes(*four));
    bytes.as_chunks().0.iter().map(character).collect()
}

/// The name of a function, as SBCL prints it where all symbols are at home.
pub(super) fn name(heap: &mut Heap, object: u64) -> Option<String> {
    printed(heap, object, 0)
}

fn printed(heap: &mut Heap, object: u64, depth: usize) -> Option<String> {
    if is_end(heap, object) {
        return Some(if depth == 0 { "NIL" } else { "()" }.to_owned());
    }
    if let Some(number) = number(object) {
        return Some(number.to_string());
    }
    if depth > DEPTH {
        return Some("#".to_owned());
    }
    if let Some(at) = begin(object, OTHER) {
        if heap.memory.word(at)? & 0xff != SYMBOL {
            return string(heap, object).map(|text| format!("{text:?}"));
        }
        // The highest bits say which package is its home.
        let name = heap.memory.word(at.checked_add(heap.layout.symbol_name)?)? & 0xffff_ffff_ffff;
        return string(heap, name);
    }
    let mut rest = object;
    let mut parts: Vec<String> = Vec::new();
    while parts.len() < PARTS && !is_end(heap, rest) {
        let [first, next] = heap.memory.words(begin(rest, LIST)?)?;
        let part = printed(heap, first, depth + 1).unwrap_or_else(|| "#".to_owned());
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
        // A short distance is one byte.
        let long: Vec<u8> = (0..200).chain([218, 200]).collect();
        assert_eq!(unpacked(&long).map(|found| found[200..].to_vec()), Some(vec![0, 1, 2]));
        for damaged in
            [&[210][..], &[210, 1], &[1, 210, 2, 3], &[1, 210, 1, 0xff, 0xff, 0xff, 0x7f]]
        {
            assert_eq!(unpacked(damaged), None, "{damaged:?}");
        }
    }

    /// A map that SBCL 2.6.4 has packed, as it says how long it is.
    #[test]
    fn what_zstd_has_packed_is_inflated() {
        let packed = [
            171, 1, 40, 181, 47, 253, 32, 171, 229, 4, 0, 178, 10, 38, 33, 144, 207, 1, 255, 249,
            238, 107, 118, 40, 243, 112, 5, 48, 133, 105, 17, 115, 58, 14, 189, 20, 217, 70, 26,
            116, 128, 86, 15, 60, 144, 149, 50, 201, 202, 241, 179, 210, 251, 233, 60, 241, 15, 92,
            228, 235, 227, 29, 154, 242, 129, 13, 83, 252, 55, 163, 244, 174, 74, 93, 152, 121, 0,
            114, 232, 42, 218, 132, 164, 244, 110, 22, 255, 65, 139, 112, 114, 107, 44, 126, 109,
            104, 242, 133, 189, 17, 65, 250, 96, 19, 239, 225, 114, 132, 75, 28, 216, 0, 241, 110,
            68, 153, 142, 23, 114, 121, 178, 72, 1, 223, 200, 68, 62, 223, 1, 123, 60, 229, 198,
            68, 254, 3, 176, 41, 189, 167, 223, 3, 74, 239, 107, 196, 61, 145, 140, 154, 163, 145,
            66, 232, 253, 91, 214, 254, 223, 18, 95, 27, 132, 180, 65, 34, 0,
        ];
        let bytes = inflated(&packed).unwrap();
        assert_eq!((bytes.len(), &bytes[..5]), (171, &[8, 79, 2, 36, 8][..]));
        assert_eq!(inflated(&packed[..100]), None);
        assert_eq!(inflated(&[&[170, 1], &packed[2..]].concat()), None);
    }
}
