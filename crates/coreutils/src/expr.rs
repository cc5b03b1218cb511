//! `expr` of ASCII text and 64-bit numbers, without errors.

use std::cmp::Ordering;

use crate::{Io, ToolJob, ToolResult, bre};

/// Prints a value, which follows from the arguments alone.
pub(crate) struct Expr<'a>(Value<'a>);

impl<'a> Expr<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Expr<'a>> {
        let arguments = match arguments {
            [only] if only.starts_with(b"--") => return None,
            [b"--", rest @ ..] => rest,
            all => all,
        };
        // Characters of more than one byte are left to the real one.
        if io.utf8 && !arguments.iter().all(|argument| argument.is_ascii()) {
            return None;
        }
        let mut parser = Parser { rest: arguments, depth: 0 };
        let value = parser.expression(0, true)?;
        parser.rest.is_empty().then_some(Expr(value))
    }
}

impl ToolJob for Expr<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut digits = String::new();
        io.output.write(self.0.text(&mut digits))?;
        io.output.write(b"\n")?;
        Ok(u8::from(self.0.is_null()))
    }
}

#[derive(Clone, Copy)]
enum Value<'a> {
    Number(i64),
    Text(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Whether it is empty or zero.
    fn is_null(self) -> bool {
        match self {
            Value::Number(number) => number == 0,
            Value::Text(b"") => true,
            Value::Text(text) => {
                let digits = text.strip_prefix(b"-").unwrap_or(text);
                !digits.is_empty() && digits.iter().all(|&digit| digit == b'0')
            }
        }
    }

    fn looks_like_number(self) -> bool {
        match self {
            Value::Number(_) => true,
            Value::Text(text) => {
                let digits = text.strip_prefix(b"-").unwrap_or(text);
                !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }
        }
    }

    /// `None` if it is none, or too large.
    fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            Value::Text(text) if self.looks_like_number() => {
                std::str::from_utf8(text).ok()?.parse().ok()
            }
            Value::Text(_) => None,
        }
    }

    /// Compares numbers if both look like one, else bytes. `None` for a number that is too large.
    fn order(self, other: Value<'_>) -> Option<Ordering> {
        if self.looks_like_number() && other.looks_like_number() {
            return Some(self.number()?.cmp(&other.number()?));
        }
        let (mut some, mut more) = (String::new(), String::new());
        Some(self.text(&mut some).cmp(other.text(&mut more)))
    }

    /// Its text; the digits of a number are put into the buffer.
    fn text<'t>(self, digits: &'t mut String) -> &'t [u8]
    where
        'a: 't,
    {
        match self {
            Value::Number(number) => {
                *digits = number.to_string();
                digits.as_bytes()
            }
            Value::Text(text) => text,
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy)]
enum Operator {
    Or,
    And,
    Compare(fn(Ordering) -> bool),
    Calculate(fn(i64, i64) -> Option<i64>),
    Match,
}

/// The operators, each with how tightly it binds.
const OPERATORS: [(&[u8], u8, Operator); 15] = [
    (b"|", 0, Operator::Or),
    (b"&", 1, Operator::And),
    (b"<", 2, Operator::Compare(Ordering::is_lt)),
    (b"<=", 2, Operator::Compare(Ordering::is_le)),
    (b"=", 2, Operator::Compare(Ordering::is_eq)),
    (b"==", 2, Operator::Compare(Ordering::is_eq)),
    (b"!=", 2, Operator::Compare(Ordering::is_ne)),
    (b">=", 2, Operator::Compare(Ordering::is_ge)),
    (b">", 2, Operator::Compare(Ordering::is_gt)),
    (b"+", 3, Operator::Calculate(i64::checked_add)),
    (b"-", 3, Operator::Calculate(i64::checked_sub)),
    (b"*", 4, Operator::Calculate(i64::checked_mul)),
    (b"/", 4, Operator::Calculate(i64::checked_div)),
    (b"%", 4, Operator::Calculate(i64::checked_rem)),
    (b":", 5, Operator::Match),
];

impl Operator {
    /// `None` for an error.
    fn apply<'a>(self, left: Value<'a>, right: Value<'a>) -> Option<Value<'a>> {
        Some(match self {
            Operator::Or if !left.is_null() => left,
            Operator::Or if !right.is_null() => right,
            Operator::And if !left.is_null() && !right.is_null() => left,
            Operator::Or | Operator::And => Value::Number(0),
            Operator::Compare(holds) => Value::Number(holds(left.order(right)?).into()),
            Operator::Calculate(calculate) => {
                Value::Number(calculate(left.number()?, right.number()?)?)
            }
            Operator::Match => matched(left, right)?,
        })
    }
}

