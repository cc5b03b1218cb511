//! `uniq`, of whole lines.

use super::arguments::{Arguments, KnownOptions};
use super::messages::{complain, say};
use super::source::{FileResult, Opener, each_line, hand_over, is_plain, of_file, open};
use crate::{Input, Io, Output, ToolJob, ToolResult, quote};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"cdiuz",
    long: &["count=c", "ignore-case=i", "repeated=d", "unique=u", "zero-terminated=z"],
    anywhere: true,
};

/// Prints one of equal adjacent lines.
pub(crate) struct Uniq<'a> {
    count: bool,
    /// Whether lines without an equal neighbour, and those with one, are printed.
    once: bool,
    often: bool,
    fold_case: bool,
    end: u8,
    file: &'a [u8],
}

impl<'a> Uniq<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Uniq<'a>> {
        let (count, once, often, fold_case) = (false, true, true, false);
        let mut job = Uniq { count, once, often, fold_case, end: b'\n', file: b"-" };
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'c' => job.count = true,
                b'd' => job.once = false,
                b'i' => job.fold_case = true,
                b'u' => job.often = false,
                _ => job.end = 0,
            }
        }
        let operands = options.operands(io)?;
        match operands[..] {
            [] => {}
            // An old way to say that fields or bytes are skipped.
            [file] if !file.starts_with(b"+") && is_plain(file) => job.file = file,
            _ => return None,
        }
        Some(job)
    }

    fn same(&self, a: &[u8], b: &[u8]) -> bool {
        if self.fold_case { a.eq_ignore_ascii_case(b) } else { a == b }
    }

    fn write(&self, line: &[u8], times: u64, out: &mut Vec<u8>) {
        if times == 0 || !(if times == 1 { self.once } else { self.often }) {
            return;
        }
        if self.count {
            out.extend_from_slice(format!("{times:7} ").as_bytes());
        }
        out.extend_from_slice(line);
        out.push(self.end);
    }
}

impl ToolJob for Uniq<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut file = None;
        let input = match of_file(open(self.file, Opener::new(io), io.input, &mut file))? {
            Ok(input) => input,
            Err(errno) => {
                complain(io.errors, io.utf8, "uniq", self.file, errno)?;
                return Ok(1);
            }
        };
        match of_file(uniq(self, input, io.output))? {
            Ok(()) => Ok(0),
            Err(errno) => {
                let (name, reason) = (quote::always(self.file, io.utf8), errno.to_string());
                let parts: &[&[u8]] =
                    &[b"uniq: error reading ", &name, b": ", reason.as_bytes(), b"\n"];
                say(io.errors, parts)?;
                Ok(1)
            }
        }
    }
}

fn uniq(job: &Uniq<'_>, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    let (mut kept, mut times) = (Vec::new(), 0_u64);
    let mut out = Vec::new();
    let done = of_file(each_line(input, job.end, |line, _| {
        if times > 0 && job.same(&kept, line) {
            times += 1;
            return Ok(());
        }
        job.write(&kept, times, &mut out);
        kept.clear();
        kept.extend_from_slice(line);
        times = 1;
        hand_over(&mut out, output)
    }))?;
    if done.is_ok() {
        job.write(&kept, times, &mut out);
    }
    output.write(&out)?;
    Ok(done?)
}

#[cfg(test)]
mod tests;
