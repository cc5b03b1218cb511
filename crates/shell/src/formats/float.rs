//! Floating-point numbers as C's `long double` and `double` have them, read and written exactly.
//!
//! bash and ksh count with the 64 bits of the x86's long double, which Rust has no type for. A
//! number is a mantissa and a power of two here; its decimal digits are worked out in full, and
//! rounded once.

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    /// Below zero, or minus zero.
    pub negative: bool,
    /// Its size.
    pub size: Size,
}

/// How large a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The mantissa times two to the exponent; the mantissa's highest bit is set, or it is 0.
    Finite(u64, i32),
    /// `inf`
    Infinite,
    /// `nan`
    NotANumber,
}

/// Which of C's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 53 bits: dash.
    Double,
    /// 64 bits: bash, ksh.
    Long,
}

impl Precision {
    fn bits(self) -> u32 {
        match self {
            Precision::Double => 53,
            Precision::Long => 64,
        }
    }

    /// The largest and the smallest power of two that a number may begin with.
    fn range(self) -> (i64, i64) {
        match self {
            Precision::Double => (1023, -1074),
            Precision::Long => (16_383, -16_445),
        }
    }
}

/// What reading a number came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The number, 0 if there is none.
    pub value: Float,
    /// How many bytes of the text it took.
    pub length: usize,
    /// Whether it was too large, or too small to be told from 0.
    pub out_of_range: bool,
}

/// Reads the number at the start of a text, as `strtold` does: white space, a sign, decimal or
/// (behind `0x`) hexadecimal digits, `inf`, `nan`.
pub fn read(text: &[u8], precision: Precision) -> Read {
    let white = text.iter().take_while(|b| matches!(b, b' ' | 9..=13)).count();
    let (negative, signed) = match text.get(white) {
        Some(b'-') => (true, white + 1),
        Some(b'+') => (false, white + 1),
        _ => (false, white),
    };
    let rest = &text[signed..];
    let lower: Vec<u8> = rest.iter().take(8).map(u8::to_ascii_lowercase).collect();
    let word = |size, length: usize| Read {
        value: Float { negative, size },
        length: signed + length,
        out_of_range: false,
    };
    if lower == b"infinity" {
        return word(Size::Infinite, 8);
    }
    if lower.starts_with(b"inf") {
        return word(Size::Infinite, 3);
    }
    if lower.starts_with(b"nan") {
        let inside = rest[3..].strip_prefix(b"(").unwrap_or(b"");
        let letters =
            inside.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let closed = inside.get(letters) == Some(&b')');
        return word(Size::NotANumber, if closed { 3 + letters + 2 } else { 3 });
    }
    let hexadecimal = lower.starts_with(b"0x")
        && match rest.get(2) {
            Some(b'.') => rest.get(3).is_some_and(u8::is_ascii_hexdigit),
            digit => digit.is_some_and(u8::is_ascii_hexdigit),
        };
    let digits = match hexadecimal {
        true => Digits::read(&rest[2..], 16),
        false => Digits::read(rest, 10),
    };
    let Some(digits) = digits else {
        return Read { length: 0, ..word(Size::Finite(0, 0), 0) };
    };
    let length = digits.length + if hexadecimal { 2 } else { 0 };
    let (size, out_of_range) = digits.size(precision);
    Read { out_of_range, ..word(size, length) }
}

/// The digits of a number as they are written.
struct Digits {
    base: u32,
    value: Big,
    /// Something that was left out behind, not 0.
    more: bool,
    /// What to multiply with: the base (2 if it is 16) to this power.
    power: i64,
    length: usize,
}

/// No number has more digits that count.
const DIGITS: usize = 12_000;

impl Digits {
    fn read(text: &[u8], base: u32) -> Option<Digits> {
        let mut digits = Digits { base, value: Big::default(), more: false, power: 0, length: 0 };
        let (mut at, mut point, mut count, mut kept) = (0, false, 0, 0);
        while let Some(&byte) = text.get(at) {
            if byte == b'.' && !point {
                point = true;
            } else if let Some(digit) = char::from(byte).to_digit(base) {
                count += 1;
                if kept < DIGITS {
                    digits.value.multiply_add(base, digit);
                    kept += usize::from(kept > 0 || digit > 0);
                    digits.power -= i64::from(point);
                } else {
                    digits.more |= digit > 0;
                    digits.power += i64::from(!point);
                }
            } else {
                break;
            }
            at += 1;
        }
        if count == 0 {
            return None;
        }
        if base == 16 {
            digits.power *= 4;
        }
        let marks: &[u8] = if base == 16 { b"pP" } else { b"eE" };
        digits.length = at;
        if text.get(at).is_some_and(|byte| marks.contains(byte)) {
            digits.exponent(&text[at + 1..], at + 1);
        }
        Some(digits)
    }

