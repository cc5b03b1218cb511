//! `head`.

use fewer::Errno;

use super::arguments::{Arguments, Known, Operands, decimal};
use super::source::{File, failed, is_plain, reason, say};
use super::{Broken, Input, Lent, Output, Tool, quote};
use crate::Text;

pub(super) const HEAD: Tool =
    Tool { name: "head", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

pub(super) const OPTIONS: Known = Known {
    short: b"c:n:qvz",
    long: &[
        ("bytes", b'c', true),
        ("lines", b'n', true),
        ("quiet", b'q', false),
        ("silent", b'q', false),
        ("verbose", b'v', false),
        ("zero-terminated", b'z', false),
    ],
    anywhere: true,
};

/// How much of a file.
#[derive(Clone, Copy)]
struct Amount {
    bytes: bool,
    /// All but so many.
    but: bool,
    number: u64,
}

struct Job<'a> {
    amount: Amount,
    titles: bool,
    end: u8,
    files: Operands<'a>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let mut amount = Amount { bytes: false, but: false, number: 10 };
        let (mut titles, mut end) = (None, b'\n');
        let mut arguments = arguments;
        if let Some((number, rest)) = arguments.split_first().and_then(short_form) {
            (amount.number, arguments) = (number, rest);
        }
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'c' | b'n' => {
                    let number = value.strip_prefix(b"-");
                    let but = number.is_some();
                    let number = decimal(number.unwrap_or(value))?;
                    amount = Amount { bytes: letter == b'c', but, number };
                }
                b'q' => titles = Some(false),
                b'v' => titles = Some(true),
                _ => end = 0,
            }
        }
        let mut files = options.operands(lent)?;
        if files.is_empty() {
            files.push(b"-");
        }
        let fits = files.iter().all(|name| is_plain(name));
        let titles = titles.unwrap_or(files.len() > 1);
        fits.then_some(Job { amount, titles, end, files })
    }
}

/// `-5`
pub(super) fn short_form<'a>((first, rest): (&Text, &'a [Text])) -> Option<(u64, &'a [Text])> {
    Some((decimal(first.strip_prefix(b"-")?)?, rest))
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let mut status = 0;
    let mut titles = Titles::new(job.titles);
    for &name in &job.files {
        let mut file;
        let input: &mut dyn Input = if name == b"-" {
            lent.input
        } else {
            match File::open(lent.scope, name) {
                Ok(opened) => {
                    file = opened;
                    &mut file
                }
                Err(errno) => {
                    cannot_open(lent.errors, lent.utf8, "head", name, errno)?;
                    status = 1;
                    continue;
                }
            }
        };
        titles.write(name, lent.output)?;
        if let Err(errno) = copy(job.amount, job.end, input, lent.output)? {
            cannot_read(lent.errors, lent.utf8, "head", name, errno)?;
            status = 1;
        }
    }
    Ok(status)
}

/// The names of files above what is in them.
pub(super) struct Titles {
    wanted: bool,
    first: bool,
}

impl Titles {
    pub(super) fn new(wanted: bool) -> Titles {
        Titles { wanted, first: true }
    }

