//! Two runs compared: calls, findings, time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::count::Counts;
use crate::explain::Finding;
use crate::figures::{count, counted, share, time};
use crate::{Location, Name, Registry, Text, own_frame};
use fewer::compact;
use fewer::path::base_name;
use fewer::present::escaped;

/// Kinds of calls that the text shows: those that differ the most.
const NAMES: usize = 12;

/// What is compared of a run.
#[derive(Debug)]
pub struct ComparedRun {
    calls: u64,
    failed: u64,
    /// From its beginning to its end, watched; `None` if it was cut off.
    nanoseconds: Option<u64>,
    names: BTreeMap<Name, u64>,
    wastes: BTreeMap<WasteId, Waste>,
}

/// What makes a finding the same in two runs. A line is not a part of it: it moves with each edit.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct WasteId {
    id: &'static str,
    /// The name of the program's file.
    program: Vec<u8>,
    /// The program's own function that most of the calls came from; empty if it has no name.
    function: String,
}

#[derive(Clone, Debug, Default)]
struct Waste {
    wasted: u64,
    saved: u64,
    location: Option<Location>,
}

impl ComparedRun {
    /// Findings of one kind, program and function are added up.
    #[must_use]
    pub fn new(findings: &[Finding], registry: &Registry, counts: &Counts) -> ComparedRun {
        let mut wastes: BTreeMap<WasteId, Waste> = BTreeMap::new();
        for finding in findings {
            let stack = finding.callers.first().map(|(stack, _)| *stack).unwrap_or_default();
            let location = own_frame(registry, stack).and_then(|own| own.location);
            let id = WasteId {
                id: finding.id,
                program: base_name(registry.path(finding.program)).to_vec(),
                function: location.map(|own| own.function.clone()).unwrap_or_default(),
            };
            let waste = wastes.entry(id).or_default();
            waste.wasted += finding.wasted;
            waste.saved += finding.saved.map_or(0, |saved| saved.nanoseconds);
            waste.location = location.cloned();
        }
        let names = counts.calls().by_kind().into_iter().map(|(name, tally)| (name, tally.calls));
        ComparedRun {
            calls: counts.total().calls,
            failed: counts.total().failed,
            nanoseconds: registry.end(),
            names: names.collect(),
            wastes,
        }
    }

    fn wasted(&self) -> u64 {
        self.wastes.values().map(|waste| waste.wasted).sum()
    }
}

/// An earlier run and a later one.
#[derive(Debug)]
pub struct Difference {
    runs: [ComparedRun; 2],
}

/// What became of a finding. The worst comes first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    New,
    More,
    Less,
    Gone,
    Same,
}

impl Change {
    fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::More => "more",
            Change::Less => "less",
            Change::Gone => "gone",
            Change::Same => "same",
        }
    }
}

/// A finding in both runs; what it lacks in one is 0.
#[derive(Debug)]
struct Row {
    change: Change,
    id: WasteId,
    location: Option<Location>,
    wasted: [u64; 2],
    saved: [u64; 2],
}

impl Difference {
    /// Compares `after` with `before`.
    #[must_use]
    pub fn new(before: ComparedRun, after: ComparedRun) -> Difference {
        Difference { runs: [before, after] }
    }

