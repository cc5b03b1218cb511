//! The language of `test`: POSIX's by the number of arguments, and what the shells make of the
//! rest.

use super::{Difference, World, is_file_test};
use crate::Dialect;
use crate::dialect::{BinaryTests, Conditions, LeftOver, NotANumber};

/// `[`'s arguments without the `]` at the end.
///
/// # Errors
/// What the shell says behind `[: ` if there is none.
pub fn bracket<T: AsRef<[u8]>>(arguments: &[T], dialect: Dialect) -> Result<&[T], Vec<u8>> {
    match arguments.split_last() {
        Some((last, rest)) if last.as_ref() == b"]" => Ok(rest),
        _ => Err(dialect.profile().conditions.no_bracket.into()),
    }
}

/// The value of `test`'s arguments.
///
/// # Errors
/// What the shell says behind `test: ` (or `[: `); the status is then 2.
pub fn evaluate<T, W>(arguments: &[T], world: &mut W) -> Result<bool, Vec<u8>>
where
    T: AsRef<[u8]>,
    W: World,
{
    let dialect = world.dialect();
    let rules = &dialect.profile().conditions;
    let mut test = Test { words: arguments, at: 0, depth: 0, dialect, rules, world };
    test.by_number(0, arguments.len())
}

struct Test<'a, T, W> {
    words: &'a [T],
    at: usize,
    depth: u32,
    dialect: Dialect,
    rules: &'static Conditions,
    world: &'a mut W,
}

/// What stands between two operands.
#[derive(Clone, Copy)]
enum Binary {
    Text { wanted: bool },
    Before,
    After,
    Number(fn(&i64, &i64) -> bool),
    Files(Difference),
}

type Answer = Result<bool, Vec<u8>>;

