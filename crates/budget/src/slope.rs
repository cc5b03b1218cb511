//! Calls per item: runs on more and more items, and the slope between them.

use std::collections::{BTreeMap, BTreeSet};

use fewer::compact;

use crate::measured::Measured;
use crate::origin;
use crate::ratio::Ratio;
use trace::Name;

/// Calls per item: exact fractions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerItem {
    /// Calls in total.
    pub total: Ratio,
    /// Calls by name; names with as many calls for any number of items are left out.
    pub names: BTreeMap<Name, Ratio>,
    /// Which caller makes how many.
    pub callers: BTreeMap<String, BTreeMap<Name, Ratio>>,
}

/// What runs on more and more items did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slope {
    /// Calls per item, between the fewest items and the most.
    pub per_item: PerItem,
    /// What is not in proportion: name, items, and by how much the calls of that run are off the
    /// line between the two ends. A total has no name.
    pub off: Vec<(Option<Name>, u64, Ratio)>,
    /// Names whose counts differ from run to run with the same items. The least count is taken.
    pub varying: BTreeSet<Name>,
}

/// Counts of calls for a number of items.
type Counts<K> = Vec<(u64, BTreeMap<K, u64>)>;

impl Slope {
    /// The slope; for each number of items, in growing order, one run or several. Nothing if there
    /// are less than two numbers of items.
    #[must_use]
    pub fn new(runs: &[(u64, Vec<Measured>)]) -> Option<Slope> {
        let least = |of: &dyn Fn(&Measured) -> BTreeMap<Name, u64>| -> Counts<Name> {
            let least = |(n, runs): &(u64, Vec<Measured>)| (*n, least(runs.iter().map(of)));
            runs.iter().map(least).collect()
        };
        let names = least(&Measured::by_name);
        let per_name = between_ends(&names)?;
        let totals: Counts<()> = names
            .iter()
            .map(|(n, names)| (*n, BTreeMap::from([((), names.values().sum())])))
            .collect();
        let total = between_ends(&totals)?.remove(&()).unwrap_or_default();

        let mut off = off_the_line(&totals, None);
        for name in per_name.keys() {
            let of = |names: &BTreeMap<Name, u64>| names.get(name).copied().unwrap_or(0);
            let counts = names.iter().map(|(n, names)| (*n, BTreeMap::from([((), of(names))])));
            off.extend(off_the_line(&counts.collect(), Some(*name)));
        }
        let names = compact::map(per_name.into_iter().filter(|(_, ratio)| !ratio.is_zero()));
        let per_item = PerItem { total, names, callers: callers(runs)? };
        Some(Slope { per_item, off, varying: varying(runs) })
    }
}

/// The least count of each over all runs.
fn least<K: Ord + Clone>(runs: impl Iterator<Item = BTreeMap<K, u64>> + Clone) -> BTreeMap<K, u64> {
    let keys = compact::set(runs.clone().flat_map(BTreeMap::into_keys));
    let runs: Vec<BTreeMap<K, u64>> = runs.collect();
    let least = |key: &K| runs.iter().map(|run| run.get(key).copied().unwrap_or(0)).min();
    compact::map(keys.into_iter().map(|key| (key.clone(), least(&key).unwrap_or(0))))
}

fn between_ends<K: Ord + Clone>(counts: &Counts<K>) -> Option<BTreeMap<K, Ratio>> {
    let [(fewest, first), .., (most, last)] = counts.as_slice() else { return None };
    let keys = compact::set(counts.iter().flat_map(|(_, counts)| counts.keys()));
    let count = |of: &BTreeMap<K, u64>, key: &K| signed(of.get(key).copied().unwrap_or(0));
    let items = signed(*most) - signed(*fewest);
    let ratio = |key: &K| Ratio::new(count(last, key) - count(first, key), items);
    let rows: Option<Vec<_>> =
        keys.into_iter().map(|key| Some((key.clone(), ratio(key)?))).collect();
    rows.map(compact::map)
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn off_the_line(counts: &Counts<()>, name: Option<Name>) -> Vec<(Option<Name>, u64, Ratio)> {
    let slope = between_ends(counts).and_then(|mut of| of.remove(&())).unwrap_or_default();
    let count = |of: &BTreeMap<(), u64>| signed(of.get(&()).copied().unwrap_or(0));
    let Some((fewest, first)) = counts.first().map(|(n, of)| (*n, count(of))) else {
        return Vec::new();
    };
    let off = |(n, of): &(u64, BTreeMap<(), u64>)| {
        let line = slope.times(signed(n - fewest))?;
        let off = Ratio::new(count(of) - first, 1)?.more_than(line)?;
        (!off.is_zero()).then_some((name, *n, off))
    };
    counts.iter().filter_map(off).collect()
}

fn callers(runs: &[(u64, Vec<Measured>)]) -> Option<BTreeMap<String, BTreeMap<Name, Ratio>>> {
    let flat = |run: &Measured| -> BTreeMap<(String, Name), u64> {
        let names = run.by_caller().into_iter();
        let rows = names.flat_map(|(name, callers)| {
            callers.into_iter().map(move |(caller, count)| ((caller.to_owned(), name), count))
        });
        compact::map(rows)
    };
    let counts = runs.iter().map(|(n, runs)| (*n, least(runs.iter().map(flat)))).collect();
    let mut callers: BTreeMap<String, BTreeMap<Name, Ratio>> = BTreeMap::new();
    for ((caller, name), ratio) in between_ends(&counts)? {
        if !ratio.is_zero() {
            callers.entry(caller).or_default().insert(name, ratio);
        }
    }
    Some(callers)
}

fn varying(runs: &[(u64, Vec<Measured>)]) -> BTreeSet<Name> {
    let mut varying = BTreeSet::new();
    for (_, runs) in runs {
        let counts: Vec<BTreeMap<Name, u64>> = runs.iter().map(Measured::by_name).collect();
        let names = counts.iter().flat_map(|names| names.keys());
        varying.extend(
            names.filter(|name| counts.iter().any(|of| of.get(name) != counts[0].get(name))),
        );
    }
    varying
}

/// More calls per item than allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Steeper {
    /// Which call; `None`: the total.
    pub name: Option<Name>,
    /// How many per item now,
    pub now: Ratio,
    /// and how many may be.
    pub allowed: Ratio,
    /// Which callers make more of them per item than before, and how many more; the most first.
    pub origins: Vec<(String, Ratio)>,
}

