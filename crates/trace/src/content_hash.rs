//! The hash by which contents are compared: answers of system calls, which recordings hold, and
//! paths. It is part of the format of recordings and never changes. (Tables need no such hash:
//! they have `rustc_hash`.)

/// Eight bytes at a time: multiply to 128 bits and fold. It need not withstand an attacker.
pub(crate) fn of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| add(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    add(add(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
fn add(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ word ^ ODD) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recordings hold them.
    #[test]
    fn hashes_never_change() {
        let hashes = [&b""[..], b"a", b"12345678", b"/usr/lib/x86_64-linux-gnu"].map(of);
        assert_eq!(
            hashes,
            [0x4f329cadfaf7c73c, 0x1d46f22403c8403e, 0x8a3cfbcc059fd106, 0xf842379ef606cfd1]
        );
    }
}
