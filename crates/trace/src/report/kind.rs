//! What a call is about, roughly: what the timeline tells apart.

use crate::Name;

/// A kind of call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(usize)]
pub(crate) enum Kind {
    Look,
    Open,
    Read,
    Write,
    List,
    Change,
    Process,
    Other,
}

impl Kind {
    /// All kinds, in the order of the timeline.
    pub(crate) const ALL: [Kind; 8] = [
        Kind::Look,
        Kind::Open,
        Kind::Read,
        Kind::Write,
        Kind::List,
        Kind::Change,
        Kind::Process,
        Kind::Other,
    ];

    /// One word, and what it stands for.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Look => ("look", "stat, access, readlink, attributes"),
            Kind::Open => ("open", "open and close"),
            Kind::Read => ("read", "read, map"),
            Kind::Write => ("write", "write, copy, sync"),
            Kind::List => ("list", "read a directory"),
            Kind::Change => ("change", "make, rename, remove, permissions"),
            Kind::Process => ("process", "start a program, change directory"),
            Kind::Other => ("other", "descriptors, devices, sockets and the rest"),
        }
    }

    pub(crate) fn of(name: Name) -> Kind {
        match name {
            Name::Stat
            | Name::Lstat
            | Name::Fstat
            | Name::Newfstatat
            | Name::Statx
            | Name::Access
            | Name::Faccessat
            | Name::Faccessat2
            | Name::Readlink
            | Name::Readlinkat
            | Name::Getxattr
            | Name::Lgetxattr
            | Name::Fgetxattr
            | Name::Listxattr
            | Name::Llistxattr
            | Name::Flistxattr
            | Name::Statfs
            | Name::Fstatfs => Kind::Look,
            Name::Open
            | Name::Openat
            | Name::Openat2
            | Name::Creat
            | Name::Close
            | Name::CloseRange => Kind::Open,
            Name::Read
            | Name::Pread64
            | Name::Readv
            | Name::Preadv
            | Name::Preadv2
            | Name::Readahead
            | Name::Mmap => Kind::Read,
            Name::Write
            | Name::Pwrite64
            | Name::Writev
            | Name::Pwritev
            | Name::Pwritev2
            | Name::Sendfile
            | Name::CopyFileRange
            | Name::Splice
            | Name::Truncate
            | Name::Ftruncate
            | Name::Fallocate
            | Name::Fsync
            | Name::Fdatasync
            | Name::SyncFileRange
            | Name::Syncfs => Kind::Write,
            Name::Getdents | Name::Getdents64 => Kind::List,
            _ => Kind::of_the_rest(name),
        }
    }

    fn of_the_rest(name: Name) -> Kind {
        match name {
            Name::Mkdir
            | Name::Mkdirat
            | Name::Mknod
            | Name::Mknodat
            | Name::Rmdir
            | Name::Unlink
            | Name::Unlinkat
            | Name::Rename
            | Name::Renameat
            | Name::Renameat2
            | Name::Link
            | Name::Linkat
            | Name::Symlink
            | Name::Symlinkat
            | Name::Chmod
            | Name::Fchmod
            | Name::Fchmodat
            | Name::Fchmodat2
            | Name::Chown
            | Name::Fchown
            | Name::Lchown
            | Name::Fchownat
            | Name::Utime
            | Name::Utimes
            | Name::Futimesat
            | Name::Utimensat
            | Name::Setxattr
            | Name::Lsetxattr
            | Name::Fsetxattr
            | Name::Removexattr
            | Name::Lremovexattr
            | Name::Fremovexattr => Kind::Change,
            Name::Execve
            | Name::Execveat
            | Name::Clone
            | Name::Clone3
            | Name::Fork
            | Name::Vfork
            | Name::Chdir
            | Name::Fchdir
            | Name::Getcwd => Kind::Process,
            _ => Kind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_in_their_order() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
        assert_eq!(Kind::of(Name::Newfstatat), Kind::Look);
        assert_eq!(Kind::of(Name::Renameat2), Kind::Change);
        assert_eq!(Kind::of(Name::Unknown(7)), Kind::Other);
    }
}
