//! From where new calls come: callers now against callers as they were recorded.
//!
//! Lines of a source move when something is added above them, so a caller is first looked for among
//! all lines of its function. Only where a function makes more calls than it did is there something
//! new in it, and then the counts of its lines show which.

use std::collections::BTreeMap;

use fewer::compact;

use crate::ratio::Ratio;

/// A caller that makes calls which were not there.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Origin {
    /// The caller; empty if it is not known.
    pub caller: String,
    /// How many calls it makes now.
    pub calls: u64,
    /// How many of them are new.
    pub new: u64,
    /// Other lines of the same function that make as many calls: one of them may be the new one.
    pub or: Vec<String>,
}

type Callers<'c> = BTreeMap<&'c str, u64>;

/// Lines of a function, and how many calls each makes.
type Lines<'c> = Vec<(&'c str, u64)>;

/// Callers that make more calls than before; the most first.
pub(crate) fn origins(now: &Callers, before: &Callers) -> Vec<Origin> {
    let mut functions: BTreeMap<&str, (Lines, Lines)> = BTreeMap::new();
    for (caller, calls) in now {
        functions.entry(function(caller)).or_default().0.push((caller, *calls));
    }
    for (caller, calls) in before {
        functions.entry(function(caller)).or_default().1.push((caller, *calls));
    }
    let sum = |lines: &[(&str, u64)]| lines.iter().map(|(_, calls)| calls).sum::<u64>();
    let more = functions.into_values().filter(|(now, before)| sum(now) > sum(before));
    let mut origins: Vec<Origin> =
        more.flat_map(|(now, before)| in_function(now, before)).collect();
    compact::sort_by(&mut origins, |a, b| b.new.cmp(&a.new).then_with(|| a.caller.cmp(&b.caller)));
    origins
}

/// Callers that make more calls per item than before, all lines of a function together, and how
/// many more; the most first.
pub(crate) fn steeper(
    now: &BTreeMap<String, Ratio>,
    before: &BTreeMap<String, Ratio>,
) -> Vec<(String, Ratio)> {
    let mut more: Vec<(String, Ratio)> = Vec::new();
    for (caller, ratio) in now {
        let same = |(other, _): &(&String, &Ratio)| function(other) == function(caller);
        let lines: Vec<_> = before.iter().filter(same).collect();
        let here = now.iter().filter(same).count();
        // Of as many lines as before those with the same ratio are the same, moved.
        let moved = here == lines.len() && lines.iter().any(|(_, was)| *was == ratio);
        let was = before.get(caller).copied().unwrap_or_default();
        if let Some(new) = ratio.more_than(was).filter(|new| *new > Ratio::default() && !moved) {
            more.push((caller.clone(), new));
        }
    }
    compact::sort_by(&mut more, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    more
}

/// All callers, where none of them makes more calls than before.
pub(crate) fn all(now: &Callers, excess: u64) -> Vec<Origin> {
    let origin = |(caller, calls): (&&str, &u64)| Origin {
        caller: (*caller).to_owned(),
        calls: *calls,
        new: excess.min(*calls),
        or: Vec::new(),
    };
    let mut origins: Vec<Origin> = now.iter().map(origin).collect();
    compact::sort_by(&mut origins, |a, b| {
        b.calls.cmp(&a.calls).then_with(|| a.caller.cmp(&b.caller))
    });
    origins
}

/// The caller without its line, or its address.
fn function(caller: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match (caller.rsplit_once(':'), caller.rsplit_once("+0x")) {
        (Some((function, line)), _) if is_number(line) => function,
        (_, Some((module, _))) => module,
        _ => caller,
    }
}

/// What is new in one function, which makes more calls than before.
fn in_function(mut now: Lines, mut before: Lines) -> Vec<Origin> {
    let mut counts: Vec<u64> = before.iter().map(|(_, calls)| *calls).collect();
    counts.dedup();
    let mut found = Vec::new();
    for count in counts {
        let same = |lines: &[(&str, u64)]| lines.iter().filter(|it| it.1 == count).count();
        match (same(&now), same(&before)) {
            // As many lines as before make as many calls: these are the same ones.
            (is, was) if is == was => {}
            (is, was) if is > was && was > 0 => {
                found.push(one_of(&now, &before, count));
            }
            _ => continue,
        }
        now.retain(|it| it.1 != count);
        before.retain(|it| it.1 != count);
    }
    for (caller, calls) in now {
        let was = before.iter().find(|it| it.0 == caller).map_or(0, |it| it.1);
        if calls > was {
            let (caller, new) = (caller.to_owned(), calls - was);
            found.push(Origin { caller, calls, new, or: Vec::new() });
        }
    }
    found
}

/// Several lines make as many calls as fewer lines did: those that are at a line where there was
/// none before are new, in case of doubt the first.
fn one_of(now: &[(&str, u64)], before: &[(&str, u64)], count: u64) -> Origin {
    let with = |lines: &[(&str, u64)]| -> Vec<String> {
        lines.iter().filter(|it| it.1 == count).map(|it| it.0.to_owned()).collect()
    };
    let was = with(before);
    let mut lines = with(now);
    let many = u64::try_from(lines.len() - was.len()).unwrap_or(u64::MAX);
    compact::sort_by_key(&mut lines, |line| was.contains(line));
    let caller = lines.remove(0);
    Origin { caller, calls: count, new: count.saturating_mul(many), or: lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(now: &[(&'static str, u64)], before: &[(&'static str, u64)]) -> Vec<(String, u64)> {
        let map = |lines: &[(&'static str, u64)]| lines.iter().copied().collect::<Callers>();
        let origins = origins(&map(now), &map(before));
        origins
            .into_iter()
            .map(|it| ([vec![it.caller], it.or].concat().join("|"), it.new))
            .collect()
    }

    #[test]
    fn a_new_caller_is_named() {
        let new = of(&[("main at a.c:9", 1), ("show at a.c:4", 100)], &[("main at a.c:9", 1)]);
        assert_eq!(new, [("show at a.c:4".to_owned(), 100)]);
    }

    #[test]
    fn a_line_that_has_moved_is_not_new() {
        let before = [("main at a.c:9", 1), ("main at a.c:20", 7)];
        let now = [("main at a.c:9", 1), ("main at a.c:12", 100), ("main at a.c:22", 7)];
        assert_eq!(of(&now, &before), [("main at a.c:12".to_owned(), 100)]);
        assert_eq!(of(&before, &before), []);
        assert_eq!(of(&[("x+0x12", 5)], &[("x+0x10", 5)]), []);
    }

    #[test]
    fn a_line_that_makes_more_calls_is_named() {
        assert_eq!(of(&[("f at a.c:9", 8)], &[("f at a.c:9", 5)]), [("f at a.c:9".to_owned(), 3)]);
        assert_eq!(of(&[("f at a.c:11", 8)], &[("f at a.c:9", 5)]).len(), 1);
    }

    #[test]
    fn lines_that_look_the_same_are_both_named() {
        let now = [("f at a.c:10", 100), ("f at a.c:11", 100)];
        let both = [("f at a.c:11|f at a.c:10".to_owned(), 100)];
        assert_eq!(of(&now, &[("f at a.c:10", 100)]), both);
        let both = [("f at a.c:10|f at a.c:11".to_owned(), 100)];
        assert_eq!(of(&now, &[("f at a.c:9", 100)]), both);
    }

    #[test]
    fn an_unknown_caller_is_a_caller_like_any_other() {
        assert_eq!(of(&[("", 5)], &[]), [(String::new(), 5)]);
        assert_eq!(of(&[("f in x", 5)], &[("f in x", 6)]), []);
    }
}
