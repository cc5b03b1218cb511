//! Which number is what, and what must be real before others run.

use std::cell::{Cell, RefCell};
use std::os::fd::AsRawFd;
use std::rc::{Rc, Weak};

use fewer::Descriptor;
use sys::{Errno, STDERR, STDIN, STDOUT};

use super::open::{Backing, Files, Open, Shared};
use super::real::Real;

/// What a script can number at most.
const MOST_NUMBERS: u32 = 1 << 16;

/// A script's descriptors by number.
///
/// It is for one thread; there can be any number of them. All methods take `&self`.
#[derive(Debug)]
pub struct Table {
    slots: RefCell<Vec<Slot>>,
    pub(super) shared: Rc<Shared>,
    /// Whether numbers that are not known may be what the process was given.
    inherits: bool,
    /// Numbers from here on are not for the script (`ulimit -n`).
    most: Cell<u32>,
    /// Which numbers programs do not get as long as they are these.
    private: RefCell<Vec<(u32, Weak<Open>)>>,
}

thread_local! {
    /// What the shell of this process keeps.
    static KEEPING: Cell<Weak<Shared>> = const { Cell::new(Weak::new()) };
}

#[derive(Clone, Debug, Default)]
enum Slot {
    /// It is not known yet what this number is.
    #[default]
    Unknown,
    Closed,
    Open(Rc<Open>),
    /// As `Open`, but programs do not get it: ksh's `exec 3<file`.
    Private(Rc<Open>),
}

impl Slot {
    fn open(&self) -> Option<&Rc<Open>> {
        match self {
            Slot::Open(open) | Slot::Private(open) => Some(open),
            Slot::Unknown | Slot::Closed => None,
        }
    }
}

impl Table {
    /// The process's own descriptors: standard input, output and error, those that were closed when
    /// it began aside ([`sys::was_closed`]), and whatever else it was given, once the script
    /// names its number. Only one table of a process should be made so.
    ///
    /// Price: none.
    #[must_use]
    pub fn start() -> Table {
        let table = Table::new(true);
        let all = [(STDIN, [true, false]), (STDOUT, [false, true]), (STDERR, [false, true])];
        for (number, (standard, _)) in (0..).zip(all) {
            // Any of them may have been opened for both.
            let backing = Backing::Real(Real::Standard(standard));
            let open = || Open::new(&table.shared, backing, [true, true], true);
            table.put(number, (!sys::was_closed(number)).then(open));
        }
        table
    }

    /// No descriptors at all: for scripts that are given theirs by [`put`](Table::put).
    ///
    /// Price: none.
    #[must_use]
    pub fn empty() -> Table {
        Table::new(false)
    }

    fn new(inherits: bool) -> Table {
        Table {
            slots: RefCell::default(),
            shared: Rc::new(Shared::new(inherits)),
            inherits,
            most: Cell::new(MOST_NUMBERS),
            private: RefCell::default(),
        }
    }

    /// How many bytes may still be written: to anything but what is in memory only, and by the
    /// script itself. Free.
    pub fn allow_output(&self, bytes: u64) {
        self.shared.left.set(bytes);
        self.shared.spent.set(false);
    }

