//! What `fewer why --prove` says of programs, compared with what their twins really gain. Calls are
//! asserted; times are printed: whether one is proved depends on what else the machine does.

use serde::Deserialize;

use super::label::{Program, Proves};
use super::program_folder::{Judge, ProgramFolder, Side};
use super::savings::{spared_calls, times};

/// The names of the columns of a row.
pub(crate) const HEAD: &str = "program\tremedy\tverdict\tcalls saved\ttwin saves\tsaved ms\t\
    between\ttwin saves ms\twithin";

/// So many calls more or less than the twin: loading a library, asking once what a file is.
const CALLS: u64 = 60;

#[derive(Deserialize)]
struct Report {
    calls: u64,
    not_comparable: Option<String>,
    proofs: Vec<Proof>,
}

#[derive(Deserialize)]
struct Proof {
    remedy: Option<String>,
    verdict: String,
    why: Option<String>,
    calls: Option<u64>,
    saved: Option<Times>,
}

/// Median, least, most.
#[derive(Deserialize)]
struct Times {
    wall_ns: [f64; 3],
}

/// The failures of a program's proofs.
pub(crate) fn judge(
    program: &Program,
    program_folder: &mut ProgramFolder,
    judge: &Judge,
) -> Result<Vec<String>, String> {
    program_folder.set()?;
    let text = program_folder.prove(judge)?;
    let report: Report = serde_json::from_str(&text).map_err(|why| format!("{why}: {text}"))?;
    if let Some(why) = report.not_comparable {
        return Ok(vec![format!("not comparable: {why}")]);
    }
    let (_, plain) = program_folder.why(Side::Wasteful, judge)?;
    let spared = spared_calls(program_folder, &plain)?.unsigned_abs();
    let [wasteful, mended] = times(program_folder)?;
    let mut failures = Vec::new();
    for proves in &program.proves {
        let found = report.proofs.iter().find(|proof| is_about(proves, proof));
        let Some(proof) = found else {
            failures.push(format!("no such proof: {text}"));
            continue;
        };
        let saved = report.calls.saturating_sub(proof.calls.unwrap_or(report.calls));
        println!("{}", row(&program.full(), proof, saved, (spared, wasteful - mended)));
        if proves.remedy.is_none() {
            continue;
        }
        if !["proved", "no gain"].contains(&proof.verdict.as_str()) {
            failures.push(format!("{}: {}", proof.verdict, proof.why.as_deref().unwrap_or("")));
            continue;
        }
        let most_off = CALLS + spared / 20;
        let [least, most] =
            proves.spares.unwrap_or([spared.saturating_sub(most_off), spared + most_off]);
        if !(least..=most).contains(&saved) {
            failures.push(format!("{saved} calls saved, and {least} to {most} are to be"));
        }
    }
    Ok(failures)
}

fn is_about(proves: &Proves, proof: &Proof) -> bool {
    let has =
        |text: &Option<String>, word: &str| text.as_ref().is_some_and(|text| text.contains(word));
    match (&proves.remedy, &proves.not) {
        (Some(word), _) => has(&proof.remedy, word),
        (None, Some(word)) => proof.verdict == "not provable" && has(&proof.why, word),
        (None, None) => false,
    }
}

/// A row of the table, between tabulators.
fn row(name: &str, proof: &Proof, saved: u64, (spared, twin_ms): (u64, f64)) -> String {
    let remedy = proof.remedy.as_deref().or(proof.why.as_deref()).unwrap_or_default();
    let remedy: String = remedy.chars().take(50).collect();
    let verdict = &proof.verdict;
    let Some(Times { wall_ns }) = &proof.saved else {
        return format!("{name}\t{remedy}\t{verdict}\t\t{spared}\t\t\t{twin_ms:.2}\t");
    };
    let [median, low, high] = wall_ns.map(|nanoseconds| nanoseconds / 1e6);
    let within = if (low..=high).contains(&twin_ms) { "yes" } else { "no" };
    format!(
        "{name}\t{remedy}\t{verdict}\t{saved}\t{spared}\t{median:.2}\t{low:.2} to {high:.2}\t\
         {twin_ms:.2}\t{within}"
    )
}