    fn exponent(&mut self, text: &[u8], start: usize) {
        let (negative, signed) = match text.first() {
            Some(b'-') => (true, 1),
            Some(b'+') => (false, 1),
            _ => (false, 0),
        };
        let digits = text[signed..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return;
        }
        let value = text[signed..signed + digits]
            .iter()
            .fold(0i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1_000_000));
        self.power += if negative { -value } else { value };
        self.length = start + signed + digits;
    }

    /// The nearest number, and whether it was out of range.
    fn size(mut self, precision: Precision) -> (Size, bool) {
        if self.value.is_zero() {
            return (Size::Finite(0, 0), false);
        }
        if self.power > 30_000 || self.power < -60_000 {
            let size = if self.power > 0 { Size::Infinite } else { Size::Finite(0, 0) };
            return (size, true);
        }
        let mut exponent = 0i64;
        if self.base == 16 {
            exponent = self.power;
        } else if self.power >= 0 {
            self.value.multiply_power_of_5(self.power as u32);
            exponent = self.power;
        } else {
            // Enough bits that the quotient has more than are kept.
            let wanted = 80 + (-self.power) as u32 * 7 / 3;
            let shift = wanted.saturating_sub(self.value.bits()).max(8);
            self.value.shift_left(shift);
            exponent += self.power - i64::from(shift);
            self.more |= self.value.divide_power_of_5((-self.power) as u32);
        }
        self.rounded(exponent, precision)
    }

    /// The value times two to the exponent, to the nearest number there is, the even one of two.
    fn rounded(&self, exponent: i64, precision: Precision) -> (Size, bool) {
        let bits = i64::from(self.value.bits());
        let (largest, smallest) = precision.range();
        let leading = exponent + bits - 1;
        // Near 0 there are fewer bits.
        let kept = i64::from(precision.bits()).min(leading - smallest + 1);
        if kept < 0 {
            return (Size::Finite(0, 0), true);
        }
        let dropped = bits - kept;
        let mut mantissa = match dropped > 0 {
            true => self.value.bits_from(dropped as u32),
            false => self.value.bits_from(0) << (-dropped).min(63),
        };
        let mut exponent = exponent + dropped;
        if dropped > 0 {
            let half = self.value.bit(dropped as u32 - 1);
            let below = self.more || self.value.any_below(dropped as u32 - 1);
            if half && (below || mantissa & 1 == 1) {
                let (more, carried) = mantissa.overflowing_add(1);
                mantissa = more;
                if carried {
                    mantissa = 1 << 63;
                    exponent += 1;
                }
            }
        }
        if mantissa == 0 {
            return (Size::Finite(0, 0), true);
        }
        let up = mantissa.leading_zeros();
        let (mantissa, exponent) = (mantissa << up, exponent - i64::from(up));
        if exponent + 63 > largest {
            return (Size::Infinite, true);
        }
        let tiny = kept < i64::from(precision.bits());
        (Size::Finite(mantissa, exponent as i32), tiny && (dropped > 0 || self.more))
    }
}

/// A natural number of any size, the lowest 32 bits first.
#[derive(Clone, Debug, Default)]
struct Big(Vec<u32>);

