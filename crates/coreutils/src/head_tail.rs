//! The arguments and messages that `head` and `tail` share.

use fewer::Errno;

use super::arguments::{Arguments, KnownOptions, Operands, decimal};
use super::messages::say;
use super::source::{FileResult, files};
use crate::{Input, Io, Output, ToolResult, quote};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"c:n:qvz",
    long: &["bytes=c:", "lines=n:", "quiet=q", "silent=q", "verbose=v", "zero-terminated=z"],
    anywhere: true,
};

/// Text that is held back is not shortened before it is larger than this.
pub(super) const HELD_BYTES: usize = 1 << 20;

/// How much of which files: what `head` and `tail` are called with.
pub(super) struct Part<'a> {
    /// Whether bytes are counted, not lines.
    pub(super) bytes: bool,
    /// `head`: all but the last `number`. `tail`: everything from the one with this number on.
    pub(super) rest: bool,
    pub(super) number: u64,
    pub(super) end: u8,
    pub(super) titles: Titles,
    pub(super) files: Operands<'a>,
}

impl<'a> Part<'a> {
    /// `sign` before a number sets `rest`.
    pub(super) fn parse(arguments: &'a [&'a [u8]], sign: u8, io: &Io<'_>) -> Option<Part<'a>> {
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
        let files = files(options.operands(io)?)?;
        let titles = Titles { wanted: titles.unwrap_or(files.len() > 1), first: true };
        Some(Part { bytes, rest, number, end, titles, files })
    }

    /// Where the last `number` lines or bytes begin; a line without an end counts.
    pub(super) fn start_of_last(&self, text: &[u8]) -> usize {
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        if self.bytes || number == 0 {
            return text.len().saturating_sub(number);
        }
        let ended = text.strip_suffix(&[self.end]).unwrap_or(text);
        memchr::memrchr_iter(self.end, ended).nth(number - 1).map_or(0, |stop| stop + 1)
    }
}

/// Reads so many lines, and calls `use_piece` with the pieces of them. Returns whether there were
/// as many.
pub(super) fn first_lines(
    mut lines: u64,
    end: u8,
    input: &mut dyn Input,
    mut use_piece: impl FnMut(&[u8]) -> ToolResult,
) -> FileResult<bool> {
    while lines > 0 {
        let block = input.fill()?;
        if block.is_empty() {
            return Ok(false);
        }
        let mut used = block.len();
        for stop in memchr::memchr_iter(end, block) {
            lines -= 1;
            if lines == 0 {
                used = stop + 1;
                break;
            }
        }
        use_piece(&block[..used])?;
        input.consume(used);
    }
    Ok(true)
}

/// The number of `-5`, and the arguments that follow.
pub(super) fn short_form<'a>(arguments: &'a [&'a [u8]]) -> Option<(u64, &'a [&'a [u8]])> {
    let (first, rest) = arguments.split_first()?;
    Some((decimal(first.strip_prefix(b"-")?)?, rest))
}

/// Prints the name of each file above its contents.
#[derive(Clone, Copy)]
pub(super) struct Titles {
    wanted: bool,
    first: bool,
}

impl Titles {
    pub(super) fn write(&mut self, name: &[u8], output: &mut dyn Output) -> ToolResult {
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
) -> ToolResult {
    let (name, reason) = (quote::always(name, utf8), errno.to_string());
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
) -> ToolResult {
    let name = if name == b"-" { b"standard input" } else { name };
    let (name, reason) = (quote::always(name, utf8), errno.to_string());
    let parts: &[&[u8]] =
        &[tool.as_bytes(), b": error reading ", &name, b": ", reason.as_bytes(), b"\n"];
    say(errors, parts)
}
