//! Reading a block of a directory's entries.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entries::{Block, Buffer, DOTS, Entries};
use crate::bsd::{FileSystem, filesystem};
use crate::counter::Call;
use crate::macos_formats::attributes::AttributeRequest;
use crate::macos_formats::dirent;
use crate::macos_formats::layout::AttributeList;
use crate::macos_formats::reader::{
    FirstRecord, ReadCall, ReadState, Refusal, Step, Traits, Volume,
};
use crate::unix::{Descriptor, last_error, retry, set_position};
use crate::{Errno, Fields, Kind};

// The libc crate has no name for it (bsd/sys/dirent_private.h; the C library's readdir calls it).
unsafe extern "C" {
    fn __getdirentries64(file: c_int, block: *mut c_void, size: usize, base: *mut i64) -> isize;
}

/// What was found in a block before its entries are taken.
struct Overview {
    first: FirstRecord,
    records: u64,
    lacks_kinds: bool,
}

impl Overview {
    fn of(block: Block<'_>) -> Overview {
        let nothing = FirstRecord::of(0, b"");
        let mut overview = Overview { first: nothing, records: 0, lacks_kinds: false };
        for entry in block {
            if overview.records == 0 {
                overview.first = FirstRecord::of(entry.inode, entry.name());
            }
            overview.records += 1;
            overview.lacks_kinds |= entry.kind == Kind::Unknown;
        }
        overview
    }
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
/// gives the same block again and again.
#[doc(alias = "getdirentries64")]
#[doc(alias = "getattrlistbulk")]
#[inline]
pub fn read_entries<'b>(
    dir: &Descriptor,
    buffer: &'b mut Buffer,
    on: FileSystem,
) -> Result<Entries<'b>, Errno> {
    let mut state = dir.read_state();
    let is_first = state.records == 0 && state.skip == 0;
    let on = volume(&mut state, dir, on, buffer.wanted());
    let request =
        AttributeRequest { fields: buffer.wanted(), entries_are_links: on.entries_are_links };
    let (call, filled, records) = loop {
        let call = *state.call.get_or_insert_with(|| traits(on).call_for(request.fields));
        let filled = match (call, ask(dir, buffer, call, request)) {
            (_, Ok(filled)) => filled,
            (ReadCall::Attributes, Err(errno)) if state.records == 0 => {
                refuse(&mut state, on, errno)?;
                continue;
            }
            (_, Err(errno)) => return Err(errno),
        };
        if filled == 0 {
            break (call, 0, 0);
        }
        let overview = Overview::of(block(buffer, call, filled, request));
        let is_bare = overview.lacks_kinds && call == ReadCall::Entries && state.records == 0;
        if is_bare && !traits(on).lacks_attributes {
            remember(on, Traits { lacks_kinds: true, ..traits(on) });
            set_position(dir, 0)?;
            state.call = Some(ReadCall::Attributes);
            continue;
        }
        match state.progress.judge(overview.first) {
            Step::Take if state.skip > 0 && overview.records <= state.skip => {
                state.skip -= overview.records;
            }
            Step::Take => break (call, filled, overview.records),
            Step::ReadOn => continue,
            Step::Stalled => {
                if call == ReadCall::Attributes {
                    remember(on, Traits { lacks_attributes: true, ..traits(on) });
                }
                return Err(Errno::IO);
            }
        }
        state.records += overview.records;
    };
    state.records += records;
    let (skip, behind) = (std::mem::take(&mut state.skip), state.records);
    let buffer = &*buffer;
    let mut block = block(buffer, call, filled, request);
    for _ in 0..skip.min(records) {
        block.next();
    }
    let is_last = match call {
        ReadCall::Entries => dirent::is_last(buffer.filled(), filled),
        ReadCall::Attributes => filled == 0,
    };
    let has_dots = call == ReadCall::Entries || !is_first;
    let dots_before = if has_dots { &[] } else { DOTS };
    Ok(Entries { block, behind, is_last, dots: false, dots_before })
}

