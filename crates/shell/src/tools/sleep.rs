//! `sleep`.

use std::time::Duration;

use super::arguments::{Arguments, Known, decimal};
use super::{Broken, Lent, Tool};
use crate::Text;

pub(super) const SLEEP: Tool =
    Tool { name: "sleep", fits: |arguments, lent| time(arguments, lent).is_some(), run };

const OPTIONS: Known = Known { short: b"", long: &[], anywhere: true };

/// Who sleeps longer can afford a process for it.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// All operands together.
fn time(arguments: &[Text], lent: &Lent<'_>) -> Option<Duration> {
    let mut options = Arguments::new(&OPTIONS, arguments);
    while options.next()?.is_some() {}
    let operands = options.operands(lent)?;
    if operands.is_empty() {
        return None;
    }
    let times = operands.iter().map(|operand| one(operand));
    let sum = times.sum::<Option<Duration>>()?;
    (sum <= LONGEST).then_some(sum)
}

/// `1.5`, `10m`, `.1s`; what is below a nanosecond is a nanosecond.
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

/// Price: one `clock_nanosleep`, and one more for each signal that does not end it. Whoever runs it
/// hands over what was written before.
fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(time) = time(arguments, lent) else { return Ok(1) };
    let mut left = time;
    while let Err(still_left) = sys::sleep(left) {
        if (lent.interrupted)() {
            return Err(Broken::Stopped);
        }
        left = still_left;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::judge::{Judge, same};

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
        let judge = Judge::new();
        let words = ["0.03".into(), ".02s".into(), "--".into(), "0.001m".into()];
        let words: Vec<Text> = words.iter().map(|word: &String| word.bytes().collect()).collect();
        let outcome = judge.ours("sleep", &words, b"").unwrap();
        assert!(start.elapsed() >= Duration::from_millis(110) && outcome.status == 0);
        assert!(same("sleep", &["0", "0.00001"], b""));
        for arguments in [&[][..], &["-1"], &["1", "x"], &["--help"]] {
            assert!(!same("sleep", arguments, b""));
        }
    }
}
