//! Which calls the agent makes, and what it copies of the program's memory for each.
//!
//! Those that only name files and descriptors, and those that map fresh memory. What makes
//! processes, maps code, waits for several descriptors, or makes descriptors that have no path of
//! their own stops the program as ever.

use ::agent::Plan;
use ::agent::layout::NUMBERS;

use crate::source::Answers;
use crate::source::decode::{ANSWER, STAT, STATFS, STATX};
use crate::{Class, Machine, Name, Shape};

/// The plans of all calls by their numbers, as words of a block. `answers`: they are not recorded.
pub(super) fn words(answers: Option<Answers>) -> [u64; NUMBERS] {
    let mut words = [0; NUMBERS];
    for name in Name::ALL {
        let number = name.number(Machine::HERE).and_then(|number| usize::try_from(number).ok());
        if let (Some(word), Some(plan)) =
            (number.and_then(|at| words.get_mut(at)), planned(*name, answers))
        {
            *word = plan.word();
        }
    }
    words
}

/// Whether the agent makes such calls.
pub(super) fn is_planned(name: Name, answers: Option<Answers>) -> bool {
    planned(name, answers).is_some()
}

fn planned(name: Name, answers: Option<Answers>) -> Option<Plan> {
    answers.map_or_else(|| plan(name), |answers| unrecorded(name, answers))
}

/// What is done with a call that is not recorded. What changes something stops, so that the tracer
/// sees it.
fn unrecorded(name: Name, answers: Answers) -> Option<Plan> {
    let whole = plan(name)?;
    let plan = match name.class() {
        Class::Change
        | Class::Chdir
        | Class::Resize
        | Class::Copy
        | Class::Duplicate
        | Class::Fcntl => return None,
        Class::Open if name == Name::Creat => return None,
        Class::Open => whole,
        Class::Map if name == Name::Mmap => Plan::new().maps(),
        Class::Close => Plan::new().closes(),
        _ => Plan::new(),
    };
    let plan = match looks(name).filter(|_| answers == Answers::Remembered) {
        Some(arguments) => {
            let begins = matches!(name.shape(), Shape::At(..));
            // All of the answer is wanted: a path is no longer than that.
            whole.looks(arguments, begins)
        }
        None => plan,
    };
    Some(plan.unrecorded())
}

/// The arguments of a call that only looks at a path, without that and where the answer goes.
fn looks(name: Name) -> Option<&'static [usize]> {
    Some(match name {
        Name::Stat | Name::Lstat => &[],
        Name::Newfstatat | Name::Readlinkat => &[0, 3],
        Name::Statx | Name::Faccessat2 => &[0, 2, 3],
        Name::Access | Name::Open => &[1],
        Name::Faccessat | Name::Openat => &[0, 2],
        Name::Readlink => &[2],
        _ => return None,
    })
}

fn plan(name: Name) -> Option<Plan> {
    let is_simple = match name.class() {
        Class::Stat
        | Class::Access
        | Class::Statfs
        | Class::Readlink
        | Class::GetXattr
        | Class::ListXattr
        | Class::Getcwd
        | Class::Seek
        | Class::Resize
        | Class::Fcntl
        | Class::Duplicate
        | Class::Change
        | Class::Sync
        | Class::Identity
        | Class::Ioctl
        | Class::Copy
        | Class::Lock
        | Class::Chdir => true,
        Class::Open => matches!(name, Name::Open | Name::Openat | Name::Creat),
        Class::Close => name == Name::Close,
        Class::Read => matches!(name, Name::Read | Name::Pread64),
        Class::Write => matches!(name, Name::Write | Name::Pwrite64),
        Class::ReadDirectory => name == Name::Getdents64,
        Class::Map => matches!(name, Name::Mmap | Name::Readahead),
        Class::Other => name == Name::Fadvise64,
        _ => false,
    };
    if !is_simple {
        return None;
    }
    let plan = match name.shape() {
        Shape::Unwatched => return None,
        Shape::Nothing | Shape::Descriptor(_) | Shape::Descriptors(..) => Plan::new(),
        Shape::Path(path) | Shape::At(_, path) => Plan::new().path(path),
        Shape::Paths(first, second) | Shape::Ats(_, first, _, second) => {
            Plan::new().path(first).path(second)
        }
    };
    let plan = match name.class() {
        Class::Open => plan.opens(),
        Class::Map if name == Name::Mmap => plan.maps(),
        Class::Chdir => plan.moves(),
        _ => plan,
    };
    Some(match (name.class(), name.answer()) {
        (Class::Stat, Some(at)) if name == Name::Statx => plan.answer(at, STATX),
        (Class::Stat, Some(at)) => plan.answer(at, STAT),
        (Class::Statfs, Some(at)) => plan.answer(at, STATFS),
        (Class::Readlink | Class::Getcwd, Some(at)) => plan.bytes(at, libc::PATH_MAX as usize),
        (Class::Write, _) => plan.bytes(1, ANSWER),
        (_, Some(at)) => plan.bytes(at, ANSWER),
        (_, None) => plan,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_make_processes_or_map_code_are_never_planned() {
        for name in [
            Name::Clone,
            Name::Clone3,
            Name::Fork,
            Name::Vfork,
            Name::Execve,
            Name::Execveat,
            Name::ExitGroup,
            Name::Munmap,
            Name::Mprotect,
            Name::Prctl,
            Name::Seccomp,
            Name::Ptrace,
            Name::RtSigreturn,
            Name::Sigaltstack,
            Name::ArchPrctl,
            Name::Chroot,
            Name::Futex,
            Name::Recvmsg,
            Name::IoUringSetup,
            Name::IoUringEnter,
            Name::CloseRange,
            Name::Pipe2,
        ] {
            assert!(!is_planned(name, None), "{name}");
        }
    }

    #[test]
    fn calls_that_tools_make_for_each_file_are_planned() {
        for name in [
            Name::Newfstatat,
            Name::Statx,
            Name::Openat,
            Name::Chdir,
            Name::Fchdir,
            Name::Close,
            Name::Getdents64,
            Name::Read,
            Name::Write,
            Name::Lseek,
            Name::Fcntl,
            Name::Unlinkat,
            Name::Renameat2,
            Name::Readlink,
            Name::Mmap,
            Name::CopyFileRange,
            Name::Sendfile,
            Name::Fadvise64,
            Name::Flock,
        ] {
            assert!(is_planned(name, None), "{name}");
        }
    }
}
