//! Names in the kernel's UTF-16 and in the library's WTF-8: UTF-8 that may have a lone surrogate in
//! it, as three bytes, since the kernel's names are any 16-bit units (simonsapin.github.io/wtf-8).

/// Appends units of UTF-16 as WTF-8. A pair of surrogates becomes one character, a lone one stays.
pub(crate) fn push_wtf8(bytes: &mut Vec<u8>, units: impl IntoIterator<Item = u16>) {
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(character) => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Err(lone) => {
                let unit = lone.unpaired_surrogate();
                let low = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
                bytes.extend_from_slice(&[0xe0 | (unit >> 12) as u8, low(6), low(0)]);
            }
        }
    }
}

/// The units of WTF-8; `None` for bytes that are not WTF-8: no name has those.
pub(crate) fn to_wide(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len() + 1);
    let mut rest = bytes;
    while let Some(chunk) = rest.utf8_chunks().next() {
        units.extend(chunk.valid().encode_utf16());
        rest = &rest[chunk.valid().len()..];
        if rest.is_empty() {
            break;
        }
        let unit = surrogate(rest)?;
        // A pair is one character and has four bytes.
        let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
        let after_high = units.last().is_some_and(|last| (0xd800..0xdc00).contains(last));
        if is_low(unit) && after_high && chunk.valid().is_empty() {
            return None;
        }
        units.push(unit);
        rest = &rest[3..];
    }
    Some(units)
}

/// The lone surrogate that the first three bytes are.
fn surrogate(bytes: &[u8]) -> Option<u16> {
    let &[0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] = bytes else { return None };
    Some(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f))
}

/// Whether bytes are WTF-8. Free.
pub(crate) fn is_wtf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok() || to_wide(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn to_bytes(units: &[u16]) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_wtf8(&mut bytes, units.iter().copied());
        bytes
    }

    /// The examples are those of the WTF-8 specification and of Unicode's own tables.
    #[test]
    fn pairs_are_joined_and_lone_surrogates_stay() {
        for (units, bytes) in [
            (&[0x41, 0xe9, 0x20ac][..], &b"A\xc3\xa9\xe2\x82\xac"[..]),
            (&[0xd83d, 0xdca9], b"\xf0\x9f\x92\xa9"),
            (&[0xd83d], b"\xed\xa0\xbd"),
            (&[0xdca9, 0xd83d], b"\xed\xb2\xa9\xed\xa0\xbd"),
            (&[0xd83d, 0x41, 0xdca9], b"\xed\xa0\xbdA\xed\xb2\xa9"),
        ] {
            assert_eq!(to_bytes(units), bytes);
            assert_eq!(to_wide(bytes).as_deref(), Some(units));
        }
    }

    #[test]
    fn bytes_that_no_name_has_are_refused() {
        for bytes in [
            &b"\xff"[..],
            b"a\xc3",
            b"\xc0\x80",
            b"\xed\xa0",
            b"\xf5\x80\x80\x80",
            b"\xe0\x80\x80",
            b"\xed\xa0\xbd\xed\xb2\xa9",
        ] {
            assert_eq!(to_wide(bytes), None, "{bytes:x?}");
            assert!(!is_wtf8(bytes));
        }
    }

    proptest! {
        #[test]
        fn any_name_comes_back(units in proptest::collection::vec(
            prop_oneof![any::<u16>(), 0xd7f0_u16..0xe010], 0..40,
        )) {
            let bytes = to_bytes(&units);
            prop_assert!(is_wtf8(&bytes));
            prop_assert_eq!(to_wide(&bytes), Some(units));
        }

        #[test]
        fn bytes_are_refused_or_come_back(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(0xed), Just(0xa0)], 0..12,
            ),
        ) {
            if let Some(units) = to_wide(&bytes) {
                prop_assert_eq!(to_bytes(&units), bytes);
            }
        }
    }
}
