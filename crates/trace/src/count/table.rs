//! The counts as tables, and as JSON.

use std::fmt::{Display, Write as _};
use std::hash::Hash;

use rustc_hash::FxHashMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Counts, Tallies, Tally};
use crate::{Note, PathId, Registry, StackId, Text, figures, own_frame};
use fewer::compact;
use fewer::present::escaped;

/// Calls of one name, or requests of one operation, from one place in the program.
struct Caller<K> {
    /// Function, file and line, as far as they are known.
    place: String,
    kind: K,
    tally: Tally,
}

/// Three tables: by name, by path, by caller; of the last two the first `top` rows. The same once
/// more for requests of io_uring, if there are any.
#[must_use]
pub fn text(counts: &Counts, registry: &Registry, top: usize) -> String {
    let top = if top == 0 { usize::MAX } else { top };
    let mut text = String::new();
    notes(&mut text, registry.notes());
    programs(&mut text, counts, registry, top);
    tables(&mut text, counts.calls(), registry, (top, "calls", ""));
    if counts.requests().total().calls > 0 {
        text.push('\n');
        tables(&mut text, counts.requests(), registry, (top, "requests", " (io_uring, no calls)"));
    }
    text
}

/// What a program is called whose beginning was not seen.
const UNKNOWN: &str = "(unknown)";

fn program(registry: &Registry, program: PathId) -> &[u8] {
    if program.is_some() { registry.path(program) } else { UNKNOWN.as_bytes() }
}

/// By program and name, if that was counted.
fn programs(text: &mut String, counts: &Counts, registry: &Registry, top: usize) {
    let programs = counts.programs();
    if programs.is_empty() {
        return;
    }
    head(text, "calls", "program");
    for ((path, name), tally) in programs.iter().take(top) {
        row(text, *tally, &format!("{}: {name}", escaped(program(registry, *path))));
    }
    rest(text, programs.iter().skip(top).map(|(_, tally)| *tally), "rows");
    text.push('\n');
}

/// `how`: the most rows, what the figures count, and what is to be said of it.
fn tables<K: Copy + Eq + Hash + Ord + Display>(
    text: &mut String,
    tallies: &Tallies<K>,
    registry: &Registry,
    how: (usize, &str, &str),
) {
    let (top, what, remark) = how;
    let kind = if remark.is_empty() { "name" } else { "operation" };
    head(text, what, &format!("{kind}{remark}"));
    row(text, tallies.total(), "total");
    for (name, tally) in tallies.by_kind() {
        row(text, tally, &name.to_string());
    }
    let files = tallies.by_file();
    if !files.is_empty() {
        text.push('\n');
        head(text, what, "path");
        for (file, tally) in files.iter().take(top) {
            row(text, *tally, &escaped(registry.path(*file)));
        }
        rest(text, files.iter().skip(top).map(|(_, tally)| *tally), "paths");
        if tallies.beyond().calls > 0 {
            row(text, tallies.beyond(), "(on further files)");
        }
    }
    let callers = callers(tallies, registry);
    if !callers.is_empty() {
        text.push('\n');
        head(text, what, "caller");
        for caller in callers.iter().take(top) {
            let place = escaped(caller.place.as_bytes());
            row(text, caller.tally, &format!("{place}: {}", caller.kind));
        }
        rest(text, callers.iter().skip(top).map(|caller| caller.tally), "callers");
    }
}

fn notes(text: &mut String, notes: &[Note]) {
    for note in notes {
        let _ = writeln!(text, "note: {}", escaped(note.text.as_bytes()));
    }
}

fn head(text: &mut String, what: &str, of: &str) {
    let _ = writeln!(text, "{what:>12} {:>10}  {of}", "failed");
}

fn row(text: &mut String, tally: Tally, label: &str) {
    let failed = if tally.failed == 0 { String::new() } else { figures::count(tally.failed) };
    let _ = writeln!(text, "{:>12} {failed:>10}  {label}", figures::count(tally.calls));
}

fn rest(text: &mut String, tallies: impl ExactSizeIterator<Item = Tally>, what: &str) {
    let number = tallies.len();
    let sum = tallies.fold(Tally::default(), |mut sum, tally| {
        sum.add(tally);
        sum
    });
    if number > 0 {
        row(text, sum, &format!("({} more {what})", figures::count(number as u64)));
    }
}

/// The counts as one JSON object, with all rows.
#[must_use]
pub fn json(counts: &Counts, registry: &Registry) -> Value {
    let mut json = rows(counts.calls(), registry, ("calls", "name", "names"));
    json["v"] = json!(1);
    json["requests"] = rows(counts.requests(), registry, ("requests", "operation", "operations"));
    let programs = counts.programs().into_iter().map(|((path, name), tally)| {
        let path = Text::from(program(registry, path));
        json!({"program": path, "name": name, "calls": tally.calls, "failed": tally.failed,
            "bytes": tally.moved})
    });
    if let programs @ [_, ..] = &*programs.collect::<Vec<_>>() {
        json["programs"] = json!(programs);
    }
    json["notes"] = json!(registry.notes());
    json
}

