//! `expr`, where nothing is wrong and no number is too long.

use super::{Broken, Lent, Tool};
use crate::Text;
use pattern::Pattern;

mod pattern;

pub(super) const EXPR: Tool =
    Tool { name: "expr", fits: |arguments, lent| result(arguments, lent).is_some(), run };

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(value) = result(arguments, lent) else { return Ok(2) };
    match value {
        Value::Number(number) => lent.output.write(number.to_string().as_bytes())?,
        Value::Text(text) => lent.output.write(text)?,
    }
    lent.output.write(b"\n")?;
    Ok(u8::from(value.is_null()))
}

fn result<'a>(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Value<'a>> {
    let arguments = match arguments {
        [only] if only.starts_with(b"--") => return None,
        [dashes, rest @ ..] if dashes[..] == *b"--" => rest,
        all => all,
    };
    // Characters of more than one byte are left to the real one.
    if lent.utf8 && !arguments.iter().all(|argument| argument.is_ascii()) {
        return None;
    }
    let mut parser = Parser { rest: arguments, depth: 0 };
    let value = parser.either(true)?;
    parser.rest.is_empty().then_some(value)
}

#[derive(Clone, Copy)]
enum Value<'a> {
    Number(i64),
    Text(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Nothing, or a zero.
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

    /// `None` also for one that is too long.
    fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            Value::Text(text) if self.looks_like_number() => {
                std::str::from_utf8(text).ok()?.parse().ok()
            }
            Value::Text(_) => None,
        }
    }

    /// As it would be printed; numbers into the buffer.
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

/// Nobody means more parentheses than these.
const DEEPEST: usize = 100;

/// Takes arguments from the front. Everything is `None` for what is wrong; what does not count any
/// more (`evaluate` is false) is only looked at for its form.
struct Parser<'a> {
    rest: &'a [Text],
    depth: usize,
}

impl<'a> Parser<'a> {
    fn take(&mut self, word: &[u8]) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if first[..] == *word => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn take_one<T: Copy>(&mut self, words: &[(&[u8], T)]) -> Option<T> {
        words.iter().find(|(word, _)| self.take(word)).map(|(_, meaning)| *meaning)
    }

    fn take_any(&mut self) -> Option<&'a [u8]> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn either(&mut self, evaluate: bool) -> Option<Value<'a>> {
        let mut left = self.both(evaluate)?;
        while self.take(b"|") {
            let right = self.both(evaluate && left.is_null())?;
            if left.is_null() {
                left = if right.is_null() { Value::Number(0) } else { right };
            }
        }
        Some(left)
    }

    fn both(&mut self, evaluate: bool) -> Option<Value<'a>> {
        let mut left = self.comparison(evaluate)?;
        while self.take(b"&") {
            let right = self.comparison(evaluate && !left.is_null())?;
            if left.is_null() || right.is_null() {
                left = Value::Number(0);
            }
        }
        Some(left)
    }

    fn comparison(&mut self, evaluate: bool) -> Option<Value<'a>> {
        use std::cmp::Ordering;
        type Holds = fn(Ordering) -> bool;
        const WORDS: [(&[u8], Holds); 7] = [
            (b"<", Ordering::is_lt),
            (b"<=", Ordering::is_le),
            (b"=", Ordering::is_eq),
            (b"==", Ordering::is_eq),
            (b"!=", Ordering::is_ne),
            (b">=", Ordering::is_ge),
            (b">", Ordering::is_gt),
        ];
        let mut left = self.sum(evaluate)?;
        while let Some(holds) = self.take_one(&WORDS) {
            let right = self.sum(evaluate)?;
            let result = evaluate && {
                let order = if left.looks_like_number() && right.looks_like_number() {
                    left.number()?.cmp(&right.number()?)
                } else {
                    let (mut some, mut more) = (String::new(), String::new());
                    left.text(&mut some).cmp(right.text(&mut more))
                };
                holds(order)
            };
            left = Value::Number(i64::from(result));
        }
        Some(left)
    }

    fn sum(&mut self, evaluate: bool) -> Option<Value<'a>> {
        let mut left = self.product(evaluate)?;
        while let Some(add) = self.take_one(&[(&b"+"[..], true), (b"-", false)]) {
            let right = self.product(evaluate)?;
            if evaluate {
                let (some, more) = (left.number()?, right.number()?);
                let sum = if add { some.checked_add(more) } else { some.checked_sub(more) };
                left = Value::Number(sum?);
            }
        }
        Some(left)
    }

    fn product(&mut self, evaluate: bool) -> Option<Value<'a>> {
        type Calculate = fn(i64, i64) -> Option<i64>;
        const WORDS: [(&[u8], Calculate); 3] =
            [(b"*", i64::checked_mul), (b"/", i64::checked_div), (b"%", i64::checked_rem)];
        let mut left = self.matching(evaluate)?;
        while let Some(calculate) = self.take_one(&WORDS) {
            let right = self.matching(evaluate)?;
            if evaluate {
                left = Value::Number(calculate(left.number()?, right.number()?)?);
            }
        }
        Some(left)
    }

    fn matching(&mut self, evaluate: bool) -> Option<Value<'a>> {
        let mut left = self.function(evaluate)?;
        while self.take(b":") {
            let right = self.function(evaluate)?;
            if evaluate {
                left = matched(left, right)?;
            }
        }
        Some(left)
    }

    fn function(&mut self, evaluate: bool) -> Option<Value<'a>> {
        crate::stack::with_room(|| self.function_on_stack(evaluate))
    }

    fn function_on_stack(&mut self, evaluate: bool) -> Option<Value<'a>> {
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
        self.operand(evaluate)
    }

    fn operand(&mut self, evaluate: bool) -> Option<Value<'a>> {
        crate::stack::with_room(|| self.operand_on_stack(evaluate))
    }

    fn operand_on_stack(&mut self, evaluate: bool) -> Option<Value<'a>> {
        if self.take(b"(") {
            self.depth += 1;
            let value = if self.depth > DEEPEST { None } else { self.either(evaluate) };
            self.depth -= 1;
            return value.filter(|_| self.take(b")"));
        }
        self.take_any().filter(|&word| word != b")").map(Value::Text)
    }
}

/// Of a number that was calculated: nobody matches, or takes parts of, these.
fn as_written(value: Value<'_>) -> Option<&[u8]> {
    match value {
        Value::Text(text) => Some(text),
        Value::Number(_) => None,
    }
}

fn matched<'a>(text: Value<'a>, pattern: Value<'_>) -> Option<Value<'a>> {
    let text = as_written(text)?;
    let pattern = Pattern::new(as_written(pattern)?)?;
    let found = pattern.matches(text)?;
    Some(match (found, pattern.has_group()) {
        (Some(found), true) => Value::Text(&text[found.group.0..found.group.1]),
        (Some(found), false) => Value::Number(i64::try_from(found.length).ok()?),
        (None, true) => Value::Text(b""),
        (None, false) => Value::Number(0),
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
