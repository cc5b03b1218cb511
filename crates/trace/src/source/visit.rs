//! For how long a program is watched, and when to look for processes that nobody announces.

use std::time::Duration;

use super::members::Members;
use super::ptrace::Pid;

/// How often processes are looked for that begin in a container or unit and were made by nobody who
/// is watched. In nanoseconds.
const BETWEEN_LOOKS: u64 = 1_000_000_000;

/// What is due. Times are nanoseconds since the watch began.
#[derive(Default)]
pub(crate) struct Visit {
    ends_at: Option<u64>,
    looks_at: Option<u64>,
    /// How often events are sent, however few, and when next.
    sends: Option<(u64, u64)>,
    members: Option<Members>,
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Due {
    /// Everything is to be let go.
    End,
    /// There may be processes that are not watched yet.
    Look,
    /// Somebody looks at what was seen so far.
    Send,
}

impl Visit {
    /// One that ends after so long, or with the program; events are sent once in an interval.
    pub(crate) fn new(time_limit: Option<Duration>, interval: Option<Duration>) -> Visit {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let sends = interval.map(nanoseconds).map(|interval| (interval, interval));
        Visit { ends_at: time_limit.map(nanoseconds), sends, ..Visit::default() }
    }

    /// Looks for more of these from time to time, if there may be more.
    pub(crate) fn follow(&mut self, members: Members) {
        self.looks_at = members.may_grow().then_some(BETWEEN_LOOKS);
        self.members = Some(members);
    }

    /// The processes that are to be watched.
    pub(crate) fn members(&self) -> Vec<Pid> {
        self.members.as_ref().map(Members::now).unwrap_or_default()
    }

    /// What is due at this time. It is said once.
    pub(crate) fn due(&mut self, now: u64) -> Option<Due> {
        if self.ends_at.is_some_and(|end| now >= end) {
            self.ends_at = None;
            return Some(Due::End);
        }
        if self.looks_at.is_some_and(|look| now >= look) {
            self.looks_at = Some(now + BETWEEN_LOOKS);
            return Some(Due::Look);
        }
        let (interval, next) = self.sends.filter(|(_, next)| now >= *next)?;
        self.sends = Some((interval, next.max(now).saturating_add(interval)));
        Some(Due::Send)
    }

    /// How long it is until something is due while nothing happens, when there is nothing to send.
    pub(crate) fn remaining(&self, now: u64) -> Option<u64> {
        let next = [self.ends_at, self.looks_at].into_iter().flatten().min()?;
        Some(next.saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_due_once() {
        let mut visit = Visit::new(Some(Duration::from_secs(3)), None);
        assert_eq!(visit.due(2_999_999_999), None);
        assert_eq!(visit.remaining(2_000_000_000), Some(1_000_000_000));
        assert_eq!(visit.due(3_000_000_000), Some(Due::End));
        assert_eq!((visit.due(3_000_000_001), visit.remaining(0)), (None, None));
    }

    #[test]
    fn events_are_sent_once_in_an_interval() {
        let mut visit = Visit::new(None, Some(Duration::from_nanos(10)));
        let due = [9, 10, 11, 35, 44, 45].map(|now| visit.due(now));
        let send = Some(Due::Send);
        assert_eq!(due, [None, send, None, send, None, send]);
        assert_eq!(visit.remaining(0), None);
    }
}
