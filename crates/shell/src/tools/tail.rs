//! `tail`, of what is there: it does not wait for more.

use fewer::{Errno, Kind};

use super::ends::{HELD_BYTES, Job, cannot_open, cannot_read, short_form};
use super::source::{File, failed};
use super::{Broken, Input, Lent, Output, Tool};
use crate::Text;

pub(super) const TAIL: Tool =
    Tool { name: "tail", fits: |arguments, lent| job(arguments, lent).is_some(), run };

fn job<'a>(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
    if arguments.first().is_some_and(|first| first.starts_with(b"+")) {
        return None; // a place in the file, or a name: the tool knows
    }
    // With more than one operand, or an option, the short form is an error.
    let wrong = short_form(arguments).is_some_and(|(_, rest)| {
        rest.len() > 1 || rest.first().is_some_and(|it| it.starts_with(b"-") && it.len() > 1)
    });
    if wrong { None } else { Job::new(arguments, b'+', lent) }
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = job(arguments, lent) else { return Ok(1) };
    if job.number == 0 && !job.rest {
        // Not even looked at.
        return Ok(0);
    }
    let mut status = 0;
    let mut titles = job.titles;
    for &name in &job.files {
        let done = if name == b"-" {
            titles.write(name, lent.output)?;
            copy(&job, lent.input, lent.output)?
        } else {
            match File::open(lent.place(), name)? {
                Ok(mut file) => {
                    titles.write(name, lent.output)?;
                    copy_file(&job, &mut file, lent.output)?
                }
                Err(errno) => {
                    cannot_open(lent.errors, lent.utf8, "tail", name, errno)?;
                    status = 1;
                    continue;
                }
            }
        };
        if let Err(errno) = done {
            cannot_read(lent.errors, lent.utf8, "tail", name, errno)?;
            status = 1;
            // The real one gives up where it was only copying what is left of a file.
            if job.bytes || job.rest && job.number <= 1 {
                break;
            }
        }
    }
    Ok(status)
}

type Done = Result<Result<(), Errno>, Broken>;

fn copy(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    let skipped = job.number.saturating_sub(1);
    match (job.rest, job.bytes) {
        (false, _) => last(job, input, output),
        (true, true) => behind_bytes(skipped, input, output),
        (true, false) => behind_lines(skipped, job.end, input, output),
    }
}

/// Keeps what may be among the last ones.
fn last(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    let mut held = Vec::new();
    loop {
        match input.fill() {
            Ok(b"") => break,
            Ok(block) => {
                held.extend_from_slice(block);
                let used = block.len();
                input.consume(used);
            }
            Err(errno) => return failed(errno),
        }
        // Nothing is moved to the front more than twice.
        if held.len() > HELD_BYTES {
            let start = job.start_of_last(&held);
            if start > held.len() / 2 {
                held.drain(..start);
            }
        }
    }
    output.write(&held[job.start_of_last(&held)..])?;
    Ok(Ok(()))
}

/// The end of a file is read from its end, if it is far away.
///
/// Price: one `statx`, one `lseek`, and for the lines one `pread64` per 64 KiB of them.
fn copy_file(job: &Job<'_>, file: &mut File, output: &mut dyn Output) -> Done {
    let stat = if job.rest { None } else { file.stat() };
    let size = stat.filter(|stat| stat.kind() == Kind::File).map_or(0, |stat| stat.size());
    let start = if size <= NEAR_BYTES {
        0
    } else if job.bytes {
        size.saturating_sub(job.number)
    } else {
        match start_in_file(file, size, job.number, job.end) {
            Ok(start) => start,
            Err(errno) => return failed(errno),
        }
    };
    if start > 0
        && let Err(errno) = sys::set_position(file.descriptor(), start)
    {
        return failed(errno);
    }
    copy(job, file, output)
}

/// Smaller files are read from their beginning.
const NEAR_BYTES: u64 = 64 << 10;

