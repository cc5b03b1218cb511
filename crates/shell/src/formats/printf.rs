//! `printf`.

mod directive;
mod numbers;

use super::escapes::{EscapeContext, Escapes, Step};
use super::quote;
use crate::Dialect;
use crate::dialect;
use directive::{Directive, Flaw};
use fewer::Zone;

/// What `printf` asks its shell.
pub trait World {
    /// Which shell's rules.
    fn dialect(&self) -> Dialect;
    /// Whether the locale's characters are UTF-8.
    fn utf8(&self) -> bool;
    /// Seconds since 1970.
    fn now(&mut self) -> i64;
    /// When the shell was started.
    fn started(&mut self) -> i64;
    /// The zone that `TZ` says.
    fn zone(&mut self) -> Zone;
    /// The value of an arithmetic text: ksh's `%d` evaluates it.
    ///
    /// # Errors
    /// The message.
    fn arithmetic(&mut self, text: &[u8]) -> Result<i64, Vec<u8>>;
    /// Assigns to the variable that `%n` names.
    fn set_count(&mut self, name: &[u8], bytes: usize);
}

/// How it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status.
    pub status: u8,
    /// What the shell says on standard error, each behind `printf: `.
    pub errors: Vec<Vec<u8>>,
}

/// Appends what `printf` writes. The options and `--` are gone already.
///
/// Makes no calls but for the zone, if there is a `%(…)T`.
pub fn printf<T, W>(format: &[u8], arguments: &[T], world: &mut W, out: &mut Vec<u8>) -> Outcome
where
    T: AsRef<[u8]>,
    W: World,
{
    let dialect = world.dialect();
    let escapes = Escapes { context: EscapeContext::Format, dialect, utf8: world.utf8() };
    let mut printf = Printf {
        arguments,
        next: 0,
        start: out.len(),
        out,
        world,
        dialect,
        rules: &dialect.profile().formats.printf,
        escapes,
        outcome: Outcome::default(),
    };
    loop {
        let before = printf.next;
        let more = printf.pass(format);
        if !more || printf.next == before || printf.next >= arguments.len() {
            return printf.outcome;
        }
    }
}

struct Printf<'a, T, W> {
    arguments: &'a [T],
    next: usize,
    out: &'a mut Vec<u8>,
    start: usize,
    world: &'a mut W,
    dialect: Dialect,
    rules: &'static dialect::Printf,
    escapes: Escapes,
    outcome: Outcome,
}

impl<'a, T: AsRef<[u8]>, W: World> Printf<'a, T, W> {
    /// The format once. False: it is over, whatever arguments are left.
    fn pass(&mut self, format: &[u8]) -> bool {
        let mut rest = format;
        while let Some(at) = memchr::memchr2(b'%', b'\\', rest) {
            self.out.extend_from_slice(&rest[..at]);
            let special = rest[at];
            rest = &rest[at + 1..];
            let used = match special {
                b'\\' => self.escape(rest),
                _ => self.directive(rest),
            };
            match used {
                Some(used) => rest = &rest[used..],
                None => return false,
            }
        }
        self.out.extend_from_slice(rest);
        true
    }

    fn escape(&mut self, rest: &[u8]) -> Option<usize> {
        let mut missing = Vec::new();
        let step = self.escapes.one(rest, self.out, &mut missing);
        self.missing(&missing);
        match step {
            Step::Used(bytes) => Some(bytes),
            Step::Stop | Step::End => None,
        }
    }

    fn missing(&mut self, letters: &[u8]) {
        for letter in letters {
            let what = if *letter == b'x' { "hex" } else { "unicode" };
            let said = format!("missing {what} digit for \\{}", char::from(*letter));
            self.outcome.errors.push(said.into_bytes());
        }
    }

    fn complain(&mut self, message: &[&[u8]]) {
        self.outcome.status = self.outcome.status.max(1);
        self.outcome.errors.push(message.concat());
    }

