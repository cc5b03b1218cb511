//! Numbers and times in the bytes of a snapshot, and of the manifest of a store.

use sys::Time;

/// Seconds are counted from 2025-01-01 or from another time nearby, so that most take few bytes.
pub const FIRST_SECOND: i64 = 1_735_689_600;

/// What is left of some bytes that may be anything. Every question has the answer `None` where the
/// bytes end too early.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'b>(
    /// What is left.
    pub &'b [u8],
);

impl<'b> Reader<'b> {
    /// So many bytes.
    #[inline]
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// As many bytes as the array has.
    pub fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// A number of any size: seven bits a byte, the lowest first.
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(first.into());
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            number |= bits << shift;
            if byte < 0x80 {
                return (number >> shift == bits).then_some(number);
            }
        }
        None
    }

    /// A number of which the caller takes no larger one than fits.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        self.number()?.try_into().ok()
    }

    /// A number with a sign, as `put_signed` wrote it.
    #[inline]
    pub fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A time whose seconds are counted from `first`.
    pub fn time(&mut self, first: i64) -> Option<Time> {
        let nanoseconds = u32::from_le_bytes(self.fixed()?);
        let seconds = self.signed()?.wrapping_add(first);
        (nanoseconds < 1_000_000_000).then_some(Time { seconds, nanoseconds })
    }

    /// Bytes behind their length.
    pub fn text(&mut self) -> Option<&'b [u8]> {
        let length = self.small()?;
        self.take(length)
    }
}

/// Appends a number.
#[inline]
pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number with a sign: small ones take few bytes.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Appends a time whose seconds are counted from `first`.
pub fn put_time(out: &mut Vec<u8>, time: Time, first: i64) {
    out.extend_from_slice(&time.nanoseconds.to_le_bytes());
    put_signed(out, time.seconds.wrapping_sub(first));
}

/// Appends bytes behind their length.
pub fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_signed(&mut out, number as i64);
            let time = Time { seconds: number as i64, nanoseconds: 999_999_999 };
            put_time(&mut out, time, FIRST_SECOND);
            let mut reader = Reader(&out);
            assert_eq!(reader.number(), Some(number));
            assert_eq!(reader.signed(), Some(number as i64));
            assert_eq!(reader.time(FIRST_SECOND), Some(time));
            assert_eq!(reader.0, b"");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        let too_large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        for bytes in [&b""[..], &[0x80], &[0xff; 9], &[0x80; 20], &too_large] {
            assert_eq!(Reader(bytes).number(), None, "{bytes:?}");
        }
        assert!(Reader(&[0, 0, 0, 0xff, 0]).time(0).is_none());
    }
}