    /// Whether a finding is new, or has more wasted calls than before.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.rows().iter().any(|row| matches!(row.change, Change::New | Change::More))
    }

    fn rows(&self) -> Vec<Row> {
        let all = compact::set(self.runs.iter().flat_map(|run| run.wastes.keys()));
        let row = |id: &WasteId| {
            let [before, after] = self.both(|run| run.wastes.get(id).cloned());
            let change = match (&before, &after) {
                (None, _) => Change::New,
                (_, None) => Change::Gone,
                (Some(before), Some(after)) => match after.wasted.cmp(&before.wasted) {
                    std::cmp::Ordering::Greater => Change::More,
                    std::cmp::Ordering::Less => Change::Less,
                    std::cmp::Ordering::Equal => Change::Same,
                },
            };
            let location = after.iter().chain(&before).find_map(|waste| waste.location.clone());
            let [before, after] = [before, after].map(Option::unwrap_or_default);
            let (wasted, saved) = ([before.wasted, after.wasted], [before.saved, after.saved]);
            Row { change, id: id.clone(), location, wasted, saved }
        };
        let mut rows: Vec<Row> = all.into_iter().map(row).collect();
        compact::sort_by_key(&mut rows, |row| {
            (row.change, Reverse(row.wasted[0].abs_diff(row.wasted[1])))
        });
        rows
    }

    fn both<T>(&self, of: impl Fn(&ComparedRun) -> T) -> [T; 2] {
        let [before, after] = &self.runs;
        [of(before), of(after)]
    }

    /// Calls by name in both runs, those that differ the most first.
    fn names(&self) -> Vec<(Name, [u64; 2])> {
        let all = compact::set(self.runs.iter().flat_map(|run| run.names.keys().copied()));
        let calls = |name| self.both(|run| run.names.get(&name).copied().unwrap_or_default());
        let mut names: Vec<_> = all.into_iter().map(|name| (name, calls(name))).collect();
        compact::sort_by_key(&mut names, |(name, [before, after])| {
            (Reverse(before.abs_diff(*after)), *name)
        });
        names
    }

    /// A summary line, a line for each finding that differs, and for each kind of call.
    #[must_use]
    pub fn text(&self) -> String {
        let calls = self.both(|run| run.calls);
        let wasted = self.both(ComparedRun::wasted);
        let mut out = format!("{}; wasted {}", arrow(calls, "calls"), arrow(wasted, ""));
        if let [Some(before), Some(after)] = self.both(|run| run.nanoseconds) {
            out += &format!("; watched for {} -> {}", time(before), time(after));
        }
        out += "\n";
        let rows = self.rows();
        let (same, changed): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| row.change == Change::Same);
        for row in changed {
            out += &row.line();
        }
        match same.len() as u64 {
            0 => {}
            1 => out += "1 finding is the same\n",
            many => out += &format!("{} are the same\n", counted(many, "finding", "findings")),
        }
        let names = self.names();
        let differ = names.iter().filter(|(_, [before, after])| before != after).take(NAMES);
        for (name, [before, after]) in differ {
            let sign = if after > before { '+' } else { '-' };
            let by = format!("{sign}{}", count(before.abs_diff(*after)));
            let (before, after) = (count(*before), count(*after));
            out += &format!("{before:>12} -> {after:<12} {by:>12}  {name}\n");
        }
        out
    }

    /// One object on one line, with a newline behind it.
    #[must_use]
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Document<'a> {
            v: u32,
            worse: bool,
            calls: [u64; 2],
            failed: [u64; 2],
            wasted: [u64; 2],
            watched_ns: [Option<u64>; 2],
            findings: Vec<Changed<'a>>,
            by_name: Vec<Named>,
        }
        #[derive(Serialize)]
        struct Changed<'a> {
            change: Change,
            id: &'static str,
            program: Text,
            own: Option<&'a Location>,
            wasted: [u64; 2],
            saved_ns: [u64; 2],
        }
        #[derive(Serialize)]
        struct Named {
            name: Name,
            calls: [u64; 2],
        }
        let rows = self.rows();
        let document = Document {
            v: 1,
            worse: self.is_worse(),
            calls: self.both(|run| run.calls),
            failed: self.both(|run| run.failed),
            wasted: self.both(ComparedRun::wasted),
            watched_ns: self.both(|run| run.nanoseconds),
            findings: (rows.iter())
                .map(|row| Changed {
                    change: row.change,
                    id: row.id.id,
                    program: Text::from(&*row.id.program),
                    own: row.location.as_ref(),
                    wasted: row.wasted,
                    saved_ns: row.saved,
                })
                .collect(),
            by_name: self.names().into_iter().map(|(name, calls)| Named { name, calls }).collect(),
        };
        // Every value is a number, a text, or a list or struct of these: that cannot fail.
        serde_json::to_string(&document).unwrap_or_default() + "\n"
    }
}

