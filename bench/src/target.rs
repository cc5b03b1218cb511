//! Judges a definition's promises by what was measured.

use serde::Serialize;

use crate::calls;
use crate::definition::{Definition, Measure, Target};
use crate::record::{Run, Tree};

#[derive(Debug, Serialize)]
pub(crate) struct Judged {
    pub(crate) says: String,
    pub(crate) measure: Measure,
    pub(crate) wanted: String,
    /// Absent if it could not be judged.
    pub(crate) got: Option<f64>,
    pub(crate) reached: Option<bool>,
    /// What it was compared to, or why it was not judged.
    pub(crate) note: String,
}

pub(crate) fn judge(definition: &Definition, runs: &[Run], tree: &Tree) -> Vec<Judged> {
    definition.targets.iter().map(|target| judge_one(target, definition, runs, tree)).collect()
}

fn judge_one(target: &Target, definition: &Definition, runs: &[Run], tree: &Tree) -> Judged {
    let (wanted, holds): (String, Box<dyn Fn(f64) -> bool>) =
        match (target.at_least, target.at_most) {
            (Some(least), _) => (format!("at least {least}"), Box::new(move |got| got >= least)),
            (None, Some(most)) => (format!("at most {most}"), Box::new(move |got| got <= most)),
            (None, None) => ("nothing".into(), Box::new(|_| true)),
        };
    let (got, note) = match value(target, definition, runs, tree) {
        Ok((got, note)) => (Some((got * 1e4).round() / 1e4), note),
        Err(reason) => (None, reason),
    };
    Judged {
        says: target.says.clone(),
        measure: target.measure,
        wanted,
        got,
        reached: got.map(holds),
        note,
    }
}

/// The number that a target is about, with what it was compared to.
fn value(
    target: &Target,
    definition: &Definition,
    runs: &[Run],
    tree: &Tree,
) -> Result<(f64, String), String> {
    let ours = runs
        .iter()
        .find(|run| run.label == definition.ours)
        .ok_or(format!("{} did not run", definition.ours))?;
    if !matches!(ours.verified.as_str(), "ok" | "not checked") {
        return Err(format!("{} is wrong: {}", ours.label, ours.verified));
    }
    let total = ours.calls.map(|calls| calls as f64).ok_or("calls were not counted");
    let directories = f64::from(tree.directories);
    let alone = |got: f64| Ok((got, String::new()));
    match target.measure {
        Measure::SpeedUp | Measure::TimeRatio => {
            let (best, note) = best(target, runs, |run| Some(run.median_ms))?;
            let ratio = best / ours.median_ms;
            Ok((if target.measure == Measure::SpeedUp { ratio } else { ratio.recip() }, note))
        }
        Measure::CallsMore => {
            let total = total?;
            let (best, note) = best(target, runs, |run| run.calls.map(|calls| calls as f64))?;
            Ok((total - best, note))
        }
        Measure::CallsPerDirectory => alone(total? / directories),
        Measure::FutexPerDirectory => {
            total?;
            let futex = ours.calls_by_name.get("futex").copied().unwrap_or(0);
            alone(futex as f64 / directories)
        }
        Measure::Stats => {
            total?;
            let (all, start) = (&ours.calls_by_name, &ours.calls_to_start_by_name);
            alone(calls::stats(all) as f64 - calls::stats(start) as f64)
        }
        Measure::PeakMib => alone(ours.peak_kib as f64 / 1024.0),
    }
}

/// The smallest number of those compared to, and who that is; those that did not run are named.
fn best(
    target: &Target,
    runs: &[Run],
    number: fn(&Run) -> Option<f64>,
) -> Result<(f64, String), String> {
    let found = |label: &String| {
        let run = runs.iter().find(|run| run.label == *label)?;
        Some((number(run)?, run.label.as_str()))
    };
    let best = target.against.iter().filter_map(found).min_by(|a, b| a.0.total_cmp(&b.0));
    let (number, label) = best.ok_or(format!("{} did not run", target.against.join(", ")))?;
    let absent: Vec<&str> =
        target.against.iter().filter(|l| found(l).is_none()).map(String::as_str).collect();
    let without =
        if absent.is_empty() { String::new() } else { format!(", WITHOUT {}", absent.join(", ")) };
    Ok((number, format!("against {label}{without}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::Calls;
    use crate::engine::{Claim, Contender};

    fn run(label: &str, median_ms: f64, calls: &[(&str, u64)], start: &[(&str, u64)]) -> Run {
        let who = Contender::plain(label, Claim::All);
        let mut run = Run::new(&who, "ok".into(), &[]);
        run.median_ms = median_ms;
        let named = |calls: &[(&str, u64)]| -> Calls {
            calls.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        run.set_calls(named(calls), named(start), 300);
        run
    }

    fn judged(target: &str) -> Judged {
        let text = format!(
            "about='x'\ntree='small'\nrounds=1\nours='us:a'\nfloor='us:a'\n\
             engines=['us:a','they:a','slow:a','gone:a']\n[[target]]\nsays='x'\n{target}"
        );
        let definition: Definition = toml::from_str(&text).unwrap();
        let runs = [
            run("us:a", 10.0, &[("close", 900), ("fstat", 3)], &[("fstat", 3)]),
            run("they:a", 30.0, &[("close", 890)], &[]),
            run("slow:a", 90.0, &[("close", 5_000)], &[]),
        ];
        let tree = Tree::new(crate::tree::shape("small").unwrap());
        judge(&definition, &runs, &tree).remove(0)
    }

    #[test]
    fn the_best_of_the_others_counts() {
        let judged = judged("measure='speed-up'\nagainst=['slow:a','they:a']\nat_least=2.5");
        assert_eq!((judged.got, judged.reached), (Some(3.0), Some(true)));
        assert_eq!(judged.note, "against they:a");
    }

    #[test]
    fn who_is_missing_is_said() {
        let judged = judged("measure='time-ratio'\nagainst=['gone:a','they:a']\nat_most=0.3");
        assert_eq!(judged.reached, Some(false));
        assert_eq!(judged.note, "against they:a, WITHOUT gone:a");
    }

    #[test]
    fn nothing_is_judged_against_nobody() {
        let judged = judged("measure='speed-up'\nagainst=['gone:a']\nat_least=1");
        assert_eq!((judged.got, judged.reached), (None, None));
    }

    #[test]
    fn calls_are_judged_in_total_beyond_starting_and_beyond_others() {
        assert_eq!(judged("measure='calls-per-directory'\nat_most=3.02").got, Some(3.01));
        assert_eq!(judged("measure='stats'\nat_most=0").got, Some(0.0));
        assert_eq!(judged("measure='calls-more'\nagainst=['they:a']\nat_most=12").got, Some(13.0));
    }
}
