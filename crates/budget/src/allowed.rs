//! What a command may do: the model of an entry, and how runs become one.

use std::collections::{BTreeMap, HashMap};

use fewer::compact;

use crate::generalise;
use crate::measured::Measured;
use crate::pattern::Pattern;
use crate::range::Range;
use trace::Name;

/// Callers that are kept, those with the most calls first.
const CALLERS: usize = 200;

/// What a command may do. What is `None` is not judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allowed {
    /// Calls in total.
    pub total: Option<Range>,
    /// Calls by name; of a name that is not there, none.
    pub names: Option<BTreeMap<Name, Range>>,
    /// Calls by file and name; on a file that no line fits, none.
    pub files: Option<Files>,
    /// Which caller made how many: not a limit, but a caller that is not here is new.
    pub callers: BTreeMap<String, BTreeMap<Name, u64>>,
}

impl Allowed {
    /// What runs of a command allow.
    #[must_use]
    pub fn of_runs(runs: &[Measured]) -> Allowed {
        let totals: Vec<u64> = runs.iter().map(Measured::total).collect();
        let names: Vec<BTreeMap<Name, u64>> = runs.iter().map(Measured::by_name).collect();
        Allowed {
            total: Some(Range::of_runs(&totals)),
            names: Some(ranges(&names)),
            files: Some(Files::of_runs(runs)),
            callers: callers(runs),
        }
    }

    /// Names whose counts differ from run to run.
    pub fn varying(&self) -> impl Iterator<Item = (Name, Range)> {
        let names = self.names.iter().flatten().map(|(name, range)| (*name, *range));
        names.filter(|(_, range)| !range.is_exact())
    }
}

fn ranges(runs: &[BTreeMap<Name, u64>]) -> BTreeMap<Name, Range> {
    let mut counts: BTreeMap<Name, Vec<u64>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        for (name, count) in run {
            counts.entry(*name).or_insert_with(|| vec![0; runs.len()])[at] = *count;
        }
    }
    compact::map(counts.into_iter().map(|(name, counts)| (name, Range::of_runs(&counts))))
}

fn callers(runs: &[Measured]) -> BTreeMap<String, BTreeMap<Name, u64>> {
    let mut most: BTreeMap<String, BTreeMap<Name, u64>> = BTreeMap::new();
    for run in runs {
        for (name, callers) in run.by_caller() {
            for (caller, count) in callers {
                let of = most.entry(caller.to_owned()).or_default().entry(name).or_default();
                *of = count.max(*of);
            }
        }
    }
    let mut ranked: Vec<_> = most.into_iter().collect();
    compact::sort_by_key(&mut ranked, |(_, names)| std::cmp::Reverse(names.values().sum::<u64>()));
    ranked.truncate(CALLERS);
    compact::map(ranked)
}

/// Files, as lines of patterns, and what may be done with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    lines: Vec<(Pattern, BTreeMap<Name, Range>)>,
    /// Lines that mean one file, by its name; the others, those that say the most first.
    plain: HashMap<Vec<u8>, usize>,
    open: Vec<usize>,
}

impl Files {
    pub(crate) fn new(lines: Vec<(Pattern, BTreeMap<Name, Range>)>) -> Files {
        let (mut plain, mut open) = (HashMap::new(), Vec::new());
        for (at, (pattern, _)) in lines.iter().enumerate() {
            match pattern.path() {
                Some(path) => drop(plain.insert(path, at)),
                None => open.push(at),
            }
        }
        compact::sort_by_key(&mut open, |at| std::cmp::Reverse(lines[*at].0.weight()));
        Files { lines, plain, open }
    }

    fn of_runs(runs: &[Measured]) -> Files {
        let patterns = generalise::patterns(&runs.iter().map(Measured::files).collect::<Vec<_>>());
        let files = Files::new(patterns.into_iter().map(|it| (it, BTreeMap::new())).collect());
        let mut counts: Vec<Vec<BTreeMap<Name, u64>>> =
            vec![vec![BTreeMap::new(); runs.len()]; files.lines.len()];
        for (run, measured) in runs.iter().enumerate() {
            for (key, count) in &measured.calls {
                if let Some(line) = files.line_of(&key.file) {
                    *counts[line][run].entry(key.name).or_default() += count;
                }
            }
        }
        let patterns = files.lines.into_iter().map(|(pattern, _)| pattern);
        let mut lines: Vec<_> =
            patterns.zip(counts).map(|(it, counts)| (it, ranges(&counts))).collect();
        // Of the lines of a pattern that fits another one's files as well some may be left empty.
        lines.retain(|(_, names)| !names.is_empty());
        compact::sort_by_key(&mut lines, |(pattern, _)| pattern.written());
        Files::new(lines)
    }

    /// The line that a file belongs to.
    pub(crate) fn line_of(&self, file: &[u8]) -> Option<usize> {
        if file.is_empty() {
            return None;
        }
        let matches = |line: &&usize| self.lines[**line].0.matches(file);
        self.plain.get(file).or_else(|| self.open.iter().find(matches)).copied()
    }

    /// The lines, in their order.
    pub(crate) fn lines(&self) -> &[(Pattern, BTreeMap<Name, Range>)] {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::run;

    #[test]
    fn runs_that_agree_are_allowed_exactly_what_they_did() {
        let runs = [0; 3].map(|_| run(&[("openat", "/etc/x", "main a.c:1", 2)]));
        let allowed = Allowed::of_runs(&runs);
        assert_eq!(allowed.total, Some(Range::from(2)));
        assert_eq!(allowed.names.clone().unwrap()[&Name::Openat], Range::from(2));
        assert_eq!(allowed.callers["main at a.c:1"][&Name::Openat], 2);
        assert_eq!(allowed.varying().count(), 0);
        let files = allowed.files.unwrap();
        assert_eq!(files.lines()[0].0.written(), "/etc/x");
        assert_eq!(files.lines()[0].1[&Name::Openat], Range::from(2));
    }

    #[test]
    fn what_differs_becomes_a_range_and_a_pattern() {
        let runs = [("/tmp/t.Qx", 4), ("/tmp/t.aa", 6), ("/tmp/t.12", 5)]
            .map(|(file, count)| run(&[("write", file, "main a.c:1", count)]));
        let allowed = Allowed::of_runs(&runs);
        let range = Range { least: 4, most: 8 };
        assert_eq!(allowed.varying().collect::<Vec<_>>(), [(Name::Write, range)]);
        let files = allowed.files.unwrap();
        assert_eq!(files.lines()[0].0.written(), "/tmp/t.*");
        assert_eq!(files.lines()[0].1[&Name::Write], range);
        assert_eq!(files.lines().len(), 1);
    }

    #[test]
    fn a_file_belongs_to_the_line_that_says_the_most() {
        let lines = ["/tmp/**", "/tmp/*", "/tmp/t.*", "/tmp/t.x"];
        let lines = lines.map(|it| (Pattern::parse(it).unwrap(), BTreeMap::new())).into();
        let files = Files::new(lines);
        for (file, line) in [("/tmp/a/b", 0), ("/tmp/a", 1), ("/tmp/t.1", 2), ("/tmp/t.x", 3)] {
            assert_eq!(files.line_of(file.as_bytes()), Some(line), "{file}");
        }
        assert_eq!(files.line_of(b"/etc"), None);
        assert_eq!(files.line_of(b""), None);
    }
}
