//! Changes to a tree: new files, renaming, and removing.

use std::ffi::CStr;
use std::os::windows::io::AsHandle;

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_CREATE, FILE_DIRECTORY_FILE, FILE_DISPOSITION_INFORMATION, FILE_NON_DIRECTORY_FILE,
    FILE_OPEN, FILE_OVERWRITE_IF, FileDispositionInformation, FileRenameInformation,
    NtSetInformationFile,
};
use windows_sys::Win32::Storage::FileSystem::{DELETE, FILE_GENERIC_READ, FILE_GENERIC_WRITE};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

use super::descriptor::handle_of;
use super::errno::errno_of;
use super::nt::{Opening, open, with_name};
use super::{At, BorrowedFile, Descriptor};
use crate::Errno;
use crate::counter::{Call, count};

/// Makes the file `name` relative to `at`, which must not be there yet, and opens it for reading
/// and writing. Who may use it is what its folder says, not `_bits`.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says: `EEXIST` if the name exists, `ENOENT`, `EACCES`, …
#[doc(alias = "NtCreateFile")]
pub fn create(at: At<'_>, name: &CStr, _bits: u32) -> Result<Descriptor, Errno> {
    let access = FILE_GENERIC_READ | FILE_GENERIC_WRITE | DELETE;
    let options = FILE_NON_DIRECTORY_FILE;
    open(at, name, Opening { access, disposition: FILE_CREATE, options, follow: false })
}

/// Opens the file `name` relative to `at` for writing, links followed, and empties it; makes it if
/// it is not there. Who may use it is what its folder says, not `_bits`.
///
/// Price: one `NtCreateFile`.
///
/// # Errors
/// The number for what the system says: `EISDIR`, `EACCES`, …
pub fn overwrite(at: At<'_>, name: &CStr, _bits: u32) -> Result<Descriptor, Errno> {
    let access = FILE_GENERIC_WRITE;
    let options = FILE_NON_DIRECTORY_FILE;
    open(at, name, Opening { access, disposition: FILE_OVERWRITE_IF, options, follow: true })
}

/// Removes `name` relative to `at`, which must not be a directory. A link is removed itself.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `EISDIR` for a directory, `ENOENT`, `EBUSY` if a program
/// has it open, …
pub fn remove_file(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    remove(at, name, FILE_NON_DIRECTORY_FILE)
}

/// Removes the empty directory `name` relative to `at`.
///
/// Price: as [`remove_file`].
///
/// # Errors
/// The number for what the system says: `ENOTEMPTY`, `ENOTDIR`, …
pub fn remove_directory(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    remove(at, name, FILE_DIRECTORY_FILE)
}

fn remove(at: At<'_>, name: &CStr, options: u32) -> Result<(), Errno> {
    let how = Opening { access: DELETE, disposition: FILE_OPEN, options, follow: false };
    let file = open(at, name, how)?;
    let deleted = FILE_DISPOSITION_INFORMATION { DeleteFile: true };
    let bytes: [u8; size_of::<FILE_DISPOSITION_INFORMATION>()] = [deleted.DeleteFile.into()];
    set(&file, FileDispositionInformation, &bytes)
}

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `EEXIST` if `only_new`, `ENOENT`, `EXDEV`, `EACCES`, …
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    let how = Opening { access: DELETE, disposition: FILE_OPEN, options: 0, follow: false };
    let file = open(from, old, how)?;
    with_name(to, new, |root, units| {
        // Whether to replace, padding, the directory, the length of the name, the name.
        let mut bytes = [0_u8; 8].to_vec();
        bytes[0] = u8::from(!only_new);
        bytes.extend((root.addr() as u64).to_ne_bytes());
        let length = u32::try_from(size_of_val(units)).map_err(|_| Errno::NAMETOOLONG)?;
        bytes.extend(length.to_ne_bytes());
        bytes.extend(units.iter().flat_map(|unit| unit.to_ne_bytes()));
        set(&file, FileRenameInformation, &bytes)
    })
}

fn set(file: &Descriptor, class: i32, bytes: &[u8]) -> Result<(), Errno> {
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
            handle_of(file.as_handle()),
            &raw mut answer,
            words.as_ptr().cast(),
            bytes.len() as u32,
            class,
        )
    };
    if status < 0 { Err(errno_of(status)) } else { Ok(()) }
}

/// Leaves an open file as it is: who may use it is what its folder says.
///
/// Price: none.
///
/// # Errors
/// None.
pub fn set_permissions_of(_file: BorrowedFile<'_>, _bits: u32) -> Result<(), Errno> {
    Ok(())
}
