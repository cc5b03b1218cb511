//! What voids the answers that agents remember: anything that any process of the run changes.

use super::super::Answers;
use crate::{Class, Name};

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
            Class::Resize | Class::Change | Class::Chdir | Class::Other => {}
            Class::Open => {
                if result < 0 || !name.opens_for_writing(arguments) {
                    return false;
                }
                self.writers.push((table, result.cast_unsigned()));
            }
            Class::Close if name == Name::Close => {
                let closed = (table, descriptor(0));
                let Some(at) = self.writers.iter().position(|it| *it == closed) else {
                    return false;
                };
                self.writers.swap_remove(at);
            }
            Class::Fork if makes_thread => return false,
            Class::Fork | Class::Execute | Class::Duplicate | Class::Close => self.share(),
            Class::Fcntl if DUPLICATES.contains(&descriptor(1)) => self.share(),
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

    /// Descriptors get other numbers, or other owners: that one is closed says nothing any more.
    fn share(&mut self) {
        self.is_unknown |= !self.writers.is_empty();
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
    fn a_process_that_inherits_such_a_file_may_write_to_it_for_ever() {
        let mut changes = Changes::default();
        let fork = (Name::Clone, [0; 6]);
        assert!(changes.made(1, &fork, 7) && !changes.call(1, (fork.0, &fork.1), 8, true));
        assert_eq!(changes.words(), [1, 0]);
        changes.made(1, &(Name::Creat, [0; 6]), 3);
        changes.made(1, &fork, 9);
        changes.made(1, &(Name::Close, [3, 0, 0, 0, 0, 0]), 0);
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
        ] {
            assert!(changes.made(1, &(name, [0; 6]), 0), "{name}");
        }
        for name in [Name::Read, Name::Newfstatat, Name::Getdents64, Name::Poll, Name::Write] {
            assert!(!changes.made(1, &(name, [0; 6]), 0), "{name}");
        }
    }
}
