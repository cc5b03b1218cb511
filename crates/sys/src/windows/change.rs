//! Changes to a tree: new files and directories, attributes, times, permissions.

use std::ffi::CStr;
use std::os::windows::io::AsHandle;

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_BASIC_INFORMATION, FILE_CREATE, FILE_DIRECTORY_FILE, FILE_NON_DIRECTORY_FILE,
    FILE_OPEN_IF, FileBasicInformation, FileEndOfFileInformation,
};
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_READONLY, FILE_EXECUTE,
    FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_READ_ATTRIBUTES, FILE_READ_DATA,
    FILE_WRITE_ATTRIBUTES, FILE_WRITE_DATA,
};
use windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime;

use super::errno::errno_of;
use super::information::{basic_information, query, set};
use super::nt::{Opening, open};
use super::{AsFile, At, BorrowedFile, Descriptor};
use crate::windows_formats::times::units_of;
use crate::{Access, Errno, SetTime};

/// The bits by which anybody may write: without any of them a file is read-only.
const WRITE_BITS: u32 = 0o222;

/// The bits that have no meaning here: set-user-id, set-group-id and sticky.
const SPECIAL_BITS: u32 = 0o7000;

/// The attributes of a new file with these permissions.
fn attributes_of(bits: u32) -> u32 {
    if bits & WRITE_BITS == 0 { FILE_ATTRIBUTE_READONLY } else { FILE_ATTRIBUTE_NORMAL }
}

/// Makes the file `name` relative to `at`, which must not be there yet, and opens it for reading
/// and writing. Without any bit of `bits` to write it is read-only; who else may use it is what its
/// folder says. There is no umask.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says: `EEXIST` if the name exists, `ENOENT`, `EACCES`, …
#[doc(alias = "NtCreateFile")]
pub fn create(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let access = FILE_GENERIC_READ | FILE_GENERIC_WRITE | DELETE;
    let (options, attributes) = (FILE_NON_DIRECTORY_FILE, attributes_of(bits));
    let disposition = FILE_CREATE;
    open(at, name, Opening { access, disposition, options, attributes, ..Opening::EXISTING })
}

/// Makes the file `name` relative to `at`, which must not be there yet, and leaves it closed.
///
/// Price: `NtCreateFile`, `NtClose`.
///
/// # Errors
/// As [`create`].
pub fn make_file(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    create(at, name, bits).map(drop)
}

/// Opens the file `name` relative to `at` for writing, links followed, and empties it; makes it if
/// it is not there. The bits count as in [`create`].
///
/// Price: `NtCreateFile`, `NtSetInformationFile`.
///
/// # Errors
/// The number for what the system says: `EISDIR`, `EACCES`, …
pub fn overwrite(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    emptied(open_or_make(at, name, bits)?)
}

/// Opens the file `name` relative to `at` for writing, links followed; makes it if it is not there.
/// The bits count as in [`create`].
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// As [`overwrite`].
pub fn open_or_make(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let (disposition, attributes) = (FILE_OPEN_IF, attributes_of(bits));
    open(at, name, Opening { disposition, attributes, ..TO_WRITE })
}

/// Opens the file `name` relative to `at`, which must be there, for writing, links followed, and
/// empties it. Its attributes stay.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`.
///
/// # Errors
/// The number for what the system says: `ENOENT`, `EISDIR`, `EACCES`, …
pub fn open_emptied(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    emptied(open(at, name, TO_WRITE)?)
}

const TO_WRITE: Opening = Opening {
    access: FILE_GENERIC_WRITE,
    options: FILE_NON_DIRECTORY_FILE,
    follow: true,
    ..Opening::EXISTING
};

/// Emptying by the opening itself is refused for hidden files, and would take their attributes off.
fn emptied(file: Descriptor) -> Result<Descriptor, Errno> {
    set_length(&file, 0)?;
    Ok(file)
}

/// Sets the length of an open file: what is behind it is gone, what is missing is zero bytes.
///
/// Price: one `NtSetInformationFile`.
///
/// # Errors
/// The number for what the system says: `EACCES` for what is not open for writing.
pub fn set_length(file: impl AsFile, bytes: u64) -> Result<(), Errno> {
    let end = i64::try_from(bytes).map_err(|_| Errno::INVAL)?.to_ne_bytes();
    set(file.as_file(), FileEndOfFileInformation, &end).map_err(errno_of)
}