    fn argument(&mut self) -> Option<&'a [u8]> {
        let arguments: &'a [T] = self.arguments;
        let argument = arguments.get(self.next)?;
        self.next += 1;
        Some(argument.as_ref())
    }

    /// What stands behind a `%`: how many bytes it takes, `None` if nothing more is written.
    fn directive(&mut self, rest: &[u8]) -> Option<usize> {
        match rest.first() {
            Some(b'%') => {
                self.out.push(b'%');
                return Some(1);
            }
            Some(b's') => {
                let text = self.argument().unwrap_or(b"");
                self.out.extend_from_slice(text);
                return Some(1);
            }
            _ => {}
        }
        let (mut directive, stars) = match Directive::read(rest, self.rules) {
            Ok(read) => read,
            Err(flaw) => return self.flawed(rest, flaw),
        };
        if stars.0 {
            directive.set_width(self.star());
        }
        if stars.1 {
            directive.set_precision(self.star());
        }
        if directive.is_large() {
            return self.flawed(rest, Flaw::Large);
        }
        self.convert(&directive).then_some(directive.length)
    }

    fn star(&mut self) -> i64 {
        let argument = self.argument();
        self.signed(argument).clamp(-i64::from(i32::MAX), i64::from(i32::MAX))
    }

    fn flawed(&mut self, rest: &[u8], flaw: Flaw) -> Option<usize> {
        match flaw {
            Flaw::Missing(length) => match (self.rules.no_letter)(&rest[..length]) {
                Some(message) => self.complain(&[&message]),
                None => {
                    self.out.push(b'%');
                    return Some(rest.len());
                }
            },
            Flaw::Large => self.complain(&[self.rules.too_large.as_bytes()]),
            Flaw::Invalid(length) => {
                self.complain(&[&(self.rules.unknown_letter)(&rest[..length])]);
            }
            Flaw::Time(length) => {
                // What is written again is the beginning of it.
                let letter = rest.get(length).copied().unwrap_or(b' ');
                let said = [b"warning: `", &[letter][..], b"': invalid time format specification"];
                self.complain(&[&said.concat()]);
                self.outcome.status = 0;
                self.out.push(b'%');
                return Some(0);
            }
        }
        self.outcome.status = self.rules.flaw_status;
        None
    }

    /// False if nothing more is written.
    fn convert(&mut self, directive: &Directive<'_>) -> bool {
        let argument = self.argument();
        let text = argument.unwrap_or(b"");
        match directive.letter {
            b's' => directive.text(text, self.out),
            b'c' => self.character(directive, text),
            b'b' => return self.escaped(directive, text),
            b'q' | b'Q' => self.quoted(directive, argument),
            b'n' => {
                let bytes = self.out.len() - self.start;
                self.world.set_count(text, bytes);
            }
            b'T' => self.time(directive, argument),
            b'd' | b'i' => {
                let value = self.signed(argument);
                directive.integer(value < 0, value.unsigned_abs(), self.out);
            }
            b'o' | b'u' | b'x' | b'X' => {
                let value = self.unsigned(argument);
                directive.integer(false, value, self.out);
            }
            b'%' => self.out.push(b'%'),
            _ => self.float(directive, argument),
        }
        true
    }

    fn character(&mut self, directive: &Directive<'_>, text: &[u8]) {
        let length = match self.rules.whole_characters && self.escapes.utf8 {
            true => (1..=text.len().min(4))
                .find(|&length| std::str::from_utf8(&text[..length]).is_ok())
                .unwrap_or(1),
            false => 1,
        };
        let character = text.get(..length).unwrap_or(b"\0");
        directive.padded(character, self.out);
    }

    fn escaped(&mut self, directive: &Directive<'_>, text: &[u8]) -> bool {
        let (mut made, mut missing) = (Vec::new(), Vec::new());
        let escapes = Escapes { context: EscapeContext::Argument, ..self.escapes };
        let more = escapes.text(text, &mut made, &mut missing);
        self.missing(&missing);
        directive.text(&made, self.out);
        more
    }

    fn quoted(&mut self, directive: &Directive<'_>, argument: Option<&[u8]>) {
        let mut text = argument.unwrap_or(b"");
        let mut precise = *directive;
        if directive.letter == b'Q' {
            // %Q cuts before it quotes.
            text = &text[..directive.precision.unwrap_or(text.len()).min(text.len())];
            precise.precision = None;
        }
        let mut made = Vec::new();
        if argument.is_some() || self.rules.quotes_nothing {
            quote::quote(text, quote::For::Printf, self.dialect, self.escapes.utf8, &mut made);
        }
        precise.text(&made, self.out);
    }

    fn time(&mut self, directive: &Directive<'_>, argument: Option<&[u8]>) {
        let seconds = match argument {
            None => self.world.now(),
            Some(_) => match self.signed(argument) {
                -1 => self.world.now(),
                -2 => self.world.started(),
                seconds => seconds,
            },
        };
        let format: &[u8] = match directive.time {
            b"" => self.rules.default_time.as_bytes(),
            format => format,
        };
        let mut made = Vec::new();
        self.world.zone().strftime(format, seconds, &mut made);
        if made.len() > self.rules.time_bytes {
            made.clear();
        }
        directive.text(&made, self.out);
    }
}
