//! Which waste is reported. The defaults are data: `thresholds.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::explain::finding::Finding;
use crate::explain::rules;
use crate::figures;

/// What a waste must reach to be reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The fewest wasted calls.
    pub calls: u64,
    /// Their smallest share of all calls, from 0 to 1.
    pub share: f64,
    /// The least time that the remedy must save, in milliseconds of one run.
    pub milliseconds: f64,
    /// What is different for single rules, by their ids.
    #[serde(default)]
    pub rule: BTreeMap<String, Different>,
}

/// What is different for one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Different {
    /// Wasted calls.
    pub calls: Option<u64>,
    /// Their share of all calls.
    pub share: Option<f64>,
    /// Milliseconds saved.
    pub milliseconds: Option<f64>,
}

/// What must be reached by one rule's finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Wasted calls.
    pub calls: u64,
    /// Their share of all calls.
    pub share: f64,
    /// Milliseconds saved.
    pub milliseconds: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        const DEFAULTS: &str = include_str!("thresholds.toml");
        // A test reads the file; without it there would be no limits.
        toml_edit::de::from_str(DEFAULTS).unwrap_or_else(|_| Thresholds::nothing())
    }
}

impl Thresholds {
    /// No thresholds: every waste is reported.
    #[must_use]
    pub fn nothing() -> Thresholds {
        Thresholds { calls: 0, share: 0.0, milliseconds: 0.0, rule: BTreeMap::new() }
    }

    /// What a rule's findings must reach.
    #[must_use]
    pub fn of(&self, id: &str) -> Limits {
        let different = self.rule.get(id).copied().unwrap_or_default();
        Limits {
            calls: different.calls.unwrap_or(self.calls),
            share: different.share.unwrap_or(self.share),
            milliseconds: different.milliseconds.unwrap_or(self.milliseconds),
        }
    }

    /// Sets one of them: `calls=50`, `milliseconds=2`, `same-stat.share=0.1`; `0` alone sets all
    /// of them to nothing.
    ///
    /// # Errors
    ///
    /// If there is no such threshold or no such rule, or if the value is none; says which are.
    pub fn set(&mut self, setting: &str) -> Result<(), Error> {
        let wrong = |why: String| Error::Format { path: (*b"--threshold").into(), line: 0, why };
        if setting == "0" {
            *self = Thresholds::nothing();
            return Ok(());
        }
        let Some((key, value)) = setting.split_once('=') else {
            let why = format!("'{setting}' is not 0 and has no '=': write 'calls=50'");
            return Err(wrong(why));
        };
        let (id, field) = match key.rsplit_once('.') {
            Some((id, field)) => (Some(id), field),
            None => (None, key),
        };
        if let Some(id) = id
            && !rules::ids().contains(&id)
        {
            return Err(wrong(format!("there is no rule '{id}'")));
        }
        let number = match value.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => number,
            _ => return Err(wrong(format!("'{value}' is no number from 0 on"))),
        };
        if field == "share" && number > 1.0 {
            return Err(wrong(format!("a share is at most 1, not {value}")));
        }
        self.put(id, field, number)
            .map_err(|why| wrong(format!("{why}: there are 'calls', 'share' and 'milliseconds'")))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a limit beyond 2^64 is never reached")]
    #[expect(clippy::cast_sign_loss, reason = "it was checked")]
    fn put(&mut self, id: Option<&str>, field: &str, number: f64) -> Result<(), String> {
        let calls = number.ceil() as u64;
        if let Some(id) = id {
            let mut different = self.rule.get(id).copied().unwrap_or_default();
            match field {
                "calls" => different.calls = Some(calls),
                "share" => different.share = Some(number),
                "milliseconds" => different.milliseconds = Some(number),
                _ => return Err(format!("'{field}' is no threshold")),
            }
            self.rule.insert(id.to_owned(), different);
            return Ok(());
        }
        match field {
            "calls" => self.calls = calls,
            "share" => self.share = number,
            "milliseconds" => self.milliseconds = number,
            _ => return Err(format!("'{field}' is no threshold")),
        }
        Ok(())
    }

    /// What a finding does not reach, in words: "below 100 calls". `None` if it is reported.
    /// The time counts once it has been found out.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shares and times, not counts")]
    pub fn lacks(&self, finding: &Finding) -> Option<String> {
        let limits = self.of(finding.id);
        if finding.wasted == 0 {
            return Some("nothing was wasted".to_owned());
        }
        if finding.wasted < limits.calls {
            return Some(format!("below {} calls", figures::count(limits.calls)));
        }
        if finding.made > 0 && (finding.wasted as f64) < limits.share * finding.made as f64 {
            return Some(format!("below {} % of all calls", limits.share * 100.0));
        }
        let saved = finding.saved.map(|saved| saved.nanoseconds as f64 / 1e6);
        saved
            .filter(|saved| *saved < limits.milliseconds)
            .map(|_| format!("below {} ms", limits.milliseconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_file() {
        let thresholds = Thresholds::default();
        assert_eq!(thresholds.calls, 100);
        assert_eq!(thresholds.of("same-stat").calls, 100);
        assert_eq!(thresholds.of("spawn-per-item").calls, 10);
        for id in thresholds.rule.keys() {
            assert!(rules::ids().contains(&id.as_str()), "{id}");
        }
    }

    #[test]
    fn each_is_set_for_all_rules_or_for_one() {
        let mut thresholds = Thresholds::default();
        thresholds.set("calls=50").unwrap();
        thresholds.set("same-stat.share=0.5").unwrap();
        thresholds.set("same-stat.milliseconds=0").unwrap();
        assert_eq!(thresholds.of("reopen").calls, 50);
        assert_eq!(thresholds.of("same-stat"), Limits { calls: 50, share: 0.5, milliseconds: 0.0 });
        assert_eq!(thresholds.of("spawn-per-item").calls, 10);
        thresholds.set("0").unwrap();
        assert_eq!(thresholds.of("spawn-per-item").calls, 0);
        assert_eq!(thresholds, Thresholds::nothing());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (setting, why) in [
            ("calls", "no '='"),
            ("calls=many", "'many' is no number"),
            ("calls=-1", "'-1' is no number"),
            ("calls=inf", "'inf' is no number"),
            ("share=2", "at most 1"),
            ("count=1", "'count' is no threshold"),
            ("same-stat.count=1", "'count' is no threshold"),
            ("nonsense.calls=1", "no rule 'nonsense'"),
            ("", "no '='"),
        ] {
            let mut thresholds = Thresholds::default();
            let said = thresholds.set(setting).unwrap_err().to_string();
            assert!(said.contains(why), "{setting}: {said}");
            assert_eq!(thresholds, Thresholds::default(), "{setting}");
        }
    }
}
