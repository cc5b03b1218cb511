//! Judges a definition's promises by what was measured.

use serde::Serialize;

use crate::calls;
use crate::definition::{Definition, Measure, Target, Unit};
use crate::record::Run;

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

pub(crate) fn judge(definition: &Definition, runs: &[Run]) -> Vec<Judged> {
    definition.targets.iter().map(|target| judge_one(target, definition, runs)).collect()
}

fn judge_one(target: &Target, definition: &Definition, runs: &[Run]) -> Judged {
    let (wanted, holds): (String, Box<dyn Fn(f64) -> bool>) =
        match (target.at_least, target.at_most) {
            (Some(least), _) => (format!("at least {least}"), Box::new(move |got| got >= least)),
            (None, Some(most)) => (format!("at most {most}"), Box::new(move |got| got <= most)),
            (None, None) => ("nothing".into(), Box::new(|_| true)),
        };
    let (got, note) = match value(target, definition, runs) {
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
fn value(target: &Target, definition: &Definition, runs: &[Run]) -> Result<(f64, String), String> {
    let ours = runs
        .iter()
        .find(|run| run.label == definition.ours)
        .ok_or(format!("{} did not run", definition.ours))?;
    if !matches!(ours.verified.as_str(), "ok" | "not checked") {
        return Err(format!("{} is wrong: {}", ours.label, ours.verified));
    }
    let total = ours.calls.map(|calls| calls as f64).ok_or("calls were not counted");
    let units = |unit: Unit| match ours.tree.units(unit) {
        0 => Err(format!("{} has none of that", ours.tree.name())),
        units => Ok(units as f64),
    };
    let (all, start) = (&ours.calls_by_name, &ours.calls_to_start_by_name);
    let alone = |got: f64| Ok((got, String::new()));
    match target.measure {
        Measure::SpeedUp | Measure::TimeRatio => {
            let time = |run: &Run| match (ours.inside_ms, run.inside_ms) {
                (Some(_), inside) => inside,
                (None, None) => Some(run.median_ms),
                (None, Some(_)) => None,
            };
            let (best, note) = best(target, runs, time)?;
            let ratio = best / ours.inside_ms.unwrap_or(ours.median_ms);
            Ok((if target.measure == Measure::SpeedUp { ratio } else { ratio.recip() }, note))
        }
        Measure::CallsMore | Measure::CallsApart => {
            let total = total?;
            let (best, note) = best(target, runs, |run| run.calls.map(|calls| calls as f64))?;
            let more = total - best;
            Ok((if target.measure == Measure::CallsMore { more } else { more.abs() }, note))
        }
        Measure::CallsPerDirectory => alone(total? / units(Unit::Directory)?),
        Measure::CallsPerDirectoryMore => {
            total?;
            let more = calls::of_work(all) as f64 - calls::of_work(start) as f64;
            // The empty one is a directory too.
            alone(more / (units(Unit::Directory)? - 1.0))
        }
        Measure::CallsPerEntry => alone(total? / units(Unit::Entry)?),
        Measure::FutexPerDirectory => {
            total?;
            let futex = all.get("futex").copied().unwrap_or(0);
            alone(futex as f64 / units(Unit::Directory)?)
        }
        Measure::ReadsPerBlock => {
            total?;
            let reads = calls::reads(all) as f64 - calls::reads(start) as f64;
            alone(reads / units(Unit::Block)?)
        }
        Measure::CallsPerBlock => alone(total? / units(Unit::Block)?),
        Measure::Stats => {
            total?;
            alone(calls::stats(all) as f64 - calls::stats(start) as f64)
        }
        Measure::InsideMs => alone(ours.inside_ms.ok_or("it measures nothing inside")?),
        Measure::PeakMib => alone(ours.peak_kib as f64 / 1024.0),
    }
}

/// The smallest number of the engines compared to, and which engine has it; those that did not run
/// are named.
fn best(
    target: &Target,
    runs: &[Run],
    number: impl Fn(&Run) -> Option<f64>,
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
    use crate::tree::subject;

    fn run(label: &str, median_ms: f64, calls: &[(&str, u64)], start: &[(&str, u64)]) -> Run {
        run_on("small", label, median_ms, calls, start)
    }

    fn run_on(
        tree: &str,
        label: &str,
        median_ms: f64,
        calls: &[(&str, u64)],
        start: &[(&str, u64)],
    ) -> Run {
        let contender = Contender::plain(label, Claim::All, subject(tree).unwrap());
        let mut run = Run::new(&contender, "ok".into(), &[]);
        run.median_ms = median_ms;
        let named = |calls: &[(&str, u64)]| -> Calls {
            calls.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        run.set_calls(named(calls), named(start), Unit::Directory);
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
        judge(&definition, &runs).remove(0)
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
        // 900 for the 299 directories that are not the first.
        let more = judged("measure='calls-per-directory-more'\nat_most=3.02");
        assert_eq!((more.got, more.reached), (Some(3.0100), Some(true)));
        assert_eq!(judged("measure='stats'\nat_most=0").got, Some(0.0));
        assert_eq!(judged("measure='calls-more'\nagainst=['they:a']\nat_most=12").got, Some(13.0));
    }

    #[test]
    fn calls_of_two_runs_are_apart_whichever_makes_more() {
        let apart = |other: &str| judged(&format!("measure='calls-apart'\n{other}\nat_most=60"));
        assert_eq!(apart("against=['they:a']").got, Some(13.0));
        assert_eq!(apart("against=['slow:a']").got, Some(4_097.0));
    }

    #[test]
    fn who_measures_inside_is_compared_to_others_that_do() {
        let text = "about='x'\ntree='small'\nrounds=1\nours='us:a'\nfloor='us:a'\n\
                    engines=['us:a','they:a','whole:a']\n[[target]]\nsays='x'\n\
                    measure='speed-up'\nagainst=['they:a','whole:a']\nat_least=2";
        let definition: Definition = toml::from_str(text).unwrap();
        let inside = |label: &str, inside_ms: f64| {
            let mut run = run(label, 500.0, &[], &[]);
            run.inside_ms = Some(inside_ms);
            run
        };
        let whole = run("whole:a", 3.0, &[], &[]);
        let runs = [inside("us:a", 10.0), inside("they:a", 30.0), whole];
        let judged = judge(&definition, &runs).remove(0);
        assert_eq!((judged.got, judged.reached), (Some(3.0), Some(true)));
        assert_eq!(judged.note, "against they:a, WITHOUT whole:a");
    }

    #[test]
    fn reads_are_judged_by_the_block_and_beyond_those_of_an_empty_file() {
        let text = "about='x'\ntree='log-26MB'\nrounds=1\nours='us:a'\nfloor='us:a'\n\
                    engines=['us:a']\n[[target]]\nsays='x'\nmeasure='reads-per-block'\nat_most=1";
        let definition: Definition = toml::from_str(text).unwrap();
        // 26,000,000 bytes are 99.2 blocks.
        let calls = [("read", 60), ("pread64", 45), ("close", 9)];
        let mut ours = run_on("log-26MB", "us:a", 1.0, &calls, &[("read", 5)]);
        let judged = judge(&definition, std::slice::from_ref(&ours)).remove(0);
        assert_eq!((judged.got, judged.reached), (Some(1.0), Some(true)));
        ours.tree = subject("flat-3").unwrap();
        let judged = judge(&definition, &[ours]).remove(0);
        assert_eq!((judged.got, judged.note.as_str()), (None, "flat-3 has none of that"));
    }
}
