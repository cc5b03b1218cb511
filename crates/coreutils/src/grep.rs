//! `grep` for a literal text, perhaps between `^` and `$`.

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::say;
use super::source::{Opener, as_path, files, is_same, of_file, open};
use crate::{Io, Output, ToolError, ToolJob, ToolResult};
use needle::Needle;
use search::Search;

mod needle;
mod search;

const OPTIONS: KnownOptions = KnownOptions {
    short: b"EFGHce:hlnqsvx",
    long: &[
        "basic-regexp=G", "count=c", "extended-regexp=E", "files-with-matches=l",
        "fixed-strings=F", "invert-match=v", "line-number=n", "line-regexp=x", "no-filename=h",
        "no-messages=s", "quiet=q", "regexp=e:", "silent=q", "with-filename=H",
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
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
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

fn count(job: &Grep<'_>, name: &[u8], selected: u64, output: &mut dyn Output) -> ToolResult {
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
) -> ToolResult {
    if job.silent {
        return Ok(());
    }
    let reason = errno.to_string();
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

#[cfg(test)]
mod tests;
