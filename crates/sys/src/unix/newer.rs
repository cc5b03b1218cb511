//! Calls that are newer than some kernels and filters, and what is called instead.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::Errno;

/// A call that older kernels do not know (`ENOSYS`) and that filters of containers refuse (mostly
/// `EPERM`), and whether this process was found to be refused it.
pub(crate) struct Newer {
    is_refused: AtomicBool,
}

impl Newer {
    pub(crate) const fn new() -> Newer {
        Newer { is_refused: AtomicBool::new(false) }
    }

    /// The answer of the newer call; that of the older one where the newer one is refused, which is
    /// tried once in a process.
    #[inline]
    pub(crate) fn or<T>(
        &self,
        newer: impl FnOnce() -> Result<T, Errno>,
        older: impl FnOnce() -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        if self.is_refused.load(Relaxed) {
            return older();
        }
        match newer() {
            Err(errno @ (Errno::NOSYS | Errno::PERM)) => self.ask_again(errno, older),
            answer => answer,
        }
    }

    /// A kernel without the call and a filter have not looked at what it is about. But the call
    /// itself may have the same answer, as it may have any from a file system in user space (FUSE):
    /// it is refused only if the older call answers something else.
    #[cold]
    fn ask_again<T>(
        &self,
        first: Errno,
        older: impl FnOnce() -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        match older() {
            Err(Errno::NOSYS | Errno::PERM) => Err(first),
            answer => {
                self.is_refused.store(true, Relaxed);
                answer
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_is_refused_is_tried_once() {
        let (call, tries) = (Newer::new(), Cell::new(0));
        let newer = || {
            tries.set(tries.get() + 1);
            Err(Errno::PERM)
        };
        for _ in 0..3 {
            assert_eq!(call.or(newer, || Ok(7)), Ok(7));
        }
        assert_eq!(tries.get(), 1);
        // Whatever the older call answers now is the answer.
        assert_eq!(call.or(newer, || Err::<i32, _>(Errno::NOENT)), Err(Errno::NOENT));
    }

    #[test]
    fn what_both_forbid_is_forbidden_and_tried_again() {
        let call = Newer::new();
        let forbidden = || Err::<i32, _>(Errno::PERM);
        assert_eq!(call.or(|| Err(Errno::NOSYS), forbidden), Err(Errno::NOSYS));
        assert_eq!(call.or(|| Ok(1), forbidden), Ok(1));
        assert_eq!(call.or(|| Err(Errno::NOENT), || Ok(2)), Err(Errno::NOENT));
    }
}
