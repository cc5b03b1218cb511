//! What a file says of itself, and what it is told to be: one class of information at a time.

use std::os::windows::io::BorrowedHandle;

use windows_sys::Wdk::Storage::FileSystem::{
    FS_INFORMATION_CLASS, NtQueryInformationFile, NtQueryVolumeInformationFile,
    NtSetInformationFile,
};
use windows_sys::Win32::Foundation::{NTSTATUS, STATUS_BUFFER_OVERFLOW};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

use super::descriptor::handle_of;
use super::errno::errno_of;
use crate::Errno;
use crate::counter::{Call, count};

/// Asks for one class of information.
pub(super) fn query<T: Copy>(
    file: BorrowedHandle<'_>,
    class: i32,
    into: &mut T,
) -> Result<(), Errno> {
    let mut answer = IO_STATUS_BLOCK::default();
    count(Call::QueryInformationFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous; the kernel writes
    // at most the size of `into`, which is one of the plain structs of that class.
    let status = unsafe {
        NtQueryInformationFile(
            handle_of(file),
            &raw mut answer,
            std::ptr::from_mut(into).cast(),
            size_of::<T>() as u32,
            class,
        )
    };
    // All but the name, which nothing here looks at, fits in.
    if status == 0 || status == STATUS_BUFFER_OVERFLOW { Ok(()) } else { Err(errno_of(status)) }
}

/// Asks for one class of information on the volume of a file, as numbers. What does not fit in is
/// left out.
pub(super) fn query_volume(
    file: BorrowedHandle<'_>,
    class: FS_INFORMATION_CLASS,
    into: &mut [u32],
) -> Result<(), Errno> {
    let mut answer = IO_STATUS_BLOCK::default();
    count(Call::QueryVolumeInformationFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous; the kernel writes
    // at most the size of `into`, of which any bytes are numbers.
    let status = unsafe {
        NtQueryVolumeInformationFile(
            handle_of(file),
            &raw mut answer,
            into.as_mut_ptr().cast(),
            size_of_val(into) as u32,
            class,
        )
    };
    if status == 0 || status == STATUS_BUFFER_OVERFLOW { Ok(()) } else { Err(errno_of(status)) }
}

/// Sets one class of information, from the bytes of its struct; the status if that is refused.
pub(super) fn set(file: BorrowedHandle<'_>, class: i32, bytes: &[u8]) -> Result<(), NTSTATUS> {
    // Aligned as the structs are, and never smaller than one of them.
    let mut words = vec![0_u64; bytes.len().div_ceil(8).max(4)];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        *word = u64::from_ne_bytes(whole);
    }
    let mut answer = IO_STATUS_BLOCK::default();
    count(Call::SetInformationFile);
    // SAFETY: the handle is open as long as `file` is borrowed, and synchronous; the kernel reads
    // at most the length that it is given, which `words` has.
    let status = unsafe {
        NtSetInformationFile(
            handle_of(file),
            &raw mut answer,
            words.as_ptr().cast(),
            bytes.len() as u32,
            class,
        )
    };
    if status < 0 { Err(status) } else { Ok(()) }
}

/// The five numbers of `FILE_BASIC_INFORMATION` as bytes: times of creation, access, writing and
/// change, where 0 leaves one as it is, and the attributes, likewise.
pub(super) fn basic_information(times: [i64; 4], attributes: u32) -> [u8; 40] {
    let mut bytes = [0; 40];
    for (place, time) in bytes.chunks_exact_mut(8).zip(times) {
        place.copy_from_slice(&time.to_ne_bytes());
    }
    bytes[32..36].copy_from_slice(&attributes.to_ne_bytes());
    bytes
}

/// Whether a status says that a class of information is not known: not to this system, or not to
/// the file system.
pub(super) fn is_unknown_class(status: NTSTATUS) -> bool {
    use windows_sys::Win32::Foundation::{
        STATUS_INVALID_DEVICE_REQUEST, STATUS_INVALID_INFO_CLASS, STATUS_INVALID_PARAMETER,
        STATUS_NOT_IMPLEMENTED, STATUS_NOT_SUPPORTED,
    };
    matches!(
        status,
        STATUS_INVALID_DEVICE_REQUEST
            | STATUS_INVALID_INFO_CLASS
            | STATUS_INVALID_PARAMETER
            | STATUS_NOT_IMPLEMENTED
            | STATUS_NOT_SUPPORTED
    )
}
