//! `head`.

use super::head_tail::{HELD_BYTES, Part, cannot_open, cannot_read, first_lines};
use super::source::{FileResult, Opener, each_block, of_file, open};
use crate::{Input, Io, Output, ToolJob, ToolResult};

/// Prints the first lines or bytes of files.
pub(crate) struct Head<'a>(Part<'a>);

impl<'a> Head<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Head<'a>> {
        Part::parse(arguments, b'-', io).map(Head)
    }
}

impl ToolJob for Head<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let part = &self.0;
        let mut status = 0;
        let mut titles = part.titles;
        for &name in &part.files {
            let mut file = None;
            let input = match of_file(open(name, Opener::new(io), io.input, &mut file))? {
                Ok(input) => input,
                Err(errno) => {
                    cannot_open(io.errors, io.utf8, "head", name, errno)?;
                    status = 1;
                    continue;
                }
            };
            titles.write(name, io.output)?;
            if let Err(errno) = of_file(copy(part, input, io.output))? {
                cannot_read(io.errors, io.utf8, "head", name, errno)?;
                status = 1;
            }
        }
        Ok(status)
    }
}

fn copy(part: &Part<'_>, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    match (part.rest, part.bytes) {
        (false, false) => {
            first_lines(part.number, part.end, input, |piece| output.write(piece)).map(drop)
        }
        (false, true) => first_bytes(part.number, input, output),
        (true, _) => all_but(part, input, output),
    }
}

fn first_bytes(mut bytes: u64, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    while bytes > 0 {
        let block = input.fill()?;
        if block.is_empty() {
            break;
        }
        let used = block.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
        output.write(&block[..used])?;
        input.consume(used);
        bytes -= used as u64;
    }
    Ok(())
}

/// Prints all but the last ones: holds back what may be among these.
fn all_but(part: &Part<'_>, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
    let mut held = Vec::new();
    let done = of_file(each_block(input, |block| {
        held.extend_from_slice(block);
        // Nothing is moved to the front more than twice.
        if held.len() > HELD_BYTES {
            let done = part.start_of_last(&held);
            if done > held.len() / 2 {
                output.write(&held[..done])?;
                held.drain(..done);
            }
        }
        Ok(())
    }))?;
    output.write(&held[..part.start_of_last(&held)])?;
    Ok(done?)
}

#[cfg(test)]
mod tests;
