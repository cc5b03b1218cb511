//! `grep`, of one text that stands for itself: no pattern with more in it than `^` and `$`.

use super::arguments::{Arguments, Known, Operands};
use super::source::{failed, files, open, reason, say};
use super::{Broken, Input, Lent, Output, Tool};
use crate::Text;
use needle::Needle;

mod needle;

pub(super) const GREP: Tool =
    Tool { name: "grep", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
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

/// What is written of the lines that are selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Lines,
    Count,
    Name,
    Nothing,
}

struct Job<'a> {
    needle: Needle<'a>,
    invert: bool,
    show: Show,
    numbers: bool,
    names: bool,
    silent: bool,
    files: Operands<'a>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
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
        let mut operands = options.operands(lent)?;
        if pattern.is_none() && !operands.is_empty() {
            pattern = Some(operands.remove(0));
        }
        let needle = Needle::new(pattern?, language.unwrap_or(b'G'), whole, lent.utf8)?;
        let files = files(operands)?;
        let names = names.unwrap_or(files.len() > 1);
        Some(Job { needle, invert, show, numbers, names, silent, files })
    }
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(2) };
    if reads_what_it_writes(&job, lent) {
        return Err(Broken::Unfit);
    }
    let (mut found, mut wrong) = (false, false);
    for &name in &job.files {
        let mut file = None;
        let input = match open(name, lent.place(), lent.input, &mut file)? {
            Ok(input) => input,
            Err(errno) => {
                wrong = true;
                complain(&job, name, errno, lent.errors)?;
                continue;
            }
        };
        let mut search = Search::new(&job, shown_name(name), lent.utf8, lent.output);
        let done = search.file(input)?;
        let (selected, hidden) = (search.selected, search.hidden);
        if let Err(errno) = done {
            wrong = true;
            complain(&job, name, errno, lent.errors)?;
        }
        found |= selected > 0;
        match job.show {
            Show::Nothing if found => return Ok(0),
            Show::Count => count(&job, name, selected, lent.output)?,
            Show::Name if selected > 0 => {
                lent.output.write(&[shown_name(name), b"\n"].concat())?;
            }
            Show::Lines if hidden && !writes_to_nowhere(lent.output) => {
                let parts: &[&[u8]] = &[b"grep: ", shown_name(name), b": binary file matches\n"];
                say(lent.errors, parts)?;
            }
            _ => {}
        }
    }
    Ok(if wrong { 2 } else { u8::from(!found) })
}

fn shown_name(name: &[u8]) -> &[u8] {
    if name == b"-" { b"(standard input)" } else { name }
}

fn count(job: &Job<'_>, name: &[u8], selected: u64, output: &mut dyn Output) -> Result<(), Broken> {
    if job.names {
        output.write(&[shown_name(name), b":"].concat())?;
    }
    output.write(format!("{selected}\n").as_bytes())
}

fn complain(
    job: &Job<'_>,
    name: &[u8],
    errno: fewer::Errno,
    errors: &mut dyn Output,
) -> Result<(), Broken> {
    if job.silent {
        return Ok(());
    }
    let reason = reason(errno);
    say(errors, &[b"grep: ", shown_name(name), b": ", reason.as_bytes(), b"\n"])
}

/// The real one says so, and does not read it.
fn reads_what_it_writes(job: &Job<'_>, lent: &Lent<'_>) -> bool {
    let Some(target) = lent.output.stat().filter(|stat| stat.kind() == fewer::Kind::File) else {
        return false;
    };
    let same =
        |stat: &fewer::Stat| stat.inode() == target.inode() && stat.device() == target.device();
    job.files.iter().any(|name| match *name {
        b"-" => lent.input.stat().is_some_and(|stat| same(&stat)),
        _ => {
            let stat = lent.scope.stat_target(super::source::as_path(name), fewer::Fields::INODE);
            stat.is_ok_and(|stat| same(&stat))
        }
    })
}

/// The real one does not look for what nobody sees.
fn writes_to_nowhere(output: &dyn Output) -> bool {
    let null = |stat: fewer::Stat| stat.kind() == fewer::Kind::Char && stat.special() == (1, 3);
    output.stat().is_some_and(null)
}

/// One file that is searched.
struct Search<'s, 'a> {
    job: &'s Job<'a>,
    name: &'s [u8],
    utf8: bool,
    output: &'s mut dyn Output,
    /// Whether there is a NUL in it: then NULs end lines, and no line is shown.
    binary: bool,
    selected: u64,
    /// Whether a line was not shown because it is no text.
    hidden: bool,
    /// Lines before those that are looked at.
    before: u64,
}

