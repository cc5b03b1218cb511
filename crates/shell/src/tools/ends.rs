//! What `head` and `tail` have in common: what they are asked for, and what they say.

use fewer::Errno;

use super::arguments::{Arguments, Known, Operands, decimal};
use super::source::{files, reason, say};
use super::{Broken, Lent, Output, quote};
use crate::Text;

const OPTIONS: Known = Known {
    short: b"c:n:qvz",
    long: &[
        ("bytes", b'c', true),
        ("lines", b'n', true),
        ("quiet", b'q', false),
        ("silent", b'q', false),
        ("verbose", b'v', false),
        ("zero-terminated", b'z', false),
    ],
    anywhere: true,
};

/// What is held back is not looked at before it is more than this.
pub(super) const HELD_BYTES: usize = 1 << 20;

/// How much of which files.
pub(super) struct Job<'a> {
    /// Bytes, not lines.
    pub(super) bytes: bool,
    /// `head`: all but so many. `tail`: everything from that one on, counted from one.
    pub(super) rest: bool,
    pub(super) number: u64,
    pub(super) end: u8,
    pub(super) titles: Titles,
    pub(super) files: Operands<'a>,
}

impl<'a> Job<'a> {
    /// `sign` stands before a number that means the rest.
    pub(super) fn new(arguments: &'a [Text], sign: u8, lent: &Lent<'_>) -> Option<Job<'a>> {
        let (mut bytes, mut rest, mut number) = (false, false, 10);
        let (mut titles, mut end) = (None, b'\n');
        let mut arguments = arguments;
        if let Some((short, behind)) = short_form(arguments) {
            (number, arguments) = (short, behind);
        }
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'c' | b'n' => {
                    (bytes, rest) = (letter == b'c', value.first() == Some(&sign));
                    let signed = value.strip_prefix(b"-").or(value.strip_prefix(&[sign]));
                    number = decimal(signed.unwrap_or(value))?;
                }
                b'q' => titles = Some(false),
                b'v' => titles = Some(true),
                _ => end = 0,
            }
        }
        let files = files(options.operands(lent)?)?;
        let titles = Titles { wanted: titles.unwrap_or(files.len() > 1), first: true };
        Some(Job { bytes, rest, number, end, titles, files })
    }

    /// Where the last so many lines or bytes begin; a line that nothing ends is one.
    pub(super) fn start_of_last(&self, text: &[u8]) -> usize {
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        if self.bytes || number == 0 {
            return text.len().saturating_sub(number);
        }
        let ended = text.strip_suffix(&[self.end]).unwrap_or(text);
        memchr::memrchr_iter(self.end, ended).nth(number - 1).map_or(0, |stop| stop + 1)
    }
}

/// `-5`, and what is behind it.
pub(super) fn short_form(arguments: &[Text]) -> Option<(u64, &[Text])> {
    let (first, rest) = arguments.split_first()?;
    Some((decimal(first.strip_prefix(b"-")?)?, rest))
}

/// The names of files above what is in them.
#[derive(Clone, Copy)]
pub(super) struct Titles {
    wanted: bool,
    first: bool,
}

impl Titles {
    pub(super) fn write(&mut self, name: &[u8], output: &mut dyn Output) -> Result<(), Broken> {
        if !self.wanted {
            return Ok(());
        }
        let name = if name == b"-" { b"standard input" } else { name };
        let before: &[u8] = if self.first { b"==> " } else { b"\n==> " };
        self.first = false;
        output.write(&[before, name, b" <==\n"].concat())
    }
}

pub(super) fn cannot_open(
    errors: &mut dyn Output,
    utf8: bool,
    tool: &str,
    name: &[u8],
    errno: Errno,
) -> Result<(), Broken> {
    let (name, reason) = (quote::always(name, utf8), reason(errno));
    let parts: &[&[u8]] =
        &[tool.as_bytes(), b": cannot open ", &name, b" for reading: ", reason.as_bytes(), b"\n"];
    say(errors, parts)
}

pub(super) fn cannot_read(
    errors: &mut dyn Output,
    utf8: bool,
    tool: &str,
    name: &[u8],
    errno: Errno,
) -> Result<(), Broken> {
    let name = if name == b"-" { b"standard input" } else { name };
    let (name, reason) = (quote::always(name, utf8), reason(errno));
    let parts: &[&[u8]] =
        &[tool.as_bytes(), b": error reading ", &name, b": ", reason.as_bytes(), b"\n"];
    say(errors, parts)
}
