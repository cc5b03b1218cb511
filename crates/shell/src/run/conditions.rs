//! `[[ … ]]`

use std::rc::Rc;

use super::{Flow, Shell};
use crate::Text;
use crate::conditions::{self, Difference, World};
use crate::pattern::regex::Regex;
use crate::program::{KeptRegex, Part, PatternWord, Test, Word};
use crate::syntax::tree::Comparison;

impl Shell {
    /// Whether it holds; none if that cannot be said (an error was told).
    pub(crate) fn test(&mut self, test: &Test) -> Flow<Option<bool>> {
        Ok(Some(match test {
            Test::Not(test) => {
                let group = matches!(**test, Test::Not(_) | Test::And(..) | Test::Or(..));
                self.tracing.negated = self.options.trace() && !group;
                match crate::stack::with_room(|| self.test(test))? {
                    Some(held) => !held,
                    None => return Ok(None),
                }
            }
            Test::And(first, second) => match crate::stack::with_room(|| self.test(first))? {
                Some(true) => return self.test(second),
                other => return Ok(other),
            },
            Test::Or(first, second) => match crate::stack::with_room(|| self.test(first))? {
                Some(false) => return self.test(second),
                other => return Ok(other),
            },
            Test::Unary(letter, word) => {
                let text = self.expand_whole(word)?;
                self.trace_unary(*letter, &text);
                return self.unary_test(*letter, &text).map(Some);
            }
            Test::Match { how, text, pattern, shown } => {
                let text = self.expand_whole(text)?;
                return self.match_test(&text, pattern, *how, shown.as_ref()).map(Some);
            }
            Test::Regex { text, pattern, last } => {
                let text = self.expand_whole(text)?;
                let regex = self.regex_of(pattern, last)?;
                let Some(regex) = regex else {
                    return Ok(self.profile.failures.bad_regex_is_false.then_some(false));
                };
                if self.options.trace() {
                    let shown = last.borrow().as_ref().map(|last| last.text.clone());
                    self.trace_test(&text, b"=~", &shown.unwrap_or_default());
                }
                self.matches_regex(&regex, &text)
            }
            Test::Numbers(how, left, right) => {
                if self.options.trace() {
                    let (left, right) = (self.text_for_trace(left), self.text_for_trace(right));
                    self.trace_test(&left, sign(*how), &right);
                }
                let Some(left) = self.evaluate_command(b"[[", left)? else {
                    return Ok(Some(false));
                };
                let Some(right) = self.evaluate_command(b"[[", right)? else {
                    return Ok(Some(false));
                };
                match how {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Greater => left > right,
                    _ => left >= right,
                }
            }
            Test::Words(how, left, right) => {
                let (left, right) = (self.expand_whole(left)?, self.expand_whole(right)?);
                self.trace_test(&left, sign(*how), &right);
                match how {
                    Comparison::Before => left < right,
                    Comparison::After => left > right,
                    Comparison::Newer => self.compare_files(&left, Difference::Newer, &right),
                    Comparison::Older => self.compare_files(&left, Difference::Older, &right),
                    _ => self.compare_files(&left, Difference::Same, &right),
                }
            }
        }))
    }

    /// `[[ text == pattern ]]`
    fn match_test(
        &mut self,
        text: &[u8],
        pattern: &PatternWord,
        how: Comparison,
        constant: Option<&Text>,
    ) -> Flow<bool> {
        let negated = how == Comparison::NoMatch;
        if self.options.trace() {
            let rules = &self.profile.values.patterns;
            let quoted = match &pattern.word {
                Word::Parts { parts, .. } if rules.trace_escapes_quoted_value => match &**parts {
                    [Part::Value(_, true)] => self.plain_text(&pattern.word),
                    _ => None,
                },
                _ => None,
            };
            let shown = match (&pattern.word, constant) {
                (_, Some(text)) => text.to_vec(),
                _ if quoted.is_some() => {
                    crate::formats::quote::all_escaped(&quoted.unwrap_or_default())
                }
                (Word::Fixed(text), None) => shown(text),
                (Word::Parts { .. }, None) => {
                    self.tested_pattern_of(pattern)?;
                    let last = pattern.last.borrow();
                    last.as_ref().map(|last| last.text.clone()).unwrap_or_default()
                }
            };
            let operator = match how {
                Comparison::Match if rules.equal_signs_are_one => Comparison::MatchOnce,
                how => how,
            };
            self.trace_test(text, sign(operator), &shown);
            // What it comes to is known, and not expanded again.
            if let Word::Parts { .. } = &pattern.word
                && let Some(last) = &*pattern.last.borrow()
            {
                return Ok(last.pattern.matches(text) != negated);
            }
        }
        Ok(self.matches(text, pattern)? != negated)
    }

    fn compare_files(&mut self, left: &[u8], how: Difference, right: &[u8]) -> bool {
        World::files(self, left, how, right)
    }

    fn matches(&mut self, text: &[u8], pattern: &PatternWord) -> Flow<bool> {
        if let Word::Fixed(fixed) = &pattern.word {
            let same = match self.options.no_case_match() {
                true => fixed.eq_ignore_ascii_case(text),
                false => **fixed == *text,
            };
            return Ok(same);
        }
        Ok(self.tested_pattern_of(pattern)?.matches(text))
    }

