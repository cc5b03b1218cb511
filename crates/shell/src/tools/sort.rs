//! `sort`, of whole lines: by bytes or by number.

use super::arguments::{Arguments, Known, Operands};
use super::source::{File, failed, files, reason, say};
use super::{Broken, Input, Lent, Tool, quote};
use crate::Text;
use number::Number;

mod number;

pub(super) const SORT: Tool =
    Tool { name: "sort", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"nrsuz",
    long: &[
        ("numeric-sort", b'n', false),
        ("reverse", b'r', false),
        ("stable", b's', false),
        ("unique", b'u', false),
        ("zero-terminated", b'z', false),
    ],
    anywhere: true,
};

/// So much is held in memory; who sorts more runs the real one, which uses the disk.
const LIMIT_BYTES: usize = 1 << 30;
/// So many files are open at once.
const LIMIT_FILES: usize = 16;

struct Job<'a> {
    numeric: bool,
    reverse: bool,
    stable: bool,
    unique: bool,
    end: u8,
    files: Operands<'a>,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (numeric, reverse, stable, unique) = (false, false, false, false);
        let end = b'\n';
        let mut job = Job { numeric, reverse, stable, unique, end, files: Operands::new() };
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
        job.files = files(options.operands(lent)?)?;
        // An old way to name a key.
        let old = job.files.iter().any(|name| name.starts_with(b"+"));
        (!old && job.files.len() <= LIMIT_FILES).then_some(job)
    }
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(2) };
    // All of them are looked at before any is read.
    let mut files = Vec::new();
    for &name in &job.files {
        let file = match name {
            b"-" => None,
            _ => match File::open(lent.place(), name)? {
                Ok(file) => Some(file),
                Err(errno) => return cannot(b"sort: cannot read: ", name, errno, lent),
            },
        };
        files.push(file);
    }
    let mut text = Vec::new();
    for (&name, file) in job.files.iter().zip(&mut files) {
        let input: &mut dyn Input = match file {
            Some(file) => file,
            None => lent.input,
        };
        if let Err(errno) = read(input, job.end, &mut text)? {
            return cannot(b"sort: read failed: ", name, errno, lent);
        }
    }
    drop(files);
    let mut out = Vec::with_capacity(text.len());
    for line in sorted(&job, &text) {
        out.extend_from_slice(line);
        out.push(job.end);
    }
    lent.output.write(&out)?;
    Ok(0)
}

fn cannot(
    what: &[u8],
    name: &[u8],
    errno: fewer::Errno,
    lent: &mut Lent<'_>,
) -> Result<u8, Broken> {
    let (name, reason) = (quote::for_colon(name, lent.utf8), reason(errno));
    say(lent.errors, &[what, &name, b": ", reason.as_bytes(), b"\n"])?;
    Ok(2)
}

/// The whole of it, with an end to its last line.
fn read(
    input: &mut dyn Input,
    end: u8,
    text: &mut Vec<u8>,
) -> Result<Result<(), fewer::Errno>, Broken> {
    let start = text.len();
    loop {
        match input.fill() {
            Ok(b"") => break,
            Ok(block) => {
                if text.len() + block.len() > LIMIT_BYTES {
                    return Err(Broken::Stopped);
                }
                text.extend_from_slice(block);
                let used = block.len();
                input.consume(used);
            }
            Err(errno) => return failed(errno),
        }
    }
    if text.len() > start && text.last() != Some(&end) {
        text.push(end);
    }
    Ok(Ok(()))
}

fn sorted<'t>(job: &Job<'_>, text: &'t [u8]) -> Vec<&'t [u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == job.end).collect();
    // What stands behind the last end is no line.
    lines.pop();
    if !job.numeric {
        match (job.reverse, job.unique) {
            // Lines that are the same look the same: nobody can tell which is first.
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
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    #[test]
    fn numbers_are_read_as_the_real_one_reads_them() {
        let input = b" 1\n-0\n0\n-1\n1e3\n.5\nx\n 00.50\n- 1\n+1\n-.5\n\n\t7\n10\n9\n\
            123456789012345678901234567890\n-99999999999999999999\n\
            1.\n1.0\n--1\n0x10\n1,000\n-\n.\n";
        for flags in ["-n", "-nr", "-nu", "-ns", "-nrs", "-nru", "-u", "-r", "-ru", "-s"] {
            assert!(same("sort", &[flags], input), "{flags}");
            assert!(Judge::new().bytes().same("sort", &[flags], input), "{flags}");
        }
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"x\nb\n\xff\n\0").unwrap();
        std::fs::write(folder.path().join("b"), b"").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for names in [&["a"][..], &["a", "-", "b"], &["a", "none", "d"], &["a", "d"], &["it's"]] {
            assert!(judge.same("sort", names, b"c\nlast"), "{names:?}");
        }
    }

    #[test]
    fn other_forms_are_left_to_the_real_one() {
        for arguments in
            [&["-k1"][..], &["-t:"], &["-f"], &["-o", "x"], &["-c"], &["+1"], &["-h"], &["-b"]]
        {
            assert!(!same("sort", arguments, b""), "{arguments:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn any_text(
            input in "([ -]?[0-2]{0,3}(\\.[0-2]{0,2})?[ax\u{e9}\\x00]?\n){0,9}",
            flags in prop::sample::subsequence(vec!["-n", "-r", "-u", "-s", "-z"], 0..5),
        ) {
            assert!(Judge::new().pieces(5).same("sort", &flags, input.as_bytes()));
        }
    }
}
