//! `sleep`.

use std::time::Duration;

use super::arguments::{Arguments, KnownOptions, decimal};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions { short: b"", long: &[], anywhere: true };

/// A longer time is left to the real one.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// Sleeps for this long.
pub(crate) struct Sleep(Duration);

impl Sleep {
    /// The sum of all operands.
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Sleep> {
        let mut options = Arguments::new(&OPTIONS, arguments);
        while options.next()?.is_some() {}
        let operands = options.operands(io)?;
        if operands.is_empty() {
            return None;
        }
        let times = operands.iter().map(|operand| one(operand));
        let sum = times.sum::<Option<Duration>>()?;
        (sum <= LONGEST).then_some(Sleep(sum))
    }
}

/// `1.5`, `10m`, `.1s`, rounded up to nanoseconds.
fn one(text: &[u8]) -> Option<Duration> {
    let (number, unit) = match text {
        [number @ .., b's'] => (number, 1),
        [number @ .., b'm'] => (number, 60),
        [number @ .., b'h'] => (number, 60 * 60),
        [number @ .., b'd'] => (number, 24 * 60 * 60),
        number => (number, 1_u32),
    };
    let point = memchr::memchr(b'.', number).unwrap_or(number.len());
    let (whole, behind) = (&number[..point], number.get(point + 1..).unwrap_or_default());
    if whole.is_empty() && behind.is_empty() {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { decimal(whole)? };
    if !behind.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |place: usize| u32::from(behind.get(place).map_or(0, |digit| digit - b'0'));
    let nanoseconds = (0..9).fold(0, |number, place| number * 10 + digit(place));
    let rest = behind.iter().skip(9).any(|&digit| digit != b'0');
    let time = Duration::new(whole, nanoseconds) + Duration::from_nanos(u64::from(rest));
    (whole <= LONGEST.as_secs()).then(|| time * unit)
}

impl ToolJob for Sleep {
    /// Price: one `clock_nanosleep`, and one more for each signal that does not end it.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut left = self.0;
        while let Err(still_left) = (io.sleep)(left) {
            if (io.interrupted)() {
                return Err(ToolError::Stopped);
            }
            left = still_left;
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::compare::{Comparison, same, words};

    #[test]
    fn times_are_read_as_the_real_one_reads_them() {
        for (text, time) in [
            ("0", Some(0)),
            ("1.5", Some(1_500_000_000)),
            (".25s", Some(250_000_000)),
            ("2.m", Some(120_000_000_000)),
            ("1h", Some(3_600_000_000_000)),
            ("0.0000000001", Some(1)),
            ("0.1d", Some(8_640_000_000_000)),
            ("", None),
            (".", None),
            ("s", None),
            ("1x", None),
            ("1e3", None),
            ("inf", None),
            ("+1", None),
            ("9999999999", None),
        ] {
            assert_eq!(one(text.as_bytes()), time.map(Duration::from_nanos), "{text}");
        }
    }

    #[test]
    fn it_sleeps_as_long_as_all_operands_say() {
        let start = std::time::Instant::now();
        let comparison = Comparison::new();
        let arguments = ["0.03", ".02s", "--", "0.001m"];
        let outcome = comparison.ours("sleep", &arguments, b"").unwrap();
        assert!(start.elapsed() >= Duration::from_millis(110) && outcome.status == 0);
        assert!(same("sleep", &["0", "0.00001"], b""));
        for line in ["", "-1", "1 x", "--help"] {
            assert!(!same("sleep", &words(line), b""));
        }
    }
}
