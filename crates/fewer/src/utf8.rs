//! UTF-8 into the units of one, two or four bytes in which a language keeps characters. No call.

use std::mem::MaybeUninit;

/// The unit of a character.
pub trait Unit: Copy + From<u8> {
    /// The character, which fits.
    fn of(character: u32) -> Self;
}

impl Unit for u8 {
    fn of(character: u32) -> u8 {
        character as u8
    }
}

impl Unit for u16 {
    fn of(character: u32) -> u16 {
        character as u16
    }
}

impl Unit for u32 {
    fn of(character: u32) -> u32 {
        character
    }
}

/// The bytes as UTF-8, if they are that.
#[must_use]
pub fn checked(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

/// How many characters UTF-8 has.
///
/// ```
/// assert_eq!(fewer::utf8::characters("n\u{f6}\u{1f980}".as_bytes()), 3);
/// ```
#[must_use]
pub fn characters(bytes: &[u8]) -> usize {
    // A few at a time, so that they are counted in bytes, many at once.
    let starts =
        |some: &[u8]| -> u8 { some.iter().map(|byte| u8::from(byte.cast_signed() >= -64)).sum() };
    bytes.chunks(128).map(|some| usize::from(starts(some))).sum()
}

/// Writes the characters, as many as fit.
pub fn fill<T: Unit>(text: &str, mut room: &mut [MaybeUninit<T>]) {
    const STEP: usize = 8;
    let mut rest = text.as_bytes();
    // Many at a time: those behind the last one that is ASCII are written once more.
    while let (Some(some), Some(places)) = (rest.first_chunk::<STEP>(), room.first_chunk_mut()) {
        let places: &mut [MaybeUninit<T>; STEP] = places;
        for (place, byte) in places.iter_mut().zip(some) {
            place.write(T::from(*byte));
        }
        let high_bits = u64::from_le_bytes(*some) & 0x8080_8080_8080_8080;
        let ascii = high_bits.trailing_zeros() as usize / 8;
        (rest, room) = (&rest[ascii..], &mut room[ascii..]);
        // Where one of them is not ASCII the next one is not either, mostly.
        while rest.first().is_some_and(|byte| *byte >= 0x80) && !room.is_empty() {
            put(&mut rest, &mut room);
        }
    }
    while !rest.is_empty() && !room.is_empty() {
        put(&mut rest, &mut room);
    }
}

/// [`fill`] for code points.
#[inline(never)] // so that it is compiled with this crate, for speed rather than for size
pub fn fill_points(text: &str, room: &mut [MaybeUninit<u32>]) {
    fill(text, room);
}

/// Writes one character.
#[inline]
fn put<T: Unit>(rest: &mut &[u8], room: &mut &mut [MaybeUninit<T>]) {
    let (character, behind) = first(rest);
    if let Some(place) = room.split_off_first_mut() {
        place.write(T::of(character));
    }
    *rest = behind;
}

/// The first character of UTF-8, and the rest.
#[inline]
fn first(bytes: &[u8]) -> (u32, &[u8]) {
    let low = |byte: u8| u32::from(byte & 0x3f);
    match *bytes {
        [a, ref rest @ ..] if a < 0x80 => (a.into(), rest),
        [a, b, ref rest @ ..] if a < 0xe0 => (u32::from(a & 0x1f) << 6 | low(b), rest),
        [a, b, c, ref rest @ ..] if a < 0xf0 => {
            (u32::from(a & 0x0f) << 12 | low(b) << 6 | low(c), rest)
        }
        [a, b, c, d, ref rest @ ..] => {
            (u32::from(a & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d), rest)
        }
        _ => (0, &[]),
    }
}
