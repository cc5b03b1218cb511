//! Files: open, read, write.

use std::ffi::CStr;

use windows_sys::Win32::Foundation::{
    ERROR_BROKEN_PIPE, ERROR_HANDLE_EOF, ERROR_INVALID_FUNCTION, GetLastError,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_BEGIN, FILE_CURRENT, FILE_GENERIC_READ, FILE_READ_ATTRIBUTES, FlushFileBuffers, ReadFile,
    SetFilePointerEx, WriteFile,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

use super::descriptor::handle_of;
use super::errno::last_error;
use super::nt::{Opening, open as open_as};
use super::{AsFile, At, BorrowedFile, Descriptor, console};
use crate::Errno;
use crate::counter::{Call, count};
use crate::windows_formats::errors::from_win32;

/// Opens `name` relative to `at` for reading, following links.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says. A directory is opened, too; to read it is `EISDIR`.
#[doc(alias = "NtCreateFile")]
pub fn open(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let access = FILE_GENERIC_READ;
    open_as(at, name, Opening { access, follow: true, ..Opening::EXISTING })
}

/// Opens `name` as [`open`] does. (Nothing that is opened by name waits here.)
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// As [`open`].
pub fn open_at_once(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    open(at, name)
}

/// Opens `name` relative to `at`, whatever its kind, links followed, only to look at its metadata.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says.
pub fn open_path(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let access = FILE_READ_ATTRIBUTES;
    open_as(at, name, Opening { access, follow: true, ..Opening::EXISTING })
}

/// How many bytes are asked for at once: the calls take a number of 32 bits.
fn at_once(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(1 << 30)
}

/// Reads at most `block.len()` bytes; 0 is the end, also of a pipe whose writer has gone.
///
/// Price: one `NtReadFile`.
///
/// # Errors
/// The number for what the system says; `EISDIR` for a directory.
#[doc(alias = "ReadFile")]
pub fn read(file: impl AsFile, block: &mut [u8]) -> Result<usize, Errno> {
    read_from(file.as_file(), block, None)
}

fn read_from(
    file: BorrowedFile<'_>,
    block: &mut [u8],
    offset: Option<u64>,
) -> Result<usize, Errno> {
    let mut place = OVERLAPPED::default();
    if let Some(offset) = offset {
        place.Anonymous.Anonymous.Offset = offset as u32;
        place.Anonymous.Anonymous.OffsetHigh = (offset >> 32) as u32;
    }
    let place = if offset.is_some() { &raw mut place } else { std::ptr::null_mut() };
    let mut got = 0;
    count(Call::ReadFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous: the call is done
    // with the block and the place when it returns; it writes at most the length of the block.
    let done = unsafe {
        ReadFile(handle_of(file), block.as_mut_ptr(), at_once(block.len()), &raw mut got, place)
    };
    if done != 0 {
        return Ok(got as usize);
    }
    // SAFETY: takes nothing.
    match unsafe { GetLastError() } {
        ERROR_BROKEN_PIPE | ERROR_HANDLE_EOF => Ok(0),
        // The one thing that is opened by name and has no such function.
        ERROR_INVALID_FUNCTION => Err(Errno::ISDIR),
        code => Err(Errno::from_raw_os_error(from_win32(code))),
    }
}

/// Reads as much as `bytes` has room for without growing, and appends it; 0 is the end, unless
/// there is no room.
///
/// Price: one `NtReadFile`.
///
/// # Errors
/// The number for what the system says.
pub fn read_more(file: impl AsFile, bytes: &mut Vec<u8>) -> Result<usize, Errno> {
    let room = bytes.capacity() - bytes.len();
    append(file.as_file(), bytes, room, None)
}

/// Reads at most `at_most` bytes and appends them to `bytes`; 0 is the end.
///
/// Price: one `NtReadFile`, whatever it gives.
///
/// # Errors
/// The number for what the system says.
pub fn read_behind(file: impl AsFile, bytes: &mut Vec<u8>, at_most: usize) -> Result<usize, Errno> {
    append(file.as_file(), bytes, at_most, None)
}

/// Reads at most `at_most` bytes from `offset` on and appends them to `bytes`; 0 is the end. The
/// position of the file is behind them then.
///
/// Price: one `NtReadFile`.
///
/// # Errors
/// The number for what the system says.
pub fn pread_behind(
    file: impl AsFile,
    bytes: &mut Vec<u8>,
    at_most: usize,
    offset: u64,
) -> Result<usize, Errno> {
    append(file.as_file(), bytes, at_most, Some(offset))
}

fn append(
    file: BorrowedFile<'_>,
    bytes: &mut Vec<u8>,
    at_most: usize,
    offset: Option<u64>,
) -> Result<usize, Errno> {
    let filled = bytes.len();
    bytes.try_reserve(at_most).map_err(|_| Errno::NOMEM)?;
    bytes.resize(filled + at_most, 0);
    let got = read_from(file, &mut bytes[filled..], offset);
    bytes.truncate(filled + got.unwrap_or(0));
    got
}

/// Most files that are read whole are smaller, and memory that is not touched costs nothing.
const FIRST_READ_BYTES: usize = 8 << 10;

/// Reads a file up to its end, but refuses one of more than `limit` bytes (`EFBIG`).
///
/// Price: `NtCreateFile`, `NtClose`, and a `NtReadFile` for the first 8 KiB, for each doubling, and
/// for the end.
///
/// # Errors
/// The number for what the system says.
pub fn read_all(at: At<'_>, name: &CStr, limit: usize) -> Result<Vec<u8>, Errno> {
    read_until(at, name, limit, |_| false)
}

/// Reads a file as [`read_all`] does, but stops as soon as `is_whole` says that the bytes read so
/// far are all: for a format that marks its own end.
///
/// Price: as [`read_all`], less the read for the end.
///
/// # Errors
/// The number for what the system says.
pub fn read_until(
    at: At<'_>,
    name: &CStr,
    limit: usize,
    mut is_whole: impl FnMut(&[u8]) -> bool,
) -> Result<Vec<u8>, Errno> {
    let file = open(at, name)?;
    let mut bytes = Vec::new();
    loop {
        if bytes.len() > limit {
            return Err(Errno::FBIG);
        }
        let room = bytes.len().max(FIRST_READ_BYTES);
        if read_behind(&file, &mut bytes, room)? == 0 || is_whole(&bytes) {
            return Ok(bytes);
        }
    }
}

/// Writes as many of `bytes` as the file takes at once. What goes to a console is shown as text.
///
/// Price: one `NtWriteFile`.
///
/// # Errors
/// The number for what the system says: `EPIPE`, `ENOSPC`, …
#[doc(alias = "WriteFile")]
pub fn write(file: BorrowedFile<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    if console::is_console(file) {
        return console::write(file, bytes);
    }
    let mut written = 0;
    count(Call::WriteFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous; the call reads at
    // most the length of `bytes`.
    let done = unsafe {
        WriteFile(
            handle_of(file),
            bytes.as_ptr(),
            at_once(bytes.len()),
            &raw mut written,
            std::ptr::null_mut(),
        )
    };
    if done != 0 { Ok(written as usize) } else { Err(last_error()) }
}

/// Writes all of `bytes`.
///
/// Price: one `NtWriteFile`; more if the file takes less at a time.
///
/// # Errors
/// The number for what the system says. Part of the bytes may be written by then.
pub fn write_all(file: BorrowedFile<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match write(file, bytes)? {
            0 => return Err(Errno::IO),
            written => bytes = bytes.get(written..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Waits until what was written to a file is on the disk.
///
/// Price: one `NtFlushBuffersFile`.
///
/// # Errors
/// The number for what the system says; `EINVAL` for a file that is not open for writing.
pub fn sync_data(file: impl AsFile) -> Result<(), Errno> {
    count(Call::FlushBuffersFile);
    // SAFETY: the handle is open as long as `file` is borrowed.
    let done = unsafe { FlushFileBuffers(handle_of(file.as_file())) };
    match done {
        // A handle that nothing can be written by: a directory, which is on the disk as it is.
        0 if last_error() == Errno::ACCESS => Err(Errno::INVAL),
        0 => Err(last_error()),
        _ => Ok(()),
    }
}

/// The position at which the next [`read_behind`] of an open file begins.
///
/// Price: one `NtQueryInformationFile`.
///
/// # Errors
/// The number for what the system says.
pub fn position(file: impl AsFile) -> Result<u64, Errno> {
    move_position(file.as_file(), 0, FILE_CURRENT)
}

/// Sets the position at which the next [`read_behind`] of an open file begins.
///
/// Price: one `NtSetInformationFile`.
///
/// # Errors
/// As [`position`].
pub fn set_position(file: impl AsFile, offset: u64) -> Result<(), Errno> {
    let offset = i64::try_from(offset).map_err(|_| Errno::INVAL)?;
    move_position(file.as_file(), offset, FILE_BEGIN).map(drop)
}

fn move_position(file: BorrowedFile<'_>, by: i64, from: u32) -> Result<u64, Errno> {
    let mut position = 0;
    count(if from == FILE_BEGIN { Call::SetInformationFile } else { Call::QueryInformationFile });
    // SAFETY: the handle is open as long as `file` is borrowed; the position is written there.
    let done = unsafe { SetFilePointerEx(handle_of(file), by, &raw mut position, from) };
    if done == 0 { Err(last_error()) } else { Ok(position.cast_unsigned()) }
}

/// The names of the extended attributes: none, as far as this library knows them here.
///
/// Price: none.
///
/// # Errors
/// None.
pub fn attribute_names(_at: At<'_>, _name: &CStr, _follow: bool) -> Result<Vec<u8>, Errno> {
    Ok(Vec::new())
}
