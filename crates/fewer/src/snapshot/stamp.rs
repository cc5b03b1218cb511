//! What tells one state of a directory from another.

use sys::{Fields, Stat, Time};

/// What tells one state of a directory from another: if all of it is the same, and the directory
/// was not changed so shortly before that a further change could have had the same times, then the
/// directory has the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The device that holds it, as [`Stat::device`](crate::Stat::device).
    pub device: u64,
    /// Its inode number, which on a mount point is that of the root of what is mounted.
    pub inode: u64,
    /// Whether something is mounted here.
    pub is_mount_root: bool,
    /// When it was made, where the file system keeps that.
    pub created: Option<Time>,
    /// When its contents or its metadata were last changed.
    pub changed: Time,
    /// When its contents were last changed, or what a program set that time to.
    pub modified: Time,
}

/// What the level [`Level::Stat`](super::Level::Stat) keeps of each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryStat {
    /// Size in bytes.
    pub size: u64,
    /// The twelve permission bits.
    pub permissions: u16,
    /// Time of the last change of the contents.
    pub modified: Time,
    /// Time of the last change of contents or metadata.
    pub changed: Time,
}

impl EntryStat {
    /// That of an entry which could not be looked at.
    pub(super) const NONE: EntryStat =
        EntryStat { size: 0, permissions: 0, modified: NO_TIME, changed: NO_TIME };

    /// From a `Stat` with the [fields](EntryStat::fields).
    #[must_use]
    pub fn of(stat: &Stat) -> EntryStat {
        let (size, permissions) = (stat.size(), stat.permissions());
        EntryStat { size, permissions, modified: stat.modified(), changed: stat.changed() }
    }

    /// The fields of a `Stat` that are kept.
    #[must_use]
    pub fn fields() -> Fields {
        Fields::SIZE | Fields::PERMISSIONS | Fields::MODIFIED | Fields::CHANGED
    }
}

const NO_TIME: Time = Time { seconds: 0, nanoseconds: 0 };
