//! Names in fewer bytes: what is frequent in the names of files, such as `.html` or `tion`, is one
//! byte.

/// The parts that have a byte of their own: the ends of names first, then letters that often stand
/// together in English. The first has the byte 0x80; those after 0xff go on at 1, without `.`, `/`
/// and printable characters. The table is a part of the format, and never changes.
const PARTS: [&str; 158] = [
    ".a", ".bak", ".c", ".cc", ".cfg", ".class", ".conf", ".cpp", ".cs", ".css", ".csv", ".d",
    ".gif", ".go", ".gz", ".h", ".hpp", ".htm", ".html", ".ico", ".ini", ".jar", ".java", ".jpeg",
    ".jpg", ".js", ".json", ".jsx", ".kt", ".lock", ".log", ".lua", ".map", ".md", ".mjs", ".o",
    ".pdf", ".php", ".pl", ".pm", ".png", ".py", ".pyc", ".rb", ".rs", ".rst", ".scss", ".sh",
    ".so", ".sql", ".svg", ".swift", ".tar", ".tmp", ".toml", ".ts", ".tsx", ".txt", ".webp",
    ".xml", ".xz", ".yaml", ".yml", ".zip", "ab", "ac", "ack", "ad", "ag", "al", "am", "an", "ap",
    "api", "ar", "as", "at", "ate", "ati", "ation", "bo", "bu", "ce", "ch", "ck", "co", "comp",
    "con", "ct", "de", "der", "di", "do", "ect", "ed", "el", "en", "ent", "er", "es", "et", "ex",
    "fi", "ic", "id", "ig", "il", "in", "ing", "ip", "it", "le", "li", "lin", "lo", "me", "mm",
    "mo", "mp", "no", "ol", "on", "op", "or", "par", "po", "pro", "py", "qu", "re", "ri", "ro",
    "sc", "se", "ser", "sh", "si", "so", "sp", "ss", "st", "str", "su", "sy", "te", "ter", "th",
    "ti", "tion", "to", "tr", "un", "up", "ur", "ut", "ve", "ver", "vi",
];

/// How many bytes there are of what each byte stands for: more than the longest part has.
pub(super) const MEANING_BYTES: usize = 8;

/// What each byte stands for, and in the last place how many bytes of it count: a part, or the byte
/// itself. None for a NUL and a slash, which are in no name.
static MEANINGS: [[u8; MEANING_BYTES]; 256] = meanings();

/// The byte of the part at an index of the table.
const fn code(index: usize) -> usize {
    if index < 128 { 128 + index } else { index - 127 }
}

const fn meanings() -> [[u8; MEANING_BYTES]; 256] {
    let mut meanings = [[0; MEANING_BYTES]; 256];
    let mut byte = 1;
    while byte < meanings.len() {
        meanings[byte][0] = byte as u8;
        meanings[byte][MEANING_BYTES - 1] = (byte != b'/' as usize) as u8;
        byte += 1;
    }
    let mut index = 0;
    while index < PARTS.len() {
        let part = PARTS[index].as_bytes();
        let mut at = 0;
        while at < part.len() {
            meanings[code(index)][at] = part[at];
            at += 1;
        }
        meanings[code(index)][MEANING_BYTES - 1] = part.len() as u8;
        index += 1;
    }
    meanings
}

/// Writes what the bytes stand for into `out`, from `at` on, and returns where it ends. Behind that
/// there must be room for [`MEANING_BYTES`] more, which are overwritten. `None` if a byte stands
/// for nothing, or there is no room.
#[inline]
pub(super) fn expand(bytes: &[u8], out: &mut [u8], at: usize) -> Option<usize> {
    let (mut end, mut is_name) = (at, true);
    for &byte in bytes {
        // Mostly one or two: as many bytes each time is faster than the right number.
        let meaning = MEANINGS[usize::from(byte)];
        *out.get_mut(end..)?.first_chunk_mut()? = meaning;
        let length = meaning[MEANING_BYTES - 1];
        is_name &= length != 0;
        end += usize::from(length);
    }
    is_name.then_some(end)
}

/// Writes fewer bytes that stand for `name` into `out`, which is empty; false if some of it can
/// only stand for itself.
pub(super) fn shorten(name: &[u8], out: &mut Vec<u8>) -> bool {
    let mut rest = name;
    while let Some(&first) = rest.first() {
        if !(b' '..0x7f).contains(&first) {
            return false;
        }
        let (byte, length) = longest(rest).unwrap_or((first, 1));
        out.push(byte);
        rest = &rest[length..];
    }
    true
}

/// The byte of the longest part that `rest` begins with, and the length of the part.
fn longest(rest: &[u8]) -> Option<(u8, usize)> {
    let second = rest.get(1)?;
    let (start, end) = FIRSTS[usize::from(rest[0] & 0x7f)];
    let mut best: Option<(u8, usize)> = None;
    for (index, part) in PARTS.iter().enumerate().take(end.into()).skip(start.into()) {
        let part = part.as_bytes();
        if part[1] == *second
            && rest.starts_with(part)
            && best.is_none_or(|(_, length)| part.len() > length)
        {
            best = Some((code(index) as u8, part.len()));
        }
    }
    best
}

/// Of each first character where its parts begin and end in the table, which is sorted.
static FIRSTS: [(u8, u8); 128] = firsts();

const fn firsts() -> [(u8, u8); 128] {
    let mut firsts = [(0, 0); 128];
    let mut index = 0;
    while index < PARTS.len() {
        let first = PARTS[index].as_bytes()[0] as usize;
        if firsts[first].1 == 0 {
            firsts[first].0 = index as u8;
        }
        index += 1;
        firsts[first].1 = index as u8;
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(short: &[u8]) -> Vec<u8> {
        let mut out = vec![0; 3 + (short.len() + 1) * MEANING_BYTES];
        let end = expand(short, &mut out, 3).unwrap();
        out[3..end].to_vec()
    }

    #[test]
    fn what_is_in_no_name_stands_for_nothing() {
        for bytes in [&b"a/b"[..], b"/", b"a\0", b"\0b"] {
            assert_eq!(expand(bytes, &mut [0; 64], 0), None, "{bytes:?}");
        }
        assert_eq!(expand(b"abc", &mut [0; 9], 0), None, "no room");
    }

    #[test]
    fn every_part_has_a_byte_that_no_name_needs_for_itself() {
        assert!(PARTS.is_sorted(), "sorted, so that each first character has one range");
        for (index, part) in PARTS.into_iter().enumerate() {
            let byte = code(index) as u8;
            assert!(byte != 0 && !(b' '..0x7f).contains(&byte), "{part} has {byte}");
            let mut out = Vec::new();
            assert!(shorten(part.as_bytes(), &mut out));
            assert_eq!(out, [byte], "{part}");
            assert_eq!(long(&[byte]), part.as_bytes());
        }
    }

    #[test]
    fn names_come_back() {
        for name in ["x", "index.html", "a b", "~", "network.spec.ts", "Makefile", "aation.so.1"] {
            let mut short = Vec::new();
            assert!(shorten(name.as_bytes(), &mut short));
            assert_eq!(long(&short), name.as_bytes());
        }
        for name in [&b"\xc3\xa9"[..], b"a\n", b"\x7f"] {
            assert!(!shorten(name, &mut Vec::new()));
        }
    }
}
