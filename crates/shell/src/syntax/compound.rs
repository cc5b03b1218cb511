//! Compound commands.

use super::build::Build;
use super::cursor::Parser;
use super::error::Result;
use super::quotes::Kind as TextKind;
use super::tree::{Arm, Kind, List, Then, Word, Written};

impl Parser<'_> {
    /// The compound command that stands here, if one does.
    pub(super) fn compound(&mut self) -> Result<Option<Kind>> {
        let began = self.at;
        if self.byte() == Some(b'(') {
            return self.parenthesis().map(Some);
        }
        let word = self.keyword();
        let read = match word {
            b"{" => Self::group,
            b"if" => Self::if_command,
            b"while" | b"until" => Self::while_command,
            b"for" => Self::for_command,
            b"case" => Self::case_command,
            b"select" if self.syntax.grammar.select => Self::select,
            b"function" if self.syntax.grammar.function_keyword => {
                self.at += word.len();
                return self.function_keyword(began).map(Some);
            }
            b"[[" if self.syntax.grammar.double_brackets => Self::condition,
            b"!" if self.syntax.left.forms_of_prefixes => {
                return Err(self.unsupported("! behind a pipe"));
            }
            b"!" => return Err(self.unexpected(None)),
            b"then" | b"elif" | b"else" | b"fi" | b"do" | b"done" | b"esac" | b"}" => {
                return Err(self.unexpected(None));
            }
            b"in" if self.syntax.grammar.reserved_in => return Err(self.unexpected(None)),
            _ => return Ok(None),
        };
        self.at += word.len();
        read(self).map(Some)
    }

    /// `( … )` or `(( … ))`
    fn parenthesis(&mut self) -> Result<Kind> {
        if self.syntax.grammar.arithmetic_commands
            && self.peek(1) == Some(b'(')
            && let Some(text) = self.try_arithmetic(2)?
        {
            return Ok(Kind::Arithmetic(text));
        }
        self.at += 1;
        let list = self.some_list()?;
        if !self.eat(b")") {
            return Err(self.unexpected(Some(")")));
        }
        Ok(Kind::Subshell(list))
    }

    fn group(&mut self) -> Result<Kind> {
        Ok(Kind::Group(self.rest_of_group()?))
    }

    fn rest_of_group(&mut self) -> Result<List> {
        let list = self.some_list()?;
        self.expect_keyword("}")?;
        Ok(list)
    }

    fn if_command(&mut self) -> Result<Kind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.some_list()?;
            self.expect_keyword("then")?;
            arms.push((condition, self.some_list()?));
            match self.keyword() {
                b"elif" => self.at += 4,
                b"else" => {
                    self.at += 4;
                    let otherwise = Some(self.some_list()?);
                    self.expect_keyword("fi")?;
                    return Ok(Kind::If { arms, otherwise });
                }
                _ => {
                    self.expect_keyword("fi")?;
                    return Ok(Kind::If { arms, otherwise: None });
                }
            }
        }
    }

    fn while_command(&mut self) -> Result<Kind> {
        let until = self.text[self.at - 5] == b'u';
        let condition = self.some_list()?;
        Ok(Kind::While { until, condition, body: self.do_group()? })
    }

    /// `do … done`
    fn do_group(&mut self) -> Result<List> {
        self.expect_keyword("do")?;
        let body = self.some_list()?;
        self.expect_keyword("done")?;
        Ok(body)
    }

    /// The body of `for` and `select`.
    fn loop_body(&mut self) -> Result<List> {
        if self.syntax.grammar.loops_in_braces && self.keyword() == b"{" {
            self.at += 1;
            return self.rest_of_group();
        }
        self.do_group()
    }

    fn for_command(&mut self) -> Result<Kind> {
        self.skip_blanks();
        if self.syntax.grammar.arithmetic_commands && self.looking_at(b"((") {
            return self.count();
        }
        let (name, words, written) = self.loop_head()?;
        Ok(Kind::For { name, words, body: self.loop_body()?, written })
    }

    fn select(&mut self) -> Result<Kind> {
        let (name, words, written) = self.loop_head()?;
        Ok(Kind::Select { name, words, body: self.loop_body()?, written })
    }

    /// `name in words;`
    fn loop_head(&mut self) -> Result<(Vec<u8>, Option<Vec<Word>>, Written)> {
        self.skip_blanks();
        let name = self.name().to_vec();
        if name.is_empty() || !self.byte().is_none_or(super::cursor::is_meta) {
            return Err(match self.syntax.errors.bad_loop_variable {
                Some(message) => self.error(message.into()),
                None => self.unsupported("such a name of a loop's variable"),
            });
        }
        self.skip_newlines()?;
        if self.keyword() != b"in" {
            // One `;` may stand there.
            if self.byte() == Some(b';') && self.peek(1) != Some(b';') {
                self.at += 1;
                self.skip_newlines()?;
            }
            return Ok((name, None, Written::default()));
        }
        self.at += 2;
        let (mut words, mut written) = (Vec::new(), Written::default());
        loop {
            self.skip_blanks();
            match self.byte() {
                Some(b';') if self.peek(1) != Some(b';') => {
                    self.at += 1;
                    break;
                }
                Some(b'\n') => break,
                _ => {
                    let from = self.at;
                    words.push(self.expect_word()?);
                    if !written.0.is_empty() {
                        written.0.push(b' ');
                    }
                    written.0.append(&mut self.written(from).0);
                }
            }
        }
        self.skip_newlines()?;
        Ok((name, Some(words), written))
    }

    /// `for ((first; condition; step))`
    fn count(&mut self) -> Result<Kind> {
        let began = self.at;
        self.at += 2;
        let mut parts = Vec::new();
        for end in [&b";"[..], b";", b"))"] {
            let mut text = Build::default();
            self.nested(|parser| parser.like_quoted(TextKind::Count, &mut text))?;
            if !self.eat(end) {
                return Err(if self.byte().is_none() {
                    self.unmatched("))", began)
                } else {
                    self.unexpected(None)
                });
            }
            parts.push(text.word());
        }
        self.skip_blanks();
        if self.byte() == Some(b';') {
            self.at += 1;
        }
        self.skip_newlines()?;
        let body = self.loop_body()?;
        let (step, condition) = (parts.pop().unwrap_or_default(), parts.pop().unwrap_or_default());
        Ok(Kind::Count { first: parts.pop().unwrap_or_default(), condition, step, body })
    }

    fn case_command(&mut self) -> Result<Kind> {
        self.skip_blanks();
        let from = self.at;
        let subject = self.expect_word()?;
        let written = self.written(from);
        self.skip_newlines()?;
        self.expect_keyword("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_newlines()?;
            if self.keyword() == b"esac" {
                self.at += 4;
                return Ok(Kind::Case { subject, arms, written });
            }
            let patterns = self.patterns()?;
            let body = self.list()?;
            let then = self.end_of_arm()?;
            arms.push(Arm { patterns, body, then: then.unwrap_or(Then::Leave) });
            if then.is_none() {
                if self.byte().is_none() {
                    return Err(self.unexpected(Some(";;")));
                }
                self.expect_keyword("esac")?;
                return Ok(Kind::Case { subject, arms, written });
            }
        }
    }

    /// `( a | b )`, the first parenthesis being no must.
    fn patterns(&mut self) -> Result<Vec<Word>> {
        self.eat(b"(");
        let mut patterns = Vec::new();
        loop {
            patterns.push(self.expect_word()?);
            self.skip_blanks();
            if self.eat(b")") {
                return Ok(patterns);
            }
            if !self.eat(b"|") {
                return Err(self.no_word(Some(")")));
            }
        }
    }

    /// `;;`, `;&`, `;;&`, or nothing.
    fn end_of_arm(&mut self) -> Result<Option<Then>> {
        if self.syntax.grammar.try_next && self.eat(b";;&") {
            return Ok(Some(Then::Try));
        }
        if self.eat(b";;") {
            return Ok(Some(Then::Leave));
        }
        if self.looking_at(b";&") {
            if !self.syntax.grammar.fall_through {
                self.at += 1;
                return Err(self.unexpected(None));
            }
            self.at += 2;
            return Ok(Some(Then::Fall));
        }
        Ok(None)
    }
}
