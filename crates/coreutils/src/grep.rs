//! `grep` for a literal text, perhaps between `^` and `$`.

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::{reason, say};
use super::source::{FileError, Opener, as_path, files, is_same, of_file, open};
use crate::{Input, Io, Output, ToolError, ToolJob};
use needle::Needle;

mod needle;

const OPTIONS: KnownOptions = KnownOptions {
    short: b"EFGHce:hlnqsvx",
    long: &[
        ("basic-regexp", b'G', false),
        ("count", b'c', false),
        ("extended-regexp", b'E', false),
        ("files-with-matches", b'l', false),
        ("fixed-strings", b'F', false),
        ("invert-match", b'v', false),
        ("line-number", b'n', false),
        ("line-regexp", b'x', false),
        ("no-filename", b'h', false),
        ("no-messages", b's', false),
        ("quiet", b'q', false),
        ("regexp", b'e', true),
        ("silent", b'q', false),
        ("with-filename", b'H', false),
    ],
    anywhere: true,
};

/// What is written about the selected lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Lines,
    Count,
    Name,
    Nothing,
}

/// Selects the lines with a text in them.
pub(crate) struct Grep<'a> {
    needle: Needle<'a>,
    invert: bool,
    show: Show,
    numbers: bool,
    names: bool,
    silent: bool,
    files: Operands<'a>,
}

impl<'a> Grep<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Grep<'a>> {
        let (mut pattern, mut language, mut names) = (None, None, None);
        let (mut invert, mut whole, mut numbers, mut silent) = (false, false, false, false);
        let mut show = Show::Lines;
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'E' | b'F' | b'G' if language.is_none_or(|it| it == letter) => {
                    language = Some(letter);
                }
                b'c' | b'l' | b'q' if show == Show::Lines => {
                    show = match letter {
                        b'c' => Show::Count,
                        b'l' => Show::Name,
                        _ => Show::Nothing,
                    }
                }
                b'e' if pattern.is_none() => pattern = Some(value),
                b'H' | b'h' => names = Some(letter == b'H'),
                b'n' => numbers = true,
                b's' => silent = true,
                b'v' => invert = true,
                b'x' => whole = true,
                _ => return None,
            }
        }
        let mut operands = options.operands(io)?;
        if pattern.is_none() && !operands.is_empty() {
            pattern = Some(operands.remove(0));
        }
        let needle = Needle::new(pattern?, language.unwrap_or(b'G'), whole, io.utf8)?;
        let files = files(operands)?;
        let names = names.unwrap_or(files.len() > 1);
        Some(Grep { needle, invert, show, numbers, names, silent, files })
    }
}

impl ToolJob for Grep<'_> {
    fn run(&self, io: &mut Io<'_>) -> Result<u8, ToolError> {
        let job = self;
        if reads_what_it_writes(job, io) {
            return Err(ToolError::Unsupported);
        }
        let (mut found, mut wrong) = (false, false);
        for &name in &job.files {
            let mut file = None;
            let input = match of_file(open(name, Opener::new(io), io.input, &mut file))? {
                Ok(input) => input,
                Err(errno) => {
                    wrong = true;
                    complain(job, name, errno, io.errors)?;
                    continue;
                }
            };
            let mut search = Search::new(job, shown_name(name), io.utf8, io.output);
            let done = of_file(search.file(input))?;
            let (selected, hidden) = (search.selected, search.hidden);
            if let Err(errno) = done {
                wrong = true;
                complain(job, name, errno, io.errors)?;
            }
            found |= selected > 0;
            match job.show {
                Show::Nothing if found => return Ok(0),
                Show::Count => count(job, name, selected, io.output)?,
                Show::Name if selected > 0 => {
                    io.output.write(&[shown_name(name), b"\n"].concat())?;
                }
                Show::Lines if hidden && !writes_to_nowhere(io.output) => {
                    let parts: &[&[u8]] =
                        &[b"grep: ", shown_name(name), b": binary file matches\n"];
                    say(io.errors, parts)?;
                }
                _ => {}
            }
        }
        Ok(if wrong { 2 } else { u8::from(!found) })
    }
}

fn shown_name(name: &[u8]) -> &[u8] {
    if name == b"-" { b"(standard input)" } else { name }
}

fn count(
    job: &Grep<'_>,
    name: &[u8],
    selected: u64,
    output: &mut dyn Output,
) -> Result<(), ToolError> {
    if job.names {
        output.write(&[shown_name(name), b":"].concat())?;
    }
    output.write(format!("{selected}\n").as_bytes())
}

fn complain(
    job: &Grep<'_>,
    name: &[u8],
    errno: fewer::Errno,
    errors: &mut dyn Output,
) -> Result<(), ToolError> {
    if job.silent {
        return Ok(());
    }
    let reason = reason(errno);
    say(errors, &[b"grep: ", shown_name(name), b": ", reason.as_bytes(), b"\n"])
}

