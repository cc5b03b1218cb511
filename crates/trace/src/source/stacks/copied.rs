//! Stacks of threads that run on: unwound from a copy of their innermost part. And where the code
//! of a process lies that may be gone by now.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::images::ImageId;
use super::maps::Mapping;
use super::unwind::{self, Walk};
use super::window::Window;
use super::{Stacks, StoppedThread};
use crate::source::paths::Paths;
use crate::source::registers::Registers;
use crate::{Event, StackId};

/// The code of an address space, as it was mapped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes(Vec<Mapping>);

impl Codes {
    /// Code was mapped, from so far behind a file's beginning on; where code was, it is no more.
    pub(crate) fn add(&mut self, start: u64, length: u64, file: &[u8], offset: u64) {
        let end = start.saturating_add(length);
        self.0.retain(|other| other.end <= start || other.start >= end);
        let is_there = |file: &std::fs::Metadata| (file.dev(), file.ino());
        // The kernel names files without links on the way.
        let real = Path::new(OsStr::from_bytes(file)).canonicalize().ok();
        let found = real.as_ref().and_then(|real| std::fs::metadata(real).ok());
        let (device, inode) = found.as_ref().map_or((0, 0), is_there);
        let name = real.map_or(file.to_vec(), |real| real.into_os_string().into_vec());
        let mapping = Mapping { start, end, executable: true, offset, device, inode, name };
        let at = self.0.partition_point(|other| other.start < start);
        self.0.insert(at, mapping);
    }
}

impl Stacks {
    /// A space has this code and no other.
    pub(crate) fn has_codes(&mut self, stopped: StoppedThread, codes: &Codes) {
        let known = self.spaces.entry(stopped.space).or_default();
        known.stale = false;
        let change = known.space.take(stopped.thread, codes.0.iter().cloned(), &mut self.images);
        known.changed(change, &self.images);
    }

    /// The stack of a thread that runs on, from its registers and a copy of its innermost part.
    /// Functions that a runtime executes are not looked for: what they lie in has changed since.
    pub(crate) fn copied(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        copy: &[u8],
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> StackId {
        let known = self.spaces.entry(stopped.space).or_default();
        if std::mem::take(&mut known.stale) {
            known.refresh(stopped.thread, &mut self.images);
        }
        let start = registers.sp;
        let read =
            |ranges: &[(u64, usize)], bytes: &mut Vec<u8>| gather(start, copy, ranges, bytes);
        let trail = match known.memo.recall_by(registers, &mut self.bytes, read) {
            Some((trail, _)) => trail,
            None => {
                let returns = &mut self.returns;
                let window = Window::of_copy(stopped.thread, start, copy);
                let walk = Walk::new(window, &known.space, &mut self.images);
                let mut trail = walk.outwards(registers, |spot, address| {
                    let is = || unwind::is_signal_return(stopped.thread, address);
                    *returns.entry(spot).or_insert_with(is)
                });
                // Code is not in the copy.
                let stack = start..start.saturating_add(copy.len() as u64);
                trail.slots.retain(|(at, _)| stack.contains(at));
                let in_files = trail.spots.iter().all(|spot| spot.image != ImageId::JIT);
                let number = self.interner.trail(stopped, &trail, &self.images, paths, events);
                known.memo.keep(registers, &trail, in_files && !trail.truncated, number);
                number
            }
        };
        self.interner.stack(trail, &[], events)
    }
}

/// As [`crate::source::memory::ranges`], from a copy that begins at `start`. Up to its end.
fn gather(start: u64, copy: &[u8], ranges: &[(u64, usize)], bytes: &mut Vec<u8>) {
    bytes.clear();
    for (address, length) in ranges {
        let at = address.checked_sub(start).and_then(|at| usize::try_from(at).ok());
        let part = at.and_then(|at| copy.get(at..at.checked_add(*length)?));
        let Some(part) = part else { return };
        bytes.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_the_copy_ends_what_is_gathered() {
        let mut bytes = Vec::new();
        let copy: Vec<u8> = (0..32).collect();
        gather(100, &copy, &[(100, 2), (130, 2)], &mut bytes);
        assert_eq!(bytes, [0, 1, 30, 31]);
        gather(100, &copy, &[(104, 1), (131, 2), (100, 1)], &mut bytes);
        assert_eq!(bytes, [4]);
        gather(100, &copy, &[(92, 8)], &mut bytes);
        assert!(bytes.is_empty());
    }

    #[test]
    fn code_takes_the_place_of_code() {
        let mut codes = Codes::default();
        codes.add(0x3000, 0x1000, b"/nothing/b", 0);
        codes.add(0x1000, 0x1000, b"/nothing/a", 0x1000);
        let starts = |codes: &Codes| codes.0.iter().map(|it| it.start).collect::<Vec<_>>();
        assert_eq!(starts(&codes), [0x1000, 0x3000]);
        codes.add(0x3800, 0x1000, b"/nothing/c", 0);
        assert_eq!(starts(&codes), [0x1000, 0x3800]);
    }
}
