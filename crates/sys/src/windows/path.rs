//! The path of an open file.

use windows_sys::Win32::Storage::FileSystem::GetFinalPathNameByHandleW;

use super::BorrowedFile;
use super::descriptor::handle_of;
use super::errno::last_error;
use crate::Errno;
use crate::windows_formats::path::as_written;
use crate::windows_formats::wide::push_wtf8;

/// The path of an open file as the kernel knows it at this moment, as users write it:
/// `C:/folder/file`.
///
/// Price: some `NtQueryInformationFile` and `NtQueryObject`, which are not counted.
///
/// # Errors
/// The number for what the system says.
pub fn path_of(file: BorrowedFile<'_>) -> Result<Vec<u8>, Errno> {
    Ok(as_written(&kernel_path_of(file)?))
}

/// The path in the kernel's own form, which has no limit: `\\?\C:\folder\file`.
pub(super) fn kernel_path_of(file: BorrowedFile<'_>) -> Result<Vec<u8>, Errno> {
    let mut units = vec![0_u16; 512];
    loop {
        let room = u32::try_from(units.len()).unwrap_or(u32::MAX);
        // SAFETY: the handle is open as long as `file` is borrowed; `units` has `room` units.
        let length =
            unsafe { GetFinalPathNameByHandleW(handle_of(file), units.as_mut_ptr(), room, 0) }
                as usize;
        if length == 0 {
            return Err(last_error());
        }
        if length < units.len() {
            let mut path = Vec::with_capacity(length);
            push_wtf8(&mut path, units[..length].iter().copied());
            return Ok(path);
        }
        units.resize(length + 1, 0);
    }
}
