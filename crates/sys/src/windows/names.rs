//! The names of files: renamed, given to a file once more, removed.

use std::ffi::CStr;
use std::os::windows::io::AsHandle;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_BASIC_INFORMATION, FILE_DIRECTORY_FILE, FILE_DISPOSITION_DELETE,
    FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE, FILE_DISPOSITION_POSIX_SEMANTICS,
    FILE_NON_DIRECTORY_FILE, FILE_RENAME_IGNORE_READONLY_ATTRIBUTE, FILE_RENAME_POSIX_SEMANTICS,
    FILE_RENAME_REPLACE_IF_EXISTS, FileAttributeTagInformation, FileBasicInformation,
    FileDispositionInformation, FileDispositionInformationEx, FileLinkInformation,
    FileRenameInformation, FileRenameInformationEx,
};
use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_CANNOT_DELETE, STATUS_INVALID_INFO_CLASS, STATUS_NOT_IMPLEMENTED,
};
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_ATTRIBUTE_READONLY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO,
    FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES, FILE_WRITE_ATTRIBUTES, GetFileAttributesExW,
    GetFileExInfoStandard, WIN32_FILE_ATTRIBUTE_DATA,
};

use super::change::set_attributes;
use super::errno::{errno_of, last_error};
use super::information::{is_unknown_class, query, set};
use super::nt::{Opening, open, with_name};
use super::win32_path::win32_path;
use super::{At, Descriptor};
use crate::counter::{Call, count};
use crate::windows_formats::path::last_name;
use crate::windows_formats::record::RecordMetadata;
use crate::{Errno, LastName};

/// Removes `name` relative to `at`, which must not be a directory. A link is removed itself, also
/// one to a directory. The name is gone at once, whatever has the file open, where the file system
/// can do that (NTFS since 2018); elsewhere when the last program closes it. A read-only file is
/// removed, too.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`; of a link to a directory a second
/// `NtCreateFile` and one `NtQueryInformationFile`. Where the file system knows the older way only,
/// one `NtSetInformationFile` more, and then for a read-only file two, `NtCreateFile`,
/// `NtQueryInformationFile` and `NtClose`.
///
/// # Errors
/// The number for what the system says: `EISDIR` for a directory, `ENOENT`, `EBUSY` if a program
/// has it open and lets no other remove it, …
pub fn remove_file(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    match open(at, name, to_remove(FILE_NON_DIRECTORY_FILE)) {
        // A directory, or a link to one, which has the attribute of a directory.
        Err(Errno::ISDIR) => {}
        file => return delete(at, name, &file?),
    }
    let how = to_remove(FILE_DIRECTORY_FILE);
    let link = open(at, name, Opening { access: how.access | FILE_READ_ATTRIBUTES, ..how })?;
    if is_link(&link)? { delete(at, name, &link) } else { Err(Errno::ISDIR) }
}

/// Removes the empty directory `name` relative to `at`.
///
/// Price: `NtCreateFile`, `NtQueryInformationFile`, `NtSetInformationFile`, `NtClose`; more where
/// [`remove_file`] costs more.
///
/// # Errors
/// The number for what the system says: `ENOTEMPTY`, `ENOTDIR` also for a link, …; `EINVAL` for a
/// path that ends in `.`, `ENOTEMPTY` for `..`, `EBUSY` for the top of a volume.
pub fn remove_directory(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    match last_name(name.to_bytes()) {
        LastName::Name => {}
        LastName::Dot => return Err(Errno::INVAL),
        LastName::Parent => return Err(Errno::NOTEMPTY),
        LastName::None if name.is_empty() => return Err(Errno::NOENT),
        LastName::None => return Err(Errno::BUSY),
    }
    let how = to_remove(FILE_DIRECTORY_FILE);
    let directory = open(at, name, Opening { access: how.access | FILE_READ_ATTRIBUTES, ..how })?;
    if is_link(&directory)? { Err(Errno::NOTDIR) } else { delete(at, name, &directory) }
}

