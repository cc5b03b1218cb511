//! Names as wc writes them: as they are, unless a newline in one would break the line. Then it is
//! written in quotes as a shell reads it, with `$'…'` around what cannot be printed.

/// Appends the name.
pub(super) fn quote(name: &[u8], out: &mut Vec<u8>) {
    if !name.contains(&b'\n') {
        return out.extend_from_slice(name);
    }
    let mut dollar = false;
    out.push(b'\'');
    for &byte in name {
        if byte == b'\'' {
            // Ends the quotes, whichever they are, and begins plain ones.
            out.extend_from_slice(b"'\\''");
            dollar = false;
            continue;
        }
        let plain = matches!(byte, b' '..=b'~');
        match (plain, dollar) {
            (true, true) => out.extend_from_slice(b"''"),
            (false, false) => out.extend_from_slice(b"'$'"),
            _ => {}
        }
        dollar = !plain;
        match plain {
            true => out.push(byte),
            false => escape(byte, out),
        }
    }
    out.push(b'\'');
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let letter = match byte {
        7 => b'a',
        8 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        11 => b'v',
        12 => b'f',
        b'\r' => b'r',
        _ => return out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(name: &[u8]) -> String {
        let mut out = Vec::new();
        quote(name, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// As wc 9.1 prints them.
    #[test]
    fn only_a_newline_makes_quotes_needed() {
        assert_eq!(quoted(b"it's\ta"), "it's\ta");
        assert_eq!(quoted(b"n\nl\xff'z"), r"'n'$'\n''l'$'\377'\''z'");
        assert_eq!(quoted(b"\nabc\r\n"), r"''$'\n''abc'$'\r\n'");
    }
}
