//! What an act does, as far as its price is concerned.

use crate::explain::Act;
use crate::{Class, Name, Shape};

macro_rules! operations {
    ($($(#[doc = $what:literal])? $operation:ident $name:literal,)+) => {
        /// Acts that have a price in common, because they are done again in the same way.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub(super) enum Operation {
            $($(#[doc = $what])? $operation,)+
        }

        impl Operation {
            /// All of them, each with its name in a table of prices.
            pub(super) const ALL: &[(Operation, &str)] = &[$((Operation::$operation, $name),)+];
        }
    };
}

operations! {
    /// Metadata by path; of what a link leads to.
    Stat "stat",
    /// The same of a link itself.
    StatLink "lstat",
    /// Metadata of an open file.
    StatOpen "fstat",
    /// Whether it is there.
    Access "access",
    Open "open",
    Close "close",
    Read "read",
    Write "write",
    /// A block of a directory.
    Entries "getdents",
    /// What comes behind the last block of a directory: the price of a block without what is in it.
    EntriesEnd "getdents-end",
    /// The text of a link.
    Link "readlink",
    /// The working directory's path.
    Directory "getcwd",
    /// An extended attribute, or the list of their names; of a link's target, and of a link itself.
    Attribute "getxattr",
    AttributeOfLink "lgetxattr",
    AttributeNames "listxattr",
    AttributeNamesOfLink "llistxattr",
    /// Where an open file stands.
    Seek "lseek",
    /// Whether an open file is a terminal.
    Terminal "ioctl",
    Duplicate "dup",
    /// Flags of a descriptor.
    Control "fcntl",
    /// Another working directory, by its path.
    Enter "chdir",
    /// The same by its descriptor.
    EnterOpen "fchdir",
    /// What was written onto the disk.
    Sync "sync",
    /// Open, read to the end, close.
    Whole "whole",
    /// Open and empty, write, close.
    WriteWhole "write-whole",
    /// The same with a new file, which then takes the place of the old one.
    Replace "replace",
    /// The user and group databases.
    Owner "owner",
    /// Start a program and wait for it.
    Spawn "spawn",
    /// Anything else: the price of a small call.
    Other "other",
}

impl Operation {
    /// Its name in a table of prices.
    pub(super) fn name(self) -> &'static str {
        Operation::ALL.iter().find(|(other, _)| *other == self).map_or("", |(_, name)| name)
    }

    pub(super) fn of(act: &Act) -> Operation {
        match act {
            Act::Call { name, .. } => Operation::of_call(*name),
            Act::ReadWhole { .. } => Operation::Whole,
            Act::WriteWhole { replaces: false, .. } => Operation::WriteWhole,
            Act::WriteWhole { .. } => Operation::Replace,
            Act::LookUpOwner => Operation::Owner,
            Act::Spawn { .. } => Operation::Spawn,
        }
    }

    fn of_call(name: Name) -> Operation {
        let is_open = matches!(name.shape(), Shape::Descriptor(_));
        let follow = !matches!(name, Name::Lstat | Name::Lgetxattr | Name::Llistxattr);
        match name.class() {
            Class::Stat | Class::Statfs if is_open => Operation::StatOpen,
            Class::Stat | Class::Statfs if follow => Operation::Stat,
            Class::Stat | Class::Statfs => Operation::StatLink,
            Class::Access => Operation::Access,
            Class::Open => Operation::Open,
            Class::Close => Operation::Close,
            Class::Read => Operation::Read,
            Class::Write => Operation::Write,
            Class::ReadDirectory => Operation::Entries,
            Class::Readlink => Operation::Link,
            Class::Getcwd => Operation::Directory,
            Class::GetXattr if follow => Operation::Attribute,
            Class::GetXattr => Operation::AttributeOfLink,
            Class::ListXattr if follow => Operation::AttributeNames,
            Class::ListXattr => Operation::AttributeNamesOfLink,
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