/// Opens the directory `name` relative to `at` to remove what is in it: a link is none, and where
/// it has been put in the place of a directory, or the directory `at` has been made one, nothing
/// is opened behind it. If the kind of `name` `is_unknown`, because no record has told it, the name
/// is asked, too: Wine opens what a link leads to, whatever it is told, but knows it by its name.
///
/// Price: `NtCreateFile`, `NtQueryInformationFile`; if `is_unknown` one
/// `NtQueryFullAttributesFile`.
///
/// # Errors
/// As [`open_dir`](super::open_dir); `ENOTDIR` for a link.
pub fn open_dir_to_empty(at: At<'_>, name: &CStr, is_unknown: bool) -> Result<Descriptor, Errno> {
    let leads_on = is_unknown && attributes_of_name(at, name)? & FILE_ATTRIBUTE_REPARSE_POINT != 0;
    let access = FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES;
    let how = Opening { access, ..to_remove(FILE_DIRECTORY_FILE) };
    let directory = open(at, name, how)?;
    let mut tag = FILE_ATTRIBUTE_TAG_INFO::default();
    query(directory.as_handle(), FileAttributeTagInformation, &mut tag)?;
    // What has been opened is not what has the name.
    let is_behind = leads_on && tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT == 0;
    if is_behind || has_link_tag(&tag) { Err(Errno::NOTDIR) } else { Ok(directory) }
}

/// The attributes of what has the name, itself. Wine finds no name in an open directory here, so
/// it is asked by its path.
///
/// Price: one `NtQueryFullAttributesFile`, and what [`win32_path`] costs.
fn attributes_of_name(at: At<'_>, name: &CStr) -> Result<u32, Errno> {
    let path = win32_path(at, name)?;
    let mut found = WIN32_FILE_ATTRIBUTE_DATA::default();
    count(Call::QueryFullAttributesFile);
    // SAFETY: the path ends in a NUL, and this kind of answer is what is written there.
    let done = unsafe {
        GetFileAttributesExW(path.as_ptr(), GetFileExInfoStandard, (&raw mut found).cast())
    };
    if done == 0 { Err(last_error()) } else { Ok(found.dwFileAttributes) }
}

fn to_remove(options: u32) -> Opening {
    Opening { access: DELETE, options, strictly_within: true, ..Opening::EXISTING }
}

/// Whether an open file is a link, opened itself.
fn is_link(file: &Descriptor) -> Result<bool, Errno> {
    let mut tag = FILE_ATTRIBUTE_TAG_INFO::default();
    query(file.as_handle(), FileAttributeTagInformation, &mut tag)?;
    Ok(has_link_tag(&tag))
}

fn has_link_tag(tag: &FILE_ATTRIBUTE_TAG_INFO) -> bool {
    let (attributes, tag) = (tag.FileAttributes, tag.ReparseTag);
    let metadata = RecordMetadata { attributes, tag, ..RecordMetadata::UNKNOWN };
    metadata.kind() == crate::Kind::Symlink
}

/// Whether the system itself knows only the older ways to remove and rename. What a file system
/// says holds for that one.
static IS_OLD: AtomicBool = AtomicBool::new(false);

/// Tries the newer way; the older one where that is not known.
fn newer_or_older(
    newer: impl FnOnce() -> Result<(), NTSTATUS>,
    older: impl FnOnce() -> Result<(), NTSTATUS>,
) -> Result<(), NTSTATUS> {
    if IS_OLD.load(Relaxed) {
        return older();
    }
    match newer() {
        Err(status) if is_unknown_class(status) => {
            if matches!(status, STATUS_NOT_IMPLEMENTED | STATUS_INVALID_INFO_CLASS) {
                IS_OLD.store(true, Relaxed);
            }
            older()
        }
        done => done,
    }
}

/// Removes the open file `name`.
fn delete(at: At<'_>, name: &CStr, file: &Descriptor) -> Result<(), Errno> {
    let newer = || {
        let flags = FILE_DISPOSITION_DELETE
            | FILE_DISPOSITION_POSIX_SEMANTICS
            | FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE;
        set(file.as_handle(), FileDispositionInformationEx, &flags.to_ne_bytes())
    };
    let older = || set(file.as_handle(), FileDispositionInformation, &[1]);
    match newer_or_older(newer, older) {
        Err(STATUS_CANNOT_DELETE) => delete_read_only(at, name, file),
        done => done.map_err(errno_of),
    }
}

