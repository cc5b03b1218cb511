//! One open file of a script, or bytes in memory that behave like one; what all of a table know of
//! each other.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Instant;

use fewer::Descriptor;
use sys::{CWD, Errno, Fields, How, Kind};

use super::FULL;
use super::collected::Collected;
use super::read_block::ReadBlock;
use super::real::Real;

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

/// Where the bytes go to or come from.
#[derive(Debug)]
pub(super) enum Backing {
    /// The kernel.
    Real(Real),
    /// /dev/null, until a program needs a real descriptor.
    Null,
    /// Bytes to be read, from where on; whether the reader may go back in them.
    Bytes { bytes: Rc<[u8]>, at: usize, seekable: bool },
    /// What is written is collected.
    Capture(Collected),
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
            let _ = sys::null_over(*file); // there is nowhere to report it
        }
    }
}

/// Which files a script may open by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Those that the process may open.
    #[default]
    All,
    /// For reading only.
    ReadOnly,
    /// None but /dev/null and those of its own descriptors.
    None,
}

/// What all streams of a table know of each other.
#[derive(Debug)]
pub(super) struct Shared {
    /// Those that have something to write.
    pub(super) dirty: RefCell<Vec<Weak<Open>>>,
    /// Those that have read something since they were put back.
    pub(super) reading: RefCell<Vec<Weak<Open>>>,
    /// Captures with a pipe.
    pub(super) captures: RefCell<Vec<Weak<Open>>>,
    /// What pipes are copied into to be looked at.
    pub(super) side: OnceCell<(Descriptor, Descriptor)>,
    pub(super) pipes_device: Cell<Option<u64>>,
    pub(super) null: OnceCell<Rc<Descriptor>>,
    /// Signals that interrupt nothing now.
    pub(super) deferred: Cell<u64>,
    pub(super) own: bool,
    pub(super) ending: Cell<bool>,
    /// How many bytes may still be written.
    pub(super) left: Cell<u64>,
    pub(super) spent: Cell<bool>,
    pub(super) files: Cell<Files>,
    pub(super) interrupt: RefCell<Option<Rc<super::interrupt::Interrupt>>>,
}

impl Shared {
    pub(super) fn new(own: bool) -> Shared {
        Shared {
            dirty: RefCell::default(),
            reading: RefCell::default(),
            captures: RefCell::default(),
            side: OnceCell::new(),
            pipes_device: Cell::new(None),
            null: OnceCell::new(),
            deferred: Cell::new(0),
            own,
            ending: Cell::new(false),
            left: Cell::new(u64::MAX),
            spent: Cell::new(false),
            files: Cell::default(),
            interrupt: RefCell::default(),
        }
    }