impl Row {
    /// `new   same-stat in ls, show (ls.c:9): wasted 0 -> 10,001, ~9.8 ms`
    fn line(&self) -> String {
        let own = match &self.location {
            Some(own) if own.line > 0 => format!(", {} ({}:{})", own.function, own.file, own.line),
            Some(own) => format!(", {}", own.function),
            None => String::new(),
        };
        let (program, own) = (escaped(&self.id.program), escaped(own.as_bytes()).to_string());
        let [before, after] = self.saved.map(time);
        let wasted = arrow(self.wasted, "");
        let (word, id) = (self.change.word(), self.id.id);
        format!("{word:<5} {id} in {program}{own}: wasted {wasted}, ~{before} -> ~{after}\n")
    }
}

/// `20,214 -> 10,212 calls (-49 %)`
fn arrow([before, after]: [u64; 2], unit: &str) -> String {
    let by = match after.cmp(&before) {
        _ if before == 0 => String::new(),
        std::cmp::Ordering::Equal => String::new(),
        std::cmp::Ordering::Less => format!(" (-{})", share(before - after, before)),
        std::cmp::Ordering::Greater => format!(" (+{})", share(after - before, before)),
    };
    let gap = if unit.is_empty() { "" } else { " " };
    format!("{} -> {}{gap}{unit}{by}", count(before), count(after))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Run, finding, run};
    use super::*;

    fn compared(run: &Run, findings: &[Finding]) -> ComparedRun {
        ComparedRun::new(findings, &run.registry, &run.counts)
    }

    #[test]
    fn findings_are_new_gone_more_less_or_the_same() {
        let run = run();
        let (one, more) = (finding(), Finding { wasted: 10_002, ..finding() });
        let other = Finding { id: "reopen", wasted: 5, saved: None, ..finding() };
        let (one, more, other) = (vec![one], vec![more], vec![other]);
        let line = "in lister, show_entry (/home/a/src/lister.c:42): wasted";
        for (before, after, worse, said) in [
            (&one, &one, false, "1 finding is the same".to_owned()),
            (&one, &more, true, format!("more  same-stat {line} 10,001 -> 10,002 (+< 1 %)")),
            (&more, &one, false, format!("less  same-stat {line} 10,002 -> 10,001 (-< 1 %)")),
            (&vec![], &one, true, format!("new   same-stat {line} 0 -> 10,001, ~0 ns -> ~9.8 ms")),
            (&one, &vec![], false, format!("gone  same-stat {line} 10,001 -> 0 (-100 %)")),
            (&one, &other, true, format!("new   reopen {line} 0 -> 5, ~0 ns -> ~0 ns\ngone  same")),
        ] {
            let difference = Difference::new(compared(&run, before), compared(&run, after));
            let text = difference.text();
            assert!(text.contains(&said), "{said}\n{text}");
            assert_eq!(difference.is_worse(), worse, "{text}");
        }
    }

    #[test]
    fn calls_and_time_are_compared() {
        let (run, nothing) = (run(), Run::default());
        let difference = Difference::new(compared(&run, &[finding()]), compared(&nothing, &[]));
        let text = difference.text();
        assert!(text.starts_with("20,214 -> 0 calls (-100 %); wasted 10,001 -> 0 (-100 %)\n"));
        assert!(text.contains("10,201 -> 0                 -10,201  read\n"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&difference.json()).unwrap();
        for (key, expected) in [
            ("/worse", serde_json::json!(false)),
            ("/calls", serde_json::json!([20_214, 0])),
            ("/watched_ns", serde_json::json!([90_000_000, null])),
            ("/findings/0/change", serde_json::json!("gone")),
            ("/findings/0/program", serde_json::json!({"text": "lister"})),
            ("/findings/0/own/function", serde_json::json!("show_entry")),
            ("/findings/0/saved_ns", serde_json::json!([9_840_000, 0])),
            ("/by_name/0", serde_json::json!({"name": "read", "calls": [10_201, 0]})),
        ] {
            assert_eq!(json.pointer(key), Some(&expected), "{key}");
        }
    }
}