impl Big {
    fn from(value: u64) -> Big {
        let mut big = Big(vec![value as u32, (value >> 32) as u32]);
        big.trim();
        big
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| self.0.len() as u32 * 32 - top.leading_zeros())
    }

    fn bit(&self, at: u32) -> bool {
        self.0.get(at as usize / 32).is_some_and(|word| word >> (at % 32) & 1 == 1)
    }

    fn any_below(&self, at: u32) -> bool {
        let words = at as usize / 32;
        self.0.iter().take(words).any(|word| *word != 0)
            || (self.0.get(words).copied().unwrap_or(0) & ((1u64 << (at % 32)) - 1) as u32) != 0
    }

    /// The 64 bits from this one up.
    fn bits_from(&self, at: u32) -> u64 {
        let word = |index: usize| u128::from(self.0.get(index).copied().unwrap_or(0));
        let first = at as usize / 32;
        let three = word(first) | word(first + 1) << 32 | word(first + 2) << 64;
        (three >> (at % 32)) as u64
    }

    fn multiply_add(&mut self, by: u32, add: u32) {
        let mut carry = u64::from(add);
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(by) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// The remainder.
    fn divide(&mut self, by: u32) -> u32 {
        let mut rest = 0u64;
        for word in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*word);
            *word = (value / u64::from(by)) as u32;
            rest = value % u64::from(by);
        }
        self.trim();
        rest as u32
    }

    fn multiply_power_of_5(&mut self, power: u32) {
        for _ in 0..power / 13 {
            self.multiply_add(5u32.pow(13), 0);
        }
        self.multiply_add(5u32.pow(power % 13), 0);
    }

    /// Whether something was left over.
    fn divide_power_of_5(&mut self, power: u32) -> bool {
        let mut left = false;
        for _ in 0..power / 13 {
            left |= self.divide(5u32.pow(13)) != 0;
        }
        left | (self.divide(5u32.pow(power % 13)) != 0)
    }

    fn shift_left(&mut self, bits: u32) {
        if !bits.is_multiple_of(32) {
            self.multiply_add(1 << (bits % 32), 0);
        }
        let words = bits as usize / 32;
        self.0.splice(0..0, std::iter::repeat_n(0, words));
    }

    /// Its decimal digits, none if it is 0.
    fn decimal(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.is_zero() {
            let mut nine = self.divide(1_000_000_000);
            for _ in 0..9 {
                digits.push(b'0' + (nine % 10) as u8);
                nine /= 10;
            }
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}

/// The decimal digits of a number: `0.d₁d₂d₃…` times ten to `point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn new(mantissa: u64, exponent: i32) -> Decimal {
        if mantissa == 0 {
            return Decimal { digits: Vec::new(), point: 1 };
        }
        let zeros = mantissa.trailing_zeros();
        let mut big = Big::from(mantissa >> zeros);
        let exponent = exponent + zeros as i32;
        let behind = if exponent >= 0 {
            big.shift_left(exponent as u32);
            0
        } else {
            big.multiply_power_of_5(exponent.unsigned_abs());
            i64::from(-exponent)
        };
        let digits = big.decimal();
        let point = digits.len() as i64 - behind;
        Decimal { digits, point }
    }

    /// Rounded to so many digits, which may be less than one; exactly half goes to the even
    /// digit, or up if `half_up`.
    fn round(&mut self, keep: i64, half_up: bool) {
        if keep >= self.digits.len() as i64 {
            return;
        }
        if keep < 0 {
            self.digits.clear();
            return;
        }
        let keep = keep as usize;
        let next = self.digits[keep];
        let exact = self.digits[keep + 1..].iter().all(|digit| *digit == b'0');
        let odd = keep > 0 && self.digits[keep - 1] % 2 == 1;
        let up = next > b'5' || (next == b'5' && (!exact || odd || half_up));
        self.digits.truncate(keep);
        if !up {
            return;
        }
        while let Some(last) = self.digits.last_mut() {
            if *last < b'9' {
                *last += 1;
                return;
            }
            self.digits.pop();
        }
        self.digits.push(b'1');
        self.point += 1;
    }

    /// The digit at a place behind (or, negative, before) the point.
    fn at(&self, place: i64) -> u8 {
        usize::try_from(self.point + place)
            .ok()
            .and_then(|index| self.digits.get(index).copied())
            .unwrap_or(b'0')
    }
}

/// How a number is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// One of `fFeEgGaA`.
    pub letter: u8,
    /// How many digits, if it is said.
    pub precision: Option<usize>,
    /// `#`
    pub alternate: bool,
    /// Which type the number is of.
    pub kind: Precision,
    /// Exactly half is rounded up, as ksh does, not to even.
    pub half_up: bool,
}

/// The number without its sign.
pub fn write(size: Size, style: Style) -> Vec<u8> {
    let mut out = match size {
        Size::Infinite => b"inf".to_vec(),
        Size::NotANumber => b"nan".to_vec(),
        Size::Finite(mantissa, exponent) => match style.letter.to_ascii_lowercase() {
            b'a' => hexadecimal(mantissa, exponent, style),
            b'e' => {
                scientific(Decimal::new(mantissa, exponent), style.precision.unwrap_or(6), style)
            }
            b'g' => general(Decimal::new(mantissa, exponent), style),
            _ => fixed(Decimal::new(mantissa, exponent), style.precision.unwrap_or(6), style),
        },
    };
    if style.letter.is_ascii_uppercase() {
        out.make_ascii_uppercase();
    }
    out
}

