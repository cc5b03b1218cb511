//! What a kind of file system guarantees about its directories.

use std::os::windows::io::AsHandle;
use std::ptr::null_mut;
use std::sync::OnceLock;

use windows_sys::Wdk::Storage::FileSystem::{FileFsAttributeInformation, FileFsDeviceInformation};
use windows_sys::Win32::Foundation::ERROR_SUCCESS;
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_ANY, RegGetValueW};

use super::Descriptor;
use super::information::query_volume;
use super::stat::stat_descriptor;
use crate::{Errno, Fields};

/// What is known of the file system that a directory lies on. A guarantee that is not known to hold
/// is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// The number of the volume; 0 if it is not known.
    device: u64,
    /// Whether a block that is not even half full is the last one.
    fills_blocks: bool,
}

/// Whatever is mounted is a link here, so no directory leads to another device.
pub const MOUNT_POINTS_ARE_LINKS: bool = true;

impl FileSystem {
    /// Nothing is known.
    pub const OTHER: FileSystem = FileSystem { device: 0, fills_blocks: false };

    /// Whether a block that is not even half full is the last one. NTFS of this machine puts
    /// records into a block until the next one does not fit: blocks of 64 KiB were seen with 65,426
    /// and 65,460 bytes before the last (github.com, ossia/score, pull request 2206). A server need
    /// not, nor a file system that makes up its directories, nor a filter that puts several
    /// together.
    pub(super) fn fills_blocks(self) -> bool {
        self.fills_blocks
    }

    /// The number of the volume; 0 if it is not known.
    pub(super) fn device(self) -> u64 {
        self.device
    }

    /// Whether a directory that is no mount point is surely on the device of its parent.
    #[must_use]
    pub fn is_one_device(self) -> bool {
        true
    }

    /// Whether a directory whose times of change are the same still has the same names. That is so
    /// on NTFS; where the names of a directory come from a server it need not be.
    #[must_use]
    pub fn stamps_changes(self) -> bool {
        self.fills_blocks
    }
}

/// Which file system an open directory lies on.
///
/// Price: two `NtQueryVolumeInformationFile` and two `NtQueryInformationFile`, once a volume.
///
/// # Errors
/// The number for what the system says.
#[doc(alias = "NtQueryVolumeInformationFile")]
pub fn filesystem(dir: &Descriptor) -> Result<FileSystem, Errno> {
    const REMOTE: u32 = 0x10;
    // Flags, longest name, length of the name of the file system, and that name.
    let mut attributes = [0_u32; 3 + 16];
    query_volume(dir.as_handle(), FileFsAttributeInformation, &mut attributes)?;
    // The type of the device and what it is like.
    let mut device = [0_u32; 2];
    query_volume(dir.as_handle(), FileFsDeviceInformation, &mut device)?;
    let units = attributes[3..].iter().flat_map(|two| [*two as u16, (*two >> 16) as u16]);
    let is_ntfs = units.take(attributes[2] as usize / 2).eq("NTFS".encode_utf16());
    Ok(FileSystem {
        device: filesystem_id(dir)?,
        fills_blocks: is_ntfs && device[1] & REMOTE == 0 && !is_in_container(),
    })
}

/// Whether this process is in a Windows container, where a filter puts the layers of an image
/// together in front of NTFS, and may end a block where a layer ends (github.com,
/// ladislav-zezula/FileTest, issue 32).
///
/// Price: one value of the registry, once, which is not counted.
fn is_in_container() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
        let (key, value) = (wide(r"SYSTEM\CurrentControlSet\Control"), wide("ContainerType"));
        // SAFETY: both names end with a NUL; only whether there is such a value is asked.
        let code = unsafe {
            RegGetValueW(
                HKEY_LOCAL_MACHINE,
                key.as_ptr(),
                value.as_ptr(),
                RRF_RT_ANY,
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        code == ERROR_SUCCESS
    })
}

/// The number that tells the volume of an open directory from others.
///
/// Price: two `NtQueryInformationFile`.
///
/// # Errors
/// The number for what the system says.
pub fn filesystem_id(dir: &Descriptor) -> Result<u64, Errno> {
    Ok(stat_descriptor(dir, Fields::INODE)?.device())
}

/// One mount; there are none here (see [`MOUNT_POINTS_ARE_LINKS`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Path of the mount point.
    pub point: Vec<u8>,
    /// The file system that is mounted there.
    pub device: Vec<u8>,
    /// The directory of that file system that is mounted.
    pub root: Vec<u8>,
}

/// No mounts: what is mounted in a directory is a link.
///
/// Price: none.
///
/// # Errors
/// None.
pub fn mount_table() -> Result<Vec<Mount>, Errno> {
    Ok(Vec::new())
}
