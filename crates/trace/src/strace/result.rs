//! What a call gave back: what stands behind its closing parenthesis.

use super::number;
use super::text::{Word, annotation, bare};

/// What a call gave back.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    /// The result; below zero a negative errno.
    pub(super) result: i64,
    /// How long it took, in nanoseconds, where the log says it.
    pub(super) spent: u64,
    /// What the descriptor that it made stands for.
    pub(super) annotation: Option<Vec<u8>>,
}

/// What a call gave back in which its process ended: nothing.
const NOTHING: i64 = 0;

impl Outcome {
    /// From ` = -1 ENOENT (No such file or directory) <0.000012>`; `None` if it is nothing like it.
    pub(super) fn parse(text: &[u8]) -> Option<Outcome> {
        let text = text.trim_ascii().strip_prefix(b"=")?.trim_ascii_start();
        let (text, spent) = spent(text);
        let end = match text.iter().position(|byte| matches!(byte, b' ' | b'<')) {
            Some(at) if text[at] == b'<' => text.len(),
            Some(at) => at,
            None => text.len(),
        };
        let (value, rest) = text.split_at(end);
        let errno = rest.trim_ascii_start().split(|&byte| byte == b' ').next();
        let errno = errno.filter(|word| word.first() == Some(&b'E'));
        let result = match (value, errno) {
            (b"-1" | b"?", Some(name)) => -number::errno(name).unwrap_or(UNKNOWN),
            (b"-1", None) => -error_number(rest).unwrap_or(UNKNOWN),
            (b"?", None) => NOTHING,
            _ => plain(value)?,
        };
        Some(Outcome { result, spent, annotation: annotation(value) })
    }
}

/// An error whose number is not known here: no file system gives `EL3RST`.
const UNKNOWN: i64 = 47;

fn plain(value: Word<'_>) -> Option<i64> {
    let value = bare(value);
    match value.first() {
        Some(b'-') => number::register(&value[1..]).cast_signed().checked_neg(),
        Some(b'0'..=b'9') => Some(number::register(value).cast_signed()),
        _ => None,
    }
}

/// `(errno 123)`: an error that strace knows no name of.
fn error_number(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii_start().strip_prefix(b"(errno ")?;
    i64::try_from(super::line::digits(text).0?).ok().filter(|errno| (1..4096).contains(errno))
}

/// Takes the time that `-T` puts at the end.
fn spent(text: &[u8]) -> (&[u8], u64) {
    let without = (text, 0);
    let Some(front) = text.strip_suffix(b">") else { return without };
    let Some(open) = memchr::memrchr(b'<', front) else { return without };
    // Not what a descriptor is: that stands right behind its number.
    if front[..open].last() != Some(&b' ') {
        return without;
    }
    let Ok(seconds) = std::str::from_utf8(&front[open + 1..]) else { return without };
    let Some((whole, fraction)) = seconds.split_once('.') else { return without };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || fraction.len() > 9 {
        return without;
    }
    let whole: u64 = whole.parse().unwrap_or(0);
    let nanoseconds: u64 = format!("{fraction:0<9}").parse().unwrap_or(0);
    (text[..open].trim_ascii_end(), whole.saturating_mul(1_000_000_000) + nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_as_the_kernel_gave_them() {
        let lines: &[(&str, i64, u64, Option<&str>)] = &[
            (" = 0", 0, 0, None),
            ("        = 0 <0.000012>", 0, 12_000, None),
            (" = 3</etc/passwd> <1.5>", 3, 1_500_000_000, Some("/etc/passwd")),
            (" = 3</etc/pass wd>", 3, 0, Some("/etc/pass wd")),
            (" = 0</dev/null<char 1:3>> <0.000001>", 0, 1_000, Some("/dev/null")),
            (" = 0x7f24a037f000", 0x7f24_a037_f000, 0, None),
            (" = 0x8000 (flags O_RDONLY|O_LARGEFILE)", 0x8000, 0, None),
            (" = 1 ([{fd=3, revents=POLLIN}])", 1, 0, None),
            (" = -1 ENOENT (No such file or directory) <0.000007>", -2, 7_000, None),
            (" = -1 ENOSUCH (What)", -47, 0, None),
            (" = -1 (errno 123)", -123, 0, None),
            (" = ? ERESTARTSYS (To be restarted if SA_RESTART is set)", -4, 0, None),
            (" = ?", 0, 0, None),
            (" = -5", -5, 0, None),
        ];
        for (text, result, spent, annotation) in lines {
            let annotation = annotation.map(|text| text.as_bytes().to_vec());
            let outcome = Outcome { result: *result, spent: *spent, annotation };
            assert_eq!(Outcome::parse(text.as_bytes()), Some(outcome), "{text}");
        }
        for text in ["", "=", " = ", " 0", " = x", " = <unfinished ...>"] {
            assert_eq!(Outcome::parse(text.as_bytes()), None, "{text}");
        }
    }
}