/// Makes the directory `name` relative to `at`. Who may use it is what its folder says, not
/// `_bits`.
///
/// Price: `NtCreateFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `EEXIST`, `ENOENT`, `EACCES`, …
pub fn make_directory(at: At<'_>, name: &CStr, _bits: u32) -> Result<(), Errno> {
    let (access, options) = (FILE_READ_ATTRIBUTES, FILE_DIRECTORY_FILE);
    let disposition = FILE_CREATE;
    open(at, name, Opening { access, disposition, options, ..Opening::EXISTING }).map(drop)
}

/// Makes the file that `name` relative to `at` leads to read-only if `bits` have none to write, and
/// otherwise writable; links are followed. That is all that permissions can say here: other bits
/// of the nine are taken without effect, and so are all for a directory, for which the attribute
/// means something else.
///
/// Price: `NtCreateFile`, `NtQueryInformationFile`, `NtClose`; one `NtSetInformationFile` if it
/// changes.
///
/// # Errors
/// The number for what the system says: `ENOENT`, `EACCES`, …; `EOPNOTSUPP` for set-user-id,
/// set-group-id and sticky.
pub fn set_permissions(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let access = FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES;
    let file = open(at, name, Opening { access, follow: true, ..Opening::EXISTING })?;
    set_permissions_of(file.as_handle(), bits)
}

/// As [`set_permissions`], for an open file.
///
/// Price: one `NtQueryInformationFile`, and one `NtSetInformationFile` if it changes.
///
/// # Errors
/// As [`set_permissions`].
pub fn set_permissions_of(file: BorrowedFile<'_>, bits: u32) -> Result<(), Errno> {
    if bits & SPECIAL_BITS != 0 {
        return Err(Errno::OPNOTSUPP);
    }
    let mut basic = FILE_BASIC_INFORMATION::default();
    query(file, FileBasicInformation, &mut basic)?;
    let now = basic.FileAttributes;
    let wanted = match bits & WRITE_BITS {
        0 => now | FILE_ATTRIBUTE_READONLY,
        _ => now & !FILE_ATTRIBUTE_READONLY,
    };
    if now & FILE_ATTRIBUTE_DIRECTORY != 0 || wanted == now {
        return Ok(());
    }
    set_attributes(file, wanted)
}

/// Sets all attributes. None at all would leave them as they are.
pub(super) fn set_attributes(file: BorrowedFile<'_>, attributes: u32) -> Result<(), Errno> {
    let some = if attributes == 0 { FILE_ATTRIBUTE_NORMAL } else { attributes };
    set(file, FileBasicInformation, &basic_information([0; 4], some)).map_err(errno_of)
}

/// Sets the access and modification times of `name` relative to `at`; of a link itself unless
/// `follow`.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `ENOENT`, `EACCES`, …; `EOVERFLOW` for a time before 1601
/// or after 30827.
pub fn set_times(
    at: At<'_>,
    name: &CStr,
    follow: bool,
    accessed: SetTime,
    modified: SetTime,
) -> Result<(), Errno> {
    let times = [0, units(accessed)?, units(modified)?, 0];
    let how = Opening { access: FILE_WRITE_ATTRIBUTES, follow, ..Opening::EXISTING };
    let file = open(at, name, how)?;
    set(file.as_handle(), FileBasicInformation, &basic_information(times, 0)).map_err(errno_of)
}

/// As the kernel takes a time: 0 leaves it as it is.
fn units(time: SetTime) -> Result<i64, Errno> {
    match time {
        SetTime::Keep => Ok(0),
        SetTime::To(time) => units_of(time).ok_or(Errno::OVERFLOW),
        SetTime::Now => {
            let mut now = FILETIME::default();
            // SAFETY: the time is written there. It comes from memory that the kernel shares.
            unsafe { GetSystemTimePreciseAsFileTime(&raw mut now) };
            Ok(i64::from(now.dwHighDateTime) << 32 | i64::from(now.dwLowDateTime))
        }
    }
}

/// Whether `name` relative to `at` is there, links followed.
///
/// Price: `NtCreateFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `ENOENT`, `EACCES`, …
pub fn access(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    super::open_path(at, name).map(drop)
}

/// Whether this process has the permission for `name` relative to `at`, links followed. A file that
/// may be executed need not be a program.
///
/// Price: `NtCreateFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `EACCES`, `ENOENT`, …
pub fn access_to_use(at: At<'_>, name: &CStr, how: Access) -> Result<(), Errno> {
    let access = match how {
        Access::Read => FILE_READ_DATA,
        Access::Write => FILE_WRITE_DATA,
        Access::Execute => FILE_EXECUTE,
    };
    open(at, name, Opening { access, follow: true, ..Opening::EXISTING }).map(drop)
}
