//! What `set -x` shows. Nothing is expanded or evaluated for it that has not been anyway.

use std::rc::Rc;

use fewer::present::quote::single_quoted;

use super::{Flow, Shell};
use crate::Text;
use crate::dialect::TracedDeclarations;
use crate::formats::quote::{For as Purpose, quote};
use crate::program::{Arithmetic, Assignment, Call, Expansion, Part, Value as Assigned, Word};
use crate::streams::Open;

/// What is kept while a command is traced.
#[derive(Debug, Default)]
pub(crate) struct Tracing {
    /// Texts around the one that is run: substitutions, `eval`, files. bash shows them by the first
    /// character of PS4.
    pub(crate) nested: u32,
    /// What standard error was before the command's own redirections.
    to: Option<Rc<Open>>,
    /// Whether the test that is looked at next has a `!` before it.
    pub(crate) negated: bool,
    /// Assignments that stand on one line with their command (dash).
    assignments: Vec<u8>,
}

impl Tracing {
    /// From here on lines go to that stream, which standard error is now; gives where they went
    /// before.
    pub(crate) fn begin_command(&mut self, errors: Option<Rc<Open>>) -> Option<Rc<Open>> {
        std::mem::replace(&mut self.to, errors)
    }

    /// Ends what [`begin_command`](Tracing::begin_command) began.
    pub(crate) fn end_command(&mut self, before: Option<Rc<Open>>) {
        self.to = before;
    }
}

impl Shell {
    /// What a line begins with.
    fn trace_prefix(&mut self) -> Vec<u8> {
        let Some(prompt) = self.get(self.variables.known.ps4).map(<[u8]>::to_vec) else {
            return Vec::new();
        };
        let options = self.options;
        let (status, substituted) = (self.execution.status, self.expansion.had_substitution);
        self.options.set(6, false);
        let expanded = match self.profile.trace.prompt_escapes {
            true => {
                let prompt = self.prompt_escapes(&prompt);
                self.expand_prompt(&prompt)
            }
            false => self.expand_prompt(&prompt),
        };
        self.options = options;
        (self.execution.status, self.expansion.had_substitution) = (status, substituted);
        let first = match expanded.utf8_chunks().next() {
            Some(chunk) => chunk.valid().chars().next().map_or(1, char::len_utf8),
            None => return expanded,
        };
        let mut line = expanded[..first].repeat(self.tracing.nested as usize);
        line.extend_from_slice(&expanded);
        line
    }

    /// The value of PS4, expanded like a double-quoted word.
    pub(crate) fn expand_prompt(&mut self, prompt: &[u8]) -> Vec<u8> {
        let Ok(word) = crate::syntax::parse_word_text(prompt, self.profile.dialect) else {
            return prompt.to_vec();
        };
        let list = crate::lower::Lowerer::word_of(&word, &mut self.names, self.profile.dialect);
        self.make_room();
        self.expand_whole(&list).map_or(prompt.to_vec(), |text| text.to_vec())
    }

    /// Shows a line, where standard error was when its command began.
    fn trace(&mut self, text: &[u8]) {
        let mut line = self.trace_prefix();
        line.extend_from_slice(text);
        line.push(b'\n');
        let open = match (self.trace_descriptor(), &self.tracing.to) {
            (2, Some(open)) => Some(open.clone()),
            (number, _) => self.streams.get(number),
        };
        if let Some(open) = open {
            let _ = open.write(&line);
        }
    }

    /// The descriptor that BASH_XTRACEFD gives, where that counts.
    fn trace_descriptor(&mut self) -> u32 {
        match self.profile.trace.own_descriptor {
            true => self.get_named(b"BASH_XTRACEFD").and_then(super::texts::parsed).unwrap_or(2),
            false => 2,
        }
    }

    fn quoted_for_trace(&self, text: &[u8], out: &mut Vec<u8>) {
        quote(text, Purpose::Trace, self.profile.dialect, self.expansion.utf8, out);
    }

