//! Text in XML and in URLs.

/// What replaces a byte in XML, if it cannot stand as it is.
///
/// XML 1.0 has no way to write most control characters; S3 writes them nevertheless.
fn reference(byte: u8) -> Option<&'static [u8]> {
    const CONTROL: [&[u8]; 32] = [
        b"&#x0;", b"&#x1;", b"&#x2;", b"&#x3;", b"&#x4;", b"&#x5;", b"&#x6;", b"&#x7;", b"&#x8;",
        b"&#x9;", b"&#xa;", b"&#xb;", b"&#xc;", b"&#xd;", b"&#xe;", b"&#xf;", b"&#x10;", b"&#x11;",
        b"&#x12;", b"&#x13;", b"&#x14;", b"&#x15;", b"&#x16;", b"&#x17;", b"&#x18;", b"&#x19;",
        b"&#x1a;", b"&#x1b;", b"&#x1c;", b"&#x1d;", b"&#x1e;", b"&#x1f;",
    ];
    match byte {
        b'&' => Some(b"&amp;"),
        b'<' => Some(b"&lt;"),
        b'>' => Some(b"&gt;"),
        b'"' => Some(b"&quot;"),
        0..32 => Some(CONTROL[byte as usize]),
        _ => None,
    }
}

/// Which bytes stand for themselves in XML, and which in URLs: one look is what a byte may cost.
static XML_PLAIN: [bool; 256] = plain_in_xml();
static URL_PLAIN: [bool; 256] = plain_in_urls();

const fn plain_in_xml() -> [bool; 256] {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        // The last begins U+FFFE and U+FFFF.
        plain[byte] = byte >= 32 && !matches!(byte as u8, b'&' | b'<' | b'>' | b'"' | 0xef);
        byte += 1;
    }
    plain
}

const fn plain_in_urls() -> [bool; 256] {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_sign = matches!(byte as u8, b'-' | b'_' | b'.' | b'*' | b'/');
        plain[byte] = is_sign || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    plain
}

/// Appends text as the content of an XML element.
pub(crate) fn push_xml(text: &[u8], out: &mut Vec<u8>) {
    let mut plain = 0;
    for (at, byte) in text.iter().enumerate() {
        if XML_PLAIN[usize::from(*byte)] {
            continue;
        }
        // U+FFFE and U+FFFF, of three bytes, are the only others that XML 1.0 does not have.
        let (replacement, length) = match (reference(*byte), &text[at..]) {
            (Some(reference), _) => (reference, 1),
            (None, [0xef, 0xbf, 0xbe, ..]) => (&b"&#xfffe;"[..], 3),
            (None, [0xef, 0xbf, 0xbf, ..]) => (&b"&#xffff;"[..], 3),
            _ => continue,
        };
        out.extend_from_slice(&text[plain..at]);
        out.extend_from_slice(replacement);
        plain = at + length;
    }
    out.extend_from_slice(&text[plain..]);
}

/// Appends text as S3 encodes it for URLs: a space becomes `+`.
pub(crate) fn push_url(text: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut plain = 0;
    for (at, byte) in text.iter().enumerate() {
        if URL_PLAIN[usize::from(*byte)] {
            continue;
        }
        out.extend_from_slice(&text[plain..at]);
        plain = at + 1;
        match byte {
            b' ' => out.push(b'+'),
            _ => out.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
        }
    }
    out.extend_from_slice(&text[plain..]);
}

/// The bytes that a part of a URL stands for. A `%` without two hexadecimal digits after it stands
/// for itself. In a query, but not in a path, a `+` is a space.
pub(crate) fn from_url(text: &str, is_query: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, left) = match (first, after) {
            (b'%', [high, low, left @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, left),
                _ => (b'%', after),
            },
            (b'+', _) if is_query => (b' ', after),
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = left;
    }
    bytes
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

/// Appends a number in decimal.
pub(crate) fn push_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(push: fn(&[u8], &mut Vec<u8>), text: &str) -> String {
        let mut out = Vec::new();
        push(text.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn xml_has_references_for_markup_and_for_what_it_cannot_have() {
        assert_eq!(pushed(push_xml, "a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c'");
        assert_eq!(pushed(push_xml, "\u{1}\r\n\u{1f}é"), "&#x1;&#xd;&#xa;&#x1f;é");
        assert_eq!(pushed(push_xml, "\u{fffe}x\u{ffff}\u{fffd}"), "&#xfffe;x&#xffff;\u{fffd}");
    }

    #[test]
    fn urls_keep_letters_digits_and_five_signs() {
        assert_eq!(pushed(push_url, "aZ9-_.*/"), "aZ9-_.*/");
        assert_eq!(pushed(push_url, "a b+~é\0"), "a+b%2B%7E%C3%A9%00");
    }

    #[test]
    fn a_plus_is_a_space_in_a_query_only() {
        assert_eq!(from_url("a+b%2Bc%20%c3%A9", true), "a b+c é".as_bytes());
        assert_eq!(from_url("a+b", false), b"a+b");
    }

    #[test]
    fn a_percent_sign_without_two_digits_stands_for_itself() {
        assert_eq!(from_url("%", true), b"%");
        assert_eq!(from_url("%4", true), b"%4");
        assert_eq!(from_url("%zz%41", true), b"%zzA");
        assert_eq!(from_url("%+1", true), b"% 1");
    }

    #[test]
    fn numbers_are_decimal() {
        let mut out = Vec::new();
        push_number(0, &mut out);
        push_number(u64::MAX, &mut out);
        assert_eq!(out, b"018446744073709551615");
    }
}
