//! The target in what a link is made of: `REPARSE_DATA_BUFFER` ([MS-FSCC] 2.1.2).

use super::wide::push_wtf8;

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
