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

/// The longest part.
const LONGEST: usize = 6;

/// The part that a byte stands for, as bytes and how many of them count; none for a byte that
/// stands for itself, or for nothing.
static MEANINGS: [([u8; LONGEST], u8); 256] = meanings();

/// The byte of the part at an index of the table.
const fn code(index: usize) -> usize {
    if index < 128 { 128 + index } else { index - 127 }
}

const fn meanings() -> [([u8; LONGEST], u8); 256] {
    let mut meanings = [([0; LONGEST], 0); 256];
    let mut index = 0;
    while index < PARTS.len() {
        let part = PARTS[index].as_bytes();
        let mut at = 0;
        while at < part.len() {
            meanings[code(index)].0[at] = part[at];
            at += 1;
        }
        meanings[code(index)].1 = part.len() as u8;
        index += 1;
    }
    meanings
}

/// Appends what the bytes stand for.
#[inline]
pub(super) fn expand(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        let (part, length) = &MEANINGS[usize::from(byte)];
        match *length {
            0 => out.push(byte),
            // Mostly two: as many bytes each time is faster than the right number.
            length => {
                let end = out.len() + usize::from(length);
                out.extend_from_slice(part);
                out.truncate(end);
            }
        }
    }
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

    #[test]
    fn every_part_has_a_byte_that_no_name_needs_for_itself() {
        assert!(PARTS.is_sorted(), "sorted, so that each first character has one range");
        for (index, part) in PARTS.into_iter().enumerate() {
            let byte = code(index) as u8;
            assert!(byte != 0 && !(b' '..0x7f).contains(&byte), "{part} has {byte}");
            let mut out = Vec::new();
            assert!(shorten(part.as_bytes(), &mut out));
            assert_eq!(out, [byte], "{part}");
            out.clear();
            expand(&[byte], &mut out);
            assert_eq!(out, part.as_bytes());
        }
    }

    #[test]
    fn names_come_back() {
        for name in ["x", "index.html", "a b", "~", "network.spec.ts", "Makefile", "aation.so.1"] {
            let (mut short, mut long) = (Vec::new(), Vec::new());
            assert!(shorten(name.as_bytes(), &mut short));
            expand(&short, &mut long);
            assert_eq!(long, name.as_bytes());
        }
        for name in [&b"\xc3\xa9"[..], b"a\n", b"\x7f"] {
            assert!(!shorten(name, &mut Vec::new()));
        }
    }
}
