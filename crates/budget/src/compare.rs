//! What a run did against what it may do.

use std::collections::{BTreeMap, HashSet};

use fewer::compact;

use crate::allowed::{Allowed, Files};
use crate::generalise;
use crate::measured::{CallKey, Measured};
use crate::origin::{self, Origin};
use crate::range::Range;
use trace::{Name, Text};

/// Files that are shown as examples of a pattern.
const EXAMPLES: usize = 3;

/// Calls that are not allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// Which call; `None`: the total, whatever the calls.
    pub name: Option<Name>,
    /// On which file, as a pattern of a budget; `None`: whatever the file.
    pub file: Option<String>,
    /// How many there are now.
    pub now: u64,
    /// How many may be.
    pub allowed: u64,
    /// Some of the files, if `file` means several.
    pub examples: Vec<Text>,
    /// From where the new ones come.
    pub origins: Vec<Origin>,
}

impl Excess {
    /// How many there are too many.
    #[must_use]
    pub fn new_calls(&self) -> u64 {
        self.now.saturating_sub(self.allowed)
    }
}

/// How a run compares with what it may do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Calls in total, now,
    pub now: u64,
    /// and how many may be, if that is judged.
    pub allowed: Option<Range>,
    /// What is too much, the most first. Nothing: all is well.
    pub excess: Vec<Excess>,
    /// Calls of which there are fewer than when it was recorded.
    pub fewer: Vec<(Name, u64, Range)>,
}

impl Comparison {
    /// Compares.
    #[must_use]
    pub fn new(allowed: &Allowed, measured: &Measured) -> Comparison {
        let mut excess = Vec::new();
        let names = measured.by_name();
        let origins = origins(allowed, measured);
        if let Some(files) = &allowed.files {
            excess.extend(beyond_files(files, &origins, measured));
        }
        if let Some(limits) = &allowed.names {
            excess.extend(beyond_names(limits, &names, &excess, &origins, measured));
        }
        let now = measured.total();
        // Where calls by name are judged, they say what is behind a larger total.
        if let Some(total) = allowed.total
            && total.excess(now) > excess.iter().map(Excess::new_calls).sum()
        {
            let origins = of_total(allowed, measured, total.excess(now));
            let (file, allowed) = (None, total.most);
            let examples = Vec::new();
            excess.push(Excess { name: None, file, now, allowed, examples, origins });
        }
        compact::sort_by_key(&mut excess, |it| std::cmp::Reverse(it.new_calls()));
        Comparison { now, allowed: allowed.total, excess, fewer: fewer(allowed, &names) }
    }
}

impl Comparison {
    /// How many calls there are too many.
    pub(crate) fn new_calls(&self) -> u64 {
        self.excess.iter().map(Excess::new_calls).sum()
    }
}

/// What is too much on single lines of files, and on files of no line.
fn beyond_files(
    files: &Files,
    origins: &BTreeMap<Name, Vec<Origin>>,
    measured: &Measured,
) -> Vec<Excess> {
    let unknown = |file: &&[u8]| !file.is_empty() && files.line_of(file).is_none();
    let strange: Vec<&[u8]> = measured.files().filter(unknown).collect();
    let patterns = generalise::patterns(&[strange.iter().copied()]);
    let new = Files::new(patterns.into_iter().map(|it| (it, BTreeMap::new())).collect());
    let known = files.lines().len();
    let mut counts: BTreeMap<(usize, Name), Vec<(&CallKey, u64)>> = BTreeMap::new();
    for (key, count) in &measured.calls {
        let line = files.line_of(&key.file).or_else(|| Some(known + new.line_of(&key.file)?));
        if let Some(line) = line {
            counts.entry((line, key.name)).or_default().push((key, *count));
        }
    }
    let mut excess = Vec::new();
    for ((line, name), calls) in counts {
        let (pattern, limits) = match line.checked_sub(known) {
            None => &files.lines()[line],
            Some(line) => &new.lines()[line],
        };
        let limit = limits.get(&name).copied().unwrap_or_default();
        let now = calls.iter().map(|(_, count)| count).sum();
        if limit.excess(now) > 0 {
            let examples = if pattern.path().is_some() { Vec::new() } else { examples(&calls) };
            let origins = of_calls(&origins[&name], &calls, limit.excess(now));
            let (name, file, allowed) = (Some(name), Some(pattern.written()), limit.most);
            excess.push(Excess { name, file, now, allowed, examples, origins });
        }
    }
    excess
}

