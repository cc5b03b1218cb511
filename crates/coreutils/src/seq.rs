//! `seq`, of whole numbers and of decimals that are exact.

use super::arguments::{Arguments, KnownOptions};
use super::source::hand_over;
use crate::{Io, Output, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"f:s:w",
    long: &["equal-width=w", "format=f:", "separator=s:"],
    anywhere: false,
};

/// Numbers with more digits than these are left to the real one.
const MOST_DIGITS: usize = 15;
/// With more decimals, the binary numbers of the real one would not be exact.
const MOST_DECIMALS: usize = 5;
const MOST_WITH_DECIMALS: i64 = 1_000_000;

/// Prints a sequence of numbers.
pub(crate) struct Seq<'a> {
    first: i64,
    step: i64,
    last: i64,
    /// The number of decimals: of the numbers above, and of those that are written.
    scale: usize,
    decimals: usize,
    /// Numbers are padded with zeros to so many bytes.
    width: usize,
    before: Vec<u8>,
    behind: Vec<u8>,
    blanks: bool,
    separator: &'a [u8],
}

/// A number as it was written on the command line.
struct Written {
    /// Its digits without the decimal point.
    digits: i64,
    decimals: usize,
    width: usize,
}

impl Written {
    fn new(text: &[u8]) -> Option<Written> {
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        let point = memchr::memchr(b'.', unsigned).unwrap_or(unsigned.len());
        let (whole, behind) = unsigned.split_at(point);
        let behind = match behind {
            [] => behind,
            [_, behind @ ..] if !behind.is_empty() && behind.len() <= MOST_DECIMALS => behind,
            _ => return None,
        };
        if whole.is_empty() || whole.len() > MOST_DIGITS {
            return None;
        }
        let digits = whole.iter().chain(behind).try_fold(0_i64, |number, digit| {
            let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
            number.checked_mul(10)?.checked_add(digit)
        })?;
        let negative = unsigned.len() < text.len();
        // Minus zero is a number of its own.
        let supported = !(negative && digits == 0);
        let digits = if negative { -digits } else { digits };
        supported.then_some(Written { digits, decimals: behind.len(), width: text.len() })
    }

    fn one() -> Written {
        Written { digits: 1, decimals: 0, width: 1 }
    }

    fn scaled(&self, scale: usize) -> Option<i64> {
        (self.decimals..scale).try_fold(self.digits, |digits, _| digits.checked_mul(10))
    }

    /// Its width if it had so many decimals.
    fn width_with(&self, decimals: usize) -> usize {
        let whole = self.width - self.decimals - usize::from(self.decimals > 0);
        whole + decimals + usize::from(decimals > 0)
    }
}