/// `words`: what is counted, what its kinds are called, and several of them.
fn rows<K: Copy + Eq + Hash + Ord + Serialize>(
    tallies: &Tallies<K>,
    registry: &Registry,
    words: (&str, &str, &str),
) -> Value {
    let (what, one_kind, kinds) = words;
    let tally =
        |tally: Tally| json!({what: tally.calls, "failed": tally.failed, "bytes": tally.moved});
    let with = |mut row: Value, key: &str, value: Value| {
        row[key] = value;
        row
    };
    let path = |id: PathId| json!(Text::from(registry.path(id)));
    let by_kind = tallies.by_kind().into_iter();
    let by_kind: Vec<Value> =
        by_kind.map(|(kind, sum)| with(tally(sum), one_kind, json!(kind))).collect();
    let files = tallies.by_file().into_iter();
    let files: Vec<Value> = files.map(|(file, sum)| with(tally(sum), "path", path(file))).collect();
    let callers: Vec<Value> = callers(tallies, registry)
        .into_iter()
        .map(|caller| {
            let row = with(tally(caller.tally), one_kind, json!(caller.kind));
            with(row, "caller", json!(caller.place))
        })
        .collect();
    json!({"total": tally(tallies.total()), kinds: by_kind, "paths": files, "callers": callers})
}

/// By the program's own place and kind, the most first. Without stacks there are none.
fn callers<K: Copy + Eq + Hash + Ord>(tallies: &Tallies<K>, registry: &Registry) -> Vec<Caller<K>> {
    let mut sums: FxHashMap<(String, K), Tally> = FxHashMap::default();
    for ((stack, kind), tally) in tallies.by_caller() {
        if stack != StackId::NONE {
            sums.entry((own_frame::label(registry, stack), kind)).or_default().add(tally);
        }
    }
    let mut callers: Vec<Caller<K>> =
        sums.into_iter().map(|((place, kind), tally)| Caller { place, kind, tally }).collect();
    compact::sort_by(&mut callers, |a, b| {
        b.tally.calls.cmp(&a.tally.calls).then_with(|| (&a.place, a.kind).cmp(&(&b.place, b.kind)))
    });
    callers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Event, Name, Operation, Request};

    fn counted() -> (Counts, Registry) {
        let (mut counts, mut registry) = (Counts::default(), Registry::default());
        let named = |id, path: &str| Event::Path { id: PathId(id), path: Text::from(path) };
        let call = |name, file, result| {
            Event::Call(Call { name, file: PathId(file), result, ..Call::default() })
        };
        let mut events = vec![named(1, "/a"), named(2, "/b\n")];
        events.extend((0..1234).map(|_| call(Name::Statx, 1, 0)));
        events.push(call(Name::Openat, 2, -2));
        for event in &events {
            registry.take(event);
            counts.see(event, &registry);
        }
        (counts, registry)
    }

    #[test]
    fn tables_are_for_readers() {
        let (counts, registry) = counted();
        let wanted = concat!(
            "       calls     failed  name\n", "       1,235          1  total\n",
            "       1,234             statx\n", "           1          1  openat\n", "\n",
            "       calls     failed  path\n", "       1,234             /a\n",
            "           1          1  (1 more paths)\n",
        );
        assert_eq!(text(&counts, &registry, 1), wanted);
        assert!(text(&counts, &registry, 0).contains("/b\\n"));
    }

    #[test]
    fn requests_have_tables_of_their_own() {
        let (mut counts, registry) = counted();
        let operation = Operation::parse("STATX").unwrap();
        let request = Request { operation, file: PathId(1), ..Request::default() };
        counts.see(&Event::Request(request), &registry);
        let wanted = concat!(
            "    requests     failed  operation (io_uring, no calls)\n",
            "           1             total\n", "           1             STATX\n", "\n",
            "    requests     failed  path\n", "           1             /a\n",
        );
        assert!(text(&counts, &registry, 1).ends_with(wanted));
        let json = json(&counts, &registry);
        assert_eq!(json["total"]["calls"], 1235);
        assert_eq!(json["requests"]["total"]["requests"], 1);
        assert_eq!(json["requests"]["operations"][0]["operation"], "STATX");
    }

    #[test]
    fn json_has_all_rows() {
        let (counts, registry) = counted();
        let json = json(&counts, &registry);
        assert_eq!(json["total"]["calls"], 1235);
        assert_eq!(json["names"][1]["name"], "openat");
        assert_eq!(json["paths"][1]["path"]["text"], "/b\n");
        assert_eq!(json["paths"][1]["failed"], 1);
    }
}