    /// Whether the script wanted to write more than [`allow_output`](Table::allow_output) allows.
    /// Free.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.shared.spent.get()
    }

    /// Descriptors have numbers below this from now on, as `ulimit -n` has it. What is done without
    /// a descriptor of the process keeps to it as well. Free.
    pub fn allow_numbers(&self, below: u64) {
        self.most.set(u32::try_from(below).unwrap_or(u32::MAX).min(MOST_NUMBERS));
    }

    /// Whether a number may stand for something. Free.
    #[must_use]
    pub fn allows(&self, number: u32) -> bool {
        number < self.most.get()
    }

    /// Whether one more file can be opened: it begins at the lowest number that is free.
    ///
    /// Price: as [`get`](Table::get), once there is a limit.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let most = self.most.get();
        most == MOST_NUMBERS || self.lowest_free(0) < most
    }

    /// Which files may be opened, by their names. Free.
    pub fn allow_files(&self, files: Files) {
        self.shared.files.set(files);
    }

    /// Caught signals that interrupt nothing from now on (bit 0 is signal 1), as they are looked at
    /// later; which those were before. Free.
    pub fn defer(&self, signals: u64) -> u64 {
        self.shared.deferred.replace(signals)
    }

    /// Whether a caught signal has come that is not [deferred](Table::defer). Free.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.shared.is_interrupted() || self.stopped().is_some()
    }

    /// What a number stands for; `None` if it is closed.
    ///
    /// Price: none; one or two `fcntl` the first time that a number above 2 is named.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Rc<Open>> {
        if number >= MOST_NUMBERS {
            return None;
        }
        self.know(number);
        self.slots.borrow().get(number as usize).and_then(Slot::open).cloned()
    }

    /// Lets a number stand for something else, or for nothing, and gives what it stood for before:
    /// to be put back, or dropped.
    ///
    /// Price: as [`get`](Table::get), and that of dropping what nothing refers to any more. A
    /// number of 65,536 or more stays closed.
    pub fn put(&self, number: u32, open: Option<Rc<Open>>) -> Option<Rc<Open>> {
        let slot = match open {
            None => Slot::Closed,
            Some(open) if self.is_private(number, &open) => Slot::Private(open),
            Some(open) => Slot::Open(open),
        };
        self.replace(number, slot)
    }

    fn is_private(&self, number: u32, open: &Rc<Open>) -> bool {
        let private = self.private.borrow();
        private.iter().any(|(other, it)| *other == number && it.ptr_eq(&open.me))
    }

    /// As [`put`](Table::put), for what programs that are run do not get: `exec 3<file` in ksh. It
    /// stays so when it is put aside and back.
    ///
    /// Price: as [`put`](Table::put).
    pub fn put_private(&self, number: u32, open: Rc<Open>) -> Option<Rc<Open>> {
        let mut private = self.private.borrow_mut();
        private.retain(|(other, it)| *other != number && it.strong_count() > 0);
        private.push((number, open.me.clone()));
        drop(private);
        self.replace(number, Slot::Private(open))
    }

    fn replace(&self, number: u32, slot: Slot) -> Option<Rc<Open>> {
        if number >= MOST_NUMBERS {
            return None;
        }
        self.know(number);
        let before = std::mem::replace(&mut self.slots.borrow_mut()[number as usize], slot);
        before.open().cloned()
    }

    /// The lowest number from `from` on that stands for nothing: for `{name}>file`.
    ///
    /// Price: as [`get`](Table::get).
    #[must_use]
    pub fn lowest_free(&self, from: u32) -> u32 {
        (from..MOST_NUMBERS).find(|&number| self.get(number).is_none()).unwrap_or(MOST_NUMBERS)
    }

    /// A number that stands for nothing, from 63 down: for `<( … )`, whose name should not be taken
    /// for one that a script chose.
    ///
    /// Price: as [`get`](Table::get).
    #[must_use]
    pub fn highest_free(&self) -> u32 {
        let free = (10..64).rev().find(|&number| self.get(number).is_none());
        free.unwrap_or_else(|| self.lowest_free(64))
    }

    /// A stream for a descriptor that is open already, for whichever of reading and
    /// writing it is good for.
    ///
    /// Price: none; one `close` later.
    #[must_use]
    pub fn of(&self, file: Descriptor) -> Rc<Open> {
        let backing = Backing::Real(Real::Own(Rc::new(file)));
        let open = Open::new(&self.shared, backing, [true, true], true);
        open.read.borrow_mut().given = true;
        open
    }

    /// A new pipe: what reads, and what writes. For children that talk to each other.
    ///
    /// Price: one `pipe2`; two `close` later.
    ///
    /// # Errors
    /// The kernel's number: `EMFILE`, `ENFILE`.
    pub fn pipe(&self) -> Result<(Rc<Open>, Rc<Open>), Errno> {
        let (reader, writer) = sys::pipe()?;
        let end = |file, directions| {
            let backing = Backing::Real(Real::Own(Rc::new(file)));
            Open::new(&self.shared, backing, directions, false)
        };
        Ok((end(reader, [true, false]), end(writer, [false, true])))
    }

    /// Finds out what a number stands for, unless it is known.
    fn know(&self, number: u32) {
        let mut slots = self.slots.borrow_mut();
        let place = number as usize;
        if slots.len() <= place {
            slots.resize(place + 1, Slot::Unknown);
        }
        if !matches!(slots[place], Slot::Unknown) {
            return;
        }
        let given = self.inherits.then(|| i32::try_from(number).ok().and_then(sys::adopt));
        slots[place] = match given.flatten() {
            Some(file) => Slot::Open(self.of(file)),
            None => Slot::Closed,
        };
    }

    /// Makes everything real that others could see: what is kept is written, and what was read and
    /// not used is put back. Before anything else runs, or is waited for, and at the end.
    ///
    /// Price: one `write` for each stream that has something to write, one `lseek` or `read` for
    /// each that was read from since.
    pub fn settle(&self) {
        self.shared.flush_all();
        let slots = self.slots.borrow();
        for reading in self.shared.reading() {
            if slots.iter().filter_map(Slot::open).any(|open| Rc::ptr_eq(open, &reading)) {
                let _ = reading.put_back(); // a child that reads will be told
                reading.read.borrow_mut().given = true;
            } else {
                self.shared.add_reading(&reading);
            }
        }
    }

    /// Lets what is kept be written when the process has no more memory, and the process end then,
    /// as other shells do: status 2 and a message. For the shell whose process it is.
    ///
    /// Price: none.
    pub fn write_when_memory_is_out(&self) {
        KEEPING.set(Rc::downgrade(&self.shared));
        sys::when_memory_is_out(|| {
            // Another thread has kept nothing.
            let Ok(keeping) = KEEPING.try_with(|it| it.replace(Weak::new())) else { return };
            let Some(shared) = keeping.upgrade() else { return };
            shared.flush_without_memory();
            let _ = sys::write_all(sys::STDERR, b"fewer: out of memory\n");
            sys::exit_at_once(2);
        });
    }

    /// Writes what is kept for files, before a command looks at a file's size or contents (`test
    /// -s`, `cat`, …). What is kept for pipes and terminals stays.
    ///
    /// Price: one `write` for each file that has something to write, and one `statx` each once.
    pub fn flush_files(&self) {
        self.shared.flush_files();
    }

    /// Writes output that has been kept for too long: for loops that compute for
    /// long. Looks at the clock, which is no call.
    ///
    /// Price: none, or one `write` for each stream that has something to write.
    pub fn tick(&self) {
        self.shared.flush_old();
    }

    /// The end of the script: settles, and tells what could not be written to which number. From
    /// then on dropping what stands for the process's standard streams leaves those as they are.
    ///
    /// Price: as [`settle`](Table::settle).
    ///
    /// # Errors
    /// The first number of the script for which there is an error, and the kernel's number.
    pub fn finish(&self) -> Result<(), (u32, Errno)> {
        self.settle();
        self.shared.ending.set(true);
        let mut failed = Ok(());
        for (number, slot) in (0..).zip(&*self.slots.borrow()) {
            if let Some(open) = slot.open()
                && let Err(errno) = open.flush()
            {
                failed = failed.and(Err((number, errno)));
            }
        }
        failed
    }

    /// What a program that is run is given: what each number is, where that is not so already.
    ///
    /// Price: that of [`Open::real`] for each that is not real yet.
    ///
    /// # Errors
    /// As [`Open::real`].
    pub fn for_child(&self) -> Result<Vec<(i32, Option<Real>)>, Errno> {
        let slots = self.slots.borrow();
        let mut wanted = Vec::new();
        for number in 0..slots.len().max(3) {
            let slot = slots.get(number).unwrap_or(&Slot::Unknown);
            let number = i32::try_from(number).map_err(|_| Errno::BADF)?;
            match slot {
                Slot::Open(open) => match open.real_to_give()? {
                    Real::Standard(file) if file.as_raw_fd() == number => {}
                    real => wanted.push((number, Some(real))),
                },
                _ if number < 3 => wanted.push((number, None)),
                // Above, what is not passed on is closed when a program is run.
                Slot::Closed | Slot::Private(_) | Slot::Unknown => {}
            }
        }
        Ok(wanted)
    }

    /// In the child after a fork: captures are the parent's.
    pub(crate) fn after_fork(&self) {
        let slots = self.slots.borrow();
        for capture in self.captures() {
            let given = slots.iter().filter_map(Slot::open).any(|open| Rc::ptr_eq(open, &capture));
            capture.become_writer(given);
        }
        self.shared.captures.borrow_mut().clear();
    }

    /// Those captures that children write to.
    pub(crate) fn captures(&self) -> Vec<Rc<Open>> {
        self.shared.captures()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.settle();
        self.shared.ending.set(true);
    }
}
