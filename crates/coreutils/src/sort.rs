//! `sort`, of whole lines: by bytes or by number.

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::say;
use super::source::{File, FileResult, Opener, each_block, files, of_file};
use crate::{Input, Io, ToolError, ToolJob, ToolResult, quote};
use number::Number;

mod number;

const OPTIONS: KnownOptions = KnownOptions {
    short: b"nrsuz",
    long: &["numeric-sort=n", "reverse=r", "stable=s", "unique=u", "zero-terminated=z"],
    anywhere: true,
};

/// At most this is held in memory. (The real one uses the disk.)
const LIMIT_BYTES: usize = 1 << 30;
/// At most so many files are open at once.
const LIMIT_FILES: usize = 16;

/// Sorts lines.
pub(crate) struct Sort<'a> {
    numeric: bool,
    reverse: bool,
    stable: bool,
    unique: bool,
    end: u8,
    files: Operands<'a>,
}

impl<'a> Sort<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Sort<'a>> {
        let (numeric, reverse, stable, unique) = (false, false, false, false);
        let end = b'\n';
        let mut job = Sort { numeric, reverse, stable, unique, end, files: Operands::new() };
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'n' => job.numeric = true,
                b'r' => job.reverse = true,
                b's' => job.stable = true,
                b'u' => job.unique = true,
                _ => job.end = 0,
            }
        }
        job.files = files(options.operands(io)?)?;
        // An old way to name a key.
        let old = job.files.iter().any(|name| name.starts_with(b"+"));
        (!old && job.files.len() <= LIMIT_FILES).then_some(job)
    }
}

impl ToolJob for Sort<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        // All of them are looked at before any is read.
        let mut files = Vec::new();
        for &name in &self.files {
            let file = match name {
                b"-" => None,
                _ => match of_file(File::open(Opener::new(io), name))? {
                    Ok(file) => Some(file),
                    Err(errno) => return cannot(b"sort: cannot read: ", name, errno, io),
                },
            };
            files.push(file);
        }
        let mut text = Vec::new();
        for (&name, file) in self.files.iter().zip(&mut files) {
            let input: &mut dyn Input = match file {
                Some(file) => file,
                None => io.input,
            };
            if let Err(errno) = of_file(read(input, self.end, &mut text))? {
                return cannot(b"sort: read failed: ", name, errno, io);
            }
        }
        drop(files);
        let mut out = Vec::with_capacity(text.len());
        for line in sorted(self, &text) {
            out.extend_from_slice(line);
            out.push(self.end);
        }
        io.output.write(&out)?;
        Ok(0)
    }
}

fn cannot(what: &[u8], name: &[u8], errno: fewer::Errno, io: &mut Io<'_>) -> ToolResult<u8> {
    let (name, reason) = (quote::for_colon(name, io.utf8), errno.to_string());
    say(io.errors, &[what, &name, b": ", reason.as_bytes(), b"\n"])?;
    Ok(2)
}

/// Reads all of it; the last line gets an end if it has none.
fn read(input: &mut dyn Input, end: u8, text: &mut Vec<u8>) -> FileResult {
    let start = text.len();
    each_block(input, |block| {
        if text.len() + block.len() > LIMIT_BYTES {
            return Err(ToolError::Stopped);
        }
        text.extend_from_slice(block);
        Ok(())
    })?;
    if text.len() > start && text.last() != Some(&end) {
        text.push(end);
    }
    Ok(())
}

fn sorted<'t>(job: &Sort<'_>, text: &'t [u8]) -> Vec<&'t [u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == job.end).collect();
    // What stands behind the last end is no line.
    lines.pop();
    if !job.numeric {
        match (job.reverse, job.unique) {
            // Equal lines look the same: their order does not show.
            (false, _) => lines.sort_unstable(),
            (true, _) => lines.sort_unstable_by(|a, b| b.cmp(a)),
        }
        if job.unique {
            lines.dedup();
        }
        return lines;
    }
    let mut keyed: Vec<(Number<'_>, &[u8])> =
        lines.iter().map(|&line| (Number::new(line), line)).collect();
    let whole = !job.stable && !job.unique;
    keyed.sort_by(|(a, a_line), (b, b_line)| {
        let order = a.cmp(b);
        let order = if whole { order.then_with(|| a_line.cmp(b_line)) } else { order };
        if job.reverse { order.reverse() } else { order }
    });
    if job.unique {
        keyed.dedup_by(|(b, _), (a, _)| a == b);
    }
    keyed.into_iter().map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests;
