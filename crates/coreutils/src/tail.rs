//! `tail` without `-f`.

use fewer::{Errno, Kind};

use super::head_tail::{HELD_BYTES, Part, cannot_open, cannot_read, first_lines, short_form};
use super::source::{File, FileResult, Opener, each_block, of_file};
use crate::{Input, Io, Output, ToolJob, ToolResult};

/// Prints the last lines or bytes of files.
pub(crate) struct Tail<'a>(Part<'a>);

impl<'a> Tail<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Tail<'a>> {
        if arguments.first().is_some_and(|first| first.starts_with(b"+")) {
            return None; // a place in the file, or a name: the tool knows
        }
        // With more than one operand, or an option, the short form is an error.
        let wrong = short_form(arguments).is_some_and(|(_, rest)| {
            rest.len() > 1 || rest.first().is_some_and(|it| it.starts_with(b"-") && it.len() > 1)
        });
        if wrong { None } else { Part::parse(arguments, b'+', io).map(Tail) }
    }
}

impl ToolJob for Tail<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let part = &self.0;
        if part.number == 0 && !part.rest {
            // Not even looked at.
            return Ok(0);
        }
        let mut status = 0;
        let mut titles = part.titles;
        for &name in &part.files {
            let done = if name == b"-" {
                titles.write(name, io.output)?;
                of_file(copy(part, io.input, io.output))?
            } else {
                match of_file(File::open(Opener::new(io), name))? {
                    Ok(mut file) => {
                        titles.write(name, io.output)?;
                        of_file(copy_file(part, &mut file, io.output))?
                    }
                    Err(errno) => {
                        cannot_open(io.errors, io.utf8, "tail", name, errno)?;
                        status = 1;
                        continue;
                    }
                }
            };
            if let Err(errno) = done {
                cannot_read(io.errors, io.utf8, "tail", name, errno)?;
                status = 1;
                // The real one gives up where it was only copying what is left of a file.
                if part.bytes || part.rest && part.number <= 1 {
                    break;
                }
            }
        }
        Ok(status)
    }
}

fn copy(part: &Part<'_>, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    let skipped = part.number.saturating_sub(1);
    match (part.rest, part.bytes) {
        (false, _) => last(part, input, output),
        (true, true) => behind_bytes(skipped, input, output),
        (true, false) => match first_lines(skipped, part.end, input, |_| Ok(()))? {
            true => behind_bytes(0, input, output),
            false => Ok(()),
        },
    }
}

/// Reads everything, and keeps what may be among the last ones.
fn last(part: &Part<'_>, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    let mut held = Vec::new();
    each_block(input, |block| {
        held.extend_from_slice(block);
        // Nothing is moved to the front more than twice.
        if held.len() > HELD_BYTES {
            let start = part.start_of_last(&held);
            if start > held.len() / 2 {
                held.drain(..start);
            }
        }
        Ok(())
    })?;
    output.write(&held[part.start_of_last(&held)..])?;
    Ok(())
}

/// Reads a large file from its end.
///
/// Price: one `statx`, one `lseek`, and for the lines one `pread64` per 64 KiB of them.
fn copy_file(part: &Part<'_>, file: &mut File, output: &mut dyn Output) -> FileResult {
    let stat = if part.rest { None } else { file.stat() };
    let size = stat.filter(|stat| stat.kind() == Kind::File).map_or(0, |stat| stat.size());
    let start = if size <= NEAR_BYTES {
        0
    } else if part.bytes {
        size.saturating_sub(part.number)
    } else {
        start_in_file(file, size, part.number, part.end)?
    };
    if start > 0 {
        sys::set_position(file.descriptor(), start)?;
    }
    copy(part, file, output)
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

fn behind_bytes(mut bytes: u64, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    each_block(input, |block| {
        let skipped = block.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
        bytes -= skipped as u64;
        if skipped == block.len() { Ok(()) } else { output.write(&block[skipped..]) }
    })
}

#[cfg(test)]
mod tests;
