//! An event sink: the requests that a server answers, and how many calls each takes.
//!
//! A request begins when something is read from an accepted connection that is new, or was written
//! to since it was read from; so one connection may bring many. The calls of a thread belong to the
//! connection that it last read from or wrote to, until it waits for another one, or closes it.
//! Where the work of a request goes from thread to thread, which calls belong to it is not told.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::watch::EventSink;
use crate::{Call, Class, Event, Name, PathId, Registry};

/// Connections that are known at one time. Where there are more, those that nothing was read from
/// are forgotten, and then all.
const CONNECTIONS: usize = 1 << 16;

/// A request with more calls counts as one with so many.
const MOST: u64 = 1 << 16;

/// Requests, and the calls in them. Memory grows with open connections and with threads.
#[derive(Debug, Default)]
pub struct Served {
    connections: FxHashMap<PathId, Connection>,
    /// What each thread works for.
    works_for: FxHashMap<u32, PathId>,
    threads: FxHashMap<u32, u32>,
    requests: u64,
    /// Of these, those in which one thread read and another one wrote.
    wandering: u64,
    calls: u64,
    /// Calls of threads that neither serve connections nor wait for them, since the first request:
    /// they may be the work of any.
    others: FxHashMap<u32, u64>,
    /// Threads that wait for connections. What they do in between is no request's.
    waiting: FxHashSet<u32>,
    /// How many requests took so many calls.
    lengths: BTreeMap<u64, u64>,
}

/// A connection that was accepted.
#[derive(Debug, Default)]
struct Connection {
    /// The process and thread that last read from it; 0 is none yet.
    reader: (u32, u32),
    was_written: bool,
    calls: u64,
}

/// How many calls a request takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Serialize)]
pub struct Length {
    /// Half of the requests take no more.
    pub median: u64,
    /// No request takes more.
    pub most: u64,
}

impl EventSink for Served {
    fn event(&mut self, event: &Event, _: &Registry) {
        match event {
            Event::Call(call) => self.call(call),
            Event::Ended { process, .. } => {
                let (threads, works_for, waiting) =
                    (&mut self.threads, &mut self.works_for, &mut self.waiting);
                threads.retain(|thread, of| {
                    let stays = of != process;
                    if !stays {
                        works_for.remove(thread);
                        waiting.remove(thread);
                    }
                    stays
                });
            }
            _ => {}
        }
    }
}

impl Served {
    /// How many requests there were.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// How many calls a request takes; `None` if it cannot be told which calls belong to which.
    #[must_use]
    pub fn length(&self) -> Option<Length> {
        let mut lengths = self.lengths.clone();
        for connection in self.connections.values().filter(|it| it.calls > 0) {
            *lengths.entry(connection.calls.min(MOST)).or_default() += 1;
        }
        let all: u64 = lengths.values().sum();
        let few = |part: u64, whole: u64| part.saturating_mul(10) <= whole;
        let others = self.others.values().sum();
        let is_told = few(self.wandering, self.requests) && few(others, self.calls);
        let mut so_far = 0;
        let (median, _) = lengths.iter().find(|(_, count)| {
            so_far += **count;
            so_far * 2 >= all
        })?;
        let most = *lengths.keys().next_back()?;
        is_told.then_some(Length { median: *median, most })
    }

    fn call(&mut self, call: &Call) {
        let thread = call.thread;
        match (call.name.class(), call.succeeded()) {
            (Class::Wait, succeeded) if is_for_others(call.name) => {
                self.works_for.remove(&thread);
                self.waiting.insert(thread);
                self.others.remove(&thread);
                if succeeded && matches!(call.name, Name::Accept | Name::Accept4) {
                    self.accepted(call.file);
                }
                return;
            }
            (Class::Read | Class::Receive, true) if call.result > 0 => self.read(call),
            (Class::Write | Class::Send | Class::Copy | Class::Splice, true) => self.wrote(call),
            (Class::Close, _) if self.closed(call) => return,
            _ => {}
        }
        let is_known = self.is_known(thread);
        let connection =
            self.works_for.get(&thread).and_then(|file| self.connections.get_mut(file));
        match connection {
            Some(connection) => {
                connection.calls += 1;
                self.calls += 1;
            }
            None if self.requests > 0 && !is_known => {
                *self.others.entry(thread).or_default() += 1;
            }
            None => {}
        }
    }

    /// Whether a thread serves connections, or waits for them.
    fn is_known(&self, thread: u32) -> bool {
        self.threads.contains_key(&thread) || self.waiting.contains(&thread)
    }

    fn accepted(&mut self, file: PathId) {
        if !file.is_some() {
            return;
        }
        if self.connections.len() >= CONNECTIONS {
            self.connections.retain(|_, connection| connection.reader != (0, 0));
        }
        if self.connections.len() >= CONNECTIONS {
            self.connections.clear();
        }
        self.connections.insert(file, Connection::default());
    }

    fn read(&mut self, call: &Call) {
        let Some(connection) = self.connections.get_mut(&call.file) else { return };
        if connection.reader == (0, 0) || connection.was_written {
            self.requests += 1;
            connection.was_written = false;
            self.ended(call.file);
        }
        if let Some(connection) = self.connections.get_mut(&call.file) {
            connection.reader = (call.process, call.thread);
        }
        self.works(call);
    }

