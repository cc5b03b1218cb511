//! Reading a block of a directory's entries.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsFd, AsRawFd};

use super::entries::{Block, Buffer, DOTS, Entries};
use crate::bsd::{FileSystem, filesystem};
use crate::counter::Call;
use crate::macos_formats::attributes::AttributeRequest;
use crate::macos_formats::block::{DirectoryCalls, next_block};
use crate::macos_formats::layout::{AttributeList, EXTENDED_ATTRIBUTES};
use crate::macos_formats::reader::{ReadCall, ReadState, Volume};
use crate::unix::{Descriptor, last_error, retry, set_position};
use crate::{Errno, Fields};

// The libc crate has no name for it (bsd/sys/dirent_private.h; the C library's readdir calls it).
unsafe extern "C" {
    fn __getdirentries64(file: c_int, block: *mut c_void, size: usize, base: *mut i64) -> isize;
}

/// Reads the next block of entries of `dir` into `buffer`; the entries borrow from it.
///
/// A block without entries is the end of the directory; [`Entries::ended`] knows it after the last
/// entry of names that were read without attributes.
///
/// Price: one `getdirentries64`; if fields are [wanted](Buffer::wanting) that it lacks, one
/// `getattrlistbulk`. Where the volume turns out to lack kinds in the one, or the other call, both,
/// and an `lseek`, the first time. One more for each block that came before. One `fstatfs`, once,
/// if the number of names is wanted and the file system is not known.
///
/// # Errors
/// The kernel's number: `ENOENT` for a directory removed meanwhile, `EIO`, …; `EDEADLK` for a
/// directory whose contents are elsewhere and are not to be fetched. `EIO` also if the file system
/// gives the same blocks again and again.
#[doc(alias = "getdirentries64")]
#[doc(alias = "getattrlistbulk")]
#[inline]
pub fn read_entries<'b>(
    dir: &Descriptor,
    buffer: &'b mut Buffer,
    on: FileSystem,
) -> Result<Entries<'b>, Errno> {
    let mut state = dir.read_state();
    let on = volume(&mut state, dir, on, buffer.wanted());
    let request =
        AttributeRequest { fields: buffer.wanted(), entries_are_links: on.entries_are_links };
    let filled = next_block(&mut state, &mut Calls(dir), buffer.memory(), request, on)?;
    let memory: &[u8] = buffer.memory();
    let mut block = match filled.call {
        ReadCall::Entries => Block::of_entries(&memory[..filled.amount.min(memory.len())]),
        ReadCall::Attributes => Block::of_attributes(memory, filled.amount, request),
    };
    for _ in 0..filled.skip {
        block.next();
    }
    let has_dots = filled.call == ReadCall::Entries || !filled.is_first;
    let dots_before = if has_dots { &[] } else { DOTS };
    let (behind, is_last) = (filled.behind, filled.is_last);
    Ok(Entries { block, behind, is_last, dots: false, dots_before })
}

/// The calls on an open directory.
struct Calls<'d>(&'d Descriptor);

impl DirectoryCalls for Calls<'_> {
    fn fill(
        &mut self,
        call: ReadCall,
        memory: &mut [u8],
        request: AttributeRequest,
    ) -> Result<usize, Errno> {
        let fd = self.0.as_fd().as_raw_fd();
        let (block, size) = (memory.as_mut_ptr().cast::<c_void>(), memory.len());
        match call {
            ReadCall::Entries => retry(Call::Getdirentries64, || {
                let mut base = 0;
                // SAFETY: the descriptor is open as long as it is borrowed; `block` leads to `size`
                // bytes that nothing else refers to while `memory` is borrowed mutably; the kernel
                // writes at most `size` bytes there, and one number to `base`.
                let answer = unsafe { __getdirentries64(fd, block, size, &raw mut base) };
                usize::try_from(answer).map_err(|_| last_error())
            }),
            ReadCall::Attributes => retry(Call::Getattrlistbulk, || {
                let mut list = AttributeList::of(request.fields);
                let options = if list.fork == 0 { 0 } else { EXTENDED_ATTRIBUTES };
                let list = (&raw mut list).cast();
                // SAFETY: as above; the kernel reads `list`, which has the layout of `struct
                // attrlist`, and writes whole records, at most `size` bytes.
                let answer = unsafe { libc::getattrlistbulk(fd, list, block, size, options) };
                usize::try_from(answer).map_err(|_| last_error())
            }),
        }
    }

    fn rewind(&mut self) -> Result<(), Errno> {
        set_position(self.0, 0)
    }
}

/// The volume of a directory, looked up if it decides whether each directory in it is asked for the
/// number of its names.
fn volume(state: &mut ReadState, dir: &Descriptor, on: FileSystem, wanted: Fields) -> Volume {
    if on.volume().number != 0 || !wanted.contains(Fields::LINKS) {
        return on.volume();
    }
    *state.on.get_or_insert_with(|| filesystem(dir).unwrap_or(on).volume())
}

/// Lets the next [`read_entries`] go on from `position`, which an earlier one has reached, maybe on
/// another descriptor of the same directory: the records before it are read again.
///
/// Price: one `lseek`, and later the calls for the blocks before the position.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "lseek")]
pub fn seek(dir: &Descriptor, position: i64) -> Result<(), Errno> {
    set_position(dir, 0)?;
    *dir.read_state() = ReadState::at(position);
    Ok(())
}
