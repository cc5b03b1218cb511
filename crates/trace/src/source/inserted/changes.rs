//! What voids the answers that agents remember: anything that any process of the run changes.

use super::super::Answers;
use super::super::filter::changes_identity;
use crate::{Class, Name, Shape};

/// `F_DUPFD`, `F_DUPFD_CLOEXEC`
const DUPLICATES: [u64; 2] = [0, 1030];

/// So many files count as open when it is not known how many are.
const UNKNOWN: u64 = 1 << 32;

/// What the processes of a run have changed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// What agents do, if they do not record.
    pub(crate) answers: Option<Answers>,
    count: u64,
    /// Open files that may be written to: the table of descriptors, and the descriptor.
    writers: Vec<(usize, u64)>,
    /// Whether it is no longer known who may write to what.
    is_unknown: bool,
}

impl Changes {
    /// How often anything was changed, and how many files are open that may be written to.
    pub(super) fn words(&self) -> [u64; 2] {
        [self.count, self.writers.len() as u64 + if self.is_unknown { UNKNOWN } else { 0 }]
    }

    /// A call is done, of a thread with this table of descriptors. `makes_thread`: no process.
    /// Whether it has changed anything.
    pub(crate) fn call(
        &mut self,
        table: usize,
        (name, arguments): (Name, &[u64; 6]),
        result: i64,
        makes_thread: bool,
    ) -> bool {
        let descriptor = |at: usize| arguments[at] & u64::from(u32::MAX);
        match name.class() {
            Class::Other if may_share(name) => self.is_unknown = true,
            Class::Other if is_harmless(name) => return false,
            Class::Fork if makes_thread => return false,
            Class::Resize
            | Class::Change
            | Class::Chdir
            | Class::Fork
            | Class::Execute
            | Class::Other => {}
            Class::Open => {
                if result < 0 || !name.opens_for_writing(arguments) {
                    return false;
                }
                self.writers.push((table, result.cast_unsigned()));
            }
            Class::Close if name == Name::Close => return self.closed(table, descriptor(0)),
            // Their owners change without a call that says which.
            Class::Send | Class::Close => return self.share(table),
            Class::Duplicate => self.copied(table, descriptor(0), result),
            Class::Fcntl if DUPLICATES.contains(&descriptor(1)) => {
                self.copied(table, descriptor(0), result);
            }
            Class::Map if name == Name::Mmap => {
                let writes = arguments[2] & libc::PROT_WRITE as u64 != 0
                    && arguments[3] & libc::MAP_SHARED as u64 != 0;
                if !writes || descriptor(4) == u64::from(u32::MAX) {
                    return false;
                }
                self.is_unknown = true;
            }
            _ => return false,
        }
        self.count += 1;
        true
    }

    /// A descriptor is closed. Whether its file could be written to.
    fn closed(&mut self, table: usize, descriptor: u64) -> bool {
        let at = self.writers.iter().position(|it| *it == (table, descriptor));
        at.map(|at| self.writers.swap_remove(at)).inspect(|_| self.count += 1).is_some()
    }

    /// A descriptor is a copy of another one.
    fn copied(&mut self, table: usize, from: u64, to: i64) {
        if let Ok(to) = u64::try_from(to)
            && to != from
        {
            self.closed(table, to);
            if self.writers.contains(&(table, from)) {
                self.writers.push((table, to));
            }
        }
    }

    /// A table's files that could be written to may be others' from now on. Whether there are any.
    fn share(&mut self, table: usize) -> bool {
        let any = self.writers.iter().any(|(of, _)| *of == table);
        self.is_unknown |= any;
        any
    }

    /// A process has another table, with the same files in it. `is_shared`: others keep the former.
    pub(crate) fn table_is_another(&mut self, former: usize, table: usize, is_shared: bool) {
        for at in 0..self.writers.len() {
            match self.writers[at] {
                (of, _) if of != former => {}
                (_, descriptor) if is_shared => self.writers.push((table, descriptor)),
                _ => self.writers[at].0 = table,
            }
        }
    }

    /// A table of descriptors is no more. Whether any file in it could be written to.
    pub(crate) fn table_is_gone(&mut self, table: usize) -> bool {
        let before = self.writers.len();
        self.writers.retain(|(of, _)| *of != table);
        let any = self.writers.len() < before;
        self.count += u64::from(any);
        any
    }
}

/// Whether such a call may open files, or give them to others, and does not say which.
fn may_share(name: Name) -> bool {
    matches!(
        name,
        Name::IoUringSetup
            | Name::IoUringEnter
            | Name::IoUringRegister
            | Name::PidfdGetfd
            | Name::Sendmmsg
            | Name::Unshare
    )
}