/// Takes the attribute off that the file is kept by, and removes it; puts it back if that fails.
fn delete_read_only(at: At<'_>, name: &CStr, file: &Descriptor) -> Result<(), Errno> {
    let access = FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES;
    let same = open(at, name, Opening { access, ..to_remove(0) })?;
    let mut basic = FILE_BASIC_INFORMATION::default();
    query(same.as_handle(), FileBasicInformation, &mut basic)?;
    let attributes = basic.FileAttributes;
    if attributes & FILE_ATTRIBUTE_READONLY == 0 {
        return Err(Errno::ACCESS); // it is kept for another reason: a program that runs
    }
    set_attributes(same.as_handle(), attributes & !FILE_ATTRIBUTE_READONLY)?;
    let done = set(file.as_handle(), FileDispositionInformation, &[1]);
    if done.is_err() {
        set_attributes(same.as_handle(), attributes)?;
    }
    done.map_err(errno_of)
}

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself. A file that is replaced may be open or read-only
/// where the file system can do that (NTFS since 2018).
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`; one `NtSetInformationFile` more where
/// the file system knows the older way only.
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
    let file = open(from, old, Opening { access: DELETE, ..Opening::EXISTING })?;
    with_new_name(to, new, |rest| {
        let mut flags = FILE_RENAME_POSIX_SEMANTICS | FILE_RENAME_IGNORE_READONLY_ATTRIBUTE;
        if !only_new {
            flags |= FILE_RENAME_REPLACE_IF_EXISTS;
        }
        let newer = || {
            let bytes = [&flags.to_ne_bytes()[..], rest].concat();
            set(file.as_handle(), FileRenameInformationEx, &bytes)
        };
        let older = || {
            let bytes = [&u32::from(!only_new).to_ne_bytes()[..], rest].concat();
            set(file.as_handle(), FileRenameInformation, &bytes)
        };
        newer_or_older(newer, older)
    })
}

/// Gives the file `target` relative to `from` another name: `name` relative to `at`. If `target` is
/// a link, the link itself gets the name.
///
/// Price: `NtCreateFile`, `NtSetInformationFile`, `NtClose`.
///
/// # Errors
/// The number for what the system says: `EEXIST`, `ENOENT`, `EPERM` for a directory, `EXDEV`,
/// `EMLINK`, `EOPNOTSUPP` where the file system has no hard links, …
pub fn make_hard_link(at: At<'_>, name: &CStr, from: At<'_>, target: &CStr) -> Result<(), Errno> {
    let access = FILE_WRITE_ATTRIBUTES;
    let options = FILE_NON_DIRECTORY_FILE;
    let file = open(from, target, Opening { access, options, ..Opening::EXISTING });
    let file = file.map_err(|errno| if errno == Errno::ISDIR { Errno::PERM } else { errno })?;
    with_new_name(at, name, |rest| {
        let bytes = [&0_u32.to_ne_bytes()[..], rest].concat();
        set(file.as_handle(), FileLinkInformation, &bytes)
    })
    // The kernel's word of an open file that has no such operation.
    .map_err(|errno| if errno == Errno::INVAL { Errno::OPNOTSUPP } else { errno })
}

/// Calls `f` with what follows the flags in `FILE_RENAME_INFORMATION` and `FILE_LINK_INFORMATION`:
/// the directory, the length of the name, the name.
fn with_new_name(
    to: At<'_>,
    new: &CStr,
    f: impl FnOnce(&[u8]) -> Result<(), NTSTATUS>,
) -> Result<(), Errno> {
    with_name(to, new, |root, units| {
        const PADDING: usize = size_of::<usize>() - size_of::<u32>();
        let mut bytes = vec![0_u8; PADDING];
        bytes.extend(root.addr().to_ne_bytes());
        let length = u32::try_from(size_of_val(units)).map_err(|_| Errno::NAMETOOLONG)?;
        bytes.extend(length.to_ne_bytes());
        bytes.extend(units.iter().flat_map(|unit| unit.to_ne_bytes()));
        f(&bytes).map_err(errno_of)
    })
}
