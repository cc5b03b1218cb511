//! Symbolic links: their targets, and new ones.

use std::ffi::CStr;
use std::os::windows::io::{AsHandle, BorrowedHandle};

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_CREATE, FILE_DIRECTORY_FILE, FILE_NON_DIRECTORY_FILE,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateSymbolicLinkW, DELETE, FILE_READ_ATTRIBUTES, FILE_WRITE_ATTRIBUTES,
    SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE, SYMBOLIC_LINK_FLAG_DIRECTORY,
};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::{FSCTL_GET_REPARSE_POINT, FSCTL_SET_REPARSE_POINT};

use super::descriptor::handle_of;
use super::errno::last_error;
use super::names::{remove_directory, remove_file};
use super::nt::{Opening, open};
use super::win32_path::win32_path;
use super::{At, stat};
use crate::counter::{Call, count};
use crate::windows_formats::path::{is_absolute, last_name_start};
use crate::windows_formats::reparse::{symlink, target};
use crate::windows_formats::wide::to_wide;
use crate::{Errno, Fields, Kind};

/// The target of the link `name` relative to `at`: of a symbolic link as it is written in it, of a
/// junction as people write it.
///
/// Price: `NtCreateFile`, `NtFsControlFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says; `EINVAL` if it is no link.
#[doc(alias = "FSCTL_GET_REPARSE_POINT")]
pub fn read_link(at: At<'_>, name: &CStr) -> Result<Vec<u8>, Errno> {
    const MOST_BYTES: usize = 16 << 10;
    let how = Opening { access: FILE_READ_ATTRIBUTES, ..Opening::EXISTING };
    let link = open(at, name, how)?;
    let mut bytes = vec![0_u8; MOST_BYTES];
    let filled = control(link.as_handle(), FSCTL_GET_REPARSE_POINT, &[], &mut bytes)?;
    target(bytes.get(..filled).unwrap_or_default()).ok_or(Errno::INVAL)
}

/// The target of the link `name` relative to `at`; how long it is does not matter here.
///
/// Price: as [`read_link`].
///
/// # Errors
/// As [`read_link`].
pub fn read_link_of(at: At<'_>, name: &CStr, _bytes: u64) -> Result<Vec<u8>, Errno> {
    read_link(at, name)
}

/// Makes the symbolic link `name` relative to `at`, with the target `link_target`. A link is one to
/// a directory or one to a file here: to a directory, if the target is one at this moment.
///
/// Price: `NtCreateFile`, `NtFsControlFile`, `NtClose`, and three calls to look at the target. If
/// this process lacks the privilege, `NtSetInformationFile` and what the C library of Windows needs
/// to make the link as developers may.
///
/// # Errors
/// The number for what the system says: `EEXIST`, `ENOENT`, …; `EPERM` if this process has not the
/// privilege to make symbolic links, nor is developer mode on; `EOPNOTSUPP` where the file system
/// has no links.
#[doc(alias = "FSCTL_SET_REPARSE_POINT")]
pub fn make_symlink(at: At<'_>, name: &CStr, link_target: &CStr) -> Result<(), Errno> {
    let target = link_target.to_bytes();
    if target.is_empty() {
        return Err(Errno::NOENT);
    }
    let is_directory = leads_to_directory(at, name, target);
    let bytes = symlink(target).ok_or(Errno::NAMETOOLONG)?;
    let options = if is_directory { FILE_DIRECTORY_FILE } else { FILE_NON_DIRECTORY_FILE };
    let access = FILE_WRITE_ATTRIBUTES | DELETE;
    let disposition = FILE_CREATE;
    let made = open(at, name, Opening { access, disposition, options, ..Opening::EXISTING })?;
    let done = control(made.as_handle(), FSCTL_SET_REPARSE_POINT, &bytes, &mut []);
    drop(made);
    let Err(errno) = done else { return Ok(()) };
    // What is left is an empty file or directory that nobody asked for.
    if is_directory {
        remove_directory(at, name)?
    } else {
        remove_file(at, name)?
    }
    match errno {
        Errno::PERM => make_as_developer(at, name, target, is_directory),
        Errno::INVAL => Err(Errno::OPNOTSUPP),
        errno => Err(errno),
    }
}

/// Whether the target of a link, seen from where the link is, is a directory.
fn leads_to_directory(at: At<'_>, name: &CStr, target: &[u8]) -> bool {
    let name = name.to_bytes();
    let folder = if is_absolute(target) { b"" } else { &name[..last_name_start(name)] };
    let Ok(path) = std::ffi::CString::new([folder, target].concat()) else { return false };
    stat(at, &path, true, Fields::KIND).is_ok_and(|stat| stat.kind() == Kind::Directory)
}

/// Developer mode lets links be made without the privilege, but by a path only.
fn make_as_developer(
    at: At<'_>,
    name: &CStr,
    target: &[u8],
    is_directory: bool,
) -> Result<(), Errno> {
    let mut target = to_wide(target).ok_or(Errno::ILSEQ)?;
    target.push(0);
    let path = win32_path(at, name)?;
    let kind = if is_directory { SYMBOLIC_LINK_FLAG_DIRECTORY } else { 0 };
    let flags = kind | SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE;
    // SAFETY: both texts end with a NUL, and the call keeps neither.
    let done = unsafe { CreateSymbolicLinkW(path.as_ptr(), target.as_ptr(), flags) };
    if done { Ok(()) } else { Err(last_error()) }
}

/// Sends a request of `code` with `input` to the file system, and returns how many bytes of
/// `output` it has filled.
fn control(
    file: BorrowedHandle<'_>,
    code: u32,
    input: &[u8],
    output: &mut [u8],
) -> Result<usize, Errno> {
    let mut filled = 0;
    count(Call::FsControlFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous; the call reads at
    // most the length of `input` and writes at most that of `output`.
    let done = unsafe {
        DeviceIoControl(
            handle_of(file),
            code,
            input.as_ptr().cast(),
            input.len() as u32,
            output.as_mut_ptr().cast(),
            output.len() as u32,
            &raw mut filled,
            std::ptr::null_mut(),
        )
    };
    if done == 0 { Err(last_error()) } else { Ok(filled as usize) }
}
