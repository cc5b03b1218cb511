//! Redirections.

use super::cursor::Parser;
use super::error::Result;
use super::name_length;
use super::tree::{Redirect, RedirectKind, Target};

impl Parser<'_> {
    /// The redirections that stand here, behind a compound command.
    pub(super) fn redirects(&mut self) -> Result<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    /// The redirection that stands here, if one does.
    pub(super) fn redirect(&mut self) -> Result<Option<Redirect>> {
        let Some(first) = self.byte() else { return Ok(None) };
        let descriptor = match first {
            b'<' | b'>' => None,
            b'&' if self.syntax.grammar.more_redirections && self.peek(1) == Some(b'>') => None,
            b'0'..=b'9' => match self.number_before_operator() {
                Some(number) => Some(Target::Number(number)),
                None => return Ok(None),
            },
            b'{' if self.syntax.grammar.more_redirections => {
                match self.variable_before_operator() {
                    Some(name) => Some(Target::Variable(name)),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        if descriptor.is_none() && self.process_follows() {
            return Ok(None);
        }
        let (line, from) = (self.line(), self.at);
        let kind = self.redirect_kind()?;
        Ok(Some(Redirect { descriptor, kind, line, written: self.written(from) }))
    }

    /// Goes behind the digits, if an operator follows them.
    fn number_before_operator(&mut self) -> Option<u32> {
        let rest = self.rest();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 1 && !self.syntax.grammar.wide_descriptors
            || !matches!(rest.get(digits), Some(b'<' | b'>'))
        {
            return None;
        }
        let number = rest[..digits]
            .iter()
            .try_fold(0u32, |n, b| n.checked_mul(10)?.checked_add(u32::from(b - b'0')))?;
        self.at += digits;
        Some(number)
    }

    /// Goes behind `{name}`, if an operator follows it.
    fn variable_before_operator(&mut self) -> Option<Vec<u8>> {
        let rest = &self.rest()[1..];
        let length = name_length(rest);
        if length == 0
            || rest.get(length) != Some(&b'}')
            || !matches!(rest.get(length + 1), Some(b'<' | b'>'))
        {
            return None;
        }
        self.at += length + 2;
        Some(rest[..length].to_vec())
    }

    /// The operator and its word.
    fn redirect_kind(&mut self) -> Result<RedirectKind> {
        let own_forms = self.syntax.left.forms_of_redirections;
        if self.syntax.grammar.more_redirections {
            if self.eat(b"<<<") {
                return Ok(RedirectKind::HereString(self.expect_word()?));
            }
            if own_forms && self.looking_at(b"&>>") {
                return Err(self.unsupported("`&>>'"));
            }
            if self.eat(b"&>>") {
                return Ok(RedirectKind::AppendBoth(self.expect_word()?));
            }
            if self.eat(b"&>") {
                return Ok(RedirectKind::WriteBoth(self.expect_word()?));
            }
        }
        if self.eat(b"<<-") {
            return Ok(RedirectKind::Here(self.here_document(true)?));
        }
        if self.eat(b"<<") {
            if own_forms && self.byte() == Some(b'#') {
                return Err(self.unsupported("<<#"));
            }
            return Ok(RedirectKind::Here(self.here_document(false)?));
        }
        let kind = if self.eat(b"<&") {
            RedirectKind::CopyInput
        } else if self.eat(b"<>") {
            RedirectKind::ReadWrite
        } else if self.eat(b"<") {
            RedirectKind::Read
        } else if self.eat(b">>") {
            RedirectKind::Append
        } else if self.eat(b">&") {
            RedirectKind::CopyOutput
        } else if self.eat(b">|") {
            RedirectKind::Clobber
        } else {
            self.at += 1;
            RedirectKind::Write
        };
        if own_forms && matches!(self.byte(), Some(b'#' | b';')) {
            return Err(self.unsupported("a redirection that only ksh has"));
        }
        Ok(kind(self.expect_word()?))
    }
}