    #[inline]
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Errno> {
        let left = self.left.get();
        if left == u64::MAX {
            return Ok(());
        }
        match left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.spent.set(true);
                Err(FULL)
            }
        }
    }

    /// Whether a signal came that interrupts what waits.
    pub(super) fn is_interrupted(&self) -> bool {
        self.own && sys::pending() & !self.deferred.get() != 0
    }

    /// Whether the process is the script's own.
    pub(super) fn owns_process(&self) -> bool {
        self.own
    }

    pub(super) fn owns_standard(&self) -> bool {
        self.own && !self.ending.get()
    }

    /// Whether others have something to write, if the asking one has or has not.
    pub(super) fn others_dirty(&self, itself: bool) -> bool {
        self.dirty.borrow().len() > usize::from(itself)
    }

    pub(super) fn add_dirty(&self, open: Weak<Open>) {
        self.dirty.borrow_mut().push(open);
    }

    pub(super) fn remove_dirty(&self, open: &Weak<Open>) {
        self.dirty.borrow_mut().retain(|other| !other.ptr_eq(open));
    }

    pub(super) fn dirty(&self) -> Vec<Rc<Open>> {
        self.dirty.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// Allocates nothing, and leaves out what is just being changed.
    pub(super) fn flush_without_memory(&self) {
        let Ok(dirty) = self.dirty.try_borrow() else { return };
        dirty.iter().filter_map(Weak::upgrade).for_each(|open| open.write_as_it_is());
    }

    pub(super) fn flush_all(&self) {
        if !self.dirty.borrow().is_empty() {
            self.dirty().iter().for_each(|open| open.flush_later_told());
        }
    }

    pub(super) fn flush_files(&self) {
        if !self.dirty.borrow().is_empty() {
            let files = self.dirty();
            files.iter().filter(|open| open.is_kept_from_file()).for_each(|o| o.flush_later_told());
        }
    }

    pub(super) fn flush_old(&self) {
        if !self.dirty.borrow().is_empty() {
            let old = self.dirty();
            old.iter().filter(|open| open.is_late()).for_each(|open| open.flush_later_told());
        }
    }

    pub(super) fn add_reading(&self, open: &Open) {
        let mut reading = self.reading.borrow_mut();
        if !reading.iter().any(|other| other.ptr_eq(&open.me)) {
            reading.push(open.me.clone());
        }
    }

    /// Takes the list.
    pub(super) fn reading(&self) -> Vec<Rc<Open>> {
        std::mem::take(&mut *self.reading.borrow_mut()).iter().filter_map(Weak::upgrade).collect()
    }

    /// Two that look at the same pipe take turns.
    pub(super) fn put_back_others(&self, open: &Open) {
        let others: Vec<Rc<Open>> = {
            let reading = self.reading.borrow();
            let others = reading.iter().filter(|other| !other.ptr_eq(&open.me));
            others.filter_map(Weak::upgrade).collect()
        };
        for other in others.iter().filter(|other| other.identity.get() == open.identity.get()) {
            let _ = other.put_back(); // it will be told when it reads again
        }
    }

    /// Read-ahead of a file that was emptied is dropped: reading finds the end.
    pub(super) fn file_was_emptied(&self, open: &Open) -> Result<(), Errno> {
        let ahead = |other: &Weak<Open>| other.upgrade().is_some_and(|other| other.is_ahead());
        if self.reading.borrow().iter().any(ahead)
            && let Some(real) = open.real_already()
        {
            open.identity(&real)?;
            self.put_back_others(open);
        }
        Ok(())
    }

    pub(super) fn add_capture(&self, open: Weak<Open>) {
        let mut captures = self.captures.borrow_mut();
        captures.retain(|other| other.strong_count() > 0 && !other.ptr_eq(&open));
        captures.push(open);
    }

    pub(super) fn captures(&self) -> Vec<Rc<Open>> {
        self.captures.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    pub(super) fn side(&self) -> Result<&(Descriptor, Descriptor), Errno> {
        if let Some(side) = self.side.get() {
            return Ok(side);
        }
        let fresh = sys::pipe()?;
        Ok(self.side.get_or_init(|| fresh))
    }

    /// The device that pipes without a name are on; asked for once.
    pub(super) fn pipes_device(&self) -> Result<u64, Errno> {
        if let Some(device) = self.pipes_device.get() {
            return Ok(device);
        }
        let device = sys::stat_descriptor(&self.side()?.0, Fields::KIND)?.device();
        self.pipes_device.set(Some(device));
        Ok(device)
    }

    /// Copies what is in a pipe behind `bytes`, and leaves it there.
    pub(super) fn peek_pipe(
        &self,
        from: &Real,
        bytes: &mut Vec<u8>,
        at_most: usize,
    ) -> Result<usize, Errno> {
        let (reader, writer) = self.side()?;
        let there = loop {
            match sys::peek_pipe(from, writer, at_most) {
                // A process that shares the open file made it non-blocking.
                Err(Errno::AGAIN) => sys::wait_readable(from, None).map(drop)?,
                done => break done?,
            }
        };
        while bytes.len() < there {
            sys::read_behind(reader, bytes, there - bytes.len())?;
        }
        Ok(there)
    }

    pub(super) fn null(&self) -> Result<Real, Errno> {
        if let Some(null) = self.null.get() {
            return Ok(Real::Own(Rc::clone(null)));
        }
        let null = sys::open_how(CWD, c"/dev/null", How::ReadWrite)?;
        Ok(Real::Own(Rc::clone(self.null.get_or_init(|| Rc::new(null)))))
    }
}
