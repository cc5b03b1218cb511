//! A table of prices: what a call of a kind costs, whatever the machine and the hour.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::present::escaped;
use serde::Deserialize;

use super::operation::Operation;
use super::sample::SampledAct;
use crate::read_file;

/// Prices in nanoseconds, from TOML; `docs/why.md` describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// A look at "/": what a program does around its calls is a multiple of that.
    pub(super) look: f64,
    /// Each byte that is read or written.
    byte: f64,
    /// The calls, by what they do.
    calls: BTreeMap<String, f64>,
}

/// The prices by which it is decided what is reported, unless the user chooses a table.
const REFERENCE: &str = include_str!("reference.toml");

impl Table {
    /// Reads the table in a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or as for `parse`; the reason in words.
    pub fn read(path: &Path) -> Result<Table, String> {
        let no_table = |why: &dyn std::fmt::Display| {
            format!("'{}' is no table of prices: {why}", escaped(path.as_os_str().as_bytes()))
        };
        let bytes = read_file(path).map_err(|error| error.to_string())?;
        let text = std::str::from_utf8(&bytes).map_err(|error| no_table(&error))?;
        Table::parse(text).map_err(|why| no_table(&why))
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// It is no TOML, a price is missing, below zero or not known; the reason in words.
    pub fn parse(text: &str) -> Result<Table, String> {
        let table: Table = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
        let names: Vec<&str> = Operation::ALL.iter().map(|(_, name)| *name).collect();
        if let Some(name) = names.iter().find(|name| !table.calls.contains_key(**name)) {
            return Err(format!("the price of '{name}' is missing in [calls]"));
        }
        if let Some(name) = table.calls.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(format!("'{name}' in [calls] is none of {}", names.join(", ")));
        }
        let is_sound = |price: &f64| price.is_finite() && *price >= 0.0;
        if !table.calls.values().chain([&table.look, &table.byte]).all(is_sound) {
            return Err("a price is a number of nanoseconds, not below zero".to_owned());
        }
        Ok(table)
    }

    /// The table that decides unless the user chooses another.
    #[must_use]
    pub fn reference() -> Table {
        // A test reads it, so it can be read.
        Table::parse(REFERENCE).unwrap_or(Table { look: 0.0, byte: 0.0, calls: BTreeMap::new() })
    }

    /// The price of acts of a kind like these, each.
    pub(super) fn price(&self, kind: Operation, sequence: &[SampledAct]) -> f64 {
        let price = self.calls.get(kind.name()).copied().unwrap_or_default();
        match kind {
            Operation::Read | Operation::Write | Operation::WriteWhole | Operation::Replace => {
                price + self.moving(sequence)
            }
            _ => price,
        }
    }

    /// What the bytes of such acts cost, each.
    pub(super) fn moving(&self, sequence: &[SampledAct]) -> f64 {
        let moved: f64 = sequence.iter().map(|one| one.moved as f64).sum();
        self.byte * moved / sequence.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_all_prices_and_no_others() {
        let table = Table::parse(REFERENCE).unwrap();
        assert_eq!(table.calls.len(), Operation::ALL.len());
        let refused = |from: &str, to: &str| {
            let text = REFERENCE.replace(from, to);
            assert_ne!(text, REFERENCE, "{from}");
            Table::parse(&text).unwrap_err()
        };
        assert_eq!(refused("\nlseek =", "\n#"), "the price of 'lseek' is missing in [calls]");
        assert!(refused("\nlseek =", "\nsink = 1\nlseek =").starts_with("'sink' in [calls] is"));
        assert!(refused("\nlseek =", "\nlseek = -1 #").starts_with("a price is a number"));
        assert!(refused("\nlook =", "\nlock =").contains("lock"));
        assert!(Table::parse("look = nan").is_err());
    }

    #[test]
    fn what_is_moved_has_a_price() {
        let table = Table::parse(REFERENCE).unwrap();
        let one = |moved| SampledAct { file: None, moved, failed: false };
        let read = |moved| table.price(Operation::Read, &[one(moved)]);
        assert!(read(1 << 20) > read(1) && read(1) > 0.0);
        assert_eq!(
            table.price(Operation::Close, &[one(1 << 20)]),
            table.price(Operation::Close, &[])
        );
    }
}
