//! `uniq`, of whole lines.

use super::arguments::{Arguments, Known};
use super::source::{complain, each_line, is_plain, open, reason, say};
use super::{Broken, Input, Lent, Output, Tool, quote};
use crate::Text;

pub(super) const UNIQ: Tool =
    Tool { name: "uniq", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"cdiuz",
    long: &[
        ("count", b'c', false),
        ("ignore-case", b'i', false),
        ("repeated", b'd', false),
        ("unique", b'u', false),
        ("zero-terminated", b'z', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    count: bool,
    /// Lines that stand there once, and those that stand there more often.
    once: bool,
    often: bool,
    fold_case: bool,
    end: u8,
    file: &'a [u8],
}

impl<'a> Job<'a> {
    fn new(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (count, once, often, fold_case) = (false, true, true, false);
        let mut job = Job { count, once, often, fold_case, end: b'\n', file: b"-" };
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
        let operands = options.operands(lent)?;
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

/// What one may write to a block before it is handed over.
const BLOCK_BYTES: usize = 32 << 10;

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let mut file = None;
    let input = match open(job.file, lent.place(), lent.input, &mut file)? {
        Ok(input) => input,
        Err(errno) => {
            complain(lent.errors, lent.utf8, "uniq", job.file, errno)?;
            return Ok(1);
        }
    };
    match uniq(&job, input, lent.output)? {
        Ok(()) => Ok(0),
        Err(errno) => {
            let (name, reason) = (quote::always(job.file, lent.utf8), reason(errno));
            let parts: &[&[u8]] =
                &[b"uniq: error reading ", &name, b": ", reason.as_bytes(), b"\n"];
            say(lent.errors, parts)?;
            Ok(1)
        }
    }
}

fn uniq(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
) -> Result<Result<(), fewer::Errno>, Broken> {
    let (mut kept, mut times) = (Vec::new(), 0_u64);
    let mut out = Vec::new();
    let done = each_line(input, job.end, |line, _| {
        if times > 0 && job.same(&kept, line) {
            times += 1;
            return Ok(());
        }
        job.write(&kept, times, &mut out);
        kept.clear();
        kept.extend_from_slice(line);
        times = 1;
        if out.len() >= BLOCK_BYTES {
            output.write(&out)?;
            out.clear();
        }
        Ok(())
    })?;
    if done.is_ok() {
        job.write(&kept, times, &mut out);
    }
    output.write(&out)?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"x\nx\n\n\ny\0\nX\nx").unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for name in ["a", "none", "-"] {
            assert!(judge.same("uniq", &[name], b"a\na"));
            assert!(judge.same("uniq", &[name, "-ci"], b"a\nA"));
        }
    }

    #[test]
    fn other_forms_are_left_to_the_real_one() {
        for arguments in [&["-f1"][..], &["-D"], &["a", "b"], &["+1"], &["-1"], &["-w", "2"]] {
            assert!(!same("uniq", arguments, b""), "{arguments:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_text(
            input in "[abAB\u{e9}\\x00\n]{0,30}",
            flags in prop::sample::subsequence(vec!["-c", "-d", "-u", "-i", "-z"], 0..4),
            pieces in 1_usize..9,
        ) {
            assert!(Judge::new().pieces(pieces).same("uniq", &flags, input.as_bytes()));
        }
    }
}
