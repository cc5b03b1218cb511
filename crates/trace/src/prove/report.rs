//! Proofs as text and as JSON. `docs/prove.md` describes both.

use fewer::present::escaped;
use serde::Serialize;

use super::{Found, Gain, Interval, Measure, Proof, Refusal, Verdict};
use crate::explain::Finding;
use crate::figures::count;
use crate::report::{WIDTH, wrap};

/// The proofs, or why there are none, as text: a paragraph for each.
#[must_use]
pub fn text(found: &Found) -> String {
    let Found { calls: plain, findings, proofs } = found;
    let proofs = match proofs {
        Ok(proofs) => proofs,
        Err(Refusal(why)) => return format!("not comparable: {why}\n"),
    };
    let mut out = String::new();
    for proof in &proofs.all {
        out += &paragraph(proof, findings, *plain, proofs.noise.map(|(noise, _)| noise));
        out.push('\n');
    }
    out += &match (proofs.noise, proofs.all.is_empty()) {
        (Some((_, pairs)), _) => format!(
            "Medians of {pairs} pairs of runs, and between what they lie in at least 95 of 100 \
             cases.\n"
        ),
        (None, true) => format!("{} calls, nothing worth mending.\n", count(*plain)),
        (None, false) => "Nothing was run for these.\n".to_owned(),
    };
    out
}

/// A proved remedy in one line: what it is for, what it is, and what a run saves.
#[must_use]
pub fn gist(proof: &Proof, findings: &[Finding]) -> String {
    let id = findings.get(proof.candidate.finding).map_or("", |finding| finding.id);
    let remedy = proof.candidate.measure.as_ref().map(Measure::words).unwrap_or_default();
    let saves = proof.gain.map(times).unwrap_or_default();
    format!("{id}: {remedy} saves {saves}")
}

fn paragraph(proof: &Proof, findings: &[Finding], plain: u64, noise: Option<Gain>) -> String {
    let finding = findings.get(proof.candidate.finding);
    let (id, verdict) = finding.map_or(("", ""), |finding| (finding.id, &finding.verdict));
    let mut out = lines(&format!("{id}: {}", escaped(verdict.as_bytes())), "");
    if let Ok(measure) = &proof.candidate.measure {
        out += &lines(&escaped(measure.words().as_bytes()).to_string(), "    remedy    ");
    }
    let (word, why) = words(&proof.verdict);
    let why = why.map_or(String::new(), |why| format!(": {why}"));
    out += &lines(&format!("{word}{why}"), "    verdict   ");
    if let Some(calls) = proof.calls {
        out += &format!("    calls     {} instead of {}\n", count(calls), count(plain));
    }
    let spans = [("saves", proof.gain), ("by chance", noise), ("unused", proof.control)];
    for (label, gain) in spans.into_iter().filter(|_| proof.gain.is_some()) {
        if let Some(gain) = gain {
            out += &format!("    {label:10}{}\n", times(gain));
        }
    }
    out
}

/// A text behind a label, broken into lines of at most 100 columns.
fn lines(text: &str, label: &str) -> String {
    let (width, indent) = (WIDTH - label.len().max(4), " ".repeat(label.len().max(4)));
    let wrapped = wrap(text, width, usize::MAX);
    let fronts = std::iter::once(label).chain(std::iter::repeat(&*indent));
    wrapped.iter().zip(fronts).map(|(line, front)| format!("{front}{line}\n")).collect()
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
pub fn json(found: &Found) -> String {
    let Found { calls: plain, findings, proofs } = found;
    let (all, noise) = match proofs {
        Ok(proofs) => (&*proofs.all, proofs.noise),
        Err(_) => (&[][..], None),
    };
    let document = Document {
        v: 1,
        calls: *plain,
        pairs: noise.map(|(_, pairs)| pairs),
        noise: noise.map(|(noise, _)| noise.into()),
        not_comparable: proofs.as_ref().err().map(|Refusal(why)| why.as_str()),
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
