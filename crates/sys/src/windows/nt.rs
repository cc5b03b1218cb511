//! Opens files by the kernel's own call, which takes names relative to an open directory.

use std::ffi::CStr;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_DIRECTORY_FILE, FILE_NON_DIRECTORY_FILE, FILE_OPEN, FILE_OPEN_FOR_BACKUP_INTENT,
    FILE_OPEN_NO_RECALL, FILE_OPEN_REPARSE_POINT, FILE_SYNCHRONOUS_IO_NONALERT, NtCreateFile,
};
use windows_sys::Win32::Foundation::{
    HANDLE, NTSTATUS, OBJ_CASE_INSENSITIVE, OBJ_DONT_REPARSE, STATUS_INVALID_PARAMETER,
    STATUS_NAME_TOO_LONG, UNICODE_STRING,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_APPEND_DATA, FILE_ATTRIBUTE_NORMAL, FILE_READ_DATA, FILE_SHARE_DELETE, FILE_SHARE_READ,
    FILE_SHARE_WRITE, FILE_WRITE_DATA, GetFullPathNameW, SYNCHRONIZE,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

use super::errno::{errno_of, last_error};
use super::path::kernel_path_of;
use super::{At, Descriptor};
use crate::Errno;
use crate::counter::{Call, count};
use crate::windows_formats::path::{folder_and_file, is_absolute, is_separator, step};
use crate::windows_formats::wide::to_wide;

const BACKSLASH: u16 = b'\\' as u16;
/// What the path of a device begins with.
const DEVICE: [u16; 4] = [BACKSLASH, BACKSLASH, b'.' as u16, BACKSLASH];

/// How a file is opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// What may be done with it.
    pub(super) access: u32,
    /// Whether it must be there, must not, or is emptied.
    pub(super) disposition: u32,
    pub(super) options: u32,
    /// Whether a link is followed.
    pub(super) follow: bool,
    /// The attributes of a file that is made.
    pub(super) attributes: u32,
    /// Whether a single name in an open directory leads nowhere if that directory has been made a
    /// link meanwhile.
    pub(super) strictly_within: bool,
    /// Which other uses of the file are allowed while it is open.
    pub(super) share: u32,
}

impl Opening {
    /// Of what is there, itself, for no use at all.
    pub(super) const EXISTING: Opening = Opening {
        access: 0,
        disposition: FILE_OPEN,
        options: 0,
        follow: false,
        attributes: FILE_ATTRIBUTE_NORMAL,
        strictly_within: false,
        share: FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
    };

    /// The options for the kernel. What is not opened for its contents is not fetched from where
    /// it is stored, a directory never.
    fn all_options(&self) -> u32 {
        const CONTENTS: u32 = FILE_READ_DATA | FILE_WRITE_DATA | FILE_APPEND_DATA;
        let reads = self.options & FILE_DIRECTORY_FILE == 0 && self.access & CONTENTS != 0;
        let recall = if reads { 0 } else { FILE_OPEN_NO_RECALL };
        let itself = if self.follow { 0 } else { FILE_OPEN_REPARSE_POINT };
        let common = FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_FOR_BACKUP_INTENT;
        self.options | common | recall | itself
    }
}

/// Opens `name` relative to `at`.
///
/// Price: one `NtCreateFile`. A `..` in a name relative to an open directory, which the kernel does
/// not know, costs what `path_of` does. A name with a slash at its end is that of a directory:
/// what is there and is none is `ENOTDIR`.
pub(super) fn open(at: At<'_>, name: &CStr, mut how: Opening) -> Result<Descriptor, Errno> {
    let has_slash = name.to_bytes().ends_with(b"/") || name.to_bytes().ends_with(b"\\");
    if has_slash && how.disposition == FILE_OPEN && how.options & FILE_NON_DIRECTORY_FILE == 0 {
        how.options |= FILE_DIRECTORY_FILE;
    }
    with_name(at, name, |root, units| {
        let is_in = how.strictly_within && !root.is_null() && !units.contains(&BACKSLASH);
        let within = if is_in { OBJ_DONT_REPARSE } else { 0 };
        let status = match create_file(root, units, how, within) {
            // A system older than the flag: the options alone keep from following the last name.
            Err(STATUS_INVALID_PARAMETER) if within != 0 => create_file(root, units, how, 0),
            done => done,
        };
        status.map_err(errno_of)
    })
}

/// The open file, or the status that says why not.
fn create_file(
    root: HANDLE,
    units: &[u16],
    how: Opening,
    within: u32,
) -> Result<Descriptor, NTSTATUS> {
    let name = unicode(units).map_err(|_| STATUS_NAME_TOO_LONG)?;
    let attributes = object_attributes(root, &name, within);
    let mut handle = null_mut();
    let mut answer = IO_STATUS_BLOCK::default();
    count(Call::CreateFile);
    // SAFETY: the kernel writes the handle and the answer, and reads the attributes, the name and
    // its units, all of which live until it returns; `root` is open as long as the caller borrows
    // it, or nothing.
    let status = unsafe {
        NtCreateFile(
            &raw mut handle,
            how.access | SYNCHRONIZE,
            &raw const attributes,
            &raw mut answer,
            null(),
            how.attributes,
            how.share,
            how.disposition,
            how.all_options(),
            null(),
            0,
        )
    };
    if status < 0 {
        return Err(status);
    }
    // SAFETY: the call succeeded: the handle is open, and nothing else has it.
    Ok(Descriptor::new(unsafe { OwnedHandle::from_raw_handle(handle) }))
}

