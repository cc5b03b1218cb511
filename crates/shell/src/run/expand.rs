//! Words become fields, texts or patterns.

use std::rc::Rc;

use super::fields::{Into, Sink, escape};
use super::value::Value;
use super::{Flow, Shell};
use crate::Text;
use crate::arithmetic::Slot;
use crate::pattern::{Options, Pattern};
use crate::program::{
    Argument, Expansion, KeptPattern, Part, PatternWord, Value as Assigned, Word,
};
use crate::syntax::braces;
use crate::syntax::tree::{self, Piece};

impl Expansion {
    /// Whether it can come to none or several fields although it is quoted.
    pub(crate) fn may_be_many(&self) -> bool {
        match self {
            Expansion::All { joined } => !joined,
            Expansion::Parameter(parameter) => parameter.may_be_many(),
            _ => false,
        }
    }
}

impl Shell {
    /// Adds the fields that a word comes to.
    pub(crate) fn expand_fields(&mut self, word: &Word, out: &mut Vec<Text>) -> Flow {
        match word {
            Word::Fixed(text) => {
                out.push(Text::from_slice(text));
                Ok(())
            }
            Word::Parts { parts, whole: true } => {
                let mut sink = Sink::new(Into::Whole);
                for part in parts {
                    self.expand_part(part, &mut sink)?;
                }
                out.push(sink.current);
                Ok(())
            }
            Word::Parts { parts, whole: false } => {
                let rules = &self.profile.values.expansions;
                let mut sink = Sink::new(Into::Fields);
                sink.braces_count = rules.variables_make_braces && !self.options.no_glob();
                sink.plain_signs = rules.plain_pattern_signs;
                for part in parts {
                    self.expand_part(part, &mut sink)?;
                }
                sink.end_word();
                self.finish_fields(sink, out)
            }
        }
    }

    fn finish_fields(&mut self, sink: Sink, out: &mut Vec<Text>) -> Flow {
        for field in sink.fields {
            if let Some(word) = field.braces
                && let Ok(Some(words)) = braces::expand(&word, self.profile.dialect)
            {
                self.match_each(&words, out)?;
                continue;
            }
            match field.pattern {
                Some(pattern) if !self.options.no_glob() => {
                    self.match_files(&pattern, field.text, out)?;
                }
                _ => out.push(field.text),
            }
        }
        Ok(())
    }

    /// What braces came to: plain words, each of which may match names of files.
    fn match_each(&mut self, words: &[tree::Word], out: &mut Vec<Text>) -> Flow {
        for word in words {
            let (mut text, mut pattern) = (Text::new(), Vec::new());
            for piece in &word.pieces {
                match piece {
                    Piece::Quoted(bytes) => {
                        text.extend_from_slice(bytes);
                        escape(bytes, &mut pattern);
                    }
                    Piece::Literal(bytes) => {
                        text.extend_from_slice(bytes);
                        pattern.extend_from_slice(bytes);
                    }
                    _ => {} // nothing else comes out of a field
                }
            }
            self.match_files(&pattern, text, out)?;
        }
        Ok(())
    }