impl<'a> Seq<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Seq<'a>> {
        // A negative number is no option, and ends them.
        let is_number = |it: &&[u8]| matches!(it[..], [b'-', b'.' | b'0'..=b'9', ..]);
        let (mut separator, mut equal_width, mut format): (&[u8], _, _) = (b"\n", false, None);
        let negative = arguments.iter().position(is_number).unwrap_or(arguments.len());
        let mut options = Arguments::new(&OPTIONS, &arguments[..negative]);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b's' => separator = value,
                b'w' => equal_width = true,
                _ => format = Some(value),
            }
        }
        let mut operands = options.operands(io)?;
        operands.extend_from_slice(&arguments[negative..]);
        let mut numbers = operands.iter().map(|operand| Written::new(operand));
        let (first, step, last) = match operands.len() {
            1 => (Written::one(), Written::one(), numbers.next()??),
            2 => (numbers.next()??, Written::one(), numbers.next()??),
            3 => (numbers.next()??, numbers.next()??, numbers.next()??),
            _ => return None,
        };
        let job = Seq::of(&first, &step, &last, separator)?;
        match format {
            Some(_) if equal_width => None,
            Some(format) => job.with_format(format),
            None if equal_width => Some(job.with_equal_width(&first, &last)),
            None => Some(job),
        }
    }

    fn of(first: &Written, step: &Written, last: &Written, separator: &'a [u8]) -> Option<Seq<'a>> {
        let decimals = first.decimals.max(step.decimals);
        let scale = decimals.max(last.decimals);
        let job = Seq {
            first: first.scaled(scale)?,
            step: step.scaled(scale)?,
            last: last.scaled(scale)?,
            scale,
            decimals,
            width: 0,
            before: Vec::new(),
            behind: Vec::new(),
            blanks: false,
            separator,
        };
        let most = MOST_WITH_DECIMALS * 10_i64.pow(u32::try_from(scale).ok()?);
        let small = |number: i64| number.abs() < most;
        // On the way through zero the real one may miss it, and write -0.0.
        let touches_zero = job.first != 0 && (job.first > 0) != (job.last > 0);
        let exact =
            scale == 0 || small(job.first) && small(job.step) && small(job.last) && !touches_zero;
        (job.step != 0 && exact).then_some(job)
    }

    fn with_equal_width(mut self, first: &Written, last: &Written) -> Seq<'a> {
        self.width = first.width_with(self.decimals).max(last.width_with(self.decimals));
        self
    }

    /// `text%03gtext`, of whole numbers: `%g`, `%.0f`, with zeros or blanks in front.
    fn with_format(mut self, format: &[u8]) -> Option<Seq<'a>> {
        let (before, rest) = text_before_field(format)?;
        let zeros = rest.first() == Some(&b'0');
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (width, rest) = rest.split_at(digits);
        let width = width.iter().try_fold(0, |width: usize, digit| {
            Some(width * 10 + usize::from(digit - b'0')).filter(|&width| width < 1000)
        })?;
        let is_general = rest.starts_with(b"g");
        let rest = rest.strip_prefix(b"g").or_else(|| rest.strip_prefix(b".0f"))?;
        let (behind, end) = text_before_end(rest)?;
        let small = |number: i64| number.abs() < 1_000_000;
        let exact = !is_general || small(self.first) && small(self.last);
        if !end || self.scale > 0 || !exact {
            return None;
        }
        (self.width, self.blanks, self.before, self.behind) = (width, !zeros, before, behind);
        Some(self)
    }

    fn count(&self) -> u64 {
        let (first, step, last) =
            (i128::from(self.first), i128::from(self.step), i128::from(self.last));
        let distance = if step > 0 { last - first } else { first - last };
        // Both are below 2^64.
        if distance < 0 { 0 } else { (distance / step.abs()) as u64 + 1 }
    }

    fn write(&self, number: i64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.before);
        let mut digits = [b'0'; 24];
        let mut at = digits.len();
        let mut rest = number.unsigned_abs();
        for _ in self.decimals..self.scale {
            rest /= 10;
        }
        let mut put = |byte: u8| {
            at -= 1;
            digits[at] = byte;
        };
        for _ in 0..self.decimals {
            // Below 10, here and in what follows.
            put(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
        if self.decimals > 0 {
            put(b'.');
        }
        loop {
            put(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let sign = usize::from(number < 0);
        let missing = self.width.saturating_sub(digits.len() - at + sign);
        if self.blanks {
            out.resize(out.len() + missing, b' ');
        }
        if number < 0 {
            out.push(b'-');
        }
        if !self.blanks {
            out.resize(out.len() + missing, b'0');
        }
        out.extend_from_slice(&digits[at..]);
        out.extend_from_slice(&self.behind);
    }

    /// Whether these are unpadded whole numbers that go up by less than ten: then the digits are
    /// counted up in place.
    fn is_plain(&self) -> bool {
        let plain = self.before.is_empty() && self.behind.is_empty() && self.width == 0;
        plain && self.scale == 0 && self.first >= 0 && (1..10).contains(&self.step)
    }
}

/// The text before and after the first `%` that is not doubled.
fn text_before_field(format: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut text = Vec::new();
    let mut at = 0;
    loop {
        match (format.get(at)?, format.get(at + 1)) {
            (b'%', Some(b'%')) => {
                text.push(b'%');
                at += 2;
            }
            (b'%', _) => return Some((text, &format[at + 1..])),
            (&byte, _) => {
                text.push(byte);
                at += 1;
            }
        }
    }
}

/// A text in which `%%` is `%`, and whether no other `%` is in it.
fn text_before_end(rest: &[u8]) -> Option<(Vec<u8>, bool)> {
    text_before_field(&[rest, b"%."].concat()).map(|(text, end)| (text, end == b"."))
}

impl ToolJob for Seq<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        match self.count() {
            0 => {}
            count if self.is_plain() => count_up(self, count, io.output)?,
            count => {
                let mut out = Vec::new();
                let mut number = self.first;
                self.write(number, &mut out);
                for _ in 1..count {
                    out.extend_from_slice(self.separator);
                    number += self.step;
                    self.write(number, &mut out);
                    hand_over(&mut out, io.output)?;
                }
                out.push(b'\n');
                io.output.write(&out)?;
            }
        }
        Ok(0)
    }
}

fn count_up(job: &Seq<'_>, count: u64, output: &mut dyn Output) -> ToolResult {
    let mut digits = [b'0'; 24];
    let mut start = digits.len();
    let mut first = Vec::new();
    job.write(job.first, &mut first);
    start -= first.len();
    digits[start..].copy_from_slice(&first);
    // Below 10.
    let step = job.step as u8;
    let mut out = Vec::with_capacity(first.len() * 2);
    out.extend_from_slice(&first);
    for _ in 1..count {
        let mut at = digits.len() - 1;
        digits[at] += step;
        while digits[at] > b'9' {
            digits[at] -= 10;
            at -= 1;
            digits[at] += 1;
        }
        start = start.min(at);
        out.extend_from_slice(job.separator);
        out.extend_from_slice(&digits[start..]);
        hand_over(&mut out, output)?;
    }
    out.push(b'\n');
    output.write(&out)
}

#[cfg(test)]
mod tests;