fn fixed(mut number: Decimal, precision: usize, style: Style) -> Vec<u8> {
    number.round(number.point + precision as i64, style.half_up);
    let mut out = Vec::new();
    for place in -number.point.max(1)..0 {
        out.push(number.at(place));
    }
    if precision > 0 || style.alternate {
        out.push(b'.');
    }
    out.extend((0..precision).map(|place| number.at(place as i64)));
    out
}

fn scientific(mut number: Decimal, precision: usize, style: Style) -> Vec<u8> {
    number.round(precision as i64 + 1, style.half_up);
    let first = -number.point;
    let mut out = vec![number.at(first)];
    if precision > 0 || style.alternate {
        out.push(b'.');
    }
    out.extend((1..=precision).map(|place| number.at(first + place as i64)));
    let exponent = number.point - 1;
    let sign = if exponent < 0 { '-' } else { '+' };
    out.extend_from_slice(format!("e{sign}{:02}", exponent.abs()).as_bytes());
    out
}

fn general(mut number: Decimal, style: Style) -> Vec<u8> {
    let precision = style.precision.unwrap_or(6).max(1);
    number.round(precision as i64, style.half_up);
    let exponent = number.point - 1;
    let is_fixed = exponent >= -4 && exponent < precision as i64;
    let mut out = match is_fixed {
        true => fixed(number, (precision as i64 - 1 - exponent) as usize, style),
        false => scientific(number, precision - 1, style),
    };
    if style.alternate {
        return out;
    }
    let end = out.iter().position(|byte| *byte == b'e').unwrap_or(out.len());
    if out[..end].contains(&b'.') {
        let zeros = out[..end].iter().rev().take_while(|byte| **byte == b'0').count();
        let point = usize::from(out[end - zeros - 1] == b'.');
        out.drain(end - zeros - point..end);
    }
    out
}

/// `0x1.8p+0`; a long double has four bits before the point, as the C library writes it.
fn hexadecimal(mantissa: u64, exponent: i32, style: Style) -> Vec<u8> {
    // What is too small for a one in front has the smallest power, and zeros.
    let (before, smallest) = match style.kind {
        Precision::Double => (1, -1022),
        Precision::Long => (4, -16_385),
    };
    // As many digits behind the point as there are bits.
    let behind = (style.kind.bits() - before).div_ceil(4) as usize;
    let mut value = u128::from(mantissa) << 64;
    let mut all_digits_up = false;
    let mut power = if mantissa == 0 { 0 } else { exponent + 64 - before as i32 };
    if power < smallest {
        value >>= smallest.abs_diff(power).min(127);
        power = smallest;
    }
    if let Some(precision) = style.precision.filter(|precision| *precision < behind) {
        let unit = 1u128 << (128 - before as usize - 4 * precision);
        let (rest, odd) = (value % unit, value / unit % 2 == 1);
        value -= rest;
        if rest > unit / 2 || (rest == unit / 2 && (odd || style.half_up)) {
            let (more, carried) = value.overflowing_add(unit);
            value = more;
            all_digits_up = carried;
        }
    }
    let mut lead = value >> (128 - before);
    if all_digits_up {
        // One more digit before the point: the C library keeps that of a double as it is.
        (lead, power) = match style.kind {
            Precision::Double => (2, power),
            Precision::Long => (1, power + 4),
        };
    }
    let mut digits: Vec<u8> = Vec::new();
    let mut rest = value << before;
    for _ in 0..behind {
        digits.push(b"0123456789abcdef"[(rest >> 124) as usize]);
        rest <<= 4;
    }
    match style.precision {
        Some(precision) => digits.resize(precision, b'0'),
        None => {
            while digits.last() == Some(&b'0') {
                digits.pop();
            }
        }
    }
    let mut out = format!("0x{lead:x}").into_bytes();
    if !digits.is_empty() || style.alternate {
        out.push(b'.');
    }
    out.extend_from_slice(&digits);
    out.extend_from_slice(format!("p{power:+}").as_bytes());
    out
}
