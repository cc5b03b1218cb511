//! Opening a directory and reading a block of its entries.

use std::ffi::CStr;
use std::os::windows::io::AsHandle;
use std::ptr::null;
use std::sync::{Mutex, PoisonError};

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_DIRECTORY_FILE, FileIdBothDirectoryInformation, FileIdExtdDirectoryInformation,
    NtQueryDirectoryFile,
};
use windows_sys::Win32::Foundation::{
    STATUS_INVALID_INFO_CLASS, STATUS_INVALID_PARAMETER, STATUS_NO_MORE_FILES, STATUS_NO_SUCH_FILE,
    STATUS_NOT_SUPPORTED,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES, FILE_TRAVERSE,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

use super::descriptor::handle_of;
use super::errno::errno_of;
use super::nt::{Opening, open};
use super::{At, Buffer, Descriptor, Entries, FileSystem};
use crate::Errno;
use crate::counter::{Call, count};
use crate::windows_formats::record::Layout;

/// Opens the directory `name` relative to `at` for reading its entries. A link as the last
/// component is followed only with `follow`.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says: `EACCES`, `ENOENT`, `ENOTDIR`, …
#[doc(alias = "NtCreateFile")]
#[inline]
pub fn open_dir(at: At<'_>, name: &CStr, follow: bool) -> Result<Descriptor, Errno> {
    open_for(at, name, follow, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES)
}

/// Opens the directory `name` relative to `at`, following links, for names relative to it.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// As [`open_dir`].
#[doc(alias = "NtCreateFile")]
pub fn open_place(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    open_for(at, name, true, FILE_TRAVERSE | FILE_READ_ATTRIBUTES)
}

fn open_for(at: At<'_>, name: &CStr, follow: bool, access: u32) -> Result<Descriptor, Errno> {
    open(at, name, Opening { access, options: FILE_DIRECTORY_FILE, follow, ..Opening::EXISTING })
}

/// Opens the parent directory of `dir`. The caller checks that it is the expected one: `dir` may
/// have been moved.
///
/// Price: one `NtCreateFile`, and what [`path_of`](super::path_of) costs.
///
/// # Errors
/// As [`open_dir`].
pub fn open_parent(dir: &Descriptor) -> Result<Descriptor, Errno> {
    open_dir(dir.as_handle(), c"..", false)
}

/// Reads the next block of entries of `dir` into `buffer`; the entries borrow from it.
///
/// A block without entries is the end of the directory. On file systems that fill a block as far as
/// they can ([`FileSystem`]), [`Entries::ended`] may know it after the last entry already.
///
/// Price: one `NtQueryDirectoryFile`; one more the first time on a volume that has the older
/// records only.
///
/// # Errors
/// The number for what the system says.
#[doc(alias = "NtQueryDirectoryFile")]
#[inline]
pub fn read_entries<'b>(
    dir: &Descriptor,
    buffer: &'b mut Buffer,
    on: FileSystem,
) -> Result<Entries<'b>, Errno> {
    let mut layout = layout_on(on);
    let filled = loop {
        match ask(dir, buffer, layout, false) {
            Err(Refused::Layout) if layout == Layout::Extended => {
                layout = Layout::Both;
                remember_older(on);
            }
            Err(Refused::Layout) => return Err(Errno::OPNOTSUPP),
            Err(Refused::Other(errno)) => return Err(errno),
            Ok(filled) => break filled,
        }
    };
    Ok(buffer.entries(dir, filled, layout, on))
}

/// Lets the next [`read_entries`] go on from `position`, which an earlier one has reached, maybe on
/// another handle of the same directory: so many entries are read again.
///
/// Price: one `NtQueryDirectoryFile` for each of these entries.
///
/// # Errors
/// The number for what the system says.
pub fn seek(dir: &Descriptor, position: i64) -> Result<(), Errno> {
    dir.read_from_start();
    let mut one = Buffer::new(Buffer::SMALLEST_BYTES);
    let mut layout = Layout::Extended;
    let mut left = position;
    while left > 0 {
        match ask(dir, &mut one, layout, true) {
            Ok(0) => break,
            Ok(_) => {
                dir.add_records(1);
                left -= 1;
            }
            Err(Refused::Layout) if layout == Layout::Extended => layout = Layout::Both,
            Err(Refused::Layout) => return Err(Errno::OPNOTSUPP),
            Err(Refused::Other(errno)) => return Err(errno),
        }
    }
    Ok(())
}

/// Why a block was not filled.
enum Refused {
    /// The file system does not have these records.
    Layout,
    Other(Errno),
}

fn ask(
    dir: &Descriptor,
    buffer: &mut Buffer,
    layout: Layout,
    single: bool,
) -> Result<usize, Refused> {
    let class = match layout {
        Layout::Extended => FileIdExtdDirectoryInformation,
        Layout::Both => FileIdBothDirectoryInformation,
    };
    let restart = dir.takes_from_start();
    let (block, bytes) = buffer.memory();
    let room = u32::try_from(bytes).unwrap_or(u32::MAX);
    let mut answer = IO_STATUS_BLOCK::default();
    count(Call::QueryDirectoryFile);
    // SAFETY: the handle is open as long as `dir` is borrowed, and synchronous, so the kernel is
    // done with the answer and the block when it returns; `block` points to `room` bytes that
    // nothing else refers to, aligned for the records; there is no event, routine or pattern.
    let status = unsafe {
        NtQueryDirectoryFile(
            handle_of(dir.as_handle()),
            std::ptr::null_mut(),
            None,
            null(),
            &raw mut answer,
            block.cast(),
            room,
            class,
            single,
            null(),
            restart,
        )
    };
    match status {
        // An empty volume has no `.` and no `..`: then no such file is the end, too.
        STATUS_NO_MORE_FILES | STATUS_NO_SUCH_FILE => Ok(0),
        STATUS_INVALID_INFO_CLASS | STATUS_INVALID_PARAMETER | STATUS_NOT_SUPPORTED => {
            // The next question is the first.
            dir.read_from_start();
            Err(Refused::Layout)
        }
        0 => Ok(answer.Information),
        status => Err(Refused::Other(errno_of(status))),
    }
}

/// The volumes that have the older records only, by their number; 0 stands for those whose number
/// is not known.
static OLDER: Mutex<Vec<u64>> = Mutex::new(Vec::new());

fn layout_on(on: FileSystem) -> Layout {
    let older = OLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if older.contains(&on.device()) { Layout::Both } else { Layout::Extended }
}

fn remember_older(on: FileSystem) {
    let mut older = OLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if !older.contains(&on.device()) {
        older.push(on.device());
    }
}
