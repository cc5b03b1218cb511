//! `tr`: bytes changed, deleted, squeezed.

use super::arguments::{Arguments, KnownOptions};
use super::messages::say;
use super::source::of_file;
use crate::{Io, ToolJob, ToolResult};
use set::Set;

mod set;

const OPTIONS: KnownOptions = KnownOptions {
    short: b"Ccdst",
    long: &["complement=c", "delete=d", "squeeze-repeats=s", "truncate-set1=t"],
    anywhere: false,
};

/// Changes, deletes and squeezes bytes.
pub(crate) struct Tr {
    become_: [u8; 256],
    delete: Option<[bool; 256]>,
    /// Of adjacent equal bytes in this set, after the changes above, one is left.
    squeeze: Option<[bool; 256]>,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    complement: bool,
    delete: bool,
    squeeze: bool,
    truncate: bool,
}

impl Tr {
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Tr> {
        let mut flags = Flags::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'd' => flags.delete = true,
                b's' => flags.squeeze = true,
                b't' => flags.truncate = true,
                _ => flags.complement = true,
            }
        }
        let operands = options.operands(io)?;
        let first = Set::new(operands.first()?)?;
        let second = match operands.len() {
            1 => None,
            2 => Some(Set::new(operands[1])?),
            _ => return None,
        };
        Tr::of(flags, &first, second.as_ref())
    }

    fn of(flags: Flags, first: &Set, second: Option<&Set>) -> Option<Tr> {
        let mut job = Tr { become_: IDENTITY, delete: None, squeeze: None };
        let chosen = first.members(flags.complement)?;
        match (flags.delete, flags.squeeze, second) {
            (true, false, None) => job.delete = Some(chosen),
            (true, true, Some(second)) => {
                job.delete = Some(chosen);
                job.squeeze = Some(second.members(false)?);
            }
            (false, true, None) => job.squeeze = Some(chosen),
            (false, squeeze, Some(second)) => {
                let pairs = first.pairs(second, flags.complement, flags.truncate)?;
                // Of several pairs for a byte the last holds.
                for &(from, to) in &pairs {
                    job.become_[usize::from(from)] = to;
                }
                job.squeeze = squeeze.then(|| second.members_beside(pairs.len()));
            }
            _ => return None,
        }
        Some(job)
    }
}

const IDENTITY: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte as u8;
        byte += 1;
    }
    table
};

/// So much is changed at a time: the block stays in the cache.
const BLOCK_BYTES: usize = 32 << 10;

impl ToolJob for Tr {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut out = Vec::new();
        let mut last = None;
        loop {
            let block = match of_file(io.input.fill())? {
                Ok(b"") => return Ok(0),
                Ok(block) => &block[..block.len().min(BLOCK_BYTES)],
                Err(errno) => {
                    let reason = errno.to_string();
                    say(io.errors, &[b"tr: read error: ", reason.as_bytes(), b"\n"])?;
                    return Ok(1);
                }
            };
            out.clear();
            match &self.delete {
                None => out.extend(block.iter().map(|&byte| self.become_[usize::from(byte)])),
                Some(delete) => delete_from(block, delete, &mut out),
            }
            if let Some(squeeze) = &self.squeeze {
                squeeze_in(&mut out, squeeze, &mut last);
            }
            io.output.write(&out)?;
            let used = block.len();
            io.input.consume(used);
        }
    }
}

/// Without branches: each byte is written, and the end moves on unless it is deleted.
fn delete_from(block: &[u8], delete: &[bool; 256], out: &mut Vec<u8>) {
    out.resize(block.len(), 0);
    let mut end = 0;
    for &byte in block {
        out[end] = byte;
        end += usize::from(!delete[usize::from(byte)]);
    }
    out.truncate(end);
}

fn squeeze_in(out: &mut Vec<u8>, squeeze: &[bool; 256], last: &mut Option<u8>) {
    let mut end = 0;
    for at in 0..out.len() {
        let byte = out[at];
        let repeated = *last == Some(byte) && squeeze[usize::from(byte)];
        *last = Some(byte);
        out[end] = byte;
        end += usize::from(!repeated);
    }
    out.truncate(end);
}

#[cfg(test)]
mod tests;
