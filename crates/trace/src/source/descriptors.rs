//! What a process's descriptors stand for: kept by looking at the calls that make, copy and close
//! them. What cannot be known that way is asked for once, from /proc.

use super::paths::Paths;
use super::proc;
use super::ptrace::Pid;
use crate::{Event, PathId};
use rustc_hash::FxHashMap;

/// What an open descriptor stands for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Open {
    /// Its path, or what /proc says: `pipe:[7]`.
    pub(crate) path: PathId,
    /// Whether the path is the kernel's own, without links on the way.
    pub(crate) is_real: bool,
    /// What `execve` does to it.
    pub(crate) at_exec: AtExec,
    /// What it is connected to.
    pub(crate) server: NameServer,
}

/// A server that may be asked for names.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum NameServer {
    /// It is none.
    #[default]
    No,
    /// It listens at a path, as the caches of systemd and of the C library do.
    Local,
    /// A server of the DNS.
    Dns,
}

/// What `execve` does to a descriptor.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum AtExec {
    /// It was there before the trace began: /proc is asked again.
    #[default]
    Unsure,
    /// It stays.
    Keeps,
    /// It closes.
    Closes,
}

impl AtExec {
    pub(crate) fn closes(flag: bool) -> AtExec {
        if flag { AtExec::Closes } else { AtExec::Keeps }
    }
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Slot {
    /// /proc knows.
    #[default]
    Unknown,
    Closed,
    Open(Open),
}

/// A free number is looked for this far: a process with more open ones in a row copies few of them.
const FAR: i32 = 256;

/// Descriptors below this are in a row, those above in a map.
const ROW: usize = 4096;

/// A table of descriptors, as one or more threads share it.
#[derive(Clone, Default)]
pub(crate) struct Descriptors {
    row: Vec<Slot>,
    far: FxHashMap<i32, Slot>,
    /// What is true of those that are neither in the row nor in the map.
    rest: Slot,
    /// Whether there may be open ones that no call was seen to make.
    is_doubtful: bool,
}

impl Descriptors {
    /// A table in which nothing is open, to be filled with what is.
    pub(crate) fn none() -> Descriptors {
        Descriptors { rest: Slot::Closed, ..Descriptors::default() }
    }

    /// A table about which /proc knows all.
    pub(crate) fn unknown() -> Descriptors {
        Descriptors { is_doubtful: true, ..Descriptors::default() }
    }

    fn slot(&self, descriptor: i32) -> Slot {
        let Ok(at) = usize::try_from(descriptor) else { return Slot::Closed };
        match self.row.get(at) {
            Some(slot) => *slot,
            None if at < ROW => self.rest,
            None => self.far.get(&descriptor).copied().unwrap_or(self.rest),
        }
    }

    fn put(&mut self, descriptor: i32, slot: Slot) {
        let Ok(at) = usize::try_from(descriptor) else { return };
        if at >= ROW {
            self.far.insert(descriptor, slot);
            return;
        }
        if self.row.len() <= at {
            self.row.resize(at + 1, self.rest);
        }
        self.row[at] = slot;
    }

