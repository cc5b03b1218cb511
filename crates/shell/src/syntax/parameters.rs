//! `${…}`

use super::build::Build;
use super::cursor::Parser;
use super::error::{Error, Result};
use super::expansions::substitution;
use super::quotes::Kind;
use super::tildes;
use super::tree::{Operation, Parameter, ParameterName, Piece, Subscript, Which, Word};
use super::words::Until;
use crate::pattern::cases::Case;

const SPECIALS: &[u8] = b"@*#?-$!";

impl Parser<'_> {
    /// `${ … }`, from the dollar on.
    pub(super) fn braced(&mut self, quoted: bool, out: &mut Build) -> Result<()> {
        let began = self.at;
        let line = self.line();
        self.at += 2;
        let command = self.syntax.parameters.command_in_braces;
        if command && matches!(self.byte(), Some(b' ' | b'\t' | b'\n')) {
            return self.command_in_braces(began, out);
        }
        self.skip_continued();
        let mut parameter = self.which_parameter(line)?;
        self.skip_continued();
        if self.syntax.left.forms_of_slices
            && matches!(parameter.name, ParameterName::Positional(_))
            && self.looking_at(b": ")
        {
            return Err(self.unsupported("a slice of `$1` that begins with a blank"));
        }
        if parameter.operation == Operation::Value {
            parameter.operation = self.operation(quoted)?;
        }
        if self.byte().is_none() {
            let quotes = quoted && self.syntax.errors.open_expansion_is_open_quote;
            return Err(self.unmatched(if quotes { "\"" } else { "}" }, began));
        }
        if !self.eat(b"}") {
            return Err(self.bad_substitution());
        }
        let marks = self.text[began..self.at].iter().filter(|byte| **byte == b'\'').count();
        if self.syntax.left.quotes_in_operands && quoted && marks % 2 == 1 {
            // They are paired, though they are text.
            return Err(self.unsupported("a lone single quote in the word of an expansion"));
        }
        out.push(Piece::Parameter(Box::new(parameter)));
        Ok(())
    }

    /// `${ …; }`
    fn command_in_braces(&mut self, began: usize, out: &mut Build) -> Result<()> {
        let outside = std::mem::take(&mut self.pending);
        let in_braces = std::mem::replace(&mut self.in_braces, true);
        let list = self.list().map_err(|error| self.in_substitution(error))?;
        self.in_braces = in_braces;
        if self.byte().is_none() {
            return Err(self.unmatched("}", began));
        }
        if !self.eat(b"}") {
            return Err(self.unexpected(Some("}")));
        }
        self.end_of_substitution()?;
        self.pending.splice(0..0, outside);
        out.push(substitution(list, true));
        Ok(())
    }

    /// The parameter's name with its prefix `#` or `!` and its subscript. Its operation is another
    /// than [`Operation::Value`] if nothing may follow.
    fn which_parameter(&mut self, line: u32) -> Result<Parameter> {
        let mut parameter = Parameter {
            name: ParameterName::Special(b'#'),
            subscript: None,
            indirect: false,
            operation: Operation::Value,
            line,
        };
        match self.byte() {
            Some(b'#') if self.length_follows() => {
                self.at += 1;
                parameter.operation = Operation::Length;
                parameter.name = self.parameter_name()?;
                parameter.subscript = self.subscript()?;
            }
            Some(b'!') if self.syntax.parameters.indirection && self.name_follows() => {
                self.at += 1;
                self.indirect(&mut parameter)?;
            }
            _ => {
                parameter.name = self.parameter_name()?;
                parameter.subscript = self.subscript_of(&parameter.name)?;
            }
        }
        Ok(parameter)
    }

    /// Whether the `#` here asks for a length: `${#a}` does, `${#}` and `${#-a}` do not.
    fn length_follows(&self) -> bool {
        match self.peek(1) {
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => true,
            Some(byte) if SPECIALS.contains(&byte) => self.peek(2) == Some(b'}'),
            _ => false,
        }
    }

    /// Whether a parameter's name follows the `!` here.
    fn name_follows(&self) -> bool {
        match self.peek(1) {
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => true,
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                byte != b'-' && byte != b'?' && self.peek(2) == Some(b'}')
            }
            _ => false,
        }
    }

    /// `${!name}`, `${!prefix*}`, `${!array[@]}`: what follows the `!`.
    fn indirect(&mut self, parameter: &mut Parameter) -> Result<()> {
        parameter.name = self.parameter_name()?;
        if let (Some(byte @ (b'*' | b'@')), Some(b'}')) = (self.byte(), self.peek(1)) {
            parameter.operation = Operation::NamesWithPrefix { joined: byte == b'*' };
            self.at += 1;
            return Ok(());
        }
        parameter.subscript = self.subscript_of(&parameter.name)?;
        let all = matches!(parameter.subscript, Some(Subscript::All | Subscript::Joined));
        if all && self.byte() == Some(b'}') {
            parameter.operation = Operation::Keys;
        } else {
            parameter.indirect = true;
        }
        if self.syntax.left.references_by_name && parameter.indirect {
            return Err(self.unsupported("${!name} of a name reference"));
        }
        Ok(())
    }

    fn parameter_name(&mut self) -> Result<ParameterName> {
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 {
            let text = &self.rest()[..digits];
            let number = text
                .iter()
                .try_fold(0u32, |n, b| n.checked_mul(10)?.checked_add(u32::from(b - b'0')));
            self.at += digits;
            return match number {
                Some(number) => Ok(ParameterName::Positional(number)),
                None => Err(self.unsupported("a positional parameter beyond all limits")),
            };
        }
        let name = self.name_over_lines();
        if !name.is_empty() {
            if self.syntax.left.compound_variables && self.byte() == Some(b'.') {
                return Err(self.unsupported("a compound variable"));
            }
            return Ok(ParameterName::Variable(name));
        }
        match self.byte() {
            Some(byte) if SPECIALS.contains(&byte) => {
                self.at += 1;
                Ok(ParameterName::Special(byte))
            }
            None => Err(self.unmatched("}", self.at)),
            _ => Err(self.bad_substitution()),
        }
    }

    /// `[ … ]`, if it can belong to this parameter.
    fn subscript_of(&mut self, name: &ParameterName) -> Result<Option<Subscript>> {
        if matches!(name, ParameterName::Variable(_)) { self.subscript() } else { Ok(None) }
    }

    /// `[ … ]`, if it is there.
    fn subscript(&mut self) -> Result<Option<Subscript>> {
        if !self.syntax.assigned.arrays || self.byte() != Some(b'[') {
            return Ok(None);
        }
        for (text, subscript) in [(b"[@]", Subscript::All), (b"[*]", Subscript::Joined)] {
            if self.eat(text) {
                return Ok(Some(subscript));
            }
        }
        if self.syntax.parameters.refuses_empty_subscript && self.peek(1) == Some(b']') {
            return Err(self.bad_substitution());
        }
        let text = self.bracketed();
        // The shells find a missing bracket when they come there.
        Ok(Some(Subscript::One(text.map_err(Error::found_early)?)))
    }

    /// The text of `[ … ]`.
    pub(super) fn bracketed(&mut self) -> Result<Word> {
        let began = self.at;
        self.at += 1;
        let mut text = Build::default();
        self.nested(|parser| parser.like_quoted(Kind::Subscript, &mut text))?;
        if self.eat(b"]") { Ok(text.word()) } else { Err(self.unmatched("]", began)) }
    }

    /// What is done to the value.
    fn operation(&mut self, quoted: bool) -> Result<Operation> {
        let Some(mut byte) = self.byte() else { return Ok(Operation::Value) };
        if byte == b'}' {
            return Ok(Operation::Value);
        }
        self.at += 1;
        let colon = byte == b':';
        if colon {
            match self.byte() {
                Some(next) if b"-=?+".contains(&next) => {
                    byte = next;
                    self.at += 1;
                }
                Some(b'%' | b'#') if self.syntax.left.forms_of_trimming => {
                    return Err(self.unsupported("a colon before `%' or `#'"));
                }
                _ if self.syntax.parameters.slices => return self.slice(),
                _ => return Err(self.bad_substitution()),
            }
        }
        Ok(match byte {
            b'-' => Operation::Default { colon, word: self.operand(quoted)? },
            b'=' => Operation::Assign { colon, word: self.operand(quoted)? },
            b'?' => Operation::Error { colon, word: self.operand(quoted)? },
            b'+' => Operation::Alternative { colon, word: self.operand(quoted)? },
            b'#' => Operation::WithoutPrefix {
                longest: self.eat(b"#"),
                pattern: self.pattern(Until::Brace)?,
            },
            b'%' => Operation::WithoutSuffix {
                longest: self.eat(b"%"),
                pattern: self.suffix_pattern(Until::Brace)?,
            },
            b'/' if self.syntax.parameters.replacement => self.replace()?,
            b'^' | b',' | b'~' if self.syntax.parameters.case_changes => {
                let case = match byte {
                    b'^' => Case::Upper,
                    b',' => Case::Lower,
                    _ => Case::Other,
                };
                let all = self.eat(&[byte]);
                Operation::Case { case, all, pattern: self.pattern(Until::Brace)? }
            }
            b'@' if self.syntax.parameters.transformations => match (self.byte(), self.peek(1)) {
                (Some(letter), Some(b'}')) if b"UuLQEPAKak".contains(&letter) => {
                    self.at += 1;
                    Operation::Transform(letter)
                }
                _ => return Err(self.bad_substitution()),
            },
            _ => return Err(self.bad_substitution()),
        })
    }

    /// The word of `${a-word}`: in double quotes it is read as they are.
    fn operand(&mut self, quoted: bool) -> Result<Word> {
        if quoted {
            let mut out = Build::default();
            self.like_quoted(Kind::Operand, &mut out)?;
            return Ok(out.word());
        }
        self.pattern(Until::Brace)
    }

    /// A pattern or what is read like one: it has quotes of its own, even inside double quotes.
    fn pattern(&mut self, until: Until) -> Result<Word> {
        let mut word = self.word(until)?;
        tildes::at_start(&mut word, &self.syntax.words);
        Ok(word)
    }

    /// A pattern for the end of a value: in ksh a bar in it makes alternatives of it.
    fn suffix_pattern(&mut self, until: Until) -> Result<Word> {
        let word = self.pattern(until)?;
        let has_bar = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains(&b'|'));
        if self.syntax.left.forms_of_trimming && word.pieces.iter().any(has_bar) {
            return Err(self.unsupported("a bar in the pattern of an end"));
        }
        Ok(word)
    }

    /// `${a/pattern/by}`, behind the first `/`.
    fn replace(&mut self) -> Result<Operation> {
        let which = match self.byte() {
            Some(b'/') => Which::All,
            Some(b'#') => Which::Prefix,
            Some(b'%') => Which::Suffix,
            _ => Which::First,
        };
        if which != Which::First {
            self.at += 1;
        }
        let slash = which == Which::All && self.syntax.parameters.slash_in_pattern;
        let pattern = if slash && self.eat(b"/") {
            // `${a////b}`, `${a///}`, `${a///c/b}`: a slash is the pattern, or its beginning.
            let mut out = Build::default();
            out.literal(b"/");
            self.unquoted(Until::Slash, &mut out)?;
            out.word()
        } else if which == Which::Suffix {
            self.suffix_pattern(Until::Slash)?
        } else {
            self.pattern(Until::Slash)?
        };
        let began = self.at;
        let by = if self.eat(b"/") { self.pattern(Until::Brace)? } else { Word::default() };
        let own_backslash = self.syntax.left.backslash_in_replacement;
        if own_backslash && self.text[began..self.at].contains(&b'\\') {
            return Err(self.unsupported("a backslash in a replacement"));
        }
        Ok(Operation::Replace { which, pattern, by })
    }

    /// `${a:offset:length}`, behind the first colon.
    fn slice(&mut self) -> Result<Operation> {
        let own_forms = self.syntax.left.forms_of_slices;
        if own_forms && matches!(self.byte(), Some(b':' | b'(')) {
            return Err(self.unsupported("a slice that begins with a parenthesis or nothing"));
        }
        if self.syntax.parameters.refuses_empty_slice && self.byte() == Some(b'}') {
            return Err(self.bad_substitution());
        }
        let mut offset = Build::default();
        let began = self.at;
        self.like_quoted(Kind::Slice, &mut offset)?;
        let text = self.text[began..self.at].trim_ascii_start();
        if own_forms && text.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'?') {
            return Err(self.unsupported("a slice with blanks in its offset"));
        }
        let mut length = None;
        if self.eat(b":") {
            if own_forms && self.byte() == Some(b' ') {
                return Err(self.unsupported("a slice whose length begins with a blank"));
            }
            let mut text = Build::default();
            let began = self.at;
            self.like_quoted(Kind::Operand, &mut text)?;
            if own_forms && self.text[began..self.at].contains(&b';') {
                return Err(self.unsupported("a slice whose length is none"));
            }
            length = Some(text.word());
        }
        Ok(Operation::Slice { offset: offset.word(), length })
    }
}
