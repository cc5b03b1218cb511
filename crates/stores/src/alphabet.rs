//! Where keys lie between two others: keys as numbers whose digits are the characters that were
//! observed in them.
//!
//! All of it only says where a split is likely to be worth it. Whatever it answers, the two parts of
//! a split range have no key in common and leave none out.

use std::collections::BTreeSet;

/// So many characters behind the part that two keys have in common are compared.
const PRECISION: usize = 6;

/// The characters of a split key behind the first that differs.
const DETAIL: usize = 2;

/// How many times the width of what was listed a split lies ahead at most.
const REACH: u32 = 32;

/// The characters that were observed in keys, in their order, which is that of their UTF-8.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alphabet {
    known: BTreeSet<char>,
    sorted: Vec<char>,
}

/// A number between 0 and 1: digits of the base that an [`Alphabet`] has, the greatest first.
type Digits = Vec<u32>;

/// The part of a range that was listed, and the part that was not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Explored<'k> {
    /// What all keys begin with.
    pub(crate) prefix: &'k [u8],
    /// The first key that was listed.
    pub(crate) first: &'k [u8],
    /// The last one.
    pub(crate) last: &'k [u8],
    /// The greatest key that the range may have; `None` if there is no bound but the prefix.
    pub(crate) end: Option<&'k [u8]>,
}

impl Alphabet {
    /// Adds the characters of a key.
    pub(crate) fn observe(&mut self, key: &[u8]) {
        let before = self.known.len();
        self.known.extend(String::from_utf8_lossy(key).chars());
        if self.known.len() > before {
            self.sorted = self.known.iter().copied().collect();
        }
    }

    /// One more than there are characters: 0 is the end of a key.
    fn base(&self) -> u32 {
        u32::try_from(self.sorted.len() + 1).unwrap_or(u32::MAX)
    }

    /// How many characters are not greater.
    fn rank(&self, char: char) -> u32 {
        self.sorted.partition_point(|&other| other <= char) as u32
    }

    fn digits(&self, key: &[u8], length: usize) -> Digits {
        let text = String::from_utf8_lossy(key);
        let ranks = text.chars().map(|char| self.rank(char));
        ranks.chain(std::iter::repeat(0)).take(length).collect()
    }

    /// The end of a range; without a bound the greatest number that begins as the prefix.
    fn end_digits(&self, explored: &Explored<'_>, length: usize) -> Digits {
        let Some(end) = explored.end else {
            let mut digits = self.digits(explored.prefix, length);
            let front = String::from_utf8_lossy(explored.prefix).chars().count().min(length);
            digits[front..].fill(self.base() - 1);
            return digits;
        };
        self.digits(end, length)
    }

    /// How many times as wide as the listed part the other part is.
    pub(crate) fn remaining(&self, explored: &Explored<'_>) -> f64 {
        let length = length(explored);
        let last = self.digits(explored.last, length);
        let listed = self.minus(&last, &self.digits(explored.first, length));
        let rest = self.minus(&self.end_digits(explored, length), &last);
        match (self.scientific(&listed), self.scientific(&rest)) {
            (_, None) => 0.0,
            (None, Some(_)) => f64::INFINITY,
            (Some((listed, deep)), Some((rest, high))) => {
                rest / listed * f64::from(self.base()).powi(deep - high)
            }
        }
    }

    /// A key at which to split what was not listed: in the middle, but not further ahead than what
    /// is known of the listed part allows. `None` if there is none between.
    pub(crate) fn split(&self, explored: &Explored<'_>) -> Option<Vec<u8>> {
        let length = length(explored);
        let last = self.digits(explored.last, length);
        let rest = self.minus(&self.end_digits(explored, length), &last);
        let half = self.halved(&rest);
        let listed = self.minus(&last, &self.digits(explored.first, length));
        let reach = self.times(&listed, REACH);
        let step = match reach {
            Some(reach) if reach < half && reach.iter().any(|&digit| digit > 0) => reach,
            _ => half,
        };
        self.key(&self.plus(&last, &step), explored)
    }

    /// The shortest key of these digits that lies between, and a little more.
    fn key(&self, digits: &Digits, explored: &Explored<'_>) -> Option<Vec<u8>> {
        let chars = digits.iter().map_while(|&digit| {
            self.sorted.get(usize::try_from(digit).ok()?.checked_sub(1)?).copied()
        });
        let chars: Vec<char> = chars.collect();
        let text = |length: usize| chars[..length].iter().collect::<String>().into_bytes();
        let is_between = |key: &[u8]| {
            key > explored.last
                && key.starts_with(explored.prefix)
                && explored.end.is_none_or(|end| key < end)
        };
        let shortest = (1..=chars.len()).find(|&length| is_between(&text(length)))?;
        let detailed = text((shortest + DETAIL).min(chars.len()));
        Some(detailed).filter(|key| is_between(key)).or_else(|| Some(text(shortest)))
    }

    /// The leading digits as one number, and the position of the first that is not 0.
    fn scientific(&self, digits: &Digits) -> Option<(f64, i32)> {
        let at = digits.iter().position(|&digit| digit > 0)?;
        let base = f64::from(self.base());
        let leading = digits[at..].iter().take(PRECISION).rev();
        let value = leading.fold(0.0, |sum, &digit| sum / base + f64::from(digit));
        Some((value, i32::try_from(at).unwrap_or(i32::MAX)))
    }

    /// The sum; it never exceeds the greatest number, as a step is at most half of what remains.
    fn plus(&self, a: &Digits, b: &Digits) -> Digits {
        let mut sum = a.clone();
        let mut carry = 0;
        for (digit, &more) in sum.iter_mut().zip(b).rev() {
            let value = *digit + more + carry;
            (*digit, carry) = (value % self.base(), value / self.base());
        }
        sum
    }

    /// The difference; 0 if `b` is greater.
    fn minus(&self, a: &Digits, b: &Digits) -> Digits {
        if a <= b {
            return vec![0; a.len()];
        }
        let mut difference = a.clone();
        let mut borrow = 0;
        for (digit, &less) in difference.iter_mut().zip(b).rev() {
            let taken = less + borrow;
            borrow = u32::from(*digit < taken);
            *digit = *digit + borrow * self.base() - taken;
        }
        difference
    }

    /// The product; `None` if it exceeds the greatest number.
    fn times(&self, a: &Digits, factor: u32) -> Option<Digits> {
        let mut product = a.clone();
        let mut carry = 0;
        for digit in product.iter_mut().rev() {
            let value = u64::from(*digit) * u64::from(factor) + carry;
            *digit = (value % u64::from(self.base())) as u32;
            carry = value / u64::from(self.base());
        }
        (carry == 0).then_some(product)
    }

    fn halved(&self, a: &Digits) -> Digits {
        let mut carry = 0;
        a.iter()
            .map(|&digit| {
                let value = digit + carry * self.base();
                carry = value % 2;
                value / 2
            })
            .collect()
    }
}

/// How many digits tell the keys apart.
fn length(explored: &Explored<'_>) -> usize {
    let end = explored.end.unwrap_or(explored.prefix);
    in_common(explored.first, explored.last).max(in_common(explored.last, end)) + PRECISION
}

/// How many bytes two keys have in common: no fewer than characters.
fn in_common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
#[path = "alphabet_tests.rs"]
mod tests;
