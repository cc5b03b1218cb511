//! One open file of a script, or bytes in memory that behave like one.

use std::cell::{Cell, RefCell};
use std::os::fd::{AsFd, BorrowedFd};
use std::rc::{Rc, Weak};
use std::time::Instant;

use fewer::Descriptor;
use sys::{Errno, Fields, Kind};

use super::read::ReadBlock;
use super::table::Shared;

/// The number of /dev/null.
const NULL: (u32, u32) = (1, 3);

/// What an open file is, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) kind: Kind,
    pub(super) device: u64,
    pub(super) inode: u64,
    /// Whether it is /dev/null.
    pub(super) null: bool,
}

/// A descriptor that the kernel knows.
#[derive(Clone, Debug)]
pub enum Real {
    /// 0, 1 or 2 of this process.
    Standard(BorrowedFd<'static>),
    /// One that was opened, closed with the last reference.
    Own(Rc<Descriptor>),
}

impl AsFd for Real {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Real::Standard(file) => *file,
            Real::Own(file) => (**file).as_fd(),
        }
    }
}

/// Where the bytes go to or come from.
#[derive(Debug)]
pub(super) enum Backing {
    /// The kernel.
    Real(Real),
    /// /dev/null, until somebody needs it for real.
    Null,
    /// Bytes to be read, from where on; whether whoever reads may go back in them.
    Bytes { bytes: Rc<[u8]>, at: usize, seekable: bool },
    /// What is written is collected.
    Capture(super::capture::Collected),
}

/// One open file of a script: what a number of its [`Table`](super::Table) stands for, perhaps
/// several of them. It has one block for what was read and one for what is to be written.
///
/// Dropping the last reference writes what is left (an error is lost: [`flush`](Open::flush) tells
/// it) and costs one `close`; where it was one of this process's standard streams, `openat`, `dup3`
/// and `close`, so that the other end sees it closed.
#[derive(Debug)]
pub struct Open {
    pub(super) me: Weak<Open>,
    pub(super) shared: Rc<Shared>,
    pub(super) backing: RefCell<Backing>,
    /// Which of reading and writing it was opened for.
    pub(super) may_read: bool,
    pub(super) may_write: bool,
    pub(super) identity: Cell<Option<Identity>>,
    pub(super) terminal: Cell<Option<bool>>,
    /// Whether it may be something that shows at once what is written.
    pub(super) shows: bool,
    pub(super) read: RefCell<ReadBlock>,
    pub(super) written: RefCell<Vec<u8>>,
    /// Whether it is in the list of those that have something to write.
    pub(super) dirty: Cell<bool>,
    pub(super) flushed: Cell<Instant>,
    pub(super) failed: Cell<Option<Errno>>,
}

impl Open {
    pub(super) fn new(
        shared: &Rc<Shared>,
        backing: Backing,
        [may_read, may_write]: [bool; 2],
        shows: bool,
    ) -> Rc<Open> {
        Rc::new_cyclic(|me| Open {
            me: me.clone(),
            shared: Rc::clone(shared),
            backing: RefCell::new(backing),
            may_read,
            may_write,
            identity: Cell::new(None),
            terminal: Cell::new(None),
            shows,
            read: RefCell::default(),
            written: RefCell::default(),
            dirty: Cell::new(false),
            flushed: Cell::new(Instant::now()),
            failed: Cell::new(None),
        })
    }

    /// Whether it is a terminal.
    ///
    /// Price: one `ioctl` the first time, none for bytes in memory and /dev/null.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        if let Some(known) = self.terminal.get() {
            return known;
        }
        let terminal = match &*self.backing.borrow() {
            Backing::Real(real) => sys::is_terminal(real),
            _ => false,
        };
        self.terminal.set(Some(terminal));
        terminal
    }

    /// Whether it is /dev/null, of which the kernel has not been told. Free.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(&*self.backing.borrow(), Backing::Null)
    }

    /// The descriptor, if the kernel knows it already. Free.
    #[must_use]
    pub fn real_already(&self) -> Option<Real> {
        match &*self.backing.borrow() {
            Backing::Real(real) => Some(real.clone()),
            _ => None,
        }
    }

    /// What the kernel knows of it: kind, size, inode; none for what is only in memory. What is
    /// kept is written first.
    ///
    /// Price: one `statx`.
    #[must_use]
    pub fn stat(&self) -> Option<sys::Stat> {
        let real = self.real_already()?;
        self.flush_later_told();
        sys::stat_descriptor(&real, Fields::KIND | Fields::SIZE | Fields::INODE).ok()
    }

    /// What it is; asked for once.
    pub(super) fn identity(&self, real: &Real) -> Result<Identity, Errno> {
        if let Some(known) = self.identity.get() {
            return Ok(known);
        }
        let stat = sys::stat_descriptor(real, Fields::KIND | Fields::INODE)?;
        let identity = Identity {
            kind: stat.kind(),
            device: stat.device(),
            inode: stat.inode(),
            null: stat.kind() == Kind::Char && stat.special() == NULL,
        };
        self.identity.set(Some(identity));
        Ok(identity)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.end();
        if let Backing::Real(Real::Standard(file)) = &*self.backing.borrow()
            && self.shared.owns_standard()
        {
            let _ = sys::null_over(*file); // nobody is left to be told
        }
    }
}
