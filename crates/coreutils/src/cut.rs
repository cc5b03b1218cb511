//! `cut`: fields, or bytes.

use super::arguments::{Arguments, KnownOptions, Operands, decimal};
use super::messages::complain;
use super::source::{FileResult, Opener, each_line, files, hand_over, of_file, open};
use crate::{Input, Io, Output, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"b:c:d:f:nsz",
    long: &[
        "bytes=b:", "characters=c:", "complement=!", "delimiter=d:", "fields=f:",
        "only-delimited=s", "output-delimiter=o:", "zero-terminated=z",
    ],
    anywhere: true,
};

/// Prints some fields or bytes of each line.
pub(crate) struct Cut<'a> {
    /// Counted from one, both ends included, in order and without overlaps.
    ranges: Vec<(u64, u64)>,
    /// Ends a field; `None` if bytes are counted.
    delimiter: Option<u8>,
    between: &'a [u8],
    only_delimited: bool,
    end: u8,
    files: Operands<'a>,
}

impl<'a> Cut<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Cut<'a>> {
        let (mut list, mut delimiter, mut between) = (None, None, None);
        let (mut only_delimited, mut complement, mut end) = (false, false, b'\n');
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'b' | b'c' | b'f' if list.is_none() => list = Some((letter, value)),
                b'd' if value.len() <= 1 => delimiter = Some(value),
                b'o' => between = Some(value),
                b's' => only_delimited = true,
                b'!' => complement = true,
                b'z' => end = 0,
                b'n' => {}
                _ => return None,
            }
        }
        let files = files(options.operands(io)?)?;
        let (kind, list) = list?;
        let fields = kind == b'f';
        let wrong = match fields {
            // A newline as delimiter, an empty text between fields, and how a text of which NUL
            // ends lines ends itself, have rules of their own.
            true => delimiter == Some(b"\n") || between == Some(b"") || end == 0,
            false => delimiter.is_some() || only_delimited || between.is_some(),
        };
        if wrong {
            return None;
        }
        let delimiter = delimiter.unwrap_or(b"\t");
        let byte = delimiter.first().copied().unwrap_or(0);
        let between = between.unwrap_or(if delimiter.is_empty() { b"\0" } else { delimiter });
        let ranges = ranges(list)?;
        let ranges = if complement { others(&ranges) } else { ranges };
        let delimiter = fields.then_some(byte);
        Some(Cut { ranges, delimiter, between, only_delimited, end, files })
    }

    fn line(&self, line: &[u8], out: &mut Vec<u8>) {
        match self.delimiter {
            None => self.bytes(line, out),
            Some(delimiter) => match self.ranges[..] {
                [(first, last)] if first == last => self.field(line, delimiter, first, out),
                _ => self.fields(line, delimiter, out),
            },
        }
    }

    fn bytes(&self, line: &[u8], out: &mut Vec<u8>) {
        for &(first, last) in &self.ranges {
            let Ok(first) = usize::try_from(first - 1) else { break };
            let last = usize::try_from(last).unwrap_or(usize::MAX).min(line.len());
            out.extend_from_slice(line.get(first..last).unwrap_or_default());
        }
        out.push(self.end);
    }

    /// The usual case: one field.
    fn field(&self, line: &[u8], delimiter: u8, wanted: u64, out: &mut Vec<u8>) {
        let mut rest = line;
        for skipped in 1..wanted {
            match memchr::memchr(delimiter, rest) {
                Some(stop) => rest = &rest[stop + 1..],
                None if skipped == 1 => return self.without(line, out),
                None => return out.push(self.end),
            }
        }
        match memchr::memchr(delimiter, rest) {
            Some(stop) => out.extend_from_slice(&rest[..stop]),
            None if wanted == 1 => return self.without(line, out),
            None => out.extend_from_slice(rest),
        }
        out.push(self.end);
    }

    fn fields(&self, line: &[u8], delimiter: u8, out: &mut Vec<u8>) {
        if memchr::memchr(delimiter, line).is_none() {
            return self.without(line, out);
        }
        let mut ranges = self.ranges.iter();
        let mut range = ranges.next();
        let mut first = true;
        let mut at = 0;
        let stops = memchr::memchr_iter(delimiter, line).chain([line.len()]);
        for (number, stop) in (1_u64..).zip(stops) {
            if range.is_some_and(|&(_, last)| last < number) {
                range = ranges.next();
            }
            let Some(&(start, _)) = range else { break };
            if start <= number {
                if !first {
                    out.extend_from_slice(self.between);
                }
                first = false;
                out.extend_from_slice(&line[at..stop]);
            }
            at = stop + 1;
        }
        out.push(self.end);
    }

    /// A line without a delimiter.
    fn without(&self, line: &[u8], out: &mut Vec<u8>) {
        if !self.only_delimited {
            out.extend_from_slice(line);
            out.push(self.end);
        }
    }
}

/// `1,3-5 7-`: in order, overlapping ranges merged.
fn ranges(list: &[u8]) -> Option<Vec<(u64, u64)>> {
    let mut ranges = Vec::new();
    for range in list.split(|byte| b", \t".contains(byte)) {
        let (first, last) = match memchr::memchr(b'-', range) {
            None => {
                let only = decimal(range)?;
                (only, only)
            }
            Some(_) if range.len() == 1 => return None,
            Some(dash) => {
                let (first, last) = (&range[..dash], &range[dash + 1..]);
                let first = if first.is_empty() { 1 } else { decimal(first)? };
                (first, if last.is_empty() { u64::MAX } else { decimal(last)? })
            }
        };
        if first == 0 || last < first || first == u64::MAX {
            return None;
        }
        ranges.push((first, last));
    }
    ranges.sort_unstable();
    let mut apart: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match apart.last_mut() {
            Some(before) if first <= before.1 => before.1 = before.1.max(last),
            _ => apart.push((first, last)),
        }
    }
    Some(apart)
}

fn others(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut others = Vec::new();
    let mut next = 1;
    for &(first, last) in ranges {
        if next < first {
            others.push((next, first - 1));
        }
        if last == u64::MAX {
            return others;
        }
        next = last + 1;
    }
    others.push((next, u64::MAX));
    others
}

impl ToolJob for Cut<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut status = 0;
        let mut out = Vec::with_capacity(1 << 10);
        for name in &self.files {
            let mut file = None;
            let input = open(name, Opener::new(io), io.input, &mut file);
            let done = input.and_then(|input| cut(self, input, &mut out, io.output));
            if let Err(errno) = of_file(done)? {
                complain(io.errors, io.utf8, "cut", name, errno)?;
                status = 1;
            }
        }
        Ok(status)
    }
}

fn cut(
    job: &Cut<'_>,
    input: &mut dyn Input,
    out: &mut Vec<u8>,
    output: &mut dyn Output,
) -> FileResult {
    let done = of_file(each_line(input, job.end, |line, _| {
        job.line(line, out);
        hand_over(out, output)
    }))?;
    output.write(out)?;
    out.clear();
    Ok(done?)
}

#[cfg(test)]
mod tests;
