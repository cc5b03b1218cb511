//! Integers as HotSpot packs them into few bytes (`UNSIGNED5`): each byte stands for six bits more
//! than the one before it, and up to a limit it is the last.

/// Packed integers, one behind the other.
pub(super) struct Packed<'b> {
    bytes: &'b [u8],
    /// Whether the byte 0 does not occur: since 20 (`utilities/unsigned5.hpp`). Before that,
    /// `code/compressedStream.hpp`.
    without_zero: bool,
}

/// An integer has at most so many bytes.
const LONGEST: u32 = 5;

/// A byte below this is the last.
const LAST: u32 = 192;

impl<'b> Packed<'b> {
    pub(super) fn new(bytes: &'b [u8], without_zero: bool) -> Packed<'b> {
        Packed { bytes, without_zero }
    }

    /// The next byte, as it is.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// The next integer without a sign.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        let mut sum = 0u32;
        for place in 0..LONGEST {
            let byte = u32::from(self.byte()?);
            let digit = byte.checked_sub(u32::from(self.without_zero))?;
            sum = sum.wrapping_add(digit << (6 * place));
            if byte < LAST {
                break;
            }
        }
        Some(sum)
    }

    /// The next integer with a sign, which is its lowest bit.
    pub(super) fn signed(&mut self) -> Option<i32> {
        let number = self.unsigned()?;
        Some(((number >> 1) ^ (number & 1).wrapping_neg()).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_in_both_forms() {
        // Worked out by hand: 200 is 192 + (8 - 0) with a second byte for 64ths.
        let mut old = Packed::new(&[5, 0, 191, 192, 0, 200, 3, 1], false);
        let numbers: Vec<_> = std::iter::from_fn(|| old.unsigned()).collect();
        assert_eq!(numbers, [5, 0, 191, 192, 200 + 3 * 64, 1]);
        let mut new = Packed::new(&[1, 6, 191, 192, 1, 255, 2], true);
        let numbers: Vec<_> = std::iter::from_fn(|| new.unsigned()).collect();
        assert_eq!(numbers, [0, 5, 190, 191, 254 + 64]);
        assert_eq!(Packed::new(&[0], true).unsigned(), None);
        assert_eq!(Packed::new(&[255; 9], false).unsigned().map(|_| ()), Some(()));
        assert_eq!(Packed::new(&[255; 3], false).unsigned(), None);
        let mut signed = Packed::new(&[0, 1, 2, 3], false);
        assert_eq!([0; 4].map(|_| signed.signed().unwrap()), [0, -1, 1, -2]);
    }
}