    fn regex_of(
        &mut self,
        word: &Word,
        last: &std::cell::RefCell<Option<KeptRegex>>,
    ) -> Flow<Option<Rc<Regex>>> {
        let text = self.expand_regex(word)?;
        let rules = (self.expansion.utf8, self.options.no_case_match());
        if let Some(kept) = &*last.borrow()
            && *kept.text == *text
            && kept.rules == rules
        {
            return Ok(Some(kept.regex.clone()));
        }
        match Regex::new(&text, rules.0, rules.1) {
            Ok(regex) => {
                let regex = Rc::new(regex);
                let kept = KeptRegex { text: text.to_vec(), rules, regex: regex.clone() };
                *last.borrow_mut() = Some(kept);
                Ok(Some(regex))
            }
            Err(_) => Ok(None),
        }
    }

    fn matches_regex(&mut self, regex: &Regex, text: &[u8]) -> bool {
        let found = regex.captures(text);
        if self.profile.values.patterns.regex_sets_words {
            let words = found.iter().flatten().map(|range| match range {
                Some((start, end)) => Text::from_slice(&text[*start..*end]),
                None => Text::new(),
            });
            let words: Vec<_> = words.collect();
            let slot = self.variables.known.rematch;
            self.save(slot);
            let array = super::value::Indexed::of(words);
            self.variables[slot].value = super::value::Value::Indexed(Box::new(array));
        }
        found.is_some()
    }

    /// `-f file`, `-n text`, `-v name`, …
    pub(crate) fn unary_test(&mut self, letter: u8, text: &[u8]) -> Flow<bool> {
        Ok(match letter {
            b'n' => !text.is_empty(),
            b'z' => text.is_empty(),
            b'v' => return self.is_variable_set(text),
            b'R' => self.names.find(text).is_some_and(|slot| {
                self.variables
                    .get(slot)
                    .is_some_and(|variable| variable.flags.has(super::value::Flags::REFERENCE))
            }),
            b'o' => crate::options::by_name(text).is_some_and(|bit| self.options.is(bit)),
            b't' => {
                let number =
                    std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
                number
                    .and_then(|number| self.streams.get(number))
                    .is_some_and(|open| open.is_terminal())
            }
            letter => self.is_file(letter, text),
        })
    }

    /// `-f file` and the like.
    pub(crate) fn is_file(&mut self, letter: u8, path: &[u8]) -> bool {
        self.streams.flush_files();
        if let Some(number) = crate::streams::named_number(path)
            && let Some(held) = self.is_descriptor(letter, number)
        {
            return held;
        }
        conditions::file_test(&self.directory.scope, letter, path)
    }

    /// The same for /dev/fd/N, which is what the script has under that number; `None` if that is
    /// for the kernel to say.
    fn is_descriptor(&self, letter: u8, number: u32) -> Option<bool> {
        let Some(open) = self.streams.get(number) else { return Some(false) };
        let kind = match open.stat() {
            Some(stat) => stat.kind(),
            None if open.is_null() => fewer::Kind::Char,
            None => fewer::Kind::Fifo,
        };
        Some(match letter {
            b'a' | b'e' => true,
            b'f' => kind == fewer::Kind::File,
            b'd' => kind == fewer::Kind::Directory,
            b'b' => kind == fewer::Kind::Block,
            b'c' => kind == fewer::Kind::Char,
            b'p' => kind == fewer::Kind::Fifo,
            b'S' => kind == fewer::Kind::Socket,
            b's' => open.stat().is_some_and(|stat| stat.size() > 0),
            _ if number > 2 => b"rwhLOG".contains(&letter),
            _ => return None,
        })
    }

    pub(crate) fn is_variable_set(&mut self, name: &[u8]) -> Flow<bool> {
        let (name, subscript) = match memchr::memchr(b'[', name) {
            Some(open) if name.ends_with(b"]") => {
                (&name[..open], Some(&name[open + 1..name.len() - 1]))
            }
            _ => (name, None),
        };
        if let Some(number) = super::texts::parsed::<usize>(name) {
            return Ok(number == 0 || number <= self.calls.positional.all().len());
        }
        if !crate::syntax::is_name(name) {
            return Ok(false);
        }
        let slot = self.slot(name);
        let slot = self.meant(slot);
        match subscript {
            None => Ok(self.get(slot).is_some()),
            Some(b"@" | b"*")
                if !self.variables.is_associative(slot)
                    || !self.profile.values.arrays.v_all_is_key =>
            {
                Ok(!self.values(slot).is_empty())
            }
            Some(subscript) => Ok(self.element_by_text(slot, subscript)?.is_some()),
        }
    }
}

/// A constant pattern as it is written: what would count in one was quoted.
fn shown(text: &[u8]) -> Vec<u8> {
    let escaped = |byte: &u8| match byte {
        b'*' | b'?' | b'[' | b'\\' => vec![b'\\', *byte],
        byte => vec![*byte],
    };
    text.iter().flat_map(escaped).collect()
}

/// An operator as it is written.
fn sign(comparison: Comparison) -> &'static [u8] {
    match comparison {
        Comparison::Match => b"==",
        Comparison::MatchOnce => b"=",
        Comparison::NoMatch => b"!=",
        Comparison::Regex => b"=~",
        Comparison::Before => b"<",
        Comparison::After => b">",
        Comparison::Equal => b"-eq",
        Comparison::NotEqual => b"-ne",
        Comparison::Less => b"-lt",
        Comparison::LessEqual => b"-le",
        Comparison::Greater => b"-gt",
        Comparison::GreaterEqual => b"-ge",
        Comparison::Newer => b"-nt",
        Comparison::Older => b"-ot",
        Comparison::Same => b"-ef",
    }
}