/// What is too much by name, as far as no line of files says it already.
fn beyond_names(
    limits: &BTreeMap<Name, Range>,
    names: &BTreeMap<Name, u64>,
    said: &[Excess],
    origins: &BTreeMap<Name, Vec<Origin>>,
    measured: &Measured,
) -> Vec<Excess> {
    let mut excess = Vec::new();
    for (name, now) in names {
        let limit = limits.get(name).copied().unwrap_or_default();
        let of_name = said.iter().filter(|it| it.name == Some(*name));
        if limit.excess(*now) <= of_name.map(Excess::new_calls).sum() {
            continue;
        }
        let calls = measured.calls.iter().filter(|(key, _)| key.name == *name);
        let calls: Vec<(&CallKey, u64)> = calls.map(|(key, count)| (key, *count)).collect();
        let origins = of_calls(&origins[name], &calls, limit.excess(*now));
        let (name, allowed, now) = (Some(*name), limit.most, *now);
        excess.push(Excess { name, file: None, now, allowed, examples: examples(&calls), origins });
    }
    excess
}

fn fewer(allowed: &Allowed, names: &BTreeMap<Name, u64>) -> Vec<(Name, u64, Range)> {
    let limits = allowed.names.iter().flatten();
    let now = limits.map(|(name, limit)| (*name, names.get(name).copied().unwrap_or(0), *limit));
    now.filter(|(_, now, limit)| *now < limit.least).collect()
}

/// The files with the most of these calls.
fn examples(calls: &[(&CallKey, u64)]) -> Vec<Text> {
    let mut ranked: Vec<_> = calls.iter().filter(|(key, _)| !key.file.is_empty()).collect();
    compact::sort_by_key(&mut ranked, |(key, count)| (std::cmp::Reverse(*count), &key.file));
    let mut seen = HashSet::new();
    let files = ranked.iter().map(|(key, _)| &key.file).filter(|file| seen.insert(*file));
    files.take(EXAMPLES).map(|file| Text::from(&**file)).collect()
}

/// Which callers make more calls of each name than before, whatever the file.
fn origins(allowed: &Allowed, measured: &Measured) -> BTreeMap<Name, Vec<Origin>> {
    compact::map(measured.by_caller().into_iter().map(|(name, now)| {
        let callers = allowed.callers.iter();
        let before = callers.filter_map(|(it, names)| Some((it.as_str(), *names.get(&name)?)));
        (name, origin::origins(&now, &compact::map(before)))
    }))
}

/// Those of them that make these calls; all callers of these calls, if none of them does.
fn of_calls(origins: &[Origin], calls: &[(&CallKey, u64)], excess: u64) -> Vec<Origin> {
    let mut now: BTreeMap<&str, u64> = BTreeMap::new();
    for (key, count) in calls {
        *now.entry(&key.caller).or_default() += count;
    }
    let here = origins.iter().filter_map(|origin| {
        let calls = *now.get(origin.caller.as_str())?;
        Some(Origin { calls, new: origin.new.min(calls), ..origin.clone() })
    });
    let here: Vec<Origin> = here.collect();
    if here.is_empty() { origin::all(&now, excess) } else { here }
}

