//! What a program itself does around a wasted call, as multiples of a look at "/".

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use sys::{CWD, Fields};

use super::estimate::Estimate;
use super::stopwatch::{Lap, done, measure};
use crate::Language;
use crate::explain::Finding;

/// `overheads.toml`, and what its unit is.
#[derive(Debug)]
pub(super) struct Overheads {
    rules: BTreeMap<String, BTreeMap<Language, f64>>,
    unit: f64,
}

const TABLE: &str = include_str!("overheads.toml");

#[derive(Deserialize)]
struct Table {
    rules: BTreeMap<String, BTreeMap<Language, f64>>,
}

impl Overheads {
    /// Reads the table.
    pub(super) fn new(unit: f64) -> Overheads {
        // A test reads it, so it can be read.
        let rules = toml_edit::de::from_str(TABLE).map(|Table { rules }| rules).unwrap_or_default();
        Overheads { rules, unit }
    }

    /// The same, with the unit measured here and now.
    pub(super) fn measured() -> Overheads {
        const TIMES: usize = 256;
        let look = |_| done(sys::stat(CWD, c"/", true, Fields::KIND));
        let lap = || Lap::of(TIMES, || (0..TIMES).for_each(look));
        Overheads::new(measure(Duration::from_millis(12), lap).map_or(0.0, |price| price.middle))
    }

    /// Nanoseconds for all wasted calls of a finding. What a program does around a call differs:
    /// it may be half of what was measured, or twice.
    pub(super) fn of(&self, finding: &Finding) -> Estimate {
        const FACTOR: f64 = 2.0;
        let rule = self.rules.get(finding.id);
        let units = rule.and_then(|languages| languages.get(&finding.language));
        let units = units.map_or(0.0, |units| units * self.unit * finding.wasted as f64);
        Estimate::within(units, FACTOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table: Table = toml_edit::de::from_str(TABLE).unwrap();
        assert!(!table.rules.is_empty());
        let units = table.rules.values().flat_map(BTreeMap::values);
        assert!(units.clone().all(|units| (0.0..1000.0).contains(units)));
        assert!(Overheads::measured().unit > 10.0);
    }
}
