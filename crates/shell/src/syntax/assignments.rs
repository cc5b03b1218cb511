//! `a=1`, `a+=1`, `a[1]=2`, `a=( … )`

use super::build::Build;
use super::cursor::Parser;
use super::error::{ErrorKind, Result};
use super::tildes;
use super::tree::{Assignment, Element, Value, Word, Written};
use super::words::Until;

impl Parser<'_> {
    /// The assignment that stands here, if one does.
    pub(super) fn assignment(&mut self) -> Result<Option<Assignment>> {
        let place = self.here();
        let began = self.at;
        let name = self.name();
        if name.is_empty() {
            return Ok(None);
        }
        let line = self.line_of(began);
        self.skip_continued();
        let to_bracket = self.syntax.assigned.reads_to_bracket;
        let subscript = match self.byte() {
            Some(b'[') if self.syntax.assigned.arrays && !self.failed.contains(&began) => {
                match self.bracketed() {
                    Ok(subscript) => Some(subscript),
                    Err(error) if to_bracket || error.kind == ErrorKind::Unsupported => {
                        return Err(error.found_early());
                    }
                    Err(_) => {
                        self.go_back(place);
                        self.failed.insert(began);
                        return Ok(None);
                    }
                }
            }
            Some(b'.') if self.syntax.left.compound_variables && self.compound_name_follows() => {
                return Err(self.unsupported("a compound variable"));
            }
            _ => None,
        };
        if self.continued_assignment_follows() {
            return Err(self.unsupported("an assignment whose name is continued on the next line"));
        }
        if self.syntax.left.forms_of_arrays && self.text[began..self.at].ends_with(b"[]") {
            return Err(self.unsupported("an empty subscript"));
        }
        let Some(append) = self.assignment_sign() else {
            if subscript.is_some() {
                let text = &self.text[began..self.at];
                if to_bracket && text.iter().any(|b| super::cursor::is_meta(*b)) {
                    return Err(self.unsupported("a command's name with blanks in brackets"));
                }
                self.failed.insert(began);
            }
            self.go_back(place);
            return Ok(None);
        };
        let name = name.to_vec();
        let mut written = Written::default();
        let value = if self.syntax.assigned.arrays && self.byte() == Some(b'(') {
            if subscript.is_some() {
                return Err(self.unsupported("an array in an element"));
            }
            let from = self.at;
            let elements = self.nested(Self::array)?;
            if append
                && self.syntax.left.forms_of_arrays
                && elements.iter().any(|one| one.subscript.is_some())
            {
                return Err(self.unsupported("subscripts in what is appended"));
            }
            let value = Value::Array(elements);
            written = self.written(from);
            value
        } else {
            Value::Word(self.value()?)
        };
        Ok(Some(Assignment { name, subscript, append, value, line, written }))
    }

    /// Whether `.name=` follows: a member is assigned.
    fn compound_name_follows(&self) -> bool {
        let rest = self.rest();
        let length = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
            .count();
        matches!(rest.get(length), Some(b'='))
    }

    /// Whether a continued line stands in what is an assignment without it.
    fn continued_assignment_follows(&self) -> bool {
        let mut rest = self.rest();
        if !rest.starts_with(b"\\\n") {
            return false;
        }
        while let Some(next) = rest.strip_prefix(b"\\\n") {
            let word = next.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_');
            rest = &next[word.count()..];
        }
        rest.starts_with(b"=") || rest.starts_with(b"+=")
    }

    /// Goes behind `=` or `+=`, and tells whether it was the latter.
    fn assignment_sign(&mut self) -> Option<bool> {
        if self.eat(b"=") {
            Some(false)
        } else if self.syntax.assigned.append && self.eat(b"+=") {
            Some(true)
        } else {
            None
        }
    }

    /// The right side of `=`.
    fn value(&mut self) -> Result<Word> {
        let mut word = self.word(Until::Meta)?;
        tildes::in_value(&mut word);
        self.no_late_tilde(&word)?;
        Ok(word)
    }

    /// `( a b [3]=c )`
    fn array(&mut self) -> Result<Vec<Element>> {
        let began = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.skip_newlines()?;
            match self.byte() {
                None => return Err(self.unmatched(")", began)),
                Some(b')') if elements.is_empty() && self.syntax.left.compound_variables => {
                    return Err(self.unsupported("a compound variable"));
                }
                Some(b')') => {
                    self.at += 1;
                    let behind = self.byte().is_some_and(|byte| !super::cursor::is_meta(byte));
                    if self.syntax.left.forms_of_arrays && behind {
                        return Err(self.unsupported("a word behind an array"));
                    }
                    return Ok(elements);
                }
                _ => elements.push(self.element()?),
            }
            let mixed = |one: &Element| one.subscript.is_some() != elements[0].subscript.is_some();
            if self.syntax.left.forms_of_arrays && elements.last().is_some_and(mixed) {
                return Err(self.unsupported("an array of which only some have subscripts"));
            }
        }
    }

    fn element(&mut self) -> Result<Element> {
        let began = self.at;
        if self.byte() == Some(b'[') && !self.failed.contains(&began) {
            let place = self.here();
            let subscript = match self.bracketed() {
                Ok(subscript) => Some(subscript),
                Err(error) if error.kind == ErrorKind::Unsupported => return Err(error),
                Err(_) => None,
            };
            if self.syntax.left.forms_of_arrays && self.text[began..self.at] == *b"[]" {
                return Err(self.unsupported("an empty subscript"));
            }
            if let (Some(_), Some(append)) = (&subscript, self.assignment_sign()) {
                if self.byte() == Some(b'(') {
                    return Err(self.unsupported("an array in an array"));
                }
                return Ok(Element { subscript, append, value: self.value()? });
            }
            self.go_back(place);
            self.failed.insert(began);
        }
        if self.syntax.left.compound_variables {
            self.no_compound_variable()?;
        }
        let mut out = Build::default();
        self.unquoted(Until::Meta, &mut out)?;
        if self.at == began {
            return Err(self.unexpected(Some(")")));
        }
        let mut value = out.word();
        tildes::at_start(&mut value, &self.syntax.words);
        self.no_late_tilde(&value)?;
        Ok(Element { subscript: None, append: false, value })
    }

    /// In ksh, `( a=1 )` and `( typeset … )` make compound variables, and `( ( … ) )` arrays of
    /// arrays.
    fn no_compound_variable(&mut self) -> Result<()> {
        let length = super::name_length(self.rest());
        let assigns = length > 0 && matches!(self.peek(length), Some(b'=' | b'+' | b'['));
        let declares = matches!(
            &self.rest()[..length],
            b"typeset" | b"integer" | b"float" | b"nameref" | b"function"
        );
        if assigns || declares || self.byte() == Some(b'(') {
            return Err(self.unsupported("a compound variable"));
        }
        Ok(())
    }
}
