//! What an act is, as far as its price is concerned.

use crate::explain::Act;
use crate::{Class, Name, Shape};

/// Acts that are done again in the same way.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) enum Kind {
    /// Metadata by path; links followed or not.
    Stat {
        follow: bool,
    },
    /// Metadata of an open file.
    StatOpen,
    /// Whether it is there.
    Access,
    Open,
    Close,
    Read,
    Write,
    /// A block of a directory.
    Entries,
    /// What comes behind the last block of a directory: the price of a block without what is in it.
    EntriesEnd,
    /// The text of a link.
    Link,
    /// The working directory's path.
    Directory,
    /// An extended attribute, or the list of their names.
    Attribute {
        follow: bool,
    },
    AttributeNames {
        follow: bool,
    },
    /// Where an open file stands.
    Seek,
    /// Whether an open file is a terminal.
    Terminal,
    Duplicate,
    /// Flags of a descriptor.
    Control,
    /// Another working directory, by its path.
    Enter,
    /// The same by its descriptor.
    EnterOpen,
    /// What was written onto the disk.
    Sync,
    /// Open, read to the end, close.
    Whole,
    /// The user and group databases.
    Owner,
    /// Start a program and wait for it.
    Spawn,
    /// Anything else: the price of a small call.
    Other,
}

impl Kind {
    /// All of them.
    pub(super) const ALL: [Kind; 27] = [
        Kind::Stat { follow: true },
        Kind::Stat { follow: false },
        Kind::StatOpen,
        Kind::Access,
        Kind::Open,
        Kind::Close,
        Kind::Read,
        Kind::Write,
        Kind::Entries,
        Kind::EntriesEnd,
        Kind::Link,
        Kind::Directory,
        Kind::Attribute { follow: true },
        Kind::Attribute { follow: false },
        Kind::AttributeNames { follow: true },
        Kind::AttributeNames { follow: false },
        Kind::Seek,
        Kind::Terminal,
        Kind::Duplicate,
        Kind::Control,
        Kind::Enter,
        Kind::EnterOpen,
        Kind::Sync,
        Kind::Whole,
        Kind::Owner,
        Kind::Spawn,
        Kind::Other,
    ];

    /// What a table of prices calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Stat { follow: true } => "stat",
            Kind::Stat { follow: false } => "lstat",
            Kind::StatOpen => "fstat",
            Kind::Access => "access",
            Kind::Open => "open",
            Kind::Close => "close",
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Entries => "getdents",
            Kind::EntriesEnd => "getdents-end",
            Kind::Link => "readlink",
            Kind::Directory => "getcwd",
            Kind::Attribute { follow: true } => "getxattr",
            Kind::Attribute { follow: false } => "lgetxattr",
            Kind::AttributeNames { follow: true } => "listxattr",
            Kind::AttributeNames { follow: false } => "llistxattr",
            Kind::Seek => "lseek",
            Kind::Terminal => "ioctl",
            Kind::Duplicate => "dup",
            Kind::Control => "fcntl",
            Kind::Enter => "chdir",
            Kind::EnterOpen => "fchdir",
            Kind::Sync => "sync",
            Kind::Whole => "whole",
            Kind::Owner => "owner",
            Kind::Spawn => "spawn",
            Kind::Other => "other",
        }
    }

    pub(super) fn of(act: &Act) -> Kind {
        match act {
            Act::Call { name, .. } => Kind::of_call(*name),
            Act::ReadWhole { .. } => Kind::Whole,
            Act::LookUpOwner => Kind::Owner,
            Act::Spawn { .. } => Kind::Spawn,
        }
    }

    fn of_call(name: Name) -> Kind {
        let is_open = matches!(name.shape(), Shape::Descriptor(_));
        let follow = !matches!(name, Name::Lstat | Name::Lgetxattr | Name::Llistxattr);
        match name.class() {
            Class::Stat | Class::Statfs if is_open => Kind::StatOpen,
            Class::Stat | Class::Statfs => Kind::Stat { follow },
            Class::Access => Kind::Access,
            Class::Open => Kind::Open,
            Class::Close => Kind::Close,
            Class::Read => Kind::Read,
            Class::Write => Kind::Write,
            Class::ReadDirectory => Kind::Entries,
            Class::Readlink => Kind::Link,
            Class::Getcwd => Kind::Directory,
            Class::GetXattr => Kind::Attribute { follow },
            Class::ListXattr => Kind::AttributeNames { follow },
            Class::Seek => Kind::Seek,
            Class::Ioctl => Kind::Terminal,
            Class::Duplicate => Kind::Duplicate,
            Class::Fcntl => Kind::Control,
            Class::Chdir if is_open => Kind::EnterOpen,
            Class::Chdir => Kind::Enter,
            // `sync` waits for all file systems: no file stands for it.
            Class::Sync if is_open => Kind::Sync,
            Class::Fork | Class::Execute => Kind::Spawn,
            _ => Kind::Other,
        }
    }
}
