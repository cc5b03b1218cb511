//! The numbers and structures of `<sys/attr.h>` that the questions of this crate have, and which of
//! them stand for which fields. (getattrlist(2), getattrlistbulk(2).)

use crate::Fields;

/// The bits of the common attributes (`ATTR_CMN_…`).
pub(crate) mod common {
    pub(crate) const NAME: u32 = 0x0000_0001;
    pub(crate) const DEVICE: u32 = 0x0000_0002;
    pub(crate) const KIND: u32 = 0x0000_0008;
    pub(crate) const CREATED: u32 = 0x0000_0200;
    pub(crate) const MODIFIED: u32 = 0x0000_0400;
    pub(crate) const CHANGED: u32 = 0x0000_0800;
    pub(crate) const ACCESSED: u32 = 0x0000_1000;
    pub(crate) const OWNER: u32 = 0x0000_8000;
    pub(crate) const GROUP: u32 = 0x0001_0000;
    pub(crate) const ACCESS_MASK: u32 = 0x0002_0000;
    pub(crate) const FILE_ID: u32 = 0x0200_0000;
    pub(crate) const ERROR: u32 = 0x2000_0000;
    pub(crate) const RETURNED: u32 = 0x8000_0000;
}

/// The bits of the attributes that only directories have (`ATTR_DIR_…`).
pub(crate) mod directory {
    pub(crate) const ENTRIES: u32 = 0x0000_0002;
    pub(crate) const MOUNT_STATUS: u32 = 0x0000_0004;
    pub(crate) const ALLOCATED: u32 = 0x0000_0008;
    pub(crate) const LENGTH: u32 = 0x0000_0020;
    /// Something is mounted on it, or will be when it is entered (`DIR_MNTSTATUS_…`).
    pub(crate) const IS_MOUNT_POINT_OR_TRIGGER: u32 = 0x3;
}

/// The bits of the attributes that everything but a directory has (`ATTR_FILE_…`).
pub(crate) mod file {
    pub(crate) const LINKS: u32 = 0x0000_0001;
    pub(crate) const ALLOCATED: u32 = 0x0000_0004;
    pub(crate) const DEVICE_TYPE: u32 = 0x0000_0020;
    pub(crate) const LENGTH: u32 = 0x0000_0200;
}

/// The bits of the attributes that take the place of those of forks
/// ([`EXTENDED_ATTRIBUTES`], `ATTR_CMNEXT_…`).
pub(crate) mod extended {
    pub(crate) const CLONE_ID: u32 = 0x0000_0100;
    pub(crate) const FLAGS: u32 = 0x0000_0200;
    /// The flag of a file that may share blocks with others (`EF_MAY_SHARE_BLOCKS` in
    /// `<sys/stat.h>`).
    pub(crate) const MAY_SHARE_BLOCKS: u64 = 0x1;
}

/// The option by which the last group of a question is that of [`extended`]
/// (`FSOPT_ATTR_CMN_EXTENDED`).
#[cfg_attr(not(target_os = "macos"), allow(dead_code, reason = "only the call itself takes it"))]
pub(crate) const EXTENDED_ATTRIBUTES: u64 = 0x0000_0020;

/// How many groups of attributes there are (`ATTR_BIT_MAP_COUNT`).
const GROUPS: u16 = 5;

/// Which attributes are wanted of each entry: `struct attrlist`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct AttributeList {
    groups: u16,
    reserved: u16,
    pub(crate) common: u32,
    pub(crate) volume: u32,
    pub(crate) directory: u32,
    pub(crate) file: u32,
    pub(crate) fork: u32,
}

/// The attributes that each field needs, in the groups `common`, `directory`, `file` and
/// `extended`. Those of a file are what `stat` says: the length and space of the data and the space
/// of all forks; with the space comes which clones it is shared with.
const NEEDED: [(Fields, [u32; 4]); 11] = [
    (Fields::KIND, [common::KIND, 0, 0, 0]),
    (Fields::PERMISSIONS, [common::ACCESS_MASK, 0, 0, 0]),
    (Fields::OWNER, [common::OWNER | common::GROUP, 0, 0, 0]),
    (Fields::SIZE, [0, directory::LENGTH, file::LENGTH, 0]),
    (Fields::LINKS, [0, directory::ENTRIES, file::LINKS, 0]),
    (Fields::INODE, [common::FILE_ID, 0, 0, 0]),
    (
        Fields::ALLOCATED,
        [0, directory::ALLOCATED, file::ALLOCATED, extended::CLONE_ID | extended::FLAGS],
    ),
    (Fields::ACCESSED, [common::ACCESSED, 0, 0, 0]),
    (Fields::MODIFIED, [common::MODIFIED, 0, 0, 0]),
    (Fields::CHANGED, [common::CHANGED, 0, 0, 0]),
    (Fields::CREATED, [common::CREATED, 0, 0, 0]),
];