/// Whether one of the calls that have no class of their own changes nothing that could be looked
/// at: it is about an open file or socket alone, as `epoll_ctl` is, or about threads.
fn is_harmless(name: Name) -> bool {
    match name.shape() {
        Shape::Descriptor(_) => !matches!(name, Name::Bind | Name::Setns | Name::OpenByHandleAt),
        Shape::Unwatched => {
            let is_unknown = matches!(name, Name::Unknown(_) | Name::I386(_) | Name::Foreign(_));
            !changes_identity(name) && !is_unknown
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Changes {
        fn made(&mut self, table: usize, call: &(Name, [u64; 6]), result: i64) -> bool {
            self.call(table, (call.0, &call.1), result, false)
        }
    }

    #[test]
    fn nothing_is_certain_while_a_file_may_be_written_to() {
        let mut changes = Changes::default();
        let open = |flags: i32| (Name::Openat, [0, 0, flags as u64, 0, 0, 0]);
        assert!(!changes.made(1, &open(libc::O_RDONLY), 3));
        assert!(!changes.made(1, &open(libc::O_RDWR), -13));
        assert!(changes.made(1, &open(libc::O_WRONLY), 4));
        assert_eq!(changes.words(), [1, 1]);
        let close = |descriptor| (Name::Close, [descriptor, 0, 0, 0, 0, 0]);
        assert!(!changes.made(1, &close(3), 0) && !changes.made(2, &close(4), 0));
        assert!(changes.made(1, &close(4), 0));
        assert_eq!(changes.words(), [2, 0]);
    }

    #[test]
    fn a_process_that_inherits_such_a_file_may_write_to_it() {
        let mut changes = Changes::default();
        let fork = (Name::Clone, [0; 6]);
        assert!(changes.made(1, &fork, 7) && !changes.call(1, (fork.0, &fork.1), 8, true));
        changes.made(1, &(Name::Creat, [0; 6]), 3);
        changes.table_is_another(1, 2, true);
        changes.table_is_another(2, 3, false);
        assert_eq!(changes.words(), [2, 2]);
        changes.made(1, &(Name::Close, [3, 0, 0, 0, 0, 0]), 0);
        assert!(!changes.table_is_gone(2) && changes.table_is_gone(3));
        assert_eq!(changes.words()[1], 0);
    }

    /// As a shell does it: `x > file`, and puts its own standard output back.
    #[test]
    fn a_copy_of_such_a_file_is_one_more() {
        let mut changes = Changes::default();
        let two = |name, from: u64, to: u64| (name, [from, to, 0, 0, 0, 0]);
        changes.made(1, &(Name::Creat, [0; 6]), 3);
        changes.made(1, &(Name::Fcntl, [1, 0, 10, 0, 0, 0]), 10);
        changes.made(1, &two(Name::Dup2, 3, 1), 1);
        assert_eq!(changes.words()[1], 2);
        changes.made(1, &two(Name::Close, 3, 0), 0);
        assert_eq!(changes.words()[1], 1);
        changes.made(1, &two(Name::Dup2, 10, 1), 1);
        assert_eq!(changes.words()[1], 0);
        changes.made(2, &(Name::Creat, [0; 6]), 3);
        changes.made(2, &two(Name::Dup, 3, 0), 4);
        changes.made(2, &two(Name::Dup2, 4, 4), 4);
        assert_eq!(changes.words()[1], 2);
        assert!(changes.table_is_gone(2) && !changes.table_is_gone(2));
        assert_eq!(changes.words()[1], 0);
    }

    #[test]
    fn files_that_are_sent_may_be_written_to_for_ever() {
        let mut changes = Changes::default();
        changes.made(1, &(Name::Creat, [0; 6]), 3);
        assert!(!changes.made(2, &(Name::Sendmsg, [0; 6]), 3));
        assert!(changes.made(1, &(Name::Sendmsg, [0; 6]), 3));
        changes.table_is_gone(1);
        assert_eq!(changes.words()[1], UNKNOWN);
    }

    #[test]
    fn names_and_directories_change_and_reading_changes_nothing() {
        let mut changes = Changes::default();
        for name in [
            Name::Renameat2,
            Name::Mkdir,
            Name::Chdir,
            Name::Fchmodat,
            Name::Truncate,
            Name::Setresuid,
            Name::Umount2,
            Name::Bind,
        ] {
            assert!(changes.made(1, &(name, [0; 6]), 0), "{name}");
        }
        for name in [
            Name::Read,
            Name::Newfstatat,
            Name::Getdents64,
            Name::Poll,
            Name::Write,
            Name::EpollCtl,
            Name::Nanosleep,
            Name::Futex,
        ] {
            assert!(!changes.made(1, &(name, [0; 6]), 0), "{name}");
        }
    }
}
