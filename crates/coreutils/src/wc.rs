//! `wc`: lines, words, characters, bytes.

use fewer::Kind;

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::complain;
use super::source::{File, FileResult, Opener, as_path, each_block, is_plain, of_file};
use crate::{Input, Io, ToolJob, ToolResult, quote};
use words::Words;

mod words;

const OPTIONS: KnownOptions = KnownOptions {
    short: b"clmw",
    long: &["bytes=c", "chars=m", "lines=l", "words=w"],
    anywhere: true,
};

/// What is counted, in the order in which it is shown.
const KINDS: [u8; 4] = *b"lwmc";
const LINES: usize = 0;
const WORDS: usize = 1;
const CHARACTERS: usize = 2;
const BYTES: usize = 3;

type Counts = [u64; 4];

/// Counts lines, words, characters and bytes of files.
pub(crate) struct Wc<'a> {
    wanted: [bool; 4],
    files: Operands<'a>,
}

impl<'a> Wc<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Wc<'a>> {
        let mut wanted = [false; 4];
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            wanted[KINDS.iter().position(|&kind| kind == letter)?] = true;
        }
        if wanted == [false; 4] {
            wanted = [true, true, false, true];
        }
        let files = options.operands(io)?;
        // That variable also changes which blanks end a word.
        let strict = wanted[WORDS] && io.is_posixly_correct();
        let names_fit = files.iter().all(|name| is_plain(name) && !name.is_empty());
        (!strict && names_fit).then_some(Wc { wanted, files })
    }

    fn shown(&self) -> usize {
        self.wanted.iter().filter(|wanted| **wanted).count()
    }

    /// The width of the columns, which depends on the sizes of the files.
    ///
    /// Price: one `statx` for each file, unless there is just one number to show.
    fn width(&self, io: &Io<'_>) -> usize {
        if self.files.len() <= 1 && self.shown() == 1 {
            return 1;
        }
        let (mut least, mut total) = (1, 0);
        let mut look = |stat: Option<fewer::Stat>, there: bool| match stat {
            Some(stat) if stat.kind() == Kind::File => total += stat.size(),
            _ if there => least = 7,
            _ => {}
        };
        if self.files.is_empty() {
            look(io.input.stat(), true);
        }
        for &name in &self.files {
            if name == b"-" {
                look(io.input.stat(), true);
            } else {
                let fields = fewer::Fields::KIND | fewer::Fields::SIZE;
                let stat = io.scope.stat_target(as_path(name), fields).ok();
                let there = stat.is_some();
                look(stat, there);
            }
        }
        decimal_digits(total).max(least)
    }
}

fn decimal_digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}

impl ToolJob for Wc<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let job = self;
        let width = job.width(io);
        if job.files.is_empty() {
            let mut counts = Counts::default();
            let done = of_file(count(job, io.utf8, io.input, &mut counts))?;
            if let Err(errno) = done {
                complain(io.errors, io.utf8, "wc", b"standard input", errno)?;
            }
            io.output.write(&line(job, &counts, width, None))?;
            return Ok(u8::from(done.is_err()));
        }
        let mut status = 0;
        let mut total = Counts::default();
        for &name in &job.files {
            let mut counts = Counts::default();
            let done = match name {
                b"-" => of_file(count(job, io.utf8, io.input, &mut counts))?,
                _ => match of_file(File::open(Opener::new(io), name))? {
                    Ok(mut file) => of_file(count_file(job, io.utf8, &mut file, &mut counts))?,
                    Err(errno) => {
                        complain(io.errors, io.utf8, "wc", name, errno)?;
                        status = 1;
                        continue;
                    }
                },
            };
            if let Err(errno) = done {
                complain(io.errors, io.utf8, "wc", name, errno)?;
                status = 1;
            }
            // A name is quoted only where it would take two lines.
            let shown = match name.contains(&b'\n') {
                true => quote::for_colon(name, io.utf8),
                false => name.into(),
            };
            io.output.write(&line(job, &counts, width, Some(&shown)))?;
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        if job.files.len() > 1 {
            io.output.write(&line(job, &total, width, Some(b"total")))?;
        }
        Ok(status)
    }
}

fn line(job: &Wc<'_>, counts: &Counts, width: usize, name: Option<&[u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    for (count, _) in counts.iter().zip(job.wanted).filter(|(_, wanted)| *wanted) {
        if !out.is_empty() {
            out.push(b' ');
        }
        let missing = width.saturating_sub(decimal_digits(*count));
        out.resize(out.len() + missing, b' ');
        out.extend_from_slice(count.to_string().as_bytes());
    }
    if let Some(name) = name {
        out.push(b' ');
        out.extend_from_slice(name);
    }
    out.push(b'\n');
    out
}

/// Price: for the bytes alone one `statx`, where its size is reliable; else the file is read.
fn count_file(job: &Wc<'_>, utf8: bool, file: &mut File, counts: &mut Counts) -> FileResult {
    if job.wanted == [false, false, false, true]
        && let Some(stat) = file.stat().filter(|stat| stat.kind() == Kind::File)
        // Files that the kernel makes up have no size, or a page.
        && stat.size() % 4096 != 0
    {
        counts[BYTES] = stat.size();
        return Ok(());
    }
    count(job, utf8, file, counts)
}

fn count(job: &Wc<'_>, utf8: bool, input: &mut dyn Input, counts: &mut Counts) -> FileResult {
    let [lines, words, characters, _] = job.wanted;
    let mut begun = Words::new(utf8);
    let done = each_block(input, |block| {
        counts[BYTES] += block.len() as u64;
        if lines {
            counts[LINES] += memchr::memchr_iter(b'\n', block).count() as u64;
        }
        if words || characters && utf8 {
            begun.count(block);
        }
        Ok(())
    });
    counts[WORDS] = begun.words();
    counts[CHARACTERS] = if utf8 { begun.characters() } else { counts[BYTES] };
    done
}

#[cfg(test)]
mod tests;
