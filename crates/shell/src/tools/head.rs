//! `head`.

use fewer::Errno;

use super::ends::{HELD_BYTES, Job, cannot_open, cannot_read};
use super::source::{failed, open};
use super::{Broken, Input, Lent, Output, Tool};
use crate::Text;

pub(super) const HEAD: Tool =
    Tool { name: "head", fits: |arguments, lent| job(arguments, lent).is_some(), run };

fn job<'a>(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
    Job::new(arguments, b'-', lent)
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = job(arguments, lent) else { return Ok(1) };
    let mut status = 0;
    let mut titles = job.titles;
    for &name in &job.files {
        let mut file = None;
        let input = match open(name, lent.place(), lent.input, &mut file)? {
            Ok(input) => input,
            Err(errno) => {
                cannot_open(lent.errors, lent.utf8, "head", name, errno)?;
                status = 1;
                continue;
            }
        };
        titles.write(name, lent.output)?;
        if let Err(errno) = copy(&job, input, lent.output)? {
            cannot_read(lent.errors, lent.utf8, "head", name, errno)?;
            status = 1;
        }
    }
    Ok(status)
}

type Done = Result<Result<(), Errno>, Broken>;

fn copy(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    match (job.rest, job.bytes) {
        (false, false) => first_lines(job.number, job.end, input, output),
        (false, true) => first_bytes(job.number, input, output),
        (true, _) => all_but(job, input, output),
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
fn all_but(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Done {
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
            let done = job.start_of_last(&held);
            if done > held.len() / 2 {
                output.write(&held[..done])?;
                held.drain(..done);
            }
        }
    }
    output.write(&held[..job.start_of_last(&held)])?;
    failure.map_or(Ok(Ok(())), failed)
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
