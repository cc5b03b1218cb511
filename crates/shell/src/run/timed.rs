//! `time`

use std::time::Duration;

use super::{Flow, Shell};
use crate::dialect::TimeFormat;
use crate::program::Node;

/// What is shown in bash if TIMEFORMAT is not set.
const USUAL: &[u8] = b"\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";

/// The times that something took.
struct Spent {
    real: Duration,
    user: Duration,
    system: Duration,
}

impl Shell {
    /// `time`
    pub(crate) fn timed(&mut self, node: Option<&Node>, posix: bool) -> Flow {
        let start = std::time::Instant::now();
        let before = sys::times();
        let flow = match node {
            Some(node) => self.run(node),
            None => Ok(()),
        };
        let after = sys::times();
        let spent = |of: fn(&sys::Times) -> Duration| {
            let sum = |times: &[sys::Times; 2]| times.iter().map(of).sum::<Duration>();
            sum(&after).saturating_sub(sum(&before))
        };
        let spent = Spent {
            real: start.elapsed(),
            user: spent(|times| times.user),
            system: spent(|times| times.system),
        };
        self.show_times(&spent, posix);
        flow
    }

    fn show_times(&mut self, spent: &Spent, posix: bool) {
        let rule = self.profile.trace.time_format;
        if posix || rule == TimeFormat::Posix {
            let [real, user, system] =
                [spent.real, spent.user, spent.system].map(|time| time.as_secs_f64());
            let text = format!("real {real:.2}\nuser {user:.2}\nsys {system:.2}\n");
            return self.say(2, text.as_bytes());
        }
        let format = match rule {
            TimeFormat::Variable => self.get_named(b"TIMEFORMAT").map(<[u8]>::to_vec),
            TimeFormat::Posix | TimeFormat::Usual => None,
        };
        let format = format.unwrap_or_else(|| USUAL.to_vec());
        if format.is_empty() {
            return;
        }
        match formatted(&format, spent) {
            Ok(text) => self.say(2, &text),
            Err(letter) => {
                self.complain(
                    &[b"TIMEFORMAT: `", &[letter][..], b"': invalid format character"].concat(),
                );
            }
        }
    }
}

/// The times as a format has them, or the letter that says nothing.
fn formatted(format: &[u8], spent: &Spent) -> Result<Vec<u8>, u8> {
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digits = rest.next_if(u8::is_ascii_digit);
        let long = rest.next_if_eq(&b'l').is_some();
        let plain = digits.is_none() && !long;
        let time = match rest.next() {
            None | Some(b'%') if plain => {
                out.push(b'%');
                continue;
            }
            Some(b'P') if plain => {
                let used = (spent.user + spent.system).as_secs_f64();
                let percent = match spent.real.as_secs_f64() {
                    0.0 => 0.0,
                    real => used * 100.0 / real,
                };
                out.extend_from_slice(format!("{percent:.2}").as_bytes());
                continue;
            }
            Some(b'R') => spent.real,
            Some(b'U') => spent.user,
            Some(b'S') => spent.system,
            other => return Err(other.unwrap_or(0)),
        };
        let precision = digits.map_or(3, |digit| usize::from(digit - b'0').min(3));
        out.extend_from_slice(number(time, precision, long).as_bytes());
    }
    out.push(b'\n');
    Ok(out)
}

/// `1.234`, or `0m1.234s` if it is `long`; what is too small for the precision is left out.
fn number(time: Duration, precision: usize, long: bool) -> String {
    let (seconds, unit) = (time.as_secs(), 10_u32.pow(9 - u32::try_from(precision).unwrap_or(3)));
    let fraction = match precision {
        0 => String::new(),
        _ => format!(".{:0precision$}", time.subsec_nanos() / unit),
    };
    match long {
        true => format!("{}m{}{fraction}s", seconds / 60, seconds % 60),
        false => format!("{seconds}{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent() -> Spent {
        let [real, user, system] = [61_234, 1_500, 250].map(Duration::from_millis);
        Spent { real, user, system }
    }

    #[test]
    fn a_format_says_what_is_shown_and_how_exactly() {
        let shown = |format: &[u8]| {
            formatted(format, &spent()).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(shown(USUAL).unwrap(), "\nreal\t1m1.234s\nuser\t0m1.500s\nsys\t0m0.250s\n");
        assert_eq!(shown(b"took %0R").unwrap(), "took 61\n");
        assert_eq!(shown(b"%1R %9U %2lS%%%").unwrap(), "61.2 1.500 0m0.25s%%\n");
        assert_eq!(shown(b"a\\n%R").unwrap(), "a\\n61.234\n");
        assert_eq!(shown(b"%x"), Err(b'x'));
        assert_eq!(shown(b"%3P"), Err(b'P'));
    }
}