impl AttributeList {
    /// What is asked of each entry for these fields.
    ///
    /// The kernel takes no question without the name and the set of attributes that it returns, and
    /// makes up its answer by a look-up of each name where the type is not asked
    /// (`bsd/vfs/vfs_attrlist.c`, `getattrlistbulk`). Name, type, number and error need no more
    /// than the permission to read the directory. With any other field come the device, and
    /// whether something is mounted there, since then all attributes are those of the directory
    /// below it.
    pub(crate) fn of(fields: Fields) -> AttributeList {
        const FREE: Fields = Fields(Fields::KIND.0 | Fields::INODE.0);
        let mut list = AttributeList {
            groups: GROUPS,
            reserved: 0,
            common: common::RETURNED
                | common::NAME
                | common::ERROR
                | common::KIND
                | common::FILE_ID,
            volume: 0,
            directory: 0,
            file: 0,
            fork: 0,
        };
        if FREE.contains(fields) {
            return list;
        }
        list.common |= common::DEVICE;
        list.directory |= directory::MOUNT_STATUS;
        list.file |= file::DEVICE_TYPE;
        for (field, [common, directory, file, extended]) in NEEDED {
            if fields.0 & field.0 != 0 {
                list.common |= common;
                list.directory |= directory;
                list.file |= file;
                list.fork |= extended;
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes as in the SDK: `struct attrlist` has a u16 twice and five u32.
    #[test]
    fn structures_have_the_sizes_of_the_header() {
        assert_eq!(size_of::<AttributeList>(), 24);
        assert_eq!(align_of::<AttributeList>(), 4);
        assert_eq!(std::mem::offset_of!(AttributeList, common), 4);
        assert_eq!(std::mem::offset_of!(AttributeList, directory), 12);
        assert_eq!(std::mem::offset_of!(AttributeList, file), 16);
        assert_eq!(std::mem::offset_of!(AttributeList, fork), 20);
    }

    /// The numbers as `<sys/attr.h>` has them, one by one.
    #[test]
    fn bits_are_those_of_the_header() {
        for (ours, header) in [
            (common::NAME, 0x0000_0001),
            (common::DEVICE, 0x0000_0002),      // ATTR_CMN_DEVID
            (common::KIND, 0x0000_0008),        // ATTR_CMN_OBJTYPE
            (common::CREATED, 0x0000_0200),     // ATTR_CMN_CRTIME
            (common::MODIFIED, 0x0000_0400),    // ATTR_CMN_MODTIME
            (common::CHANGED, 0x0000_0800),     // ATTR_CMN_CHGTIME
            (common::ACCESSED, 0x0000_1000),    // ATTR_CMN_ACCTIME
            (common::OWNER, 0x0000_8000),       // ATTR_CMN_OWNERID
            (common::GROUP, 0x0001_0000),       // ATTR_CMN_GRPID
            (common::ACCESS_MASK, 0x0002_0000), // ATTR_CMN_ACCESSMASK
            (common::FILE_ID, 0x0200_0000),     // ATTR_CMN_FILEID
            (common::ERROR, 0x2000_0000),       // ATTR_CMN_ERROR
            (common::RETURNED, 0x8000_0000),    // ATTR_CMN_RETURNED_ATTRS
            (directory::ENTRIES, 0x2),          // ATTR_DIR_ENTRYCOUNT
            (directory::MOUNT_STATUS, 0x4),     // ATTR_DIR_MOUNTSTATUS
            (directory::ALLOCATED, 0x8),        // ATTR_DIR_ALLOCSIZE
            (directory::LENGTH, 0x20),          // ATTR_DIR_DATALENGTH
            (file::LINKS, 0x1),                 // ATTR_FILE_LINKCOUNT
            (file::ALLOCATED, 0x4),             // ATTR_FILE_ALLOCSIZE
            (file::DEVICE_TYPE, 0x20),          // ATTR_FILE_DEVTYPE
            (file::LENGTH, 0x200),              // ATTR_FILE_DATALENGTH
            (extended::CLONE_ID, 0x100),        // ATTR_CMNEXT_CLONEID
            (extended::FLAGS, 0x200),           // ATTR_CMNEXT_EXT_FLAGS
        ] {
            assert_eq!(ours, header);
        }
    }

    #[test]
    fn only_what_the_fields_need_is_asked() {
        let names = AttributeList::of(Fields::KIND | Fields::INODE);
        assert_eq!(names.common, 0xa200_0009);
        assert_eq!((names.directory, names.file, names.fork, names.volume), (0, 0, 0, 0));
        assert_eq!(AttributeList::of(Fields::NONE), names);

        let size = AttributeList::of(Fields::SIZE);
        assert_eq!(size.common, 0xa200_000b);
        assert_eq!((size.directory, size.file, size.fork), (0x24, 0x220, 0));

        let all = AttributeList::of(Fields::ALL);
        assert_eq!(all.common, 0xa203_9e0b);
        assert_eq!((all.directory, all.file, all.fork), (0x2e, 0x225, 0x300));
        assert_eq!(all.groups, 5);
    }
}
