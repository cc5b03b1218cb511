//! Characters in bytes that need not be UTF-8: what is none counts byte by byte.

/// What stands at `at`, and how many bytes it has: a character, or a byte that belongs to none
/// (a number behind all characters). `at` is within `text`.
pub(crate) fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let first = text[at];
    let length = match first {
        0..0x80 => return (u32::from(first), 1),
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return (STRAY + u32::from(first), 1),
    };
    let character = text.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match character.and_then(|it| it.chars().next()) {
        Some(character) => (character as u32, length),
        None => (STRAY + u32::from(first), 1),
    }
}

/// Where the character starts that ends before `end`, which is not 0.
pub(crate) fn start_of_last(text: &[u8], end: usize) -> usize {
    let mut start = end - 1;
    while start > 0 && end - start < 4 && text[start] & 0xc0 == 0x80 {
        start -= 1;
    }
    if start + decode(&text[..end], start).1 == end { start } else { end - 1 }
}

/// How many bytes the character at `at` has, and 1 if characters are bytes.
pub(crate) fn width(text: &[u8], at: usize, utf8: bool) -> usize {
    if utf8 { decode(text, at).1 } else { 1 }
}

/// Behind all characters.
const STRAY: u32 = 0x11_0000;

/// The character as bytes, behind `out`.
pub(crate) fn push(out: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(character) => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        None => out.push((code - STRAY) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwards_and_backwards_meet_the_same_characters() {
        let texts: [&[u8]; 6] = [
            "aä€🙂b".as_bytes(),
            b"\xe2\xc3\xa9",
            b"\xff\xa9\xa9",
            b"\xf0\x9f\x99",
            b"\xed\xa0\x80",
            b"",
        ];
        for text in texts {
            let mut starts = Vec::new();
            let mut at = 0;
            while at < text.len() {
                starts.push(at);
                at += decode(text, at).1;
            }
            let mut end = text.len();
            while end > 0 {
                end = start_of_last(text, end);
                assert_eq!(Some(end), starts.pop(), "{text:?}");
            }
        }
    }
}
