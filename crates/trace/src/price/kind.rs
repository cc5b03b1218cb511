//! What an act is, as far as its price is concerned.

use crate::Name;
use crate::explain::Act;

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
    pub(super) fn of(act: &Act) -> Kind {
        match act {
            Act::Call { name, .. } => Kind::of_call(*name),
            Act::ReadWhole { .. } => Kind::Whole,
            Act::LookUpOwner => Kind::Owner,
            Act::Spawn { .. } => Kind::Spawn,
        }
    }

    fn of_call(name: Name) -> Kind {
        match name {
            Name::Stat | Name::Newfstatat | Name::Statx | Name::Statfs => {
                Kind::Stat { follow: true }
            }
            Name::Lstat => Kind::Stat { follow: false },
            Name::Fstat | Name::Fstatfs => Kind::StatOpen,
            Name::Access | Name::Faccessat | Name::Faccessat2 => Kind::Access,
            Name::Open | Name::Openat | Name::Openat2 | Name::Creat => Kind::Open,
            Name::Close => Kind::Close,
            Name::Read | Name::Pread64 | Name::Readv | Name::Preadv | Name::Preadv2 => Kind::Read,
            Name::Write | Name::Pwrite64 | Name::Writev | Name::Pwritev | Name::Pwritev2 => {
                Kind::Write
            }
            Name::Getdents | Name::Getdents64 => Kind::Entries,
            Name::Readlink | Name::Readlinkat => Kind::Link,
            Name::Getcwd => Kind::Directory,
            Name::Getxattr | Name::Fgetxattr | Name::Getxattrat => Kind::Attribute { follow: true },
            Name::Lgetxattr => Kind::Attribute { follow: false },
            Name::Listxattr | Name::Flistxattr | Name::Listxattrat => {
                Kind::AttributeNames { follow: true }
            }
            Name::Llistxattr => Kind::AttributeNames { follow: false },
            Name::Lseek => Kind::Seek,
            Name::Ioctl => Kind::Terminal,
            Name::Dup | Name::Dup2 | Name::Dup3 => Kind::Duplicate,
            Name::Fcntl => Kind::Control,
            Name::Chdir => Kind::Enter,
            Name::Fchdir => Kind::EnterOpen,
            Name::Fsync | Name::Fdatasync | Name::SyncFileRange | Name::Syncfs => Kind::Sync,
            Name::Clone | Name::Clone3 | Name::Fork | Name::Vfork | Name::Execve => Kind::Spawn,
            _ => Kind::Other,
        }
    }
}