/// How deep operands and functions may be nested: so much fits on any stack.
const DEEPEST: usize = 100;

/// Reads arguments from the front. Each method returns `None` for an error. Where `evaluate` is
/// false the value does not matter, and only the syntax is checked.
struct Parser<'a> {
    rest: &'a [&'a [u8]],
    depth: usize,
}

impl<'a> Parser<'a> {
    fn take(&mut self, word: &[u8]) -> bool {
        let found = self.rest.first().is_some_and(|first| *first == word);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    fn take_any(&mut self) -> Option<&'a [u8]> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Operands, and between them operators that bind at least as tightly as `least`.
    fn expression(&mut self, least: u8, evaluate: bool) -> Option<Value<'a>> {
        self.go_deeper()?;
        let mut left = self.function(evaluate)?;
        while let Some(&first) = self.rest.first() {
            let known = OPERATORS.iter().find(|(word, level, _)| *word == first && *level >= least);
            let Some(&(_, level, operator)) = known else { break };
            self.rest = &self.rest[1..];
            let counts = match operator {
                Operator::Or => left.is_null(),
                Operator::And => !left.is_null(),
                _ => true,
            };
            let right = self.expression(level + 1, evaluate && counts)?;
            if evaluate {
                left = operator.apply(left, right)?;
            }
        }
        self.depth -= 1;
        Some(left)
    }

    fn function(&mut self, evaluate: bool) -> Option<Value<'a>> {
        self.go_deeper()?;
        let value = self.function_within(evaluate)?;
        self.depth -= 1;
        Some(value)
    }

    fn go_deeper(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= DEEPEST).then_some(())
    }

    fn function_within(&mut self, evaluate: bool) -> Option<Value<'a>> {
        if self.take(b"+") {
            return self.take_any().map(Value::Text);
        }
        if self.take(b"length") {
            let mut digits = String::new();
            let length = self.function(evaluate)?.text(&mut digits).len();
            return Some(Value::Number(i64::try_from(length).ok()?));
        }
        if self.take(b"match") {
            let (left, right) = (self.function(evaluate)?, self.function(evaluate)?);
            return if evaluate { matched(left, right) } else { Some(left) };
        }
        if self.take(b"index") {
            let (text, bytes) = (self.function(evaluate)?, self.function(evaluate)?);
            let (mut some, mut more) = (String::new(), String::new());
            let (text, bytes) = (text.text(&mut some), bytes.text(&mut more));
            let place = text.iter().position(|byte| bytes.contains(byte));
            let place = place.map_or(0, |place| place + 1);
            return Some(Value::Number(i64::try_from(place).ok()?));
        }
        if self.take(b"substr") {
            let text = self.function(evaluate)?;
            let (start, length) = (self.function(evaluate)?, self.function(evaluate)?);
            return part(text, start, length);
        }
        if self.take(b"(") {
            return self.expression(0, evaluate).filter(|_| self.take(b")"));
        }
        self.take_any().filter(|&word| word != b")").map(Value::Text)
    }
}

/// The text of an argument. A calculated number is not matched or cut up here.
fn as_written(value: Value<'_>) -> Option<&[u8]> {
    match value {
        Value::Text(text) => Some(text),
        Value::Number(_) => None,
    }
}

/// What a text begins with: the first group, or the length of the match. `None` also for a group
/// that took no part in the match.
fn matched<'a>(text: Value<'a>, pattern: Value<'_>) -> Option<Value<'a>> {
    let text = as_written(text)?;
    let pattern = bre::compile(as_written(pattern)?, false)?;
    let found = pattern.captures_from(text, 0).unwrap_or_default();
    let range = found.first().copied().flatten().filter(|(start, _)| *start == 0);
    Some(match (range, found.get(1)) {
        (Some(_), Some(group)) => group.map(|(start, end)| Value::Text(&text[start..end]))?,
        (Some((_, end)), None) => Value::Number(i64::try_from(end).ok()?),
        (None, _) if pattern.groups() > 0 => Value::Text(b""),
        (None, _) => Value::Number(0),
    })
}

fn part<'a>(text: Value<'a>, start: Value<'_>, length: Value<'_>) -> Option<Value<'a>> {
    let text = as_written(text)?;
    if !start.looks_like_number() || !length.looks_like_number() {
        return Some(Value::Text(b""));
    }
    let (start, length) = (start.number()?, length.number()?);
    if start <= 0 || length <= 0 {
        return Some(Value::Text(b""));
    }
    let (start, length) = (usize::try_from(start).ok()? - 1, usize::try_from(length).ok()?);
    let rest = text.get(start..).unwrap_or_default();
    Some(Value::Text(&rest[..length.min(rest.len())]))
}

#[cfg(test)]
mod tests;
