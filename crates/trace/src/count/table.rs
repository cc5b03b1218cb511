//! The counts as tables, and as JSON.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Counts, Tally};
use crate::{Name, Note, PathId, Registry, StackId, Text, figures, own_frame};
use fewer::compact;
use fewer::present::escaped;

/// Calls of one name from one place in the program.
struct Caller {
    /// Function, file and line, as far as they are known.
    place: String,
    name: Name,
    tally: Tally,
}

/// Three tables: by name, by path, by caller; of the last two the first `top` rows.
#[must_use]
pub fn text(counts: &Counts, registry: &Registry, top: usize) -> String {
    let top = if top == 0 { usize::MAX } else { top };
    let mut text = String::new();
    notes(&mut text, registry.notes());
    head(&mut text, "name");
    row(&mut text, counts.total(), "total");
    for (name, tally) in counts.by_name() {
        row(&mut text, tally, &name.to_string());
    }
    let files = counts.by_file();
    if !files.is_empty() {
        text.push('\n');
        head(&mut text, "path");
        for (file, tally) in files.iter().take(top) {
            row(&mut text, *tally, &escaped(registry.path(*file)));
        }
        rest(&mut text, files.iter().skip(top).map(|(_, tally)| *tally), "paths");
        if counts.beyond().calls > 0 {
            row(&mut text, counts.beyond(), "(on further files)");
        }
    }
    let callers = callers(counts, registry);
    if !callers.is_empty() {
        text.push('\n');
        head(&mut text, "caller");
        for caller in callers.iter().take(top) {
            row(
                &mut text,
                caller.tally,
                &format!("{}: {}", escaped(caller.place.as_bytes()), caller.name),
            );
        }
        rest(&mut text, callers.iter().skip(top).map(|caller| caller.tally), "callers");
    }
    text
}

fn notes(text: &mut String, notes: &[Note]) {
    for note in notes {
        let _ = writeln!(text, "note: {}", escaped(note.text.as_bytes()));
    }
}

fn head(text: &mut String, of: &str) {
    let _ = writeln!(text, "{:>12} {:>10}  {of}", "calls", "failed");
}

fn row(text: &mut String, tally: Tally, label: &str) {
    let failed = if tally.failed == 0 { String::new() } else { figures::count(tally.failed) };
    let _ = writeln!(text, "{:>12} {failed:>10}  {label}", figures::count(tally.calls));
}

fn rest(text: &mut String, tallies: impl ExactSizeIterator<Item = Tally>, what: &str) {
    let number = tallies.len();
    let sum = tallies.fold(Tally::default(), |sum, tally| Tally {
        calls: sum.calls + tally.calls,
        failed: sum.failed + tally.failed,
        moved: sum.moved + tally.moved,
    });
    if number > 0 {
        row(text, sum, &format!("({} more {what})", figures::count(number as u64)));
    }
}

/// The counts as one JSON object, with all rows.
#[must_use]
pub fn json(counts: &Counts, registry: &Registry) -> Value {
    let tally =
        |tally: Tally| json!({"calls": tally.calls, "failed": tally.failed, "bytes": tally.moved});
    let with = |mut row: Value, key: &str, value: Value| {
        row[key] = value;
        row
    };
    let path = |id: PathId| json!(Text::from(registry.path(id)));
    let names: Vec<Value> = counts
        .by_name()
        .into_iter()
        .map(|(name, sum)| with(tally(sum), "name", json!(name)))
        .collect();
    let files: Vec<Value> = counts
        .by_file()
        .into_iter()
        .map(|(file, sum)| with(tally(sum), "path", path(file)))
        .collect();
    let callers: Vec<Value> = callers(counts, registry)
        .into_iter()
        .map(|caller| {
            let row = with(tally(caller.tally), "name", json!(caller.name));
            with(row, "caller", json!(caller.place))
        })
        .collect();
    json!({
        "v": 1,
        "total": tally(counts.total()),
        "names": names,
        "paths": files,
        "callers": callers,
        "notes": registry.notes(),
    })
}

/// Calls by the program's own place and name, the most first. Without stacks there are none.
fn callers(counts: &Counts, registry: &Registry) -> Vec<Caller> {
    let mut sums: HashMap<(String, Name), Tally> = HashMap::new();
    for ((stack, name), tally) in counts.by_caller() {
        if stack != StackId::NONE {
            let sum = sums.entry((own_frame::label(registry, stack), name)).or_default();
            sum.calls += tally.calls;
            sum.failed += tally.failed;
            sum.moved += tally.moved;
        }
    }
    let mut callers: Vec<Caller> =
        sums.into_iter().map(|((place, name), tally)| Caller { place, name, tally }).collect();
    compact::sort_by(&mut callers, |a, b| {
        b.tally.calls.cmp(&a.tally.calls).then_with(|| (&a.place, a.name).cmp(&(&b.place, b.name)))
    });
    callers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Event};

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
            counts.see(event);
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
    fn json_has_all_rows() {
        let (counts, registry) = counted();
        let json = json(&counts, &registry);
        assert_eq!(json["total"]["calls"], 1235);
        assert_eq!(json["names"][1]["name"], "openat");
        assert_eq!(json["paths"][1]["path"]["text"], "/b\n");
        assert_eq!(json["paths"][1]["failed"], 1);
    }
}