    /// Adds the fields of all words.
    pub(crate) fn expand_all(&mut self, words: &[Word]) -> Flow<Vec<Text>> {
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            self.expand_fields(word, &mut out)?;
        }
        self.count_words(&out)?;
        Ok(out)
    }

    /// Adds the fields of all arguments; assignments among them come as `name=value`. Where an
    /// array is assigned, the value is a NUL, which no text of a script has in it, and the
    /// argument's index.
    pub(crate) fn expand_arguments(&mut self, words: &[Argument], out: &mut Vec<Text>) -> Flow {
        for (index, word) in words.iter().enumerate() {
            match word {
                Argument::Word(word) => self.expand_fields(word, out)?,
                Argument::Assignment(assignment) => {
                    let mut text = self.assignment_as_text(assignment)?;
                    if let Assigned::Array(_) = assignment.value {
                        text.truncate(text.len() - 2);
                        text.push(0);
                        text.extend_from_slice(index.to_string().as_bytes());
                    }
                    out.push(text);
                }
            }
        }
        self.count_words(out)
    }

    /// The one text that a word comes to, without splitting and without names of files.
    #[inline]
    pub(crate) fn expand_whole(&mut self, word: &Word) -> Flow<Text> {
        self.expand_to(word, Into::Whole)
    }

    /// The same, or the text of a here-document.
    pub(crate) fn expand_to(&mut self, word: &Word, into: Into) -> Flow<Text> {
        match word {
            Word::Fixed(text) => Ok(Text::from_slice(text)),
            Word::Parts { parts, .. } => {
                let mut sink = Sink::new(into);
                for part in parts {
                    self.expand_part(part, &mut sink)?;
                }
                self.count_bytes(sink.current.len())?;
                Ok(sink.current)
            }
        }
    }

    /// The pattern text that a word comes to.
    pub(crate) fn expand_pattern(&mut self, word: &Word) -> Flow<Text> {
        let mut sink = Sink::new(Into::Pattern);
        sink.plain_signs = self.profile.values.expansions.plain_pattern_signs;
        match word {
            Word::Fixed(text) => sink.quoted(text),
            Word::Parts { parts, .. } => {
                for part in parts {
                    self.expand_part(part, &mut sink)?;
                }
            }
        }
        Ok(sink.current)
    }

    /// The pattern that a word comes to: the last one is kept.
    pub(crate) fn pattern_of(&mut self, word: &PatternWord) -> Flow<Rc<Pattern>> {
        self.pattern_with(word, self.pattern_options())
    }

    /// The same in `[[ ]]`, where groups always count.
    pub(crate) fn tested_pattern_of(&mut self, word: &PatternWord) -> Flow<Rc<Pattern>> {
        self.pattern_with(word, Options { extended: true, ..self.pattern_options() })
    }

    /// The same where `nocasematch` has no say: `${x#p}`, `${x^p}`.
    pub(crate) fn exact_pattern_of(&mut self, word: &PatternWord) -> Flow<Rc<Pattern>> {
        self.pattern_with(word, Options { fold_case: false, ..self.pattern_options() })
    }

    fn pattern_with(&mut self, word: &PatternWord, options: Options) -> Flow<Rc<Pattern>> {
        if word.constant
            && let Some(kept) = &*word.last.borrow()
            && kept.options == options
        {
            return Ok(kept.pattern.clone());
        }
        let text = self.expand_pattern(&word.word)?;
        if let Some(kept) = &*word.last.borrow()
            && *kept.text == *text
            && kept.options == options
        {
            return Ok(kept.pattern.clone());
        }
        let pattern = Rc::new(Pattern::new(&text, options));
        let kept = KeptPattern { text: text.to_vec(), options, pattern: pattern.clone() };
        *word.last.borrow_mut() = Some(kept);
        Ok(pattern)
    }

    pub(crate) fn expand_part(&mut self, part: &Part, sink: &mut Sink) -> Flow {
        match part {
            Part::Text(text) => sink.quoted(text),
            Part::Pattern(text) => sink.pattern(text),
            Part::Unquoted(text) => sink.unquoted(text, &self.expansion.ifs),
            Part::Extended(kind, alternatives) => {
                sink.pattern(&[*kind, b'(']);
                for (index, word) in alternatives.iter().enumerate() {
                    if index > 0 {
                        sink.pattern(b"|");
                    }
                    let text = match sink.into {
                        Into::Whole | Into::Here => self.expand_whole(word)?,
                        Into::Fields | Into::Pattern => self.expand_pattern(word)?,
                    };
                    sink.pattern(&text);
                }
                sink.pattern(b")");
            }
            Part::Together(parts) => {
                let before = sink.begin_together();
                for part in parts {
                    self.expand_part(part, sink)?;
                }
                sink.end_together(before);
            }
            Part::Value(expansion, quoted) => return self.expand(expansion, *quoted, sink),
        }
        Ok(())
    }

    pub(crate) fn expand(&mut self, expansion: &Expansion, quoted: bool, sink: &mut Sink) -> Flow {
        match expansion {
            Expansion::Variable(slot, line) => self.expand_variable(*slot, *line, quoted, sink),
            Expansion::Positional(number, line) => {
                self.expand_positional(*number, *line, quoted, sink)
            }
            Expansion::Special(byte, line) => {
                let value = self.special(*byte, *line)?;
                self.deliver(&value, quoted, sink);
                Ok(())
            }
            Expansion::All { joined } => {
                let words = self.calls.positional.clone();
                let joined = *joined && !self.joins_with_spaces(sink);
                self.deliver_all(words.all(), joined, quoted, sink);
                Ok(())
            }
            Expansion::Parameter(parameter) => self.expand_parameter(parameter, quoted, sink),
            Expansion::Command(substitution) => {
                let output = self.substitute(substitution)?;
                self.deliver(&output, quoted, sink);
                Ok(())
            }
            Expansion::Arithmetic(arithmetic) => {
                let number = self.evaluate(&arithmetic.0)?;
                let text = super::texts::number(number);
                self.deliver(&text, quoted, sink);
                Ok(())
            }
            Expansion::Process { write, body } => {
                let path = self.start_process_substitution(*write, body)?;
                self.deliver(&path, true, sink);
                Ok(())
            }
            Expansion::Tilde(name) => {
                let home = self.home_of(name);
                sink.quoted(&home);
                Ok(())
            }
        }
    }

    /// Hands over the value of an expansion.
    #[inline]
    pub(crate) fn deliver(&self, value: &[u8], quoted: bool, sink: &mut Sink) {
        if quoted { sink.quoted(value) } else { sink.unquoted(value, &self.expansion.ifs) }
    }

    /// Whether the words of `$*` and of most of what is done to `${a[*]}` are joined with spaces,
    /// whatever IFS is: in here-documents of bash.
    pub(crate) fn joins_with_spaces(&self, sink: &Sink) -> bool {
        sink.into == Into::Here && self.profile.values.expansions.here_joins_with_spaces
    }

    /// Hands over all of `$@` or of an array.
    pub(crate) fn deliver_all(&self, words: &[Text], joined: bool, quoted: bool, sink: &mut Sink) {
        if sink.into != Into::Fields || (joined && quoted) {
            // `$*` is joined with the first character of IFS; what `$@` is where there is only one
            // text is joined with a space, in dash like `$*`.
            let joined = joined || self.profile.values.expansions.at_joins_with_ifs;
            let between: &[u8] = if joined { self.expansion.ifs.first() } else { b" " };
            if words.is_empty() && quoted {
                sink.quoted(b"");
            }
            for (index, word) in words.iter().enumerate() {
                if index > 0 {
                    self.deliver(between, quoted, sink);
                }
                self.deliver(word, quoted, sink);
            }
            return;
        }
        sink.none |= words.is_empty();
        let mut before = (0, false);
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                if quoted { sink.next_field() } else { sink.next_argument(&self.expansion.ifs) }
            }
            before = sink.position();
            match (quoted, index) {
                (false, 0) => sink.first_of_list(word, &self.expansion.ifs),
                (false, _) => sink.split(word, &self.expansion.ifs),
                (true, _) => sink.quoted(word),
            }
        }
        let is_list = self.profile.values.expansions.empty_last_word_ends_list
            && !joined
            && !quoted
            && words.len() > 1;
        sink.ends_empty = is_list && sink.position() == before;
    }

    #[inline]
    fn expand_variable(&mut self, slot: Slot, line: u32, quoted: bool, sink: &mut Sink) -> Flow {
        let variable = &self.variables[slot];
        if let Value::Text(text) = &variable.value
            && variable.flags.0 & 0x60 == 0
        {
            if quoted {
                sink.quoted(text)
            } else {
                sink.unquoted(text, &self.expansion.ifs)
            }
            return Ok(());
        }
        let no_unset = self.options.no_unset();
        let value = self.get(slot).map(Text::from_slice);
        match value {
            Some(value) => self.deliver(&value, quoted, sink),
            None if no_unset => {
                let name = self.names.name(slot);
                return self.unset_parameter(&name, line);
            }
            None => self.deliver(b"", quoted, sink),
        }
        Ok(())
    }

    fn expand_positional(&mut self, number: u32, line: u32, quoted: bool, sink: &mut Sink) -> Flow {
        if number == 0 {
            self.deliver(&self.origin.zero, quoted, sink);
            return Ok(());
        }
        match self.calls.positional.all().get(number as usize - 1) {
            Some(word) => {
                if quoted {
                    sink.quoted(word)
                } else {
                    sink.unquoted(word, &self.expansion.ifs)
                }
            }
            None if self.options.no_unset() => {
                let dollar =
                    if self.profile.values.expansions.positional_has_dollar { "$" } else { "" };
                return self.unset_parameter(format!("{dollar}{number}").as_bytes(), line);
            }
            None => self.deliver(b"", quoted, sink),
        }
        Ok(())
    }
}