    /// What a descriptor stands for; `None` if it is closed, as far as is known.
    pub(crate) fn get(
        &mut self,
        thread: Pid,
        descriptor: i32,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> Option<Open> {
        match self.slot(descriptor) {
            Slot::Open(open) => Some(open),
            Slot::Closed => None,
            Slot::Unknown => self.ask(thread, descriptor, paths, events),
        }
    }

    /// Asks /proc, whatever was known.
    pub(crate) fn ask(
        &mut self,
        thread: Pid,
        descriptor: i32,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> Option<Open> {
        let found = proc::descriptor(thread, descriptor).map(|path| Open {
            path: paths.id(&path, events),
            is_real: true,
            ..Open::default()
        });
        self.put(descriptor, found.map_or(Slot::Closed, Slot::Open));
        found
    }

    /// Whether there may be open ones that no call was seen to make: of them only /proc knows, as
    /// long as they are open.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// What a descriptor stands for, if it is known to be open without asking.
    pub(crate) fn is_open(&self, descriptor: i32) -> Option<Open> {
        match self.slot(descriptor) {
            Slot::Open(open) => Some(open),
            _ => None,
        }
    }

    /// The lowest number from one on that is free: the next descriptor. `None` if that is not
    /// certain.
    pub(crate) fn lowest_free(&self, from: i32) -> Option<i32> {
        if self.is_doubtful || from < 0 {
            return None;
        }
        (from..from.saturating_add(FAR)).find(|at| self.slot(*at) == Slot::Closed)
    }

    /// The kernel made a descriptor: whether it has the number that was expected.
    pub(crate) fn expect(&mut self, made: i32) {
        if !self.is_doubtful && self.lowest_free(0).is_some_and(|lowest| lowest != made) {
            self.doubt_closed();
        }
    }

    /// A descriptor was made.
    pub(crate) fn open(&mut self, descriptor: i32, open: Open) {
        self.put(descriptor, Slot::Open(open));
    }

    /// A descriptor was closed.
    pub(crate) fn close(&mut self, descriptor: i32) {
        self.put(descriptor, Slot::Closed);
    }

    /// A descriptor's fate at `execve` was changed.
    pub(crate) fn set_at_exec(&mut self, descriptor: i32, at_exec: AtExec) {
        if let Slot::Open(open) = self.slot(descriptor) {
            self.put(descriptor, Slot::Open(Open { at_exec, ..open }));
        }
    }

    /// A descriptor was connected to a server.
    pub(crate) fn set_server(&mut self, descriptor: i32, server: NameServer) {
        if let Slot::Open(open) = self.slot(descriptor) {
            self.put(descriptor, Slot::Open(Open { server, ..open }));
        }
    }

    /// `close_range`: all from `first` to `last` are closed, or marked to be closed at `execve`.
    pub(crate) fn close_range(&mut self, first: u32, last: u32, marks_only: bool) {
        let first = i32::try_from(first).unwrap_or(i32::MAX);
        let last = i32::try_from(last).unwrap_or(i32::MAX);
        let change = |slot: &mut Slot| match slot {
            Slot::Open(open) if marks_only => open.at_exec = AtExec::Closes,
            _ if marks_only => {}
            slot => *slot = Slot::Closed,
        };
        for at in first..=last {
            let Some(slot) = self.row.get_mut(at as usize) else { break };
            change(slot);
        }
        for (descriptor, slot) in &mut self.far {
            if (first..=last).contains(descriptor) {
                change(slot);
            }
        }
    }

    /// A descriptor may be open, or another one than it was.
    pub(crate) fn doubt(&mut self, descriptor: i32) {
        self.is_doubtful = true;
        self.put(descriptor, Slot::Unknown);
    }

    /// Nothing is known any more.
    pub(crate) fn doubt_all(&mut self) {
        *self = Descriptors::unknown();
    }

    /// Descriptors may have come from elsewhere (another process, io_uring): what was closed may
    /// be open now.
    pub(crate) fn doubt_closed(&mut self) {
        for slot in self.row.iter_mut().chain(self.far.values_mut()) {
            if *slot == Slot::Closed {
                *slot = Slot::Unknown;
            }
        }
        self.rest = Slot::Unknown;
        self.is_doubtful = true;
    }

    /// What `execve` leaves of them.
    pub(crate) fn exec(&mut self) {
        for slot in self.row.iter_mut().chain(self.far.values_mut()) {
            if let Slot::Open(open) = slot {
                match open.at_exec {
                    AtExec::Keeps => {}
                    AtExec::Closes => *slot = Slot::Closed,
                    AtExec::Unsure => {
                        *slot = Slot::Unknown;
                        self.is_doubtful = true;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(id: u32, at_exec: AtExec) -> Open {
        Open { path: PathId(id), is_real: true, at_exec, ..Open::default() }
    }

    fn get(table: &mut Descriptors, descriptor: i32) -> Option<u32> {
        // A number that no process has: what is unknown stays so.
        let (mut paths, mut events) = (Paths::new(), Vec::new());
        table.get(i32::MAX, descriptor, &mut paths, &mut events).map(|open| open.path.0)
    }

    #[test]
    fn near_and_far_descriptors_open_and_close() {
        let mut table = Descriptors::none();
        for descriptor in [0, 3, 4095, 4096, 1_000_000] {
            assert_eq!(get(&mut table, descriptor), None);
            table.open(descriptor, open(7, AtExec::Keeps));
            assert_eq!(get(&mut table, descriptor), Some(7));
            table.close(descriptor);
            assert_eq!(get(&mut table, descriptor), None);
        }
        table.open(-1, open(7, AtExec::Keeps));
        assert_eq!(get(&mut table, -1), None);
    }

    #[test]
    fn execve_closes_what_is_marked() {
        let mut table = Descriptors::none();
        table.open(0, open(1, AtExec::Keeps));
        table.open(1, open(2, AtExec::Closes));
        table.open(5000, open(3, AtExec::Keeps));
        table.set_at_exec(5000, AtExec::Closes);
        table.exec();
        assert_eq!([0, 1, 5000].map(|fd| get(&mut table, fd)), [Some(1), None, None]);
    }

    #[test]
    fn a_range_closes_or_marks() {
        let mut table = Descriptors::none();
        for descriptor in [2, 3, 4, 5000] {
            table.open(descriptor, open(9, AtExec::Keeps));
        }
        table.close_range(3, u32::MAX, true);
        assert_eq!(get(&mut table, 5000), Some(9));
        table.close_range(4, 4, false);
        assert_eq!([2, 3, 4].map(|fd| get(&mut table, fd)), [Some(9), Some(9), None]);
        table.exec();
        assert_eq!([2, 3, 5000].map(|fd| get(&mut table, fd)), [Some(9), None, None]);
    }
}
