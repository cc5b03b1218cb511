//! Calls that read and write: records how many bytes, and a hash of the first ones that were read.

use super::answer::{ANSWER, hash, length};
use super::decoder::Decoder;
use crate::source::ptrace::Pid;
use crate::source::record::View;
use crate::source::tracees::Thread;
use crate::{Call, Class, Name};

/// So many blocks of a `readv` are looked at.
const BLOCKS: usize = 8;

/// Where `struct msghdr` has its list of blocks, and how many there are.
const BLOCKS_OF_MESSAGE: u64 = 16;

/// Where `struct mmsghdr` has how many bytes were sent.
const LENGTH_OF_MESSAGE: u64 = 56;

/// Where the bytes went.
enum Destination {
    /// To nowhere that is looked at: they were written, or went from descriptor to descriptor.
    Away,
    /// To where an argument points to.
    Block(usize),
    /// To where the list says that an argument points to; its length is in the next one.
    Blocks(usize),
}

impl Decoder {
    /// A call that succeeded may have moved bytes.
    pub(super) fn record_transfer(&mut self, id: Pid, thread: &mut Thread, call: &mut Call) {
        let class = call.name.class();
        let read = thread.latest_read;
        let to = match (class, call.name.answer()) {
            // The entries are an answer already, without what lies behind their names.
            (Class::ReadDirectory, _) if call.name == Name::Getdents64 => Destination::Away,
            (Class::Read | Class::ReadDirectory, Some(at)) => Destination::Block(at),
            // `readv` and those like it.
            (Class::Read, None) => Destination::Blocks(1),
            // As many bytes as the thread has just read: perhaps a copy of them.
            (Class::Write | Class::Send, _) if read > 0 && is_one_block(call, read) => {
                Destination::Block(1)
            }
            // In a pool another thread may write what this one has read.
            (Class::Write | Class::Send, _)
                if call.result > 0 && is_one_block(call, thread.process.latest_block.get()) =>
            {
                Destination::Block(1)
            }
            _ if class.moves_bytes() => Destination::Away,
            _ => return,
        };
        call.moved = u64::try_from(call.result).unwrap_or(0);
        thread.latest_read = 0;
        let is_input = !matches!(class, Class::Write | Class::Send);
        // What comes through a pipe or from a terminal is new each time.
        if is_input && self.paths.bytes(call.file).first() != Some(&b'/') {
            return;
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(length(call.result, ANSWER), 0);
        let is_read = match to {
            Destination::Away => false,
            Destination::Block(at) => fill(&self.view, id, call.arguments[at], &mut block),
            Destination::Blocks(at) => {
                gather(&self.view, id, call.arguments[at], call.arguments[at + 1], &mut block)
            }
        };
        if is_read {
            call.answer = hash(&block);
            thread.latest_read = if class == Class::Read { call.moved } else { 0 };
            if class == Class::Read && call.moved > 0 {
                thread.process.latest_block.set(call.moved);
            }
        }
        self.block = block;
    }
}

/// Whether a call wrote all of one block of that size.
fn is_one_block(call: &Call, size: u64) -> bool {
    let is_one = matches!(call.name, Name::Write | Name::Pwrite64 | Name::Sendto);
    is_one && u64::try_from(call.result) == Ok(size)
}

fn fill(view: &View, id: Pid, address: u64, block: &mut [u8]) -> bool {
    block.is_empty() || view.read(id, address, block).is_ok_and(|read| read == block.len())
}

/// Reads what a call sent, or the first of several messages. A message may be shorter than `block`,
/// which then becomes as long as that is.
pub(super) fn sent(view: &View, id: Pid, call: &Call, block: &mut Vec<u8>) -> bool {
    match call.name {
        Name::Write | Name::Sendto => fill(view, id, call.arguments[1], block),
        Name::Writev => gather(view, id, call.arguments[1], call.arguments[2], block),
        Name::Sendmsg | Name::Sendmmsg => {
            let at = call.arguments[1].wrapping_add(BLOCKS_OF_MESSAGE);
            let Some(list) = view.array::<16>(id, at) else { return false };
            let (words, _) = list.as_chunks::<8>();
            let (list, count) = (u64::from_ne_bytes(words[0]), u64::from_ne_bytes(words[1]));
            if call.name == Name::Sendmmsg {
                let at = call.arguments[1].wrapping_add(LENGTH_OF_MESSAGE);
                let sent = view.array(id, at).map_or(0, u32::from_ne_bytes);
                block.truncate(usize::try_from(sent).unwrap_or(0));
            }
            gather(view, id, list, count, block)
        }
        _ => false,
    }
}

/// Collects what lies in several blocks.
fn gather(view: &View, id: Pid, list: u64, count: u64, mut block: &mut [u8]) -> bool {
    let mut bytes = [0; 16 * BLOCKS];
    let count = usize::try_from(count).unwrap_or(BLOCKS).min(BLOCKS);
    let list_bytes = &mut bytes[..16 * count];
    if !fill(view, id, list, list_bytes) {
        return false;
    }
    for iovec in list_bytes.as_chunks::<16>().0 {
        let (words, _) = iovec.as_chunks::<8>();
        let (address, size) = (u64::from_ne_bytes(words[0]), u64::from_ne_bytes(words[1]));
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(block.len());
        let (part, rest) = block.split_at_mut(size);
        if !fill(view, id, address, part) {
            return false;
        }
        block = rest;
    }
    block.is_empty()
}
