//! The path of a file for calls that take no directory.

use std::ffi::CStr;

use super::At;
use super::nt::with_name;
use super::path::kernel_path_of;
use crate::Errno;
use crate::windows_formats::wide::to_wide;

/// The path of `name` relative to `at` for calls of Win32, of any length (`\\?\…`), with a NUL at
/// its end.
///
/// Price: none; what [`kernel_path_of`] costs for a name in an open directory.
pub(super) fn win32_path(at: At<'_>, name: &CStr) -> Result<Vec<u16>, Errno> {
    const KERNEL_UNITS: usize = 4;
    with_name(at, name, |root, units| {
        let mut path: Vec<u16> = match root.is_null() {
            true => r"\\?\".encode_utf16().chain(units[KERNEL_UNITS..].iter().copied()).collect(),
            false => {
                let mut path = to_wide(&kernel_path_of(at)?).ok_or(Errno::ILSEQ)?;
                if !path.ends_with(&[b'\\'.into()]) && !units.is_empty() {
                    path.push(b'\\'.into());
                }
                path.extend_from_slice(units);
                path
            }
        };
        path.push(0);
        Ok(path)
    })
}
