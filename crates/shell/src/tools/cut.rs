//! `cut`: fields, or bytes.

use super::arguments::{Arguments, Known, Operands, decimal};
use super::source::{complain, each_line, files, open};
use super::{Broken, Input, Lent, Output, Tool};
use crate::Text;

pub(super) const CUT: Tool =
    Tool { name: "cut", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"b:c:d:f:nsz",
    long: &[
        ("bytes", b'b', true),
        ("characters", b'c', true),
        ("complement", b'!', false),
        ("delimiter", b'd', true),
        ("fields", b'f', true),
        ("only-delimited", b's', false),
        ("output-delimiter", b'o', true),
        ("zero-terminated", b'z', false),
    ],
    anywhere: true,
};

/// What one may write to a block before it is handed over.
const BLOCK_BYTES: usize = 32 << 10;

struct Job<'a> {
    /// From one, both ends included, in order and apart from each other.
    ranges: Vec<(u64, u64)>,
    /// `None` for bytes.
    delimiter: Option<u8>,
    between: &'a [u8],
    only_delimited: bool,
    end: u8,
    files: Operands<'a>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
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
        let files = files(options.operands(lent)?)?;
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
        Some(Job { ranges, delimiter, between, only_delimited, end, files })
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

    /// A line that no delimiter is in.
    fn without(&self, line: &[u8], out: &mut Vec<u8>) {
        if !self.only_delimited {
            out.extend_from_slice(line);
            out.push(self.end);
        }
    }
}

/// `1,3-5 7-`: in order, those that overlap made one.
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

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let mut status = 0;
    let mut out = Vec::with_capacity(1 << 10);
    for name in &job.files {
        let mut file = None;
        let done = match open(name, lent.place(), lent.input, &mut file)? {
            Ok(input) => cut(&job, input, &mut out, lent.output)?,
            Err(errno) => Err(errno),
        };
        if let Err(errno) = done {
            complain(lent.errors, lent.utf8, "cut", name, errno)?;
            status = 1;
        }
    }
    Ok(status)
}

fn cut(
    job: &Job<'_>,
    input: &mut dyn Input,
    out: &mut Vec<u8>,
    output: &mut dyn Output,
) -> Result<Result<(), fewer::Errno>, Broken> {
    let done = each_line(input, job.end, |line, _| {
        job.line(line, out);
        if out.len() >= BLOCK_BYTES {
            output.write(out)?;
            out.clear();
        }
        Ok(())
    })?;
    output.write(out)?;
    out.clear();
    Ok(done)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    const INPUT: &[u8] = b"a:b:c\n\n:\nnone\n::x:\na:b\tc:d e:f\n\xff:\0:z:y";

    #[test]
    fn fields_and_bytes() {
        for arguments in [
            &["-d:", "-f1"][..],
            &["-d", ":", "-f", "2"],
            &["-d:", "-f9"],
            &["-sd:", "-f2-3"],
            &["-d:", "-f", "3,1 2"],
            &["-d:", "-f-2,4-"],
            &["-f1"],
            &["-d:", "-f2", "--complement"],
            &["-d:", "-f1,3", "--output-delimiter", "<>"],
            &["-d", "", "-f2"],
            &["-c2-3"],
            &["-b1,3-"],
            &["-c", "2", "--complement"],
            &["-z", "-c1"],
            &["-d:", "-f1-", "-n"],
        ] {
            assert!(same("cut", arguments, INPUT), "{arguments:?}");
            assert!(Judge::new().pieces(3).same("cut", arguments, INPUT));
        }
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"1 2 3\n4 5").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        assert!(judge.same("cut", &["-d ", "-f2", "a", "none", "-", "d", "a"], b"x y\n"));
    }

    #[test]
    fn wrong_usage_is_left_to_the_real_one() {
        for arguments in [
            &["-d:"][..],
            &["-f0"],
            &["-f2-1"],
            &["-f-"],
            &["-f", ""],
            &["-d::", "-f1"],
            &["-c1", "-f1"],
            &["-c1", "-s"],
            &["-fx"],
            &["-zf1"],
            &["-f1", "-d", "\n"],
        ] {
            assert!(!same("cut", arguments, INPUT), "{arguments:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_text(
            list in "([1-4]|[1-2]-[2-5]?|-[1-4]){1}(,([1-4]|[1-2]-[2-5]?|-[1-4])){0,2}",
            input in "[ab:\n]{0,60}",
            flags in prop::sample::subsequence(vec!["-s", "--complement", "-z"], 0..3),
            kind in "[bcf]",
            piece in 1_usize..9,
        ) {
            let list = format!("-{kind}{list}");
            let mut arguments = vec![list.as_str()];
            if kind == "f" {
                arguments.push("-d:");
            }
            arguments.extend(flags.iter().filter(|flag| kind == "f" || **flag != "-s"));
            let fits = Judge::new().pieces(piece).same("cut", &arguments, input.as_bytes());
            assert!(fits || kind == "f" && flags.contains(&"-z"), "{arguments:?}");
        }
    }
}