    /// A command with its arguments.
    pub(crate) fn trace_call(&mut self, call: &Call, words: &[Text]) {
        let rules = &self.profile.trace;
        if rules.hides_its_end && *words == [b"set".as_slice(), b"+x"].map(Text::from_slice) {
            return;
        }
        let mut line = std::mem::take(&mut self.tracing.assignments);
        let declares =
            call.words.iter().any(|word| matches!(word, crate::program::Argument::Assignment(_)));
        for word in words {
            if !line.is_empty() {
                line.push(b' ');
            }
            let mut word = &**word;
            if let Some(nul) = memchr::memchr(0, word) {
                word = word[..nul].strip_suffix(b"=").unwrap_or(&word[..nul]);
                word = word.strip_suffix(b"+").unwrap_or(word);
            } else if declares && rules.declarations == TracedDeclarations::Values {
                word = self.trace_declared(word);
            }
            match word {
                b"[" if rules.bracket_is_plain && line.is_empty() => line.push(b'['),
                _ => self.quoted_for_trace(word, &mut line),
            }
        }
        if declares && rules.declarations == TracedDeclarations::Twice {
            self.trace_declared_arrays(call);
        }
        self.trace(&line);
        let exports = words.first().is_some_and(|name| matches!(&**name, b"export" | b"readonly"));
        if exports && rules.declarations == TracedDeclarations::Twice {
            for word in words[1..].iter().filter(|word| !word.contains(&0)) {
                self.trace_declared(word);
            }
        }
    }

    /// bash: the arrays that a command declares, each on a line before; those are left out whose
    /// words may come out otherwise the second time.
    fn trace_declared_arrays(&mut self, call: &Call) {
        use crate::program::Argument;
        for word in &call.words {
            let Argument::Assignment(assignment) = word else { continue };
            let Assigned::Array(elements) = &assignment.value else { continue };
            let mut line = self.names.name(assignment.slot).to_vec();
            line.extend_from_slice(if assignment.append { b"+=(" } else { b"=(" });
            let shown = elements.iter().enumerate().all(|(index, element)| {
                if index > 0 {
                    line.push(b' ');
                }
                if let Some(subscript) = &element.subscript {
                    let Some(key) = self.plain_text(&subscript.key) else { return false };
                    line.push(b'[');
                    single_quoted(&key, &mut line);
                    line.extend_from_slice(b"]=");
                }
                let Some(text) = self.plain_text(&element.value) else { return false };
                single_quoted(&text, &mut line);
                true
            });
            line.push(b')');
            if shown {
                self.trace(&line);
            }
        }
    }

    /// What a word comes to that may be expanded twice and is one field.
    pub(crate) fn plain_text(&mut self, word: &Word) -> Option<Text> {
        match word {
            Word::Fixed(text) => Some(text.clone()),
            Word::Parts { parts, whole: true } if parts.iter().all(is_plain) => {
                self.expand_whole(word).ok()
            }
            Word::Parts { .. } => None,
        }
    }

