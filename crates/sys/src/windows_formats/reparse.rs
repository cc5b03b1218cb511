//! The target in what a link is made of: `REPARSE_DATA_BUFFER` ([MS-FSCC] 2.1.2).

use super::path::{is_absolute, is_separator};
use super::wide::{push_wtf8, to_wide};

const SYMLINK: u32 = 0xa000_000c;
const MOUNT_POINT: u32 = 0xa000_0003;

/// The target of a symbolic link or a junction, as people write it; `None` for anything else.
pub(crate) fn target(bytes: &[u8]) -> Option<Vec<u8>> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let tag = u32::from_le_bytes(*bytes.first_chunk()?);
    // Two names follow the numbers, of which a symbolic link has one more.
    let names = match tag {
        SYMLINK => bytes.get(20..)?,
        MOUNT_POINT => bytes.get(16..)?,
        _ => return None,
    };
    let name = |at: usize| {
        let (start, length) = (usize::from(u16_at(at)?), usize::from(u16_at(at + 2)?));
        let name = names.get(start..start + length)?;
        let units = name.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let mut target = Vec::with_capacity(length);
        push_wtf8(&mut target, units);
        Some(target)
    };
    let printed = name(12)?;
    if !printed.is_empty() {
        return Some(printed);
    }
    let kernels = name(8)?;
    Some(kernels.strip_prefix(b"\\??\\").map_or(kernels.clone(), <[u8]>::to_vec))
}

/// What a symbolic link to `target` is made of; `None` for a target that is too long or no WTF-8.
/// An absolute one gets the kernel's name beside the one that people read.
pub(crate) fn symlink(target: &[u8]) -> Option<Vec<u8>> {
    const IS_RELATIVE: u32 = 1;
    const HEADER_BYTES: usize = 20;
    const MOST_BYTES: usize = 16 << 10;
    let backslashes = |byte: &u8| if is_separator(*byte) { b'\\' } else { *byte };
    let printed: Vec<u8> = target.iter().map(backslashes).collect();
    // `\x` is relative to the volume of the link, and so is written as it is.
    let is_whole = is_absolute(target) && (target.len() < 2 || !is_separator(target[0]));
    let is_whole = is_whole || printed.starts_with(b"\\\\");
    let kernels = match (is_whole, &*printed) {
        (false, _) => printed.clone(),
        (true, [b'\\', b'\\', b'?' | b'.', b'\\', rest @ ..]) => [b"\\??\\", rest].concat(),
        (true, [b'\\', b'\\', server @ ..]) => [b"\\??\\UNC\\", server].concat(),
        (true, _) => [b"\\??\\", &*printed].concat(),
    };
    let wide = |text: &[u8]| {
        to_wide(text).map(|units| units.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
    };
    let (kernels, printed) = (wide(&kernels)?, wide(&printed)?);
    let length = HEADER_BYTES - 8 + kernels.len() + printed.len();
    let mut bytes = SYMLINK.to_le_bytes().to_vec();
    bytes.extend(u16::try_from(length).ok().filter(|_| length <= MOST_BYTES - 8)?.to_le_bytes());
    bytes.extend([0; 2]);
    for number in [0, kernels.len(), kernels.len(), printed.len()] {
        bytes.extend(u16::try_from(number).ok()?.to_le_bytes());
    }
    bytes.extend(if is_whole { 0 } else { IS_RELATIVE }.to_le_bytes());
    bytes.extend([kernels, printed].concat());
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn link(tag: u32, kernels: &str, printed: &str) -> Vec<u8> {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let (kernels, printed) = (wide(kernels), wide(printed));
        let mut bytes = tag.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        for number in [0, kernels.len(), kernels.len(), printed.len()] {
            bytes.extend((number as u16).to_le_bytes());
        }
        if tag == SYMLINK {
            bytes.extend([1, 0, 0, 0]);
        }
        bytes.extend([kernels, printed].concat());
        bytes
    }

    #[test]
    fn a_link_and_a_junction_have_a_target() {
        assert_eq!(target(&link(SYMLINK, "..\\é", "..\\é")).unwrap(), "..\\é".as_bytes());
        assert_eq!(target(&link(MOUNT_POINT, "\\??\\C:\\x", "C:\\x")).unwrap(), b"C:\\x");
        assert_eq!(target(&link(MOUNT_POINT, "\\??\\C:\\x", "")).unwrap(), b"C:\\x");
        assert_eq!(target(&link(0x9000_001a, "a", "a")), None);
    }

    /// The layout of [MS-FSCC] 2.1.2.4, by hand.
    #[test]
    fn a_new_link_has_both_names_and_says_whether_it_is_relative() {
        let made = symlink(b"a/b").unwrap();
        let head = [0x0c, 0, 0, 0xa0, 24, 0, 0, 0, 0, 0, 6, 0, 6, 0, 6, 0, 1, 0, 0, 0];
        assert_eq!(made[..20], head);
        assert_eq!(made[20..], *b"a\0\\\0b\0a\0\\\0b\0");
        for (target, kernels) in [
            ("C:/x", "\\??\\C:\\x"),
            ("\\\\server\\x", "\\??\\UNC\\server\\x"),
            ("\\\\?\\C:\\x", "\\??\\C:\\x"),
        ] {
            let made = symlink(target.as_bytes()).unwrap();
            assert_eq!(made[16..20], [0; 4], "{target}");
            let wide: Vec<u8> = kernels.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(made[20..].starts_with(&wide), "{target}");
        }
        assert_eq!(symlink(b"\\x").unwrap()[16], 1);
        for text in ["é", "C:\\x", "..\\a"] {
            assert_eq!(target(&symlink(text.as_bytes()).unwrap()).unwrap(), text.as_bytes());
        }
        assert_eq!(symlink(&[b'a'; 5000]), None);
    }

    #[test]
    fn a_link_cut_short_has_none() {
        let whole = link(SYMLINK, "", "ab");
        for cut in 0..whole.len() {
            assert_eq!(target(&whole[..cut]), None, "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_stay_within_bounds(
            bytes in proptest::collection::vec(any::<u8>(), 0..60), is_link in any::<bool>(),
        ) {
            let tag = if is_link { SYMLINK } else { MOUNT_POINT };
            let bytes = [&tag.to_le_bytes()[..], &bytes].concat();
            prop_assert!(target(&bytes).is_none_or(|it| it.len() <= 2 * bytes.len()));
        }
    }
}