fn of_total(allowed: &Allowed, measured: &Measured, excess: u64) -> Vec<Origin> {
    let mut now: BTreeMap<&str, u64> = BTreeMap::new();
    for (key, count) in &measured.calls {
        *now.entry(&key.caller).or_default() += count;
    }
    let callers = allowed.callers.iter();
    let before = callers.map(|(caller, names)| (caller.as_str(), names.values().sum()));
    let origins = origin::origins(&now, &compact::map(before));
    if origins.is_empty() { origin::all(&now, excess) } else { origins }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::run;

    const LISTER: [(&str, &str, &str, u64); 3] = [
        ("openat", "/home/a/tree", "main a.c:9", 1),
        ("getdents64", "/home/a/tree", "main a.c:12", 2),
        ("write", "pipe:[7]", "main a.c:14", 3),
    ];

    fn allowed() -> Allowed {
        Allowed::of_runs(&[run(&LISTER), run(&LISTER), run(&LISTER)])
    }

    fn with(more: &[(&'static str, &'static str, &'static str, u64)]) -> Comparison {
        let calls = [&LISTER[..], more].concat();
        Comparison::new(&allowed(), &run(&calls))
    }

    #[test]
    fn the_same_is_allowed() {
        let same = with(&[]);
        assert!(same.excess.is_empty() && same.fewer.is_empty());
        assert_eq!((same.now, same.allowed), (6, Some(Range::from(6))));
    }

    #[test]
    fn a_stat_for_each_entry_is_named_with_its_line() {
        let files: Vec<String> = (0..50).map(|i| format!("/home/a/tree/f{i:02}")).collect();
        let mut calls = LISTER.to_vec();
        calls.extend(files.iter().map(|file| ("newfstatat", file.as_str(), "show a.c:5", 1)));
        let compared = Comparison::new(&allowed(), &run(&calls));
        let [excess] = compared.excess.as_slice() else { panic!("{compared:?}") };
        assert_eq!(excess.name, Some(Name::Newfstatat));
        assert_eq!(excess.file.as_deref(), Some("./tree/**"));
        assert_eq!((excess.now, excess.allowed), (50, 0));
        assert_eq!(excess.examples[0], Text::from("./tree/f00"));
        let origin = &excess.origins[0];
        assert_eq!((origin.caller.as_str(), origin.new), ("show at a.c:5", 50));
    }

    #[test]
    fn more_calls_on_a_known_file_are_named() {
        let compared = with(&[("openat", "/home/a/tree", "main a.c:20", 4)]);
        let [excess] = compared.excess.as_slice() else { panic!("{compared:?}") };
        assert_eq!((excess.file.as_deref(), excess.new_calls()), (Some("./tree"), 4));
        assert_eq!(excess.origins.len(), 1);
        assert_eq!(excess.origins[0].caller, "main at a.c:20");
    }

    #[test]
    fn on_each_file_only_new_callers_are_named() {
        let before = [("newfstatat", "/home/a/tree", "main a.c:9", 1)];
        let more = [("newfstatat", "/home/a/tree", "show a.c:5", 1)];
        let files = [("newfstatat", "/home/a/tree/x", "show a.c:5", 1)];
        let allowed = Allowed::of_runs(&[run(&before)]);
        let compared = Comparison::new(&allowed, &run(&[before, more, files].concat()));
        assert_eq!(compared.excess.len(), 2);
        for excess in compared.excess {
            assert_eq!(excess.origins.len(), 1, "{excess:?}");
            assert_eq!((&*excess.origins[0].caller, excess.origins[0].new), ("show at a.c:5", 1));
        }
    }

    #[test]
    fn calls_without_a_file_are_judged_by_name() {
        let compared = with(&[("clone", "", "main a.c:30", 2)]);
        let [excess] = compared.excess.as_slice() else { panic!("{compared:?}") };
        assert_eq!((excess.name, excess.file.as_deref()), (Some(Name::Clone), None));
        assert_eq!(excess.origins[0].caller, "main at a.c:30");
    }

    #[test]
    fn a_file_in_the_place_of_another_is_new() {
        let mut calls = LISTER.to_vec();
        calls[0].1 = "/home/a/other";
        let compared = Comparison::new(&allowed(), &run(&calls));
        assert_eq!(compared.excess.len(), 1);
        assert_eq!(compared.excess[0].file.as_deref(), Some("./other"));
    }

    #[test]
    fn fewer_calls_are_fine_and_said() {
        let compared = Comparison::new(&allowed(), &run(&LISTER[..2]));
        assert!(compared.excess.is_empty());
        assert_eq!(compared.fewer, [(Name::Write, 0, Range::from(3))]);
    }

    #[test]
    fn what_is_not_written_down_is_not_judged() {
        let only_total = Allowed { total: Some(Range::from(6)), ..Allowed::default() };
        assert!(Comparison::new(&only_total, &run(&LISTER)).excess.is_empty());
        let more = [&LISTER[..], &[("clone", "", "f a.c:1", 2)]].concat();
        let compared = Comparison::new(&only_total, &run(&more));
        assert_eq!((compared.excess[0].name, compared.excess[0].new_calls()), (None, 2));
        let nothing = Comparison::new(&Allowed::default(), &run(&LISTER));
        assert!(nothing.excess.is_empty());
    }
}
