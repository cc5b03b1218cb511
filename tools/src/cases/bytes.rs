//! Names are bytes, and TOML strings are not: escapes for the bytes in a case, and bytes in
//! messages in the same form.

/// The bytes that a string of a case stands for.
///
/// `\\`, `\n`, `\r`, `\t` and `\xHH` are the byte they say; `\{TEXT*N}` is TEXT, N times over.
/// Everything else is itself.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let length = one_escape(escape, &mut bytes).map_err(|why| format!("'{text}': {why}"))?;
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// Appends the byte of an escape, and returns the escape's length.
fn one_escape(escape: &str, bytes: &mut Vec<u8>) -> Result<usize, String> {
    let byte = match escape.as_bytes().first() {
        Some(b'\\') => b'\\',
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'x') => {
            let digits = escape.get(1..3).ok_or("\\x needs two hexadecimal digits")?;
            let byte = u8::from_str_radix(digits, 16);
            bytes.push(byte.map_err(|_| format!("\\x{digits} is not hexadecimal"))?);
            return Ok(3);
        }
        Some(b'{') => {
            let (inner, _) = escape[1..].split_once('}').ok_or("\\{ is not closed")?;
            let (what, times) = inner.rsplit_once('*').ok_or("\\{TEXT*N} has no *")?;
            let times: usize = times.parse().map_err(|_| format!("'{times}' is no number"))?;
            bytes.extend_from_slice(&unescape(what)?.repeat(times));
            return Ok(inner.len() + 2);
        }
        _ => return Err("a backslash starts \\\\ \\n \\r \\t \\xHH or \\{TEXT*N}".to_owned()),
    };
    bytes.push(byte);
    Ok(1)
}

/// Bytes for people: as a case would write them, and cut if they are very long.
pub(crate) fn show(bytes: &[u8]) -> String {
    const LONGEST: usize = 300;
    let mut shown = String::new();
    for chunk in bytes[..bytes.len().min(LONGEST)].utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\\' => shown.push_str("\\\\"),
                '\n' => shown.push_str("\\n"),
                '\r' => shown.push_str("\\r"),
                '\t' => shown.push_str("\\t"),
                _ if char.is_control() => {
                    let mut utf8 = [0; 4];
                    shown.extend(char.encode_utf8(&mut utf8).bytes().map(hex));
                }
                _ => shown.push(char),
            }
        }
        shown.extend(chunk.invalid().iter().copied().map(hex));
    }
    if bytes.len() > LONGEST {
        shown.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    shown
}

fn hex(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

/// Whether `text` is `pattern`, in which `*` stands for any bytes.
pub(crate) fn is_like(pattern: &[u8], text: &[u8]) -> bool {
    let mut pieces = pattern.split(|&byte| byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&[u8]> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        // The leftmost match suffices: it leaves the most text for what follows.
        match (0..=rest.len()).find(|&at| rest[at..].starts_with(piece)) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        unescape(text).unwrap()
    }

    #[test]
    fn escapes_stand_for_bytes() {
        assert_eq!(bytes(r"caf\xe9"), b"caf\xe9");
        assert_eq!(bytes(r"a\nb\\c\td\re"), b"a\nb\\c\td\re");
        assert_eq!(bytes("é*{}"), "é*{}".as_bytes());
    }

    #[test]
    fn a_repeat_is_written_once() {
        assert_eq!(bytes(r"x\{ab*3}y"), b"xabababy");
        assert_eq!(bytes(r"\{\xff*2}"), b"\xff\xff");
        assert_eq!(bytes(r"\{***2}"), b"****");
    }

    #[test]
    fn a_wrong_escape_is_an_error() {
        for bad in [r"\q", r"\x1", r"\xzz", r"\{a*2", r"\{a2}", r"\{a*b}", "\\"] {
            assert!(unescape(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shown_bytes_read_back_as_themselves() {
        for original in [&b"plain"[..], b"\xff\xfe\n\\", "é\u{202e}".as_bytes(), b"\x1b[0m\x7f"] {
            assert_eq!(bytes(&show(original)), original);
        }
    }

    #[test]
    fn a_star_is_any_run_of_bytes() {
        for pattern in ["abc", "*", "a*", "*c", "a*c", "*b*", "a*b*c", "**"] {
            assert!(is_like(pattern.as_bytes(), b"abc"), "{pattern}");
        }
        for pattern in ["ab", "b*", "*b", "a*bc*c", "abc?", ""] {
            assert!(!is_like(pattern.as_bytes(), b"abc"), "{pattern}");
        }
        assert!(!is_like(b"ab*ba", b"aba"));
    }
}
