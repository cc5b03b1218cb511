//! What happens in a second: for what runs on, where sums say little.

use std::time::Duration;

use serde::Serialize;

use super::Report;
use crate::figures::{count, counted, time};
use crate::served::Length;

/// Each per second of watching.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// How long it was watched.
    pub watched_ns: u64,
    /// Calls made.
    pub calls: f64,
    /// Calls that need not have been made.
    pub wasted: f64,
    /// Nanoseconds that all remedies save: a thousand million are a whole processor. `None` if
    /// nothing has a price.
    pub saved_ns: Option<f64>,
}

impl Rates {
    pub(crate) fn new(watched: Duration, calls: u64, wasted: u64, saved: Option<u64>) -> Rates {
        let seconds = watched.as_secs_f64().max(1e-9);
        let each = |sum: u64| sum as f64 / seconds;
        let watched_ns = u64::try_from(watched.as_nanos()).unwrap_or(u64::MAX);
        Rates { watched_ns, calls: each(calls), wasted: each(wasted), saved_ns: saved.map(each) }
    }

    /// One sentence.
    pub(crate) fn words(&self) -> String {
        let saved = self.saved_ns.map_or_else(String::new, |saved| {
            let of_processor = saved / 1e7;
            format!(
                "; {} of each second could be saved ({of_processor:.2} % of a processor)",
                time(saved.round() as u64),
            )
        });
        format!(
            "Watched for {}: {} calls a second, {} of them wasted{saved}.",
            time(self.watched_ns),
            rate(self.calls),
            rate(self.wasted),
        )
    }
}

impl Report<'_> {
    /// What happened in a second, if that says something.
    #[must_use]
    pub fn rates(&self) -> Option<Rates> {
        let watched = self.watched_for?;
        Some(Rates::new(watched, self.calls(), self.wasted(), self.saved()))
    }
}

impl Report<'_> {
    /// How many of a number of calls one request takes; `None` if no requests were seen.
    pub(crate) fn per_request(&self, calls: u64) -> Option<f64> {
        let requests = self.served.requests();
        (requests > 0).then(|| calls as f64 / requests as f64)
    }

    /// The requests, in one sentence.
    pub(crate) fn requests_words(&self) -> Option<String> {
        let mean = rate(self.per_request(self.calls())?);
        let requests = counted(self.served.requests(), "request", "requests");
        let calls = match self.served.length() {
            Some(Length { median, most }) => {
                format!(
                    "half of them took at most {}, none more than {}",
                    count(median),
                    count(most)
                )
            }
            None => "which calls belong to which cannot be told".to_owned(),
        };
        Some(format!("Answered {requests}: {mean} calls for each in the mean, {calls}."))
    }
}

/// Seldom things have a decimal.
pub(crate) fn rate(each_second: f64) -> String {
    if each_second < 10.0 { format!("{each_second:.1}") } else { count(each_second.round() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_become_rates() {
        let rates = Rates::new(Duration::from_secs(30), 60_000, 90, Some(30_000_000));
        assert_eq!((rates.calls, rates.wasted, rates.saved_ns), (2000.0, 3.0, Some(1e6)));
        assert_eq!(
            rates.words(),
            "Watched for 30 s: 2,000 calls a second, 3.0 of them wasted; 1.0 ms of each second \
             could be saved (0.10 % of a processor)."
        );
    }
}
