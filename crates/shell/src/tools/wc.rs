//! `wc`: lines, words, characters, bytes.

use fewer::{Errno, Kind};

use super::arguments::{Arguments, Known, Operands};
use super::source::{File, as_path, complain, failed, is_plain};
use super::{Broken, Input, Lent, Tool, quote};
use crate::Text;
use words::Words;

mod words;

pub(super) const WC: Tool =
    Tool { name: "wc", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"clmw",
    long: &[
        ("bytes", b'c', false),
        ("chars", b'm', false),
        ("lines", b'l', false),
        ("words", b'w', false),
    ],
    anywhere: true,
};

/// What is counted, in the order in which it is shown.
const KINDS: [u8; 4] = *b"lwmc";
const LINES: usize = 0;
const WORDS: usize = 1;
const CHARACTERS: usize = 2;
const BYTES: usize = 3;

type Counts = [u64; 4];

struct Job<'a> {
    wanted: [bool; 4],
    files: Operands<'a>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let mut wanted = [false; 4];
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            wanted[KINDS.iter().position(|&kind| kind == letter)?] = true;
        }
        if wanted == [false; 4] {
            wanted = [true, true, false, true];
        }
        let files = options.operands(lent)?;
        // That variable also changes which blanks end a word.
        let strict = wanted[WORDS] && (lent.environment)(b"POSIXLY_CORRECT").is_some();
        let names_fit = files.iter().all(|name| is_plain(name) && !name.is_empty());
        (!strict && names_fit).then_some(Job { wanted, files })
    }

    fn shown(&self) -> usize {
        self.wanted.iter().filter(|wanted| **wanted).count()
    }

    /// Columns are as wide as the sizes of the files ask for.
    ///
    /// Price: one `statx` for each file, unless there is just one number to show.
    fn width(&self, lent: &Lent<'_>) -> usize {
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
            look(lent.input.stat(), true);
        }
        for &name in &self.files {
            if name == b"-" {
                look(lent.input.stat(), true);
            } else {
                let fields = fewer::Fields::KIND | fewer::Fields::SIZE;
                let stat = lent.scope.stat_target(as_path(name), fields).ok();
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

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let width = job.width(lent);
    if job.files.is_empty() {
        let mut counts = Counts::default();
        let done = count(&job, lent.utf8, lent.input, &mut counts)?;
        if let Err(errno) = done {
            complain(lent.errors, lent.utf8, "wc", b"standard input", errno)?;
        }
        lent.output.write(&line(&job, &counts, width, None))?;
        return Ok(u8::from(done.is_err()));
    }
    let mut status = 0;
    let mut total = Counts::default();
    for &name in &job.files {
        let mut counts = Counts::default();
        let done = match name {
            b"-" => count(&job, lent.utf8, lent.input, &mut counts)?,
            _ => match File::open(lent.place(), name)? {
                Ok(mut file) => count_file(&job, lent.utf8, &mut file, &mut counts)?,
                Err(errno) => {
                    complain(lent.errors, lent.utf8, "wc", name, errno)?;
                    status = 1;
                    continue;
                }
            },
        };
        if let Err(errno) = done {
            complain(lent.errors, lent.utf8, "wc", name, errno)?;
            status = 1;
        }
        // A name is quoted only where it would take two lines.
        let shown = match name.contains(&b'\n') {
            true => quote::for_colon(name, lent.utf8),
            false => name.into(),
        };
        lent.output.write(&line(&job, &counts, width, Some(&shown)))?;
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    if job.files.len() > 1 {
        lent.output.write(&line(&job, &total, width, Some(b"total")))?;
    }
    Ok(status)
}

fn line(job: &Job<'_>, counts: &Counts, width: usize, name: Option<&[u8]>) -> Vec<u8> {
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

type Done = Result<Result<(), Errno>, Broken>;

/// Price: for the bytes alone one `statx`, where the size can be believed; else the file is read.
fn count_file(job: &Job<'_>, utf8: bool, file: &mut File, counts: &mut Counts) -> Done {
    if job.wanted == [false, false, false, true]
        && let Some(stat) = file.stat().filter(|stat| stat.kind() == Kind::File)
        // Files that the kernel makes up have no size, or a page.
        && stat.size() % 4096 != 0
    {
        counts[BYTES] = stat.size();
        return Ok(Ok(()));
    }
    count(job, utf8, file, counts)
}

fn count(job: &Job<'_>, utf8: bool, input: &mut dyn Input, counts: &mut Counts) -> Done {
    let [lines, words, characters, _] = job.wanted;
    let mut begun = Words::new(utf8);
    let done = loop {
        let block = match input.fill() {
            Ok(b"") => break Ok(Ok(())),
            Ok(block) => block,
            Err(errno) => break failed(errno),
        };
        counts[BYTES] += block.len() as u64;
        if lines {
            counts[LINES] += memchr::memchr_iter(b'\n', block).count() as u64;
        }
        if words || characters && utf8 {
            begun.count(block);
        }
        let used = block.len();
        input.consume(used);
    };
    counts[WORDS] = begun.words();
    counts[CHARACTERS] = if utf8 { begun.characters() } else { counts[BYTES] };
    done
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    const INPUT: &[u8] = b"one two\n three\tfour\x0b\n\n\xc3\xa9t\xc3\xa9 \xe2\x82\xac\n\
        \xff\xfe \xc3 x\xe2\x82\x01\x02 \x03\n end\xc2\xa0ed\xe2";

    #[test]
    fn every_kind_of_count() {
        for arguments in [
            &["-l"][..],
            &["-w"],
            &["-c"],
            &["-m"],
            &[],
            &["-lw"],
            &["-mc", "-l"],
            &["-wm", "-"],
            &["-l", "-"],
            &["--lines", "--words"],
        ] {
            for judge in [Judge::new(), Judge::new().pieces(1), Judge::new().bytes()] {
                assert!(judge.same("wc", arguments, INPUT), "{arguments:?}");
                assert!(judge.same("wc", arguments, b""), "{arguments:?}");
            }
        }
    }

    #[test]
    fn columns_are_as_wide_as_the_files_ask_for() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), INPUT).unwrap();
        std::fs::write(folder.path().join("b c"), b"word ".repeat(300)).unwrap();
        std::fs::write(folder.path().join("page"), b"word\n".repeat(4096)).unwrap();
        std::fs::write(folder.path().join("x\ny"), b"").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for arguments in [
            &["a"][..],
            &["-l", "a"],
            &["-c", "a", "b c"],
            &["-c", "page"],
            &["-c", "b c"],
            &["a", "b c"],
            &["a", "-"],
            &["page", "none"],
            &["none"],
            &["-l", "none"],
            &["a", "d"],
            &["-l", "d"],
            &["-c", "d"],
            &["a", "x\ny"],
        ] {
            assert!(judge.same("wc", arguments, b"in put\n"), "{arguments:?}");
        }
    }

    #[test]
    fn other_flags_are_left_to_the_real_one() {
        for arguments in [&["-L"][..], &["--files0-from=x"], &["--help"], &[""]] {
            assert!(!same("wc", arguments, INPUT));
        }
        assert!(!Judge::new().with("POSIXLY_CORRECT", "").fits("wc", &["-w"]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn any_text(
            parts in prop::collection::vec(prop::sample::select(vec![
                &b"a"[..], b" ", b"\n", b"\x01", b"\xff", b"\xe2\x82\xac", b"\xe2", b"\xc2\xa0",
                b"\xc2\x85", b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80",
                b"\xf4\x90\x80\x80", b"\x0b", b"\x7f", b"\xe2\x80\xaf", b"\xe2\x81\xa0", b"\0",
                b"\xe0\x80\x80", b"\xc0\x80",
            ]), 0..30),
            piece in 1_usize..7,
            utf8 in any::<bool>(),
        ) {
            let judge = Judge::new().pieces(piece);
            let judge = if utf8 { judge } else { judge.bytes() };
            assert!(judge.same("wc", &["-lwmc"], &parts.concat()));
        }
    }
}