/// The name `name` in the directory `root`, which must live as long as this is used.
fn object_attributes(root: HANDLE, name: &UNICODE_STRING, more: u32) -> OBJECT_ATTRIBUTES {
    OBJECT_ATTRIBUTES {
        Length: size_of::<OBJECT_ATTRIBUTES>() as u32,
        RootDirectory: root,
        ObjectName: name,
        Attributes: OBJ_CASE_INSENSITIVE | more,
        SecurityDescriptor: null(),
        SecurityQualityOfService: null(),
    }
}

/// The text as the kernel takes it; `ENAMETOOLONG` beyond 32,767 units.
pub(super) fn unicode(units: &[u16]) -> Result<UNICODE_STRING, Errno> {
    let bytes = u16::try_from(size_of_val(units)).map_err(|_| Errno::NAMETOOLONG)?;
    Ok(UNICODE_STRING { Length: bytes, MaximumLength: bytes, Buffer: units.as_ptr().cast_mut() })
}

/// Calls `f` with the directory and the name that the kernel takes for `name` relative to `at`.
pub(super) fn with_name<T>(
    at: At<'_>,
    name: &CStr,
    f: impl FnOnce(HANDLE, &[u16]) -> Result<T, Errno>,
) -> Result<T, Errno> {
    let bytes = name.to_bytes();
    if bytes.is_empty() {
        return Err(Errno::NOENT);
    }
    let root = at.as_raw_handle();
    if root.is_null() || is_absolute(bytes) {
        return f(null_mut(), &kernel_path(bytes)?);
    }
    let names = || bytes.split(|byte| is_separator(*byte)).filter(|name| !name.is_empty());
    if names().any(|name| name == b"..") {
        let mut whole = kernel_path_of(at)?;
        names().for_each(|name| step(&mut whole, name));
        return f(null_mut(), &kernel_path(&whole)?);
    }
    let is_single = bytes != b"." && !bytes.iter().any(|byte| is_separator(*byte));
    let units = match is_single {
        true => to_wide(bytes),
        false => to_wide(&names().filter(|name| name != b".").collect::<Vec<_>>().join(&b'\\')),
    };
    f(root, &units.ok_or(Errno::ILSEQ)?)
}

/// The kernel's name for a path as users write it: relative, absolute, of a drive's own directory
/// (`C:x`), of a server, of a device, of any length. What is written as `\\?\…` is taken as it is.
fn kernel_path(path: &[u8]) -> Result<Vec<u16>, Errno> {
    const VERBATIM: [u16; 4] = [BACKSLASH, BACKSLASH, b'?' as u16, BACKSLASH];
    const KERNEL: [u16; 4] = [BACKSLASH, b'?' as u16, b'?' as u16, BACKSLASH];
    let slash = |byte: &u8| if is_separator(*byte) { b'\\' } else { *byte };
    let path: Vec<u8> = path.iter().map(slash).collect();
    let units = to_wide(&path).ok_or(Errno::ILSEQ)?;
    let units = match units.starts_with(&VERBATIM) {
        true => units,
        false => full_path_of_file(&path, units)?,
    };
    let mut name = KERNEL.to_vec();
    if units.starts_with(&VERBATIM) || units.starts_with(&DEVICE) {
        name.extend_from_slice(&units[4..]);
    } else if let Some(server) = units.strip_prefix(&[BACKSLASH, BACKSLASH]) {
        name.extend("UNC\\".encode_utf16());
        name.extend_from_slice(server);
    } else {
        name.extend_from_slice(without_end(&units));
    }
    Ok(name)
}

/// The absolute path; one with a folder or an extension is not that of a device, whatever its name,
/// as in Windows 11: `aux.txt`, `folder\nul`.
fn full_path_of_file(path: &[u8], units: Vec<u16>) -> Result<Vec<u16>, Errno> {
    let full = full_path(units)?;
    let parts = folder_and_file(path).filter(|_| full.starts_with(&DEVICE));
    let Some((folder, file)) = parts else { return Ok(full) };
    let folder = if folder.is_empty() { b"." } else { folder };
    let mut full = full_path(to_wide(folder).ok_or(Errno::ILSEQ)?)?;
    if full.last() != Some(&BACKSLASH) {
        full.push(BACKSLASH);
    }
    full.extend(to_wide(file).ok_or(Errno::ILSEQ)?);
    Ok(full)
}

/// A path of a drive without the separators at its end, but for that of the drive itself.
fn without_end(path: &[u16]) -> &[u16] {
    const DRIVE_UNITS: usize = 3;
    let last = path.iter().rposition(|unit| *unit != BACKSLASH).map_or(0, |last| last + 1);
    &path[..last.max(DRIVE_UNITS).min(path.len())]
}

/// The absolute path, without `.`, `..` and what Windows takes off the end of names (dots, spaces).
pub(super) fn full_path(mut path: Vec<u16>) -> Result<Vec<u16>, Errno> {
    path.push(0);
    let mut full = vec![0_u16; path.len() + 260];
    loop {
        let room = u32::try_from(full.len()).map_err(|_| Errno::NAMETOOLONG)?;
        // SAFETY: `path` ends with a NUL and `full` has `room` units; no part is asked for.
        let length =
            unsafe { GetFullPathNameW(path.as_ptr(), room, full.as_mut_ptr(), null_mut()) };
        if length == 0 {
            return Err(last_error());
        }
        let length = length as usize;
        if length < full.len() {
            full.truncate(length);
            return Ok(full);
        }
        full.resize(length + 1, 0);
    }
}