/// Whether a file that is read is also standard output, which the real one refuses.
fn reads_what_it_writes(job: &Grep<'_>, io: &Io<'_>) -> bool {
    let Some(target) = io.output.stat().filter(|stat| stat.kind() == fewer::Kind::File) else {
        return false;
    };
    let same = |stat: &fewer::Stat| is_same(stat, &target);
    job.files.iter().any(|name| match *name {
        b"-" => io.input.stat().is_some_and(|stat| same(&stat)),
        _ => {
            let stat = io.scope.stat_target(as_path(name), fewer::Fields::INODE);
            stat.is_ok_and(|stat| same(&stat))
        }
    })
}

/// Whether standard output is /dev/null: the real one does not look for binary text then.
fn writes_to_nowhere(output: &dyn Output) -> bool {
    let null = |stat: fewer::Stat| stat.kind() == fewer::Kind::Char && stat.special() == (1, 3);
    output.stat().is_some_and(null)
}

/// The search of one file.
struct Search<'s, 'a> {
    job: &'s Grep<'a>,
    name: &'s [u8],
    utf8: bool,
    output: &'s mut dyn Output,
    /// Whether there is a NUL in it: then NULs end lines, and no line is shown.
    binary: bool,
    selected: u64,
    /// Whether a line was not shown because it is no text.
    hidden: bool,
    /// The number of lines before the current text.
    before: u64,
}

/// Whether the search goes on.
type Goes = Result<bool, ToolError>;

impl<'s, 'a> Search<'s, 'a> {
    fn new(
        job: &'s Grep<'a>,
        name: &'s [u8],
        utf8: bool,
        output: &'s mut dyn Output,
    ) -> Search<'s, 'a> {
        Search { job, name, utf8, output, binary: false, selected: 0, hidden: false, before: 0 }
    }

    fn file(&mut self, input: &mut dyn Input) -> Result<(), FileError> {
        let mut begun = Vec::new();
        let mut zapped = Vec::new();
        loop {
            let block = input.fill()?;
            if block.is_empty() {
                break;
            }
            let used = block.len();
            let mut text = block;
            self.binary |= memchr::memchr(0, block).is_some();
            if self.binary {
                zapped.clear();
                zapped.extend(block.iter().map(|&byte| if byte == 0 { b'\n' } else { byte }));
                text = &zapped;
            }
            let goes = self.block(text, &mut begun)?;
            input.consume(used);
            if !goes {
                return Ok(());
            }
        }
        if !begun.is_empty() {
            begun.push(b'\n');
            self.lines(&begun)?;
        }
        Ok(())
    }

    /// Searches a block, and the line that began in the block before. The rest of the block, a line
    /// without its end, stays in `begun`.
    fn block(&mut self, text: &[u8], begun: &mut Vec<u8>) -> Goes {
        let mut text = text;
        if !begun.is_empty() {
            let Some(end) = memchr::memchr(b'\n', text) else {
                begun.extend_from_slice(text);
                return Ok(true);
            };
            begun.extend_from_slice(&text[..=end]);
            text = &text[end + 1..];
            if !self.lines(begun)? {
                return Ok(false);
            }
            begun.clear();
        }
        let end = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        begun.extend_from_slice(&text[end..]);
        self.lines(&text[..end])
    }

    /// Searches whole lines.
    fn lines(&mut self, text: &[u8]) -> Goes {
        let mut at = 0;
        while at < text.len() {
            let found = self.job.needle.line(text, at);
            let (start, end) = found.unwrap_or((text.len(), text.len()));
            let goes = if self.job.invert {
                let goes = self.select(&text[at..start])?;
                self.before += u64::from(found.is_some());
                goes
            } else {
                if self.job.numbers {
                    self.before += memchr::memchr_iter(b'\n', &text[at..start]).count() as u64;
                }
                self.select(&text[start..end])?
            };
            if !goes {
                return Ok(false);
            }
            at = end;
        }
        Ok(true)
    }

    /// Writes or counts consecutive lines that are selected.
    fn select(&mut self, lines: &[u8]) -> Goes {
        if lines.is_empty() {
            return Ok(true);
        }
        if self.job.show == Show::Count {
            self.selected += memchr::memchr_iter(b'\n', lines).count() as u64;
            return Ok(true);
        }
        if self.job.show != Show::Lines || self.binary {
            self.selected += 1;
            self.hidden = true;
            return Ok(false);
        }
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            self.selected += 1;
            self.before += 1;
            if self.utf8 && !line.is_ascii() && std::str::from_utf8(line).is_err() {
                self.hidden = true;
                continue;
            }
            if self.job.names {
                self.output.write(self.name)?;
                self.output.write(b":")?;
            }
            if self.job.numbers {
                self.output.write(format!("{}:", self.before).as_bytes())?;
            }
            self.output.write(line)?;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
