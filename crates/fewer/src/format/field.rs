//! What a template may contain, and what each costs.

use sys::{Fields, Stat, Time};

use crate::localtime::column::TimeStyle;
use crate::path::PathPart;

/// A field of a template.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) source: Source,
    /// How a time is written.
    pub(super) time: Option<TimeStyle>,
}

/// Where a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Path(PathPart),
    Root,
    BelowRoot,
    Kind,
    /// The letter of find's `-type`.
    Letter,
    TargetLetter,
    Target,
    Depth,
    /// The inode in the directory's record.
    EntryInode,
    Stat(Number),
    /// Permissions in octal digits.
    Octal,
    /// As in `ls -l`.
    Mode,
    User,
    Group,
    Time(Moment),
}

/// A number of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Size,
    Allocated,
    /// Blocks of 512 bytes.
    Blocks,
    /// Blocks of 1024 bytes, rounded up.
    Kibibytes,
    Links,
    Inode,
    UserId,
    GroupId,
}

/// One of the times of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Accessed,
    Changed,
    Modified,
    Created,
}

/// The names between braces, beside the placeholders.
pub(super) const NAMES: [(&str, Source); 21] = [
    ("path", Source::Path(PathPart::Whole)),
    ("name", Source::Path(PathPart::Name)),
    ("parent", Source::Path(PathPart::Parent)),
    ("stem", Source::Path(PathPart::Stem)),
    ("type", Source::Kind),
    ("depth", Source::Depth),
    ("inode", Source::EntryInode),
    ("target", Source::Target),
    ("size", Source::Stat(Number::Size)),
    ("allocated", Source::Stat(Number::Allocated)),
    ("links", Source::Stat(Number::Links)),
    ("mode", Source::Mode),
    ("permissions", Source::Octal),
    ("user", Source::User),
    ("group", Source::Group),
    ("uid", Source::Stat(Number::UserId)),
    ("gid", Source::Stat(Number::GroupId)),
    ("mtime", Source::Time(Moment::Modified)),
    ("atime", Source::Time(Moment::Accessed)),
    ("ctime", Source::Time(Moment::Changed)),
    ("btime", Source::Time(Moment::Created)),
];

/// The names that may stand between braces, with what they cost.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES.iter().map(|(name, source)| {
        let price = match source {
            Source::Target => "one readlinkat a link",
            source if source.fields().is_some() => "one statx an entry",
            _ => "no call",
        };
        (*name, price)
    })
}

/// The letters of find's `-printf`, but for those of times.
pub(super) const LETTERS: [(u8, Source); 20] = [
    (b'p', Source::Path(PathPart::Whole)),
    (b'f', Source::Path(PathPart::Name)),
    (b'h', Source::Path(PathPart::Parent)),
    (b'P', Source::BelowRoot),
    (b'H', Source::Root),
    (b'd', Source::Depth),
    (b'y', Source::Letter),
    (b'Y', Source::TargetLetter),
    (b'l', Source::Target),
    (b's', Source::Stat(Number::Size)),
    (b'b', Source::Stat(Number::Blocks)),
    (b'k', Source::Stat(Number::Kibibytes)),
    (b'n', Source::Stat(Number::Links)),
    (b'i', Source::Stat(Number::Inode)),
    (b'U', Source::Stat(Number::UserId)),
    (b'G', Source::Stat(Number::GroupId)),
    (b'm', Source::Octal),
    (b'M', Source::Mode),
    (b'u', Source::User),
    (b'g', Source::Group),
];

impl Source {
    /// What has to be asked for, if anything.
    pub(super) fn fields(self) -> Option<Fields> {
        Some(match self {
            Source::Stat(number) => number.fields(),
            Source::Octal | Source::Mode => Fields::PERMISSIONS,
            Source::User | Source::Group => Fields::OWNER,
            Source::Time(Moment::Accessed) => Fields::ACCESSED,
            Source::Time(Moment::Changed) => Fields::CHANGED,
            Source::Time(Moment::Modified) => Fields::MODIFIED,
            Source::Time(Moment::Created) => Fields::CREATED,
            _ => return None,
        })
    }
}

impl Number {
    fn fields(self) -> Fields {
        match self {
            Number::Size => Fields::SIZE,
            Number::Allocated | Number::Blocks | Number::Kibibytes => Fields::ALLOCATED,
            Number::Links => Fields::LINKS,
            Number::Inode => Fields::INODE,
            Number::UserId | Number::GroupId => Fields::OWNER,
        }
    }

    pub(super) fn of(self, stat: &Stat) -> u64 {
        match self {
            Number::Size => stat.size(),
            Number::Allocated => stat.allocated(),
            Number::Blocks => stat.allocated() / 512,
            Number::Kibibytes => stat.allocated().div_ceil(1024),
            Number::Links => stat.links().into(),
            Number::Inode => stat.inode(),
            Number::UserId => stat.user().into(),
            Number::GroupId => stat.group().into(),
        }
    }
}

impl Moment {
    pub(super) fn of(self, stat: &Stat) -> Option<Time> {
        match self {
            Moment::Accessed => Some(stat.accessed()),
            Moment::Changed => Some(stat.changed()),
            Moment::Modified => Some(stat.modified()),
            Moment::Created => stat.created(),
        }
    }
}