    fn wrote(&mut self, call: &Call) {
        // What is copied goes to the second one.
        let file =
            if self.connections.contains_key(&call.second) { call.second } else { call.file };
        let Some(connection) = self.connections.get_mut(&file) else { return };
        let is_first = !std::mem::replace(&mut connection.was_written, true);
        let wanders = connection.reader.1 != call.thread && connection.reader != (0, 0);
        self.wandering += u64::from(is_first && wanders);
        self.works(&Call { file, ..call.clone() });
    }

    fn works(&mut self, call: &Call) {
        self.works_for.insert(call.thread, call.file);
        self.threads.insert(call.thread, call.process);
        // A new thread has begun before it serves its first connection.
        self.others.remove(&call.thread);
    }

    /// Whether a connection was closed by the process that it is read by. Another one only gives
    /// its copy away.
    fn closed(&mut self, call: &Call) -> bool {
        let Some(connection) = self.connections.get_mut(&call.file) else { return false };
        if connection.reader.0 != call.process {
            return false;
        }
        connection.calls += 1;
        self.calls += 1;
        self.ended(call.file);
        self.connections.remove(&call.file);
        self.works_for.remove(&call.thread);
        true
    }

    /// What was done so far for a connection is one request.
    fn ended(&mut self, file: PathId) {
        let Some(connection) = self.connections.get_mut(&file) else { return };
        let calls = std::mem::take(&mut connection.calls);
        if calls > 0 {
            *self.lengths.entry(calls.min(MOST)).or_default() += 1;
        }
    }
}

/// Whether a call waits for whichever connection comes next.
fn is_for_others(name: Name) -> bool {
    use Name::{Accept, Accept4, EpollPwait, EpollPwait2, EpollWait};
    matches!(name, Accept | Accept4 | EpollPwait | EpollPwait2 | EpollWait)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of one thread after the other, as `thread name file`.
    fn served(calls: &[(u32, Name, u32)]) -> Served {
        let mut served = Served::default();
        for (thread, name, file) in calls {
            let call = Call { name: *name, file: PathId(*file), result: 5, ..Call::default() };
            let call = Call { thread: *thread, process: 1, ..call };
            served.event(&Event::Call(call), &Registry::default());
        }
        served
    }

    #[test]
    fn one_connection_may_bring_many_requests() {
        use Name::{Accept4, Close, Newfstatat, Read, Write};
        let one = [(1, Read, 7), (1, Newfstatat, 9), (1, Newfstatat, 9), (1, Write, 7)];
        let mut calls = vec![(1, Accept4, 7)];
        (0..3).for_each(|_| calls.extend(one));
        calls.extend([(1, Close, 7), (1, Accept4, 8)]);
        let served = served(&calls);
        assert_eq!(served.requests(), 3);
        // The last one has the close besides.
        assert_eq!(served.length(), Some(Length { median: 4, most: 5 }));
    }

    #[test]
    fn an_event_loop_serves_connections_in_turn() {
        use Name::{Accept4, EpollWait, Newfstatat, Recvfrom, Sendto};
        let mut calls = vec![(1, Accept4, 7), (1, Accept4, 8)];
        for file in [7, 8, 7, 8] {
            calls.extend([(1, EpollWait, 3), (1, Recvfrom, file)]);
            calls.extend([(1, Newfstatat, 9), (1, Sendto, file)]);
        }
        let served = served(&calls);
        assert_eq!(served.requests(), 4);
        assert_eq!(served.length(), Some(Length { median: 3, most: 3 }));
    }

    #[test]
    fn what_wanders_between_threads_is_counted_and_no_more() {
        use Name::{Accept4, Close, Newfstatat, Read, Write};
        let mut calls = Vec::new();
        for _ in 0..20 {
            calls.extend([(1, Accept4, 7), (1, Read, 7), (2, Newfstatat, 9), (2, Write, 7)]);
            calls.extend([(1, Close, 7)]);
        }
        let served = served(&calls);
        assert_eq!((served.requests(), served.length()), (20, None));
    }

    #[test]
    fn a_thread_for_each_connection_may_begin_and_end_as_it_likes() {
        use Name::{Accept4, Close, Mmap, Newfstatat, Read, Write};
        let mut calls = Vec::new();
        for thread in 2..12 {
            // The first thread makes it, and the new one makes ready.
            calls.extend([(1, Accept4, 7), (1, Mmap, 0), (1, Mmap, 0), (thread, Mmap, 0)]);
            calls.extend([(thread, Read, 7), (thread, Newfstatat, 9), (thread, Write, 7)]);
            calls.extend([(thread, Close, 7), (thread, Mmap, 0)]);
        }
        assert_eq!(served(&calls).length(), Some(Length { median: 4, most: 4 }));
    }

    #[test]
    fn what_a_pool_does_is_nobodys() {
        use Name::{Accept4, EpollWait, Openat, Read, Write};
        let mut calls = vec![(1, Accept4, 7)];
        for _ in 0..10 {
            calls.extend([(1, EpollWait, 3), (1, Read, 7), (2, Openat, 9), (2, Openat, 9)]);
            calls.extend([(1, EpollWait, 3), (1, Write, 7)]);
        }
        let served = served(&calls);
        assert_eq!((served.requests(), served.length()), (10, None));
    }

    #[test]
    fn a_client_answers_no_requests() {
        use Name::{Connect, Recvfrom, Sendto};
        let served = served(&[(1, Connect, 7), (1, Sendto, 7), (1, Recvfrom, 7), (1, Sendto, 7)]);
        assert_eq!((served.requests(), served.length()), (0, None));
    }
}