impl<'a, T: AsRef<[u8]>, W: World> Test<'a, T, W> {
    fn word(&self, at: usize) -> &'a [u8] {
        let words: &'a [T] = self.words;
        words[at].as_ref()
    }

    /// The words from `from` to `to`, as POSIX has it for up to four.
    fn by_number(&mut self, from: usize, to: usize) -> Answer {
        let word = |this: &Self, at: usize| this.word(from + at);
        match to - from {
            0 => Ok(false),
            1 => Ok(!word(self, 0).is_empty()),
            2 => self.two(from),
            3 => {
                if let Some(binary) = self.binary_operator(word(self, 1)) {
                    return self.binary(word(self, 0), binary, word(self, 2));
                }
                let (left, right) = (!word(self, 0).is_empty(), !word(self, 2).is_empty());
                let binary_only = self.rules.binary_tests == BinaryTests::WithAndOr;
                match (word(self, 0), word(self, 1), word(self, 2)) {
                    (_, b"-a", _) if binary_only => Ok(left && right),
                    (_, b"-o", _) if binary_only => Ok(left || right),
                    (b"!", _, _) => Ok(!self.by_number(from + 1, to)?),
                    (b"(", inside, b")") => Ok(!inside.is_empty()),
                    (_, operator, _) if binary_only => {
                        Err([operator, b": binary operator expected"].concat())
                    }
                    _ => self.whole(from, to),
                }
            }
            4 if word(self, 0) == b"!" => Ok(!self.by_number(from + 1, to)?),
            4 if word(self, 0) == b"(" && word(self, 3) == b")" => self.by_number(from + 1, to - 1),
            _ => self.whole(from, to),
        }
    }

    fn two(&mut self, from: usize) -> Answer {
        let (first, second) = (self.word(from), self.word(from + 1));
        if first == b"!" {
            return Ok(second.is_empty());
        }
        if let Some(letter) = self.unary_operator(first) {
            return self.unary(letter, second);
        }
        match (self.rules.no_unary_operator)(first) {
            Some(message) => Err(message),
            None => self.whole(from, from + 2),
        }
    }

    /// Any number of words.
    fn whole(&mut self, from: usize, to: usize) -> Answer {
        self.at = from;
        let value = self.or(to)?;
        if self.at == to {
            return Ok(value);
        }
        match self.rules.left_over {
            LeftOver::TooManyArguments => Err(match self.word(self.at) {
                word @ [b'-', ..] if self.is_operator(word) => {
                    [b"syntax error: `", word, b"' unexpected"].concat()
                }
                _ => b"too many arguments".to_vec(),
            }),
            LeftOver::UnexpectedOperator => Err(self.unexpected(self.at.saturating_sub(1))),
            LeftOver::UnknownOperator => match self.word(self.at) {
                b")" => Err(b"argument expected".to_vec()),
                operator if to - self.at > 1 => Err([operator, b": unknown operator"].concat()),
                _ => Ok(value),
            },
        }
    }

    fn is_operator(&self, word: &[u8]) -> bool {
        word.len() == 2 || self.binary_operator(word).is_some()
    }

    fn unexpected(&self, at: usize) -> Vec<u8> {
        match self.word(at) {
            b"" => b"unexpected operator".to_vec(),
            word => [word, b": unexpected operator"].concat(),
        }
    }

    fn or(&mut self, to: usize) -> Answer {
        let mut value = self.and(to)?;
        while self.at < to && self.word(self.at) == b"-o" {
            self.at += 1;
            value |= self.and(to)?;
        }
        Ok(value)
    }

    fn and(&mut self, to: usize) -> Answer {
        let mut value = self.term(to)?;
        while self.at < to && self.word(self.at) == b"-a" {
            self.at += 1;
            value &= self.term(to)?;
        }
        Ok(value)
    }

    fn term(&mut self, to: usize) -> Answer {
        crate::stack::with_room(|| self.term_on_stack(to))
    }

    fn term_on_stack(&mut self, to: usize) -> Answer {
        if self.at >= to {
            return Err(match self.rules.no_operand {
                Some(message) => message.into(),
                None => self.unexpected(to - 1),
            });
        }
        let first = self.word(self.at);
        let left = to - self.at;
        if self.rules.prefix_comes_first && matches!(first, b"!" | b"(") {
            return self.deeper(first, to);
        }
        if left >= 3 {
            // An operator in the middle counts most: `! = a`, `( = b`.
            if let Some(binary) = self.binary_operator(self.word(self.at + 1)) {
                self.at += 3;
                return self.binary(first, binary, self.word(self.at - 1));
            }
        }
        if left > 1 && matches!(first, b"!" | b"(") {
            return self.deeper(first, to);
        }
        if left >= 2
            && let Some(letter) = self.unary_operator(first)
        {
            self.at += 2;
            return self.unary(letter, self.word(self.at - 1));
        }
        self.at += 1;
        Ok(!first.is_empty())
    }

    fn deeper(&mut self, first: &[u8], to: usize) -> Answer {
        self.at += 1;
        self.depth += 1;
        if self.depth > 1000 {
            return Err(b"too many arguments".to_vec());
        }
        let value = match first {
            b"!" => !self.term(to)?,
            _ => {
                let value = self.or(to)?;
                if self.at >= to || self.word(self.at) != b")" {
                    let instead = (self.at < to).then(|| self.word(self.at));
                    return Err((self.rules.no_parenthesis)(instead));
                }
                self.at += 1;
                value
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    /// The letter, if the word is a unary operator.
    fn unary_operator(&self, word: &[u8]) -> Option<u8> {
        let [b'-', letter] = *word else {
            return None;
        };
        let known = is_file_test(letter, self.dialect)
            || matches!(letter, b'n' | b'z' | b't')
            || (self.rules.more_operators && matches!(letter, b'v' | b'R' | b'o'));
        known.then_some(letter)
    }

    fn unary(&mut self, letter: u8, word: &[u8]) -> Answer {
        Ok(match letter {
            b'n' => !word.is_empty(),
            b'z' => word.is_empty(),
            b'v' => self.world.set(word),
            b'R' => self.world.reference(word),
            b'o' => self.world.option(word),
            b't' => {
                let number = match plain_number(word) {
                    Some(number) => number,
                    None if self.rules.terminal_needs_a_number => self.number(word)?,
                    None => return Ok(false),
                };
                u32::try_from(number).is_ok_and(|number| self.world.terminal(number))
            }
            letter => self.world.file(letter, word),
        })
    }

    fn binary_operator(&self, word: &[u8]) -> Option<Binary> {
        Some(match word {
            b"=" => Binary::Text { wanted: true },
            b"==" if self.rules.more_operators => Binary::Text { wanted: true },
            b"!=" => Binary::Text { wanted: false },
            b"<" => Binary::Before,
            b">" => Binary::After,
            b"-eq" => Binary::Number(i64::eq),
            b"-ne" => Binary::Number(i64::ne),
            b"-lt" => Binary::Number(i64::lt),
            b"-le" => Binary::Number(i64::le),
            b"-gt" => Binary::Number(i64::gt),
            b"-ge" => Binary::Number(i64::ge),
            b"-nt" => Binary::Files(Difference::Newer),
            b"-ot" => Binary::Files(Difference::Older),
            b"-ef" => Binary::Files(Difference::Same),
            _ => return None,
        })
    }

    fn binary(&mut self, left: &[u8], operator: Binary, right: &[u8]) -> Answer {
        Ok(match operator {
            Binary::Text { wanted } => (left == right) == wanted,
            Binary::Before => left < right,
            Binary::After => left > right,
            Binary::Number(compare) => {
                let left = self.number(left)?;
                compare(&left, &self.number(right)?)
            }
            Binary::Files(how) => self.world.files(left, how, right),
        })
    }

    fn number(&mut self, word: &[u8]) -> Result<i64, Vec<u8>> {
        match (plain_number(word), self.rules.not_a_number) {
            (Some(number), _) => Ok(number),
            (None, NotANumber::Arithmetic) => self.world.arithmetic(word),
            (None, NotANumber::Error(message)) => Err(message.of(word)),
        }
    }
}

/// Decimal digits with a sign and white space around, and nothing else.
fn plain_number(word: &[u8]) -> Option<i64> {
    let trimmed = word.trim_ascii();
    let digits = trimmed.strip_prefix(b"-").or(trimmed.strip_prefix(b"+")).unwrap_or(trimmed);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(trimmed).ok()?.parse().ok()
}