    pub(super) fn write(&mut self, name: &[u8], output: &mut dyn Output) -> Result<(), Broken> {
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
) -> Result<(), Broken> {
    let (name, reason) = (quote::always(name, utf8), reason(errno));
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
) -> Result<(), Broken> {
    let name = if name == b"-" { b"standard input" } else { name };
    let (name, reason) = (quote::always(name, utf8), reason(errno));
    let parts: &[&[u8]] =
        &[tool.as_bytes(), b": error reading ", &name, b": ", reason.as_bytes(), b"\n"];
    say(errors, parts)
}

type Done = Result<Result<(), Errno>, Broken>;

fn copy(amount: Amount, end: u8, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    match (amount.but, amount.bytes) {
        (false, false) => first_lines(amount.number, end, input, output),
        (false, true) => first_bytes(amount.number, input, output),
        (true, _) => all_but(amount, end, input, output),
    }
}

fn first_lines(mut lines: u64, end: u8, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    while lines > 0 {
        let block = match input.fill() {
            Ok(b"") => break,
            Ok(block) => block,
            Err(errno) => return failed(errno),
        };
        let mut used = block.len();
        for stop in memchr::memchr_iter(end, block) {
            lines -= 1;
            if lines == 0 {
                used = stop + 1;
                break;
            }
        }
        output.write(&block[..used])?;
        input.consume(used);
    }
    Ok(Ok(()))
}

fn first_bytes(mut bytes: u64, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    while bytes > 0 {
        let block = match input.fill() {
            Ok(b"") => break,
            Ok(block) => block,
            Err(errno) => return failed(errno),
        };
        let used = block.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
        output.write(&block[..used])?;
        input.consume(used);
        bytes -= used as u64;
    }
    Ok(Ok(()))
}

/// Holds back what may be among the last ones.
fn all_but(amount: Amount, end: u8, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    let mut held = Vec::new();
    let mut failure = None;
    loop {
        match input.fill() {
            Ok(b"") => break,
            Ok(block) => {
                held.extend_from_slice(block);
                let used = block.len();
                input.consume(used);
            }
            Err(errno) => {
                failure = Some(errno);
                break;
            }
        }
        // Nothing is moved to the front more than twice.
        if held.len() > HELD_BYTES {
            let done = start_of_last(&held, amount.number, amount.bytes, end);
            if done > held.len() / 2 {
                output.write(&held[..done])?;
                held.drain(..done);
            }
        }
    }
    output.write(&held[..start_of_last(&held, amount.number, amount.bytes, end)])?;
    failure.map_or(Ok(Ok(())), failed)
}

/// What is held back is not looked at before it is more than this.
pub(super) const HELD_BYTES: usize = 1 << 20;

/// Where the last so many lines or bytes begin; a line that nothing ends is one.
pub(super) fn start_of_last(text: &[u8], number: u64, bytes: bool, end: u8) -> usize {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    if bytes || number == 0 {
        return text.len().saturating_sub(number);
    }
    let ended = text.strip_suffix(&[end]).unwrap_or(text);
    memchr::memrchr_iter(end, ended).nth(number - 1).map_or(0, |stop| stop + 1)
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::{Judge, same};

    const INPUT: &[u8] = b"one\ntwo\n\nfour\0five\nsix";

    #[test]
    fn lines_and_bytes() {
        for number in ["0", "1", "3", "9", "-0", "-1", "-2", "-9", "5", "-5", "006"] {
            for (flag, end) in [("-n", ""), ("-c", ""), ("-zn", ""), ("-n", "\n")] {
                let input = [INPUT, end.as_bytes()].concat();
                assert!(same("head", &[flag, number], &input));
                assert!(Judge::new().pieces(4).same("head", &[flag, number], &input));
            }
        }
        let long = b"some line\n".repeat(300_000);
        for arguments in [&["-n", "-2"][..], &["-c", "-9"], &["-n-299999"], &["-c", "1500000"]] {
            assert!(same("head", arguments, &long));
        }
    }

    #[test]
    fn other_forms() {
        for arguments in
            [&[][..], &["-2"], &["-2", "-q"], &["--lines=2"], &["--bytes", "3", "-"], &["-v"]]
        {
            assert!(same("head", arguments, INPUT), "{arguments:?}");
        }
        for arguments in [&["-n"][..], &["-n", "1k"], &["-n", "x"], &["-n+1"], &["-2c"], &["-x"]] {
            assert!(!same("head", arguments, INPUT), "{arguments:?}");
        }
        assert!(!same("head", &["x", "-2"], INPUT));
        assert!(same("head", &["-", "-qn2"], INPUT));
        assert!(!Judge::new().with("POSIXLY_CORRECT", "1").fits("head", &["-", "-qn2"]));
        assert!(!Judge::new().with("POSIXLY_CORRECT", "1").fits("head", &["-", "--quiet"]));
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"1\n2\n3").unwrap();
        std::fs::write(folder.path().join("it's"), b"").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for flag in ["-n1", "-qn2", "-vc3", "-n-1", "-c-1", "-n0", "-n-0"] {
            let arguments = [flag, "none", "a", "d", "-", "it's", "a b"];
            assert!(judge.same("head", &arguments, b"x\ny\n"));
            assert!(judge.same("head", &[flag, "a"], b""));
            assert!(judge.same("head", &[flag, "d"], b""));
        }
    }
}
