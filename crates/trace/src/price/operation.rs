//! What an act does, as far as its price is concerned.

use crate::explain::Act;
use crate::{Class, Name, Shape};

/// Acts that have a price in common, because they are done again in the same way.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) enum Operation {
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

impl Operation {
    /// All of them, each with its name in a table of prices.
    pub(super) const ALL: [(Operation, &str); 27] = [
        (Operation::Stat { follow: true }, "stat"),
        (Operation::Stat { follow: false }, "lstat"),
        (Operation::StatOpen, "fstat"),
        (Operation::Access, "access"),
        (Operation::Open, "open"),
        (Operation::Close, "close"),
        (Operation::Read, "read"),
        (Operation::Write, "write"),
        (Operation::Entries, "getdents"),
        (Operation::EntriesEnd, "getdents-end"),
        (Operation::Link, "readlink"),
        (Operation::Directory, "getcwd"),
        (Operation::Attribute { follow: true }, "getxattr"),
        (Operation::Attribute { follow: false }, "lgetxattr"),
        (Operation::AttributeNames { follow: true }, "listxattr"),
        (Operation::AttributeNames { follow: false }, "llistxattr"),
        (Operation::Seek, "lseek"),
        (Operation::Terminal, "ioctl"),
        (Operation::Duplicate, "dup"),
        (Operation::Control, "fcntl"),
        (Operation::Enter, "chdir"),
        (Operation::EnterOpen, "fchdir"),
        (Operation::Sync, "sync"),
        (Operation::Whole, "whole"),
        (Operation::Owner, "owner"),
        (Operation::Spawn, "spawn"),
        (Operation::Other, "other"),
    ];

    /// Its name in a table of prices.
    pub(super) fn name(self) -> &'static str {
        Operation::ALL.iter().find(|(other, _)| *other == self).map_or("", |(_, name)| name)
    }

    pub(super) fn of(act: &Act) -> Operation {
        match act {
            Act::Call { name, .. } => Operation::of_call(*name),
            Act::ReadWhole { .. } => Operation::Whole,
            Act::LookUpOwner => Operation::Owner,
            Act::Spawn { .. } => Operation::Spawn,
        }
    }

    fn of_call(name: Name) -> Operation {
        let is_open = matches!(name.shape(), Shape::Descriptor(_));
        let follow = !matches!(name, Name::Lstat | Name::Lgetxattr | Name::Llistxattr);
        match name.class() {
            Class::Stat | Class::Statfs if is_open => Operation::StatOpen,
            Class::Stat | Class::Statfs => Operation::Stat { follow },
            Class::Access => Operation::Access,
            Class::Open => Operation::Open,
            Class::Close => Operation::Close,
            Class::Read => Operation::Read,
            Class::Write => Operation::Write,
            Class::ReadDirectory => Operation::Entries,
            Class::Readlink => Operation::Link,
            Class::Getcwd => Operation::Directory,
            Class::GetXattr => Operation::Attribute { follow },
            Class::ListXattr => Operation::AttributeNames { follow },
            Class::Seek => Operation::Seek,
            Class::Ioctl => Operation::Terminal,
            Class::Duplicate => Operation::Duplicate,
            Class::Fcntl => Operation::Control,
            Class::Chdir if is_open => Operation::EnterOpen,
            Class::Chdir => Operation::Enter,
            // `sync` waits for all file systems: no file stands for it.
            Class::Sync if is_open => Operation::Sync,
            Class::Fork | Class::Execute => Operation::Spawn,
            _ => Operation::Other,
        }
    }
}