    /// Shows `name=value` on a line of its own, if it is that, and gives the name.
    fn trace_declared<'w>(&mut self, word: &'w [u8]) -> &'w [u8] {
        let length = crate::syntax::name_length(word);
        if length == 0 || word.get(length) != Some(&b'=') {
            return word;
        }
        let mut line = word[..=length].to_vec();
        self.value_for_trace(&word[length + 1..], &mut line);
        self.trace(&line);
        &word[..length]
    }

    fn value_for_trace(&self, value: &[u8], line: &mut Vec<u8>) {
        if !value.is_empty() || self.profile.trace.quotes_empty_values {
            self.quoted_for_trace(value, line);
        }
    }

    /// An assignment whose value was expanded (an array's is not).
    pub(crate) fn trace_assignment(&mut self, assignment: &Assignment, value: &[u8]) {
        let mut line = self.names.name(assignment.slot).to_vec();
        if let Some(subscript) = &assignment.subscript {
            line.push(b'[');
            line.extend_from_slice(&self.text_for_trace(&subscript.arithmetic));
            line.push(b']');
        }
        line.extend_from_slice(if assignment.append { b"+=" } else { b"=" });
        match &assignment.value {
            Assigned::Word(_) => self.value_for_trace(value, &mut line),
            Assigned::Array(_) => line.extend_from_slice(&assignment.written),
        }
        if !self.profile.trace.assignments_share_line {
            return self.trace(&line);
        }
        if !self.tracing.assignments.is_empty() {
            self.tracing.assignments.push(b' ');
        }
        self.tracing.assignments.extend_from_slice(&line);
    }

    /// The end of assignments without a command.
    pub(crate) fn trace_assigned(&mut self) {
        if self.profile.trace.assignments_share_line {
            let line = std::mem::take(&mut self.tracing.assignments);
            self.trace(&line);
        }
    }

    /// The head of a compound command.
    pub(crate) fn trace_head(&mut self, parts: &[&[u8]]) {
        if self.profile.trace.shows_heads {
            self.trace(&parts.concat());
        }
    }

    /// `(( … ))`
    pub(crate) fn trace_arithmetic(&mut self, arithmetic: &Arithmetic) {
        let text = self.text_for_trace(arithmetic);
        self.trace_evaluation(&text);
    }

    /// A part of `for (( … ))`.
    pub(crate) fn trace_part(&mut self, part: Option<&Arithmetic>) {
        match part {
            Some(arithmetic) => {
                let text = self.text_for_trace(arithmetic);
                self.trace_evaluation(text.trim_ascii_start());
            }
            None if self.profile.trace.shows_empty_parts => self.trace_evaluation(b"1"),
            None => {}
        }
    }

    fn trace_evaluation(&mut self, text: &[u8]) {
        self.trace(&self.profile.trace.arithmetic.of(text));
    }

    /// Its text; of expansions in it those that may be looked at twice.
    pub(crate) fn text_for_trace(&mut self, arithmetic: &Arithmetic) -> Vec<u8> {
        let mut texts = Vec::with_capacity(arithmetic.placeholders.len());
        for placeholder in &arithmetic.placeholders {
            let plain = match placeholder {
                Word::Fixed(_) => true,
                Word::Parts { parts, .. } => parts.iter().all(is_plain),
            };
            let text: Flow<Text> =
                if plain { self.expand_whole(placeholder) } else { Ok(Text::new()) };
            texts.push(text.unwrap_or_default());
        }
        super::arithmetic::fill(&arithmetic.parts, &texts)
    }

    /// One test of `[[ … ]]`.
    pub(crate) fn trace_test(&mut self, left: &[u8], operator: &[u8], right: &[u8]) {
        if !self.options.trace() || !self.profile.trace.shows_tests {
            return;
        }
        let quotes = self.profile.trace.quotes_tested_words;
        let shown = |shell: &Shell, word: &[u8], line: &mut Vec<u8>| match word {
            b"" => line.extend_from_slice(b"''"),
            word if quotes => shell.quoted_for_trace(word, line),
            word => line.extend_from_slice(word),
        };
        let mut line = self.test_for_trace();
        if !left.is_empty() || operator != b"" {
            shown(self, left, &mut line);
            line.push(b' ');
        }
        line.extend_from_slice(operator);
        line.push(b' ');
        match operator {
            b"==" | b"!=" | b"=~" | b"=" if !right.is_empty() => line.extend_from_slice(right),
            _ => shown(self, right, &mut line),
        }
        line.extend_from_slice(b" ]]");
        self.trace(&line);
    }

    /// What every test begins with.
    fn test_for_trace(&mut self) -> Vec<u8> {
        match std::mem::take(&mut self.tracing.negated) {
            true => b"[[ ! ".to_vec(),
            false => b"[[ ".to_vec(),
        }
    }

    /// One test of one word.
    pub(crate) fn trace_unary(&mut self, letter: u8, text: &[u8]) {
        if !self.options.trace() || !self.profile.trace.shows_tests {
            return;
        }
        let mut line = self.test_for_trace();
        line.extend_from_slice(&[b'-', letter, b' ']);
        match text {
            b"" => line.extend_from_slice(b"''"),
            text if self.profile.trace.quotes_tested_words => {
                self.quoted_for_trace(text, &mut line);
            }
            text => line.extend_from_slice(text),
        }
        line.extend_from_slice(b" ]]");
        self.trace(&line);
    }
}

fn is_plain(part: &Part) -> bool {
    match part {
        Part::Value(expansion, _) => matches!(
            expansion,
            Expansion::Variable(..) | Expansion::Positional(..) | Expansion::Special(..)
        ),
        _ => true,
    }
}
