//! Lists, and-or lists, pipelines.

use super::cursor::Parser;
use super::error::Result;
use super::tree::{
    Connective, Item, List, Piece, Pipeline, Redirect, RedirectKind, Target, Word, Written,
};
use crate::dialect::PipeAnd;

impl Parser<'_> {
    /// Commands up to what can only stand behind a list: `)`, `;;`, `done`, the end of the text…,
    /// which is left standing. May be empty.
    pub(super) fn list(&mut self) -> Result<List> {
        let mut items = Vec::new();
        loop {
            self.skip_newlines()?;
            if self.at_end_of_list() {
                return Ok(List { items });
            }
            items.push(self.ended_item()?);
        }
    }

    /// An and-or list and the `;` or `&` behind it. What else may end it is left standing.
    fn ended_item(&mut self) -> Result<Item> {
        if self.syntax.left.empty_commands && self.byte() == Some(b';') {
            return Err(self.unsupported("an empty command"));
        }
        let mut item = self.item()?;
        self.skip_blanks();
        match (self.byte(), self.peek(1)) {
            (Some(b'\n') | None, _) => {}
            (Some(b';'), next) if next != Some(b';') && next != Some(b'&') => self.at += 1,
            (Some(b'&'), next) if next != Some(b'&') => {
                item.background = true;
                self.at += 1;
            }
            _ if self.at_end_of_list() => {}
            _ => return Err(self.unexpected(None)),
        }
        Ok(item)
    }

    /// The commands that end with the next line that can end one, the newline and the texts of
    /// here-documents included; and whether there was such an end. What is blank before them
    /// belongs to them; none if that is all.
    pub(super) fn line_of_commands(&mut self) -> Result<(List, bool)> {
        let mut items = Vec::new();
        self.skip_newlines()?;
        loop {
            match self.byte() {
                None => {
                    self.read_pending()?;
                    return Ok((List { items }, false));
                }
                Some(b'\n') => {
                    self.newline()?;
                    return Ok((List { items }, !self.here_text_is_open));
                }
                Some(_) if self.at_end_of_list() => return Err(self.unexpected(None)),
                Some(_) => items.push(self.ended_item()?),
            }
            self.skip_blanks();
        }
    }

    /// A list that may not be empty, as all parts of compound commands.
    pub(super) fn some_list(&mut self) -> Result<List> {
        let list = self.list()?;
        if list.items.is_empty() {
            return Err(self.unexpected(None));
        }
        Ok(list)
    }

    fn at_end_of_list(&self) -> bool {
        match self.byte() {
            None | Some(b')') => true,
            Some(b'}') if self.in_braces => true,
            Some(b';') => matches!(self.peek(1), Some(b';' | b'&')),
            _ => matches!(
                self.keyword(),
                b"then" | b"elif" | b"else" | b"fi" | b"do" | b"done" | b"esac" | b"}"
            ),
        }
    }

    /// Pipelines with `&&` and `||` between them.
    fn item(&mut self) -> Result<Item> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connective = if self.eat(b"&&") {
                Connective::And
            } else if self.eat(b"||") {
                Connective::Or
            } else {
                return Ok(Item { first, rest, background: false });
            };
            self.skip_newlines()?;
            rest.push((connective, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline> {
        let mut pipeline = Pipeline { negated: false, timed: None, commands: Vec::new() };
        let began = self.at;
        self.prefixes(&mut pipeline)?;
        if self.at > began && self.at_end_of_pipeline() && self.syntax.grammar.free_prefixes {
            return Ok(pipeline);
        }
        loop {
            let mut command = self.nested(Self::command)?;
            self.skip_blanks();
            let pipe = self.byte() == Some(b'|') && self.peek(1) != Some(b'|');
            if pipe {
                self.at += 1;
                let pipe_and = self.syntax.grammar.pipe_and;
                if pipe_and != PipeAnd::Absent && self.eat(b"&") {
                    if pipe_and == PipeAnd::Coprocess {
                        return Err(self.unsupported("a coprocess"));
                    }
                    command.redirects.push(errors_too(command.line));
                }
            }
            pipeline.commands.push(command);
            if !pipe {
                return Ok(pipeline);
            }
            self.skip_newlines()?;
        }
    }

    /// `!` and `time`
    fn prefixes(&mut self, pipeline: &mut Pipeline) -> Result<()> {
        loop {
            match self.keyword() {
                b"!" => {
                    self.at += 1;
                    pipeline.negated = !pipeline.negated;
                    self.skip_blanks();
                    if !self.syntax.grammar.free_prefixes {
                        return Ok(());
                    }
                }
                b"time" if self.syntax.grammar.time => {
                    self.at += 4;
                    self.skip_blanks();
                    let mut posix = false;
                    if self.syntax.left.forms_of_prefixes && self.byte() == Some(b'-') {
                        return Err(self.unsupported("an option of `time'"));
                    }
                    let options = self.syntax.grammar.time_options;
                    if options && self.looking_at(b"-p") && self.ends_after(2) {
                        self.at += 2;
                        posix = true;
                        self.skip_blanks();
                        if self.looking_at(b"--") && self.ends_after(2) {
                            self.at += 2;
                            self.skip_blanks();
                        }
                    }
                    pipeline.timed = Some(posix);
                }
                b"coproc" if self.syntax.grammar.coproc => {
                    return Err(self.unsupported("coproc"));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether a word of so many bytes ends there.
    fn ends_after(&self, length: usize) -> bool {
        self.peek(length).is_none_or(super::cursor::is_meta)
    }

    fn at_end_of_pipeline(&self) -> bool {
        matches!(self.byte(), None | Some(b'\n' | b';' | b')' | b'&' | b'|'))
            && !self.looking_at(b"&>")
    }
}

/// What `|&` stands for: `2>&1`, behind all redirections of the command.
fn errors_too(line: u32) -> Redirect {
    let output = Word { pieces: vec![Piece::Literal(b"1".to_vec())] };
    Redirect {
        descriptor: Some(Target::Number(2)),
        kind: RedirectKind::CopyOutput(output),
        line,
        written: Written(b"2>&1".to_vec()),
    }
}
