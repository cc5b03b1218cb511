//! What a call does, as coarsely as the timeline shows it.

use crate::{Class, Name};

macro_rules! activities {
    ($($activity:ident $word:literal $meaning:literal,)+) => {
        /// What a call does: a row of the timeline.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[repr(usize)]
        pub(crate) enum Activity {
            $($activity,)+
        }

        impl Activity {
            /// All activities, in the order of the timeline.
            pub(crate) const ALL: [Activity; [$($word),+].len()] = [$(Activity::$activity,)+];

            /// One word, and what it stands for.
            pub(crate) fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Activity::$activity => ($word, $meaning),)+
                }
            }
        }
    };
}

activities! {
    Look "look" "stat, access, readlink, attributes",
    Open "open" "open and close",
    Read "read" "read, map",
    Write "write" "write, copy, sync",
    List "list" "read a directory",
    Change "change" "make, rename, remove, permissions",
    Process "process" "start a program, change directory",
    Other "other" "descriptors, devices, sockets and the rest",
}

impl Activity {
    pub(crate) fn of(name: Name) -> Activity {
        match name.class() {
            Class::Stat
            | Class::Statfs
            | Class::Access
            | Class::Readlink
            | Class::GetXattr
            | Class::ListXattr => Activity::Look,
            Class::Open | Class::Close => Activity::Open,
            Class::Read | Class::Map => Activity::Read,
            Class::Write | Class::Copy | Class::Splice | Class::Resize | Class::Sync => {
                Activity::Write
            }
            Class::ReadDirectory => Activity::List,
            Class::Change => Activity::Change,
            Class::Fork | Class::Execute | Class::Chdir | Class::Getcwd => Activity::Process,
            _ => Activity::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_in_their_order() {
        for (at, kind) in Activity::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
        assert_eq!(Activity::of(Name::Newfstatat), Activity::Look);
        assert_eq!(Activity::of(Name::Renameat2), Activity::Change);
        assert_eq!(Activity::of(Name::Unknown(7)), Activity::Other);
    }
}