/// Where in a file its last lines begin.
fn start_in_file(file: &File, size: u64, lines: u64, end: u8) -> Result<u64, Errno> {
    let mut block = Vec::new();
    let mut left = lines;
    let mut stop = size;
    while stop > 0 {
        let start = stop.saturating_sub(NEAR_BYTES);
        block.clear();
        // At most 64 KiB.
        let length = (stop - start) as usize;
        while block.len() < length {
            let missing = length - block.len();
            let at = start + block.len() as u64;
            if sys::pread_behind(file.descriptor(), &mut block, missing, at)? == 0 {
                // It has become shorter meanwhile: look at it from its beginning.
                return Ok(0);
            }
        }
        let text = if stop == size { block.strip_suffix(&[end]).unwrap_or(&block) } else { &block };
        for place in memchr::memrchr_iter(end, text) {
            left = left.saturating_sub(1);
            if left == 0 {
                return Ok(start + place as u64 + 1);
            }
        }
        stop = start;
    }
    Ok(0)
}

fn behind_bytes(mut bytes: u64, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    loop {
        let block = match input.fill() {
            Ok(b"") => return Ok(Ok(())),
            Ok(block) => block,
            Err(errno) => return failed(errno),
        };
        let skipped = block.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
        bytes -= skipped as u64;
        if skipped < block.len() {
            output.write(&block[skipped..])?;
        }
        let used = block.len();
        input.consume(used);
    }
}

fn behind_lines(mut lines: u64, end: u8, input: &mut dyn Input, output: &mut dyn Output) -> Done {
    while lines > 0 {
        let block = match input.fill() {
            Ok(b"") => return Ok(Ok(())),
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
        input.consume(used);
    }
    behind_bytes(0, input, output)
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::{Judge, same};

    const INPUT: &[u8] = b"one\ntwo\n\nfour\0five\nsix";

    #[test]
    fn lines_and_bytes() {
        for number in ["0", "1", "3", "9", "+0", "+1", "+2", "+9", "-2", "+5", "5", "006"] {
            for (flag, end) in [("-n", ""), ("-c", ""), ("-zn", ""), ("-n", "\n")] {
                let input = [INPUT, end.as_bytes()].concat();
                assert!(same("tail", &[flag, number], &input));
                assert!(Judge::new().pieces(4).same("tail", &[flag, number], &input));
            }
        }
        let long = b"some line\n".repeat(300_000);
        for arguments in [&["-n", "2"][..], &["-c", "9"], &["-n299999"], &["-c", "1500000"]] {
            assert!(same("tail", arguments, &long));
        }
    }

    #[test]
    fn other_forms() {
        for arguments in
            [&[][..], &["-2"], &["-2", "-"], &["--lines=+2"], &["--bytes", "3", "-"], &["-v"]]
        {
            assert!(same("tail", arguments, INPUT), "{arguments:?}");
        }
        for arguments in
            [&["-n"][..], &["-n", "1k"], &["-n", "x"], &["-2", "-q"], &["-f"], &["-2c"]]
        {
            assert!(!Judge::new().fits("tail", arguments), "{arguments:?}");
        }
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"1\n2\n3").unwrap();
        std::fs::write(folder.path().join("big"), b"line\nlonger line\n".repeat(20_000)).unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let judge = Judge::new().within(folder.path());
        for flag in ["-n1", "-qn2", "-vc3", "-n+1", "-c+1", "-n0", "-n+0", "-c0", "-n15000"] {
            let arguments = [flag, "none", "a", "d", "-", "big", "a b"];
            assert!(judge.same("tail", &arguments, b"x\ny\n"));
            assert!(judge.same("tail", &[flag, "a"], b""));
            assert!(judge.same("tail", &[flag, "d"], b""));
            assert!(judge.same("tail", &[flag, "big"], b""));
        }
        assert!(judge.same("tail", &["-n", "40001", "big"], b""));
        assert!(judge.same("tail", &["-zn", "1", "big"], b""));
        assert!(judge.same("tail", &["-c", "100000", "big"], b""));
    }
}