impl PerItem {
    /// What is steeper now than this. The total is only named if no name explains it.
    #[must_use]
    pub fn beyond(&self, now: &PerItem) -> Vec<Steeper> {
        let mut steeper = Vec::new();
        for (name, ratio) in &now.names {
            let allowed = self.names.get(name).copied().unwrap_or_default();
            if *ratio > allowed {
                let origins = self.origins(now, Some(*name));
                steeper.push(Steeper { name: Some(*name), now: *ratio, allowed, origins });
            }
        }
        if steeper.is_empty() && now.total > self.total {
            let origins = self.origins(now, None);
            let (now, allowed) = (now.total, self.total);
            steeper.push(Steeper { name: None, now, allowed, origins });
        }
        compact::sort_by_key(&mut steeper, |it| std::cmp::Reverse(it.now.more_than(it.allowed)));
        steeper
    }

    /// What is less steep now than this.
    #[must_use]
    pub fn fewer(&self, now: &PerItem) -> Vec<(Name, Ratio, Ratio)> {
        let now = |name: &Name| now.names.get(name).copied().unwrap_or_default();
        let names = self.names.iter().map(|(name, allowed)| (*name, now(name), *allowed));
        names.filter(|(_, now, allowed)| now < allowed).collect()
    }

    fn origins(&self, now: &PerItem, name: Option<Name>) -> Vec<(String, Ratio)> {
        let of = |callers: &BTreeMap<String, BTreeMap<Name, Ratio>>| -> BTreeMap<String, Ratio> {
            let is_meant = |of: &Name| name.is_none_or(|name| name == *of);
            let mut sums: BTreeMap<String, Ratio> = BTreeMap::new();
            for (caller, names) in callers {
                for (_, ratio) in names.iter().filter(|(of, _)| is_meant(of)) {
                    let sum = sums.entry(caller.clone()).or_default();
                    *sum = sum.plus(*ratio).unwrap_or(*ratio);
                }
            }
            sums
        };
        origin::steeper(&of(&now.callers), &of(&self.callers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::run;

    /// Runs of a program that makes 3 calls per directory, and a write for each 16.
    fn lister(n: u64, stats: u64) -> Measured {
        let mut calls = vec![("write", "pipe:[1]", "main a.c:30", 1 + n / 16)];
        calls.push(("openat", "/home/a/tree", "main a.c:10", n + 1));
        calls.push(("getdents64", "/home/a/tree", "main a.c:11", 2 * (n + 1)));
        calls.push(("newfstatat", "/home/a/tree", "main a.c:12", n * stats));
        run(&calls)
    }

    fn slope(ns: &[u64], stats: u64) -> Slope {
        let runs: Vec<_> = ns.iter().map(|n| (*n, vec![lister(*n, stats)])).collect();
        Slope::new(&runs).unwrap()
    }

    #[test]
    fn the_slope_is_exact() {
        let slope = slope(&[160, 320], 0);
        let names: Vec<String> =
            slope.per_item.names.iter().map(|(name, ratio)| format!("{name} {ratio}")).collect();
        assert_eq!(names, ["write 1/16", "getdents64 2", "openat 1"]);
        assert_eq!(slope.per_item.total.to_string(), "49/16");
        assert_eq!(slope.per_item.callers["main at a.c:30"][&Name::Write].to_string(), "1/16");
        assert!(slope.off.is_empty() && slope.varying.is_empty());
    }

    #[test]
    fn what_is_not_in_proportion_is_said() {
        let slope = slope(&[0, 8, 16], 0);
        let half = Ratio::new(-1, 2).unwrap();
        assert_eq!(slope.off, [(None, 8, half), (Some(Name::Write), 8, half)]);
    }

    #[test]
    fn what_varies_is_taken_at_its_least() {
        let noisy = |n| vec![lister(n, 0), lister(n, 2), lister(n, 0)];
        let slope = Slope::new(&[(16, noisy(16)), (32, noisy(32))]).unwrap();
        assert_eq!(slope.varying.into_iter().collect::<Vec<_>>(), [Name::Newfstatat]);
        assert_eq!(slope.per_item.names.get(&Name::Newfstatat), None);
    }

    #[test]
    fn a_call_more_for_each_item_is_named_with_its_caller() {
        let (before, now) = (slope(&[16, 32], 0).per_item, slope(&[16, 32], 1).per_item);
        let [steeper] = before.beyond(&now).try_into().unwrap();
        assert_eq!((steeper.name, steeper.now.whole()), (Some(Name::Newfstatat), Some(1)));
        assert_eq!(steeper.origins, [("main at a.c:12".to_owned(), Ratio::new(1, 1).unwrap())]);
        assert!(before.beyond(&before).is_empty());
        assert!(now.beyond(&before).is_empty());
        assert_eq!(now.fewer(&before).len(), 1);
    }

    #[test]
    fn one_number_of_items_has_no_slope() {
        assert_eq!(Slope::new(&[(5, vec![lister(5, 0)])]), None);
        assert_eq!(Slope::new(&[]), None);
    }
}
