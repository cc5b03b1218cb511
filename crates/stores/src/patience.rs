//! How long to wait before a request is sent again, and when to give up.

use std::pin::pin;
use std::time::Duration;

use tokio::time::timeout;

use crate::error::Reason;
use crate::visit::TICK;

const MOST_FAILURES: u32 = 10;

/// Before a server has given any page it may not be one at all: seconds are enough to say so.
const MOST_AT_FIRST: u32 = 5;

/// A store that wants fewer requests is there, and is waited for longer.
const MOST_REFUSALS: u32 = 20;

const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// What happened to the request of one range since its last page.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    failures: u32,
    refusals: u32,
}

impl Patience {
    /// It failed on its way, perhaps before there was any page: how long to wait.
    ///
    /// # Errors
    /// It failed too often.
    pub(crate) fn failed(&mut self, why: String, is_first: bool) -> Result<Duration, Reason> {
        self.failures += 1;
        let most = if is_first { MOST_AT_FIRST } else { MOST_FAILURES };
        if self.failures >= most { self.give_up(why) } else { Ok(wait(self.failures)) }
    }

    /// The store refused it, and may say how long to wait at least.
    ///
    /// # Errors
    /// It was refused too often.
    pub(crate) fn refused(
        &mut self,
        why: String,
        at_least: Option<Duration>,
    ) -> Result<Duration, Reason> {
        self.refusals += 1;
        match self.refusals >= MOST_REFUSALS {
            true => self.give_up(why),
            false => Ok(wait(self.refusals).max(at_least.unwrap_or_default())),
        }
    }

    fn give_up(&self, last: String) -> Result<Duration, Reason> {
        Err(Reason::GaveUp { attempts: self.failures + self.refusals, last })
    }
}

/// Waits for something as long as it is not stopped.
///
/// # Errors
/// It was stopped.
pub(crate) async fn unless<T>(
    stopped: Option<fn() -> bool>,
    wanted: impl Future<Output = T>,
) -> Result<T, Reason> {
    let mut wanted = pin!(wanted);
    loop {
        match timeout(TICK, wanted.as_mut()).await {
            Ok(came) => return Ok(came),
            Err(_) if stopped.is_some_and(|is_stopped| is_stopped()) => {
                return Err(Reason::Stopped);
            }
            Err(_) => {}
        }
    }
}

/// Twice as long each time, and up to a half less by chance, so that what failed together does not
/// come again together.
fn wait(times: u32) -> Duration {
    let whole = SHORTEST.saturating_mul(1 << times.min(16)).min(LONGEST);
    let chance = fewer::Time::now().nanoseconds % 1000;
    whole - whole / 2 * chance / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit_and_end() {
        let mut patience = Patience::default();
        let waits: Vec<Duration> =
            std::iter::from_fn(|| patience.failed("reset".into(), false).ok()).collect();
        assert_eq!(waits.len(), 9);
        assert!(waits[0] >= SHORTEST && waits[0] <= 2 * SHORTEST, "{waits:?}");
        assert!(waits[8] >= LONGEST / 2 && waits[8] <= LONGEST, "{waits:?}");
        let mut patience = Patience::default();
        let first = std::iter::from_fn(|| patience.failed("refused".into(), true).ok());
        assert_eq!(first.count(), 4);
    }

    #[test]
    fn a_store_says_how_long_it_wants_to_be_left_alone() {
        let wanted = Duration::from_secs(7);
        let wait = Patience::default().refused("503".into(), Some(wanted));
        assert_eq!(wait, Ok(wanted));
    }

    #[test]
    fn the_error_says_how_often_it_was_tried_and_why_it_failed_last() {
        let mut patience = Patience { failures: 9, refusals: 2 };
        let error = patience.failed("connection reset".into(), false).unwrap_err();
        assert_eq!(error, Reason::GaveUp { attempts: 12, last: "connection reset".into() });
    }
}
