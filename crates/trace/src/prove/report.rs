//! Proofs as text and as JSON. `docs/prove.md` describes both.

use fewer::present::escaped;
use serde::Serialize;

use super::{Gain, Interval, Measure, Proof, Prover, Refusal, Verdict};
use crate::explain::Finding;
use crate::figures::count;

/// The proofs, or why there are none, as text: a paragraph for each.
#[must_use]
pub fn text(
    proofs: Result<(&Prover, &[Proof]), &Refusal>,
    findings: &[Finding],
    plain: u64,
) -> String {
    let (prover, proofs) = match proofs {
        Ok(proofs) => proofs,
        Err(Refusal(why)) => return format!("not comparable: {why}\n"),
    };
    let mut out = String::new();
    for proof in proofs {
        let id = findings.get(proof.candidate.finding).map_or("", |finding| finding.id);
        let verdict = findings.get(proof.candidate.finding).map_or("", |it| &it.verdict);
        out += &format!("{id}: {}\n", escaped(verdict.as_bytes()));
        if let Ok(measure) = &proof.candidate.measure {
            out += &format!("    remedy    {}\n", escaped(measure.words().as_bytes()));
        }
        let (word, why) = words(&proof.verdict);
        out += &match why {
            Some(why) => format!("    verdict   {word}: {why}\n"),
            None => format!("    verdict   {word}\n"),
        };
        if let Some(calls) = proof.calls {
            out += &format!("    calls     {} instead of {}\n", count(calls), count(plain));
        }
        if let Some(gain) = proof.gain {
            out += &format!("    saves     {}\n", times(gain));
            out += &format!("    by chance {}\n", times(prover.noise()));
        }
        if let Some(control) = proof.control {
            out += &format!("    unused    {}\n", times(control));
        }
        out.push('\n');
    }
    out += &format!(
        "Medians of {} pairs of runs, and between what they lie in at least 95 of 100 cases.\n",
        prover.pairs()
    );
    out
}

fn times(gain: Gain) -> String {
    format!("{} on the clock, {} of the processor", span(gain.wall), span(gain.processor))
}

fn span(interval: Interval) -> String {
    let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
    format!("{} ms ({} to {})", ms(interval.median), ms(interval.low), ms(interval.high))
}

/// A verdict's name, and why.
fn words(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Proved => ("proved", None),
        Verdict::NoGain => ("no gain", None),
        Verdict::OutputDiffers(how) => ("output differs", Some(how)),
        Verdict::NotComparable(why) => ("not comparable", Some(why)),
        Verdict::NotProvable(why) => ("not provable", Some(why)),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    v: u32,
    calls: u64,
    pairs: Option<usize>,
    noise: Option<Nanoseconds>,
    not_comparable: Option<&'a str>,
    proofs: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    id: &'static str,
    finding: &'a str,
    wasted: u64,
    remedy: Option<String>,
    verdict: &'static str,
    why: Option<String>,
    calls: Option<u64>,
    saved: Option<Nanoseconds>,
    unused: Option<Nanoseconds>,
}

/// Medians and intervals: median, least, most.
#[derive(Serialize)]
struct Nanoseconds {
    wall_ns: [i64; 3],
    processor_ns: [i64; 3],
}

impl From<Gain> for Nanoseconds {
    fn from(gain: Gain) -> Nanoseconds {
        #[expect(clippy::cast_possible_truncation, reason = "times of runs are short")]
        let three = |it: Interval| [it.median, it.low, it.high].map(|it| (it * 1e9).round() as i64);
        Nanoseconds { wall_ns: three(gain.wall), processor_ns: three(gain.processor) }
    }
}

/// The same as one JSON object, with a newline.
#[must_use]
pub fn json(
    proofs: Result<(&Prover, &[Proof]), &Refusal>,
    findings: &[Finding],
    plain: u64,
) -> String {
    let (prover, all) = match proofs {
        Ok((prover, proofs)) => (Some(prover), proofs),
        Err(_) => (None, &[][..]),
    };
    let document = Document {
        v: 1,
        calls: plain,
        pairs: prover.map(Prover::pairs),
        noise: prover.map(|prover| prover.noise().into()),
        not_comparable: proofs.err().map(|Refusal(why)| why.as_str()),
        proofs: all.iter().filter_map(|proof| one(proof, findings)).collect(),
    };
    // A document of numbers and texts can be written.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

fn one<'a>(proof: &Proof, findings: &'a [Finding]) -> Option<One<'a>> {
    let finding = findings.get(proof.candidate.finding)?;
    let (verdict, why) = words(&proof.verdict);
    Some(One {
        id: finding.id,
        finding: &finding.verdict,
        wasted: finding.wasted,
        remedy: proof.candidate.measure.as_ref().ok().map(Measure::words),
        verdict,
        why: why.map(str::to_owned),
        calls: proof.calls,
        saved: proof.gain.map(Nanoseconds::from),
        unused: proof.control.map(Nanoseconds::from),
    })
}
