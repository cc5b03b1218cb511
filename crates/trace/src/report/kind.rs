//! What a call is about, roughly: what the timeline tells apart.

use crate::{Class, Name};

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
        match name.class() {
            Class::Stat
            | Class::Statfs
            | Class::Access
            | Class::Readlink
            | Class::GetXattr
            | Class::ListXattr => Kind::Look,
            Class::Open | Class::Close => Kind::Open,
            Class::Read | Class::Map => Kind::Read,
            Class::Write | Class::Copy | Class::Splice | Class::Resize | Class::Sync => Kind::Write,
            Class::ReadDirectory => Kind::List,
            Class::Change => Kind::Change,
            Class::Fork | Class::Execute | Class::Chdir | Class::Getcwd => Kind::Process,
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
