//! Metadata as C structs.

use fewer::{Fields, Stat, Time};

use crate::error::Failed;

/// `fewer_time`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CTime {
    pub seconds: i64,
    pub nanoseconds: u32,
    pub known: u32,
}

/// `fewer_stat`
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct CStat {
    pub inode: u64,
    pub size: u64,
    pub allocated: u64,
    pub device_major: u32,
    pub device_minor: u32,
    pub accessed: CTime,
    pub modified: CTime,
    pub changed: CTime,
    pub created: CTime,
    pub links: u32,
    pub user: u32,
    pub group: u32,
    pub special_major: u32,
    pub special_minor: u32,
    pub permissions: u16,
    pub kind: u8,
    pub reserved: u8,
}

// The bits of FEWER_FIELD_...
pub(crate) const KIND: u32 = 1 << 0;
pub(crate) const PERMISSIONS: u32 = 1 << 1;
pub(crate) const OWNER: u32 = 1 << 2;
pub(crate) const SIZE: u32 = 1 << 3;
pub(crate) const LINKS: u32 = 1 << 4;
pub(crate) const INODE: u32 = 1 << 5;
pub(crate) const ALLOCATED: u32 = 1 << 6;
pub(crate) const ACCESSED: u32 = 1 << 7;
pub(crate) const MODIFIED: u32 = 1 << 8;
pub(crate) const CHANGED: u32 = 1 << 9;
pub(crate) const CREATED: u32 = 1 << 10;
pub(crate) const ALL: u32 = (1 << 11) - 1;

/// The fields that are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted(u32);

impl Wanted {
    pub(crate) fn new(bits: u32) -> Result<Wanted, Failed> {
        crate::boundary::only(bits, ALL)?;
        Ok(Wanted(bits))
    }

    pub(crate) fn any(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn owner(self) -> bool {
        self.has(OWNER)
    }

    pub(crate) fn fields(self) -> Fields {
        // Not the sum of the named ones on every system.
        if self.0 == ALL {
            return Fields::ALL;
        }
        let named = Fields::NAMED.into_iter().enumerate();
        named.filter(|(bit, _)| self.has(1 << bit)).map(|(_, (_, field))| field).collect()
    }

    fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    /// `value` if it was requested, otherwise 0, so that no program relies on what happens to be
    /// there.
    fn only<T: Default>(self, bit: u32, value: impl Into<T>) -> T {
        if self.has(bit) { value.into() } else { T::default() }
    }

    pub(crate) fn answer(self, stat: &Stat) -> CStat {
        let device = stat.device();
        let (special_major, special_minor) = stat.special();
        CStat {
            inode: self.only(INODE, stat.inode()),
            size: self.only(SIZE, stat.size()),
            allocated: self.only(ALLOCATED, stat.allocated()),
            device_major: self.only(INODE, (device >> 32) as u32),
            device_minor: self.only(INODE, device as u32),
            accessed: self.only(ACCESSED, stat.accessed()),
            modified: self.only(MODIFIED, stat.modified()),
            changed: self.only(CHANGED, stat.changed()),
            created: stat.created().map_or(CTime::default(), |time| self.only(CREATED, time)),
            links: self.only(LINKS, stat.links()),
            user: self.only(OWNER, stat.user()),
            group: self.only(OWNER, stat.group()),
            special_major: self.only(KIND, special_major),
            special_minor: self.only(KIND, special_minor),
            permissions: self.only(PERMISSIONS, stat.permissions()),
            kind: self.only(KIND, stat.kind() as u8),
            reserved: 0,
        }
    }
}

impl From<Time> for CTime {
    fn from(time: Time) -> CTime {
        CTime { seconds: time.seconds, nanoseconds: time.nanoseconds, known: 1 }
    }
}
