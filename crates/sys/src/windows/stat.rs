//! The metadata of a file by its name or its handle.

use std::ffi::CStr;
use std::hash::{DefaultHasher, Hash, Hasher};

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_ALL_INFORMATION, FileAllInformation, FileAttributeTagInformation, FileBasicInformation,
    FileFsVolumeInformation, FileIdInformation, FileInternalInformation, FileStandardInformation,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO, FILE_ID_INFO,
    FILE_READ_ATTRIBUTES, FILE_TYPE_CHAR, FILE_TYPE_PIPE, GetFileType, READ_CONTROL,
};

use super::descriptor::handle_of;
use super::information::{query, query_volume};
use super::nt::{Opening, open};
use super::path::path_of;
use super::users::owners_of;
use super::{AsFile, At, BorrowedFile};
use crate::counter::{Call, count};
use crate::windows_formats::record::{LX_CHAR, LX_FIFO, RecordMetadata, inode};
use crate::{Errno, Fields, Stat};

/// The `fields` of the file `name` relative to `at`; of a link itself unless `follow`. The device
/// is filled with the inode.
///
/// Price: `NtCreateFile`, one `NtQueryInformationFile`, one more for the inode (where the file
/// system has no such ids, `NtQueryVolumeInformationFile` as well) and one more for a reparse
/// point, `NtClose`; for the owner `NtQuerySecurityObject`. A file whose owner this process may not
/// see is opened once more, and has 0.
///
/// # Errors
/// The number for what the system says: `ENOENT`, `EACCES`, …
#[doc(alias = "NtQueryInformationFile")]
pub fn stat(at: At<'_>, name: &CStr, follow: bool, mut fields: Fields) -> Result<Stat, Errno> {
    let how = Opening { access: FILE_READ_ATTRIBUTES, follow, ..Opening::EXISTING };
    if fields.contains(Fields::OWNER) {
        match open(at, name, Opening { access: how.access | READ_CONTROL, ..how }) {
            // There is no use in asking for the owner.
            Err(Errno::ACCESS) => fields = Fields(fields.0 & !Fields::OWNER.0),
            opened => return stat_descriptor(opened?, fields),
        }
    }
    stat_descriptor(open(at, name, how)?, fields)
}

/// The `fields` of an open file.
///
/// Price: as [`stat`], without opening and closing; the owner is 0 unless the file was opened for
/// reading its security descriptor, too; what is no file of a disk, or may be none,
/// costs one `NtQueryVolumeInformationFile` more.
///
/// # Errors
/// The number for what the system says.
pub fn stat_descriptor(file: impl AsFile, fields: Fields) -> Result<Stat, Errno> {
    let file = file.as_file();
    let mut all = FILE_ALL_INFORMATION::default();
    let asked = query(file, FileAllInformation, &mut all);
    // A pipe refuses to answer, or says that it is a file without any attribute.
    if asked.is_err() || all.BasicInformation.FileAttributes == FILE_ATTRIBUTE_NORMAL {
        if let Some(tag) = tag_of_device(file) {
            let attributes = FILE_ATTRIBUTE_REPARSE_POINT;
            let made_up = RecordMetadata { attributes, tag, links: 1, ..RecordMetadata::UNKNOWN };
            return Ok(made_up.to_stat());
        }
        asked.or_else(|_| query_in_parts(file, &mut all))?;
    }
    let (basic, standard) = (all.BasicInformation, all.StandardInformation);
    let mut metadata = RecordMetadata {
        is_known: true,
        attributes: basic.FileAttributes,
        links: standard.NumberOfLinks,
        inode: all.InternalInformation.IndexNumber.cast_unsigned(),
        size: standard.EndOfFile.cast_unsigned(),
        allocated: standard.AllocationSize.cast_unsigned(),
        times: [basic.CreationTime, basic.LastAccessTime, basic.LastWriteTime, basic.ChangeTime],
        ..RecordMetadata::UNKNOWN
    };
    if metadata.is_reparse_point() {
        let mut tag = FILE_ATTRIBUTE_TAG_INFO::default();
        query(file, FileAttributeTagInformation, &mut tag)?;
        metadata.tag = tag.ReparseTag;
    }
    if fields == Fields::NONE || fields.contains(Fields::INODE) {
        (metadata.device, metadata.inode) = identity(file, metadata.inode);
    }
    let mut stat = metadata.to_stat();
    if fields.contains(Fields::OWNER)
        && let Ok((user, group)) = owners_of(file)
    {
        (stat.user, stat.group, stat.filled) = (user, group, stat.filled | Fields::OWNER);
    }
    Ok(stat)
}

/// The volume and the number of a file. Some servers, and older file systems, have no such ids:
/// then it is the index, and the shorter number of the volume; without an index, a number made of
/// the path, so that no directory is taken for another.
fn identity(file: BorrowedFile<'_>, index: u64) -> (u64, u64) {
    let mut id = FILE_ID_INFO::default();
    if query(file, FileIdInformation, &mut id).is_ok() {
        let (halves, _) = id.FileId.Identifier.as_chunks();
        let [lower, upper] = [halves[0], halves[1]].map(u64::from_le_bytes);
        return (id.VolumeSerialNumber, inode(lower, upper));
    }
    // When the volume was made, its number, the length of its name, and what else there is.
    let mut volume = [0_u32; 8];
    let known = query_volume(file, FileFsVolumeInformation, &mut volume);
    let device = known.map_or(0, |()| u64::from(volume[2]));
    if index != 0 {
        return (device, index);
    }
    let mut hasher = DefaultHasher::new();
    path_of(file).unwrap_or_default().hash(&mut hasher);
    (device, hasher.finish())
}

/// What is no file of a disk, as the tag that such a thing has in a directory.
fn tag_of_device(file: BorrowedFile<'_>) -> Option<u32> {
    count(Call::QueryVolumeInformationFile);
    // SAFETY: the handle is open as long as `file` is borrowed.
    match unsafe { GetFileType(handle_of(file)) } {
        FILE_TYPE_PIPE => Some(LX_FIFO),
        FILE_TYPE_CHAR => Some(LX_CHAR),
        _ => None,
    }
}

/// Asks for what is in all information without the name: Wine has none of a file that was opened by
/// a program outside of it.
fn query_in_parts(file: BorrowedFile<'_>, all: &mut FILE_ALL_INFORMATION) -> Result<(), Errno> {
    query(file, FileBasicInformation, &mut all.BasicInformation)?;
    query(file, FileStandardInformation, &mut all.StandardInformation)?;
    query(file, FileInternalInformation, &mut all.InternalInformation)
}
