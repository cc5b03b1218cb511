//! Keys as numbers, whose digits are the characters that were observed where keys differ.

/// A number between 0 and 1: digits of the base that an [`Alphabet`] has, the greatest first.
pub(crate) type Digits = Vec<u32>;

/// So many leading digits make a ratio.
const PRECISION: usize = 6;

/// Characters in their order, which is that of their UTF-8.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    sorted: Vec<char>,
}

impl Alphabet {
    /// Characters in their order.
    pub(crate) fn new(characters: impl IntoIterator<Item = char>) -> Alphabet {
        Alphabet { sorted: characters.into_iter().collect() }
    }

    /// One more than there are characters: 0 is the end of a key.
    pub(crate) fn base(&self) -> u32 {
        u32::try_from(self.sorted.len() + 1).unwrap_or(u32::MAX)
    }

    /// The digits of a key behind a number of bytes; a character that was not observed counts as
    /// the one before it.
    pub(crate) fn digits(&self, key: &[u8], from: usize, length: usize) -> Digits {
        let text = String::from_utf8_lossy(key.get(from..).unwrap_or_default());
        let ranks =
            text.chars().map(|char| self.sorted.partition_point(|&other| other <= char) as u32);
        ranks.chain(std::iter::repeat(0)).take(length).collect()
    }

    /// The greatest number of so many digits.
    pub(crate) fn greatest(&self, length: usize) -> Digits {
        vec![self.base() - 1; length]
    }

    /// The characters of the digits up to the first 0.
    pub(crate) fn characters(&self, digits: &Digits) -> Vec<char> {
        let char =
            |&digit: &u32| self.sorted.get(usize::try_from(digit).ok()?.checked_sub(1)?).copied();
        digits.iter().map_while(char).collect()
    }

    /// How many times as great the first number is.
    pub(crate) fn ratio(&self, a: &Digits, b: &Digits) -> f64 {
        match (self.scientific(a), self.scientific(b)) {
            (None, _) => 0.0,
            (Some(_), None) => f64::INFINITY,
            (Some((a, deep)), Some((b, high))) => a / b * f64::from(self.base()).powi(high - deep),
        }
    }

    /// The leading digits as one number, and the position of the first that is not 0.
    fn scientific(&self, digits: &Digits) -> Option<(f64, i32)> {
        let at = digits.iter().position(|&digit| digit > 0)?;
        let base = f64::from(self.base());
        let leading: Vec<u32> = digits[at..].iter().take(PRECISION).copied().collect();
        let value = leading.iter().rev().fold(0.0, |sum, &digit| sum / base + f64::from(digit));
        Some((value, i32::try_from(at).unwrap_or(i32::MAX)))
    }

    /// The sum, without what exceeds the greatest number.
    pub(crate) fn plus(&self, a: &Digits, b: &Digits) -> Digits {
        let mut sum = a.clone();
        let mut carry = 0;
        for (digit, &more) in sum.iter_mut().zip(b).rev() {
            let value = *digit + more + carry;
            (*digit, carry) = (value % self.base(), value / self.base());
        }
        sum
    }

    /// The difference; 0 if `b` is greater.
    pub(crate) fn minus(&self, a: &Digits, b: &Digits) -> Digits {
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

    /// The product, nearly; `None` if it exceeds the greatest number.
    pub(crate) fn scaled(&self, a: &Digits, mut factor: f64) -> Option<Digits> {
        let mut product = a.clone();
        while factor < 1.0 && product.iter().any(|&digit| digit > 0) {
            product = self.halved(&product);
            factor *= 2.0;
        }
        self.times(&product, factor.min(1e9) as u64)
    }

    fn times(&self, a: &Digits, factor: u64) -> Option<Digits> {
        let mut product = a.clone();
        let mut carry = 0;
        for digit in product.iter_mut().rev() {
            let value = u64::from(*digit) * factor + carry;
            *digit = (value % u64::from(self.base())) as u32;
            carry = value / u64::from(self.base());
        }
        (carry == 0).then_some(product)
    }

    /// Half of it, without what is less than the last digit.
    pub(crate) fn halved(&self, a: &Digits) -> Digits {
        let mut carry = 0;
        let half = |&digit: &u32| {
            let value = digit + carry * self.base();
            carry = value % 2;
            value / 2
        };
        a.iter().map(half).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_add_up_in_their_base() {
        let decimal = Alphabet::new('1'..='9');
        assert_eq!(decimal.base(), 10);
        let digits = |text: &str| decimal.digits(text.as_bytes(), 0, 3);
        assert_eq!(digits("27"), [2, 7, 0]);
        assert_eq!(decimal.plus(&digits("275"), &digits("138")), [4, 1, 3]);
        assert_eq!(decimal.minus(&digits("413"), &digits("138")), [2, 7, 5]);
        assert_eq!(decimal.minus(&digits("138"), &digits("413")), [0, 0, 0]);
        assert_eq!(decimal.times(&digits("275"), 3), Some(vec![8, 2, 5]));
        assert_eq!(decimal.times(&digits("275"), 4), None);
        assert_eq!(decimal.scaled(&digits("275"), 0.5), Some(vec![1, 3, 7]));
        assert_eq!(decimal.scaled(&digits("275"), 3.9), Some(vec![8, 2, 5]));
        assert_eq!(decimal.halved(&digits("275")), [1, 3, 7]);
        assert_eq!(decimal.ratio(&digits("6"), &vec![0, 0, 3]), 200.0);
        assert_eq!(decimal.ratio(&digits("6"), &digits("")), f64::INFINITY);
        assert_eq!(decimal.characters(&vec![2, 7, 0, 1]), ['2', '7']);
    }
}
