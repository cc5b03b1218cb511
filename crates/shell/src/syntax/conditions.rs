//! `[[ … ]]`

use super::cursor::Parser;
use super::error::Result;
use super::tildes;
use super::tree::{Comparison, Kind, Piece, Test, Word};
use super::words::Until;

/// How deep parentheses may be in `[[ ]]`: tests are taken down one inside the other.
const PARENTHESES_LIMIT: u32 = 1_000;

impl Parser<'_> {
    /// Behind `[[`.
    pub(super) fn condition(&mut self) -> Result<Kind> {
        let outside = std::mem::take(&mut self.parentheses);
        let groups_from = std::mem::take(&mut self.groups_from);
        let test = self.either()?;
        self.parentheses = outside;
        self.groups_from = groups_from;
        self.skip_newlines()?;
        self.expect_keyword("]]")?;
        Ok(Kind::Test(test))
    }

    /// `a || b`
    fn either(&mut self) -> Result<Test> {
        let mut tests = vec![self.both()?];
        loop {
            self.skip_newlines()?;
            if !self.eat(b"||") {
                return Ok(balanced(tests, Test::Or));
            }
            tests.push(self.both()?);
        }
    }

    /// `a && b`
    fn both(&mut self) -> Result<Test> {
        let mut tests = vec![self.term()?];
        loop {
            self.skip_newlines()?;
            if !self.eat(b"&&") {
                return Ok(balanced(tests, Test::And));
            }
            tests.push(self.term()?);
        }
    }

    fn term(&mut self) -> Result<Test> {
        let mut negated = false;
        self.skip_newlines()?;
        while self.keyword() == b"!" {
            negated = !negated;
            self.at += 1;
            self.skip_newlines()?;
        }
        let test = if self.byte() == Some(b'(') {
            self.at += 1;
            self.parentheses += 1;
            if self.parentheses > PARENTHESES_LIMIT {
                return Err(self.unsupported("so many parentheses in [[ ]]"));
            }
            let test = self.nested(Self::either)?;
            self.parentheses -= 1;
            self.skip_newlines()?;
            if !self.eat(b")") {
                return Err(self.unexpected(Some(")")));
            }
            test
        } else {
            self.primary()?
        };
        Ok(match (negated, test) {
            (false, test) => test,
            (true, Test::Not(test)) => *test,
            (true, test) => Test::Not(Box::new(test)),
        })
    }

    /// One word, an operator and a word, or a word, an operator and a word.
    fn primary(&mut self) -> Result<Test> {
        let began = self.at;
        if self.keyword() == b"]]" {
            return Err(self.unexpected(None));
        }
        let first = self.expect_word()?;
        self.skip_blanks();
        if let Some(letter) = unary(&self.text[began..self.at]) {
            return Ok(Test::Unary(letter, self.expect_word()?));
        }
        let Some(comparison) = self.comparison() else {
            return if self.at_end_of_test() {
                Ok(Test::Unary(b'n', first))
            } else {
                Err(self.unexpected(None))
            };
        };
        self.skip_blanks();
        let second =
            if comparison == Comparison::Regex { self.regex()? } else { self.expect_word()? };
        Ok(Test::Binary(comparison, first, second))
    }

    fn regex(&mut self) -> Result<Word> {
        let began = self.at;
        let mut word = self.word(Until::Regex)?;
        if self.at == began {
            return Err(self.unexpected(None));
        }
        if self.syntax.left.open_brackets && word.pieces.iter().any(super::words::has_open_bracket)
        {
            return Err(self.unsupported("a bracket that is not closed in an expression"));
        }
        tildes::at_start(&mut word, &self.syntax.words);
        Ok(word)
    }

    fn at_end_of_test(&self) -> bool {
        matches!(self.byte(), None | Some(b')' | b'\n' | b'&' | b'|' | b';'))
            || self.keyword() == b"]]"
    }

    /// The operator that stands here between two words.
    fn comparison(&mut self) -> Option<Comparison> {
        for (text, comparison) in [(b'<', Comparison::Before), (b'>', Comparison::After)] {
            if self.byte() == Some(text) && !self.process_follows() {
                self.at += 1;
                return Some(comparison);
            }
        }
        let rest = self.rest();
        let length = rest.iter().take(4).take_while(|b| !super::cursor::is_meta(**b)).count();
        let comparison = match &rest[..length] {
            b"==" => Comparison::Match,
            b"=" => Comparison::MatchOnce,
            b"!=" => Comparison::NoMatch,
            b"=~" => Comparison::Regex,
            b"-eq" => Comparison::Equal,
            b"-ne" => Comparison::NotEqual,
            b"-lt" => Comparison::Less,
            b"-le" => Comparison::LessEqual,
            b"-gt" => Comparison::Greater,
            b"-ge" => Comparison::GreaterEqual,
            b"-nt" => Comparison::Newer,
            b"-ot" => Comparison::Older,
            b"-ef" => Comparison::Same,
            _ => return None,
        };
        self.at += length;
        Some(comparison)
    }
}

/// The letter of an operator of one word.
fn unary(text: &[u8]) -> Option<u8> {
    let text = text.trim_ascii_end();
    match text {
        [b'-', letter] if b"abcdefghknoprstuvwxzCGHLNORS".contains(letter) => Some(*letter),
        _ => None,
    }
}

/// Joins the tests with an operator that does not care for grouping, so that a long row is not
/// deep.
fn balanced(mut tests: Vec<Test>, join: fn(Box<Test>, Box<Test>) -> Test) -> Test {
    if tests.len() > 1 {
        let right = tests.split_off(tests.len() / 2);
        return join(Box::new(balanced(tests, join)), Box::new(balanced(right, join)));
    }
    tests.pop().unwrap_or(Test::Unary(b'n', Word { pieces: vec![Piece::Quoted(Vec::new())] }))
}