/// Whether to go on.
type Goes = Result<bool, Broken>;

impl<'s, 'a> Search<'s, 'a> {
    fn new(
        job: &'s Job<'a>,
        name: &'s [u8],
        utf8: bool,
        output: &'s mut dyn Output,
    ) -> Search<'s, 'a> {
        Search { job, name, utf8, output, binary: false, selected: 0, hidden: false, before: 0 }
    }

    fn file(&mut self, input: &mut dyn Input) -> Result<Result<(), fewer::Errno>, Broken> {
        let mut begun = Vec::new();
        let mut zapped = Vec::new();
        loop {
            let block = match input.fill() {
                Ok(b"") => break,
                Ok(block) => block,
                Err(errno) => return failed(errno),
            };
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
                return Ok(Ok(()));
            }
        }
        if !begun.is_empty() {
            begun.push(b'\n');
            self.lines(&begun)?;
        }
        Ok(Ok(()))
    }

    /// Puts together the line that the last block ended in.
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

    /// Whole lines.
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

    /// Lines that were asked for, one behind the other.
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
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    const INPUT: &[u8] = b"foo\na foo b\nbar.baz\n\nfoofoo\n*star\nend foo\n$x^\\ [z]\nlast";

    #[test]
    fn texts_that_stand_for_themselves() {
        for arguments in [
            &["foo"][..],
            &["-q", "foo"],
            &["-q", "none"],
            &["-c", "foo"],
            &["-v", "foo"],
            &["-cv", "foo"],
            &["-n", "foo"],
            &["-nv", "foo"],
            &["-l", "foo"],
            &["-H", "foo", "-"],
            &["^foo"],
            &["foo$"],
            &["^foo$"],
            &["-x", "foo"],
            &["-F", "r.b"],
            &["r\\.b"],
            &["-E", "r\\.b"],
            &["-F", "$x^\\ [z]"],
            &["-e", "last"],
            &["-e", "-"],
            &["--", "bar", "-"],
            &["-xF", "*star"],
            &["\\*st"],
            &["-E", "^\\*st"],
            &["a f", "-c"],
            &["-vn", "x", "-H"],
        ] {
            assert!(same("grep", arguments, INPUT), "{arguments:?}");
            assert!(Judge::new().pieces(3).same("grep", arguments, INPUT), "{arguments:?}");
        }
    }

    #[test]
    fn patterns_with_more_in_them_are_left_to_the_real_one() {
        for arguments in [
            &[][..],
            &[""],
            &["^"],
            &["f.o"],
            &["fo*"],
            &["[f]"],
            &["-E", "a|b"],
            &["-E", "a+"],
            &["a\\|b"],
            &["a\nb"],
            &["-i", "foo"],
            &["-o", "foo"],
            &["-m1", "foo"],
            &["-r", "foo"],
            &["-ql", "foo"],
            &["-EF", "foo"],
            &["-e", "a", "-e", "b"],
            &["a\\"],
            &["a\\/b"],
            &["a^b"],
        ] {
            assert!(!Judge::new().fits("grep", arguments), "{arguments:?}");
        }
    }

    #[test]
    fn files_that_are_no_text() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("nul", &b"pat\0x\nno\npat2\n"[..]),
            ("invalid", b"pat \xff x\nno\npat2\npat3"),
            ("valid", b"pat \xc3\xa9\nno\n"),
            ("first", b"x\xff\npat\npat\xff\nx pat\n"),
            ("none", b""),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for flag in ["-s", "-c", "-q", "-v", "-n", "-l", "-cv", "-nv", "-lv", "-h", "-x"] {
            for judge in [judge.clone(), judge.clone().bytes()] {
                for name in ["nul", "invalid", "valid", "first", "none", "d", "missing"] {
                    assert!(judge.same("grep", &[flag, "pat", name], b""), "{flag} {name}");
                }
                let all = [flag, "pat", "missing", "first", "nul", "-", "d", "invalid", "a b"];
                assert!(judge.same("grep", &all, b"x pat\n"));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn any_text(
            pattern in "\\^?[ab]{1,3}\\$?",
            input in "[ab\n]{0,40}",
            flag in prop::sample::select(vec!["-n", "-c", "-v", "-q", "-nv", "-x", "-cvx", "-F"]),
            pieces in 1_usize..9,
        ) {
            let judge = Judge::new().pieces(pieces);
            assert!(judge.same("grep", &[flag, "--", &pattern], input.as_bytes()));
        }
    }
}