/// The volume of a directory, looked up if it decides whether each directory in it is asked for the
/// number of its names.
fn volume(state: &mut ReadState, dir: &Descriptor, on: FileSystem, wanted: Fields) -> Volume {
    if on.volume().number != 0 || !wanted.contains(Fields::LINKS) {
        return on.volume();
    }
    *state.on.get_or_insert_with(|| filesystem(dir).unwrap_or(on).volume())
}

/// The records of a block of so many bytes, or with attributes of so many records.
fn block(buffer: &Buffer, call: ReadCall, filled: usize, request: AttributeRequest) -> Block<'_> {
    let bytes = buffer.filled();
    match call {
        ReadCall::Entries => Block::of_entries(&bytes[..filled.min(bytes.len())]),
        ReadCall::Attributes => Block::of_attributes(bytes, filled, request),
    }
}

/// Fills the block. The answer is the number of bytes, or with attributes that of records.
fn ask(
    dir: &Descriptor,
    buffer: &mut Buffer,
    call: ReadCall,
    request: AttributeRequest,
) -> Result<usize, Errno> {
    let fd = dir.as_fd().as_raw_fd();
    let memory = buffer.memory();
    let (block, size) = (memory.as_mut_ptr().cast::<c_void>(), memory.len());
    match call {
        ReadCall::Entries => retry(Call::Getdirentries64, || {
            let mut base = 0;
            // SAFETY: the descriptor is open as long as `dir` is borrowed; `block` leads to `size`
            // bytes that nothing else refers to while `buffer` is borrowed mutably; the kernel
            // writes at most `size` bytes there, and one number to `base`.
            let answer = unsafe { __getdirentries64(fd, block, size, &raw mut base) };
            usize::try_from(answer).map_err(|_| last_error())
        }),
        ReadCall::Attributes => retry(Call::Getattrlistbulk, || {
            let mut list = AttributeList::of(request.fields);
            // SAFETY: as above; the kernel reads `list`, which has the layout of `struct attrlist`,
            // and writes whole records, at most `size` bytes. There are no options.
            let answer =
                unsafe { libc::getattrlistbulk(fd, (&raw mut list).cast(), block, size, 0) };
            usize::try_from(answer).map_err(|_| last_error())
        }),
    }
}

/// Goes on with names only, if that is what an error of the first question for attributes means.
#[cold]
fn refuse(state: &mut ReadState, on: Volume, errno: Errno) -> Result<(), Errno> {
    match Refusal::of(errno) {
        Refusal::No => return Err(errno),
        Refusal::Directory => {}
        Refusal::Volume => remember(on, Traits { lacks_attributes: true, ..traits(on) }),
    }
    state.call = Some(ReadCall::Entries);
    Ok(())
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
    let position = u64::try_from(position).unwrap_or(0);
    let call = match position {
        0 => None,
        _ if position & 1 != 0 => Some(ReadCall::Attributes),
        _ => Some(ReadCall::Entries),
    };
    *dir.read_state() = ReadState { call, skip: position >> 1, ..ReadState::default() };
    Ok(())
}

/// What was found out about volumes, by their number.
static TRAITS: Mutex<Vec<(u64, Traits)>> = Mutex::new(Vec::new());

fn known_traits() -> MutexGuard<'static, Vec<(u64, Traits)>> {
    TRAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn traits(on: Volume) -> Traits {
    let known = known_traits();
    known.iter().find(|it| it.0 == on.number).map(|it| it.1).unwrap_or_default()
}

/// Remembers what a volume lacks; not of one whose number is not known.
#[cold]
fn remember(on: Volume, traits: Traits) {
    let mut known = known_traits();
    match known.iter_mut().find(|it| it.0 == on.number) {
        Some(volume) => volume.1 = traits,
        None if on.number != 0 => known.push((on.number, traits)),
        None => {}
    }
}
