//! Which command it is; simple commands and functions.

use std::sync::Arc;

use super::cursor::Parser;
use super::error::Result;
use super::tildes;
use super::tree::{
    Argument, Command, Function, Kind, List, Piece, Pipeline, Redirect, Simple, Word,
};
use super::words::Until;
use crate::dialect::Assigned;

/// In dash the redirections of `{ ( … ) >a; } >b` are those of the subshell: they take the place of
/// its own. Whether it is such a list.
fn forget_inner_redirects(list: &mut List) -> bool {
    let [item] = &mut *list.items else { return false };
    let Pipeline { negated: false, timed: None, commands } = &mut item.first else { return false };
    let [command] = &mut **commands else { return false };
    if item.background || !item.rest.is_empty() {
        return false;
    }
    let is_one = match &mut command.kind {
        Kind::Subshell(_) => true,
        Kind::Group(list) => forget_inner_redirects(list),
        _ => false,
    };
    if is_one {
        command.redirects.clear();
    }
    is_one
}

impl Parser<'_> {
    /// One command of a pipeline.
    pub(super) fn command(&mut self) -> Result<Command> {
        self.skip_blanks();
        let line = self.line();
        let Some(mut kind) = self.compound()? else {
            return self.simple(line);
        };
        let redirects =
            if matches!(kind, Kind::Function(_)) { Vec::new() } else { self.redirects()? };
        if let Kind::Group(list) = &mut kind
            && self.syntax.grammar.outer_redirections_win
            && !redirects.is_empty()
        {
            forget_inner_redirects(list);
        }
        Ok(Command { kind, redirects, line })
    }

    fn simple(&mut self, mut line: u32) -> Result<Command> {
        let began = self.at;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut declares = Declares::Unknown;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.byte() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    if simple.assignments.is_empty()
                        && redirects.is_empty()
                        && let [Argument::Word(word)] = &simple.words[..]
                    {
                        let name = self.function_name(word)?;
                        return self.function(name, began, line);
                    }
                    return Err(self.unexpected(None));
                }
                _ => {}
            }
            if simple.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                simple.assignments.push(assignment);
                if self.syntax.grammar.line_of_second_word
                    && redirects.is_empty()
                    && simple.assignments.len() == 1
                {
                    line = self.line();
                }
                continue;
            }
            let argument = self.argument(declares == Declares::Yes)?;
            declares = declares.next(&argument, &self.syntax.assigned);
            simple.words.push(argument);
            let words_only = simple.assignments.is_empty() && redirects.is_empty();
            if self.syntax.grammar.line_of_second_word && words_only && simple.words.len() == 2 {
                line = self.line();
            }
        }
        if self.at == began {
            return Err(self.unexpected(None));
        }
        Ok(simple_command(simple, redirects, line))
    }

    /// A word, or an assignment if the command's name `declares` variables.
    fn argument(&mut self, declares: bool) -> Result<Argument> {
        if declares && let Some(assignment) = self.assignment()? {
            return Ok(Argument::Assignment(assignment));
        }
        let began = self.at;
        let mut word = self.word(Until::Meta)?;
        if self.at == began {
            return Err(self.unexpected(None));
        }
        tildes::at_start(&mut word, &self.syntax.words);
        self.no_late_tilde(&word)?;
        if self.syntax.words.tildes_in_arguments {
            tildes::in_argument(&mut word);
        }
        Ok(Argument::Word(word))
    }

    /// The word before `()` as a function's name.
    fn function_name(&mut self, word: &Word) -> Result<Vec<u8>> {
        let name = match &word.pieces[..] {
            [Piece::Literal(name)] => Some(name),
            _ => None,
        };
        let rules = &self.syntax.functions;
        let empty = self.empty_parentheses();
        let is_allowed = |name: &[u8]| {
            rules.any_name || super::is_name(name) && !(empty && rules.forbidden.contains(&name))
        };
        match name {
            Some(name) if is_allowed(name) => Ok(name.clone()),
            Some(_) if empty => Err(match self.syntax.errors.bad_function_name {
                Some(message) => self.error(message.into()),
                None => self.unsupported("such a function's name"),
            }),
            _ => Err(self.unexpected(None)),
        }
    }

    fn empty_parentheses(&self) -> bool {
        self.rest()[1..].iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b')')
    }

    /// `() body`, behind the name.
    fn function(&mut self, name: Vec<u8>, began: usize, line: u32) -> Result<Command> {
        self.at += 1;
        self.skip_blanks();
        if !self.eat(b")") {
            return Err(match self.syntax.errors.open_function {
                Some(message) => self.error(message.into()),
                None => self.no_word(Some(")")),
            });
        }
        self.function_body(name, began, line, false)
    }

    /// `function name body`, behind `function`.
    pub(super) fn function_keyword(&mut self, began: usize) -> Result<Kind> {
        let line = self.line();
        self.skip_blanks();
        let word = self.expect_word()?;
        let [Piece::Literal(name)] = &word.pieces[..] else {
            return Err(self.unexpected(None));
        };
        let name = name.clone();
        if !self.syntax.functions.any_name && !super::is_name(&name) {
            return Err(self.unsupported("such a function's name"));
        }
        self.skip_blanks();
        let parentheses = self.syntax.functions.keyword_and_parentheses;
        if self.byte() == Some(b'(') && parentheses && self.empty_parentheses() {
            self.at += 1;
            self.skip_blanks();
            self.at += 1;
        }
        Ok(self.function_body(name, began, line, true)?.kind)
    }

    fn function_body(
        &mut self,
        name: Vec<u8>,
        began: usize,
        line: u32,
        keyword: bool,
    ) -> Result<Command> {
        self.skip_newlines()?;
        let body = self.nested(Self::command)?;
        if matches!(body.kind, Kind::Function(_)) {
            return Err(self.unsupported("a function's definition as a function's body"));
        }
        let compound = !matches!(body.kind, Kind::Simple(_));
        let rules = &self.syntax.functions;
        let group = matches!(body.kind, Kind::Group(_));
        if !compound && !rules.simple_body || keyword && !group && rules.keyword_needs_group {
            return Err(self.unexpected(None));
        }
        let source = match rules.source_has_next_token {
            true => self.source_and_next_token(&name, began, keyword),
            false => self.text[began..self.at].to_vec(),
        };
        let function = Function { name, keyword, body, source };
        let kind = Kind::Function(Arc::new(function));
        Ok(Command { kind, redirects: Vec::new(), line })
    }
}

impl Parser<'_> {
    /// The text of the function that ends here and the token that follows.
    fn source_and_next_token(&self, name: &[u8], began: usize, keyword: bool) -> Vec<u8> {
        let mut text = Vec::new();
        let mut from = began;
        if !keyword {
            text.extend_from_slice(&[name, b"()"].concat());
            from += memchr::memchr(b')', &self.text[began..]).map_or(0, |at| at + 1);
        }
        let rest = self.rest();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = &rest[blanks..];
        let length = match rest {
            [] => 0,
            [b'#', ..] => memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1),
            [b';', b';' | b'&', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
            _ => rest.iter().take_while(|byte| **byte == b'\n').count().max(1),
        };
        text.extend_from_slice(&self.text[from..self.at + blanks + length]);
        text
    }
}

fn simple_command(simple: Simple, redirects: Vec<Redirect>, line: u32) -> Command {
    Command { kind: Kind::Simple(simple), redirects, line }
}

/// Whether assignments behind a command's name are assignments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declares {
    /// There is no name yet, or only `command`.
    Unknown,
    Yes,
    No,
}

impl Declares {
    /// What is known behind this argument.
    fn next(self, argument: &Argument, rules: &Assigned) -> Self {
        if self != Self::Unknown {
            return self;
        }
        let Argument::Word(Word { pieces }) = argument else { return self };
        let [Piece::Literal(name)] = &pieces[..] else { return Self::No };
        match &name[..] {
            b"command" if rules.declaring_behind_command => Self::Unknown,
            name if rules.declaring.contains(&name) => Self::Yes,
            _ => Self::No,
        }
    }
}
