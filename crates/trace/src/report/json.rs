//! The report for programs: one object, complete and lossless. `docs/why-json.md` describes it.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::activity::Activity;
use super::notation::notation;
use super::{End, Rates, Report, Timing, Untraced};
use crate::count::Tally;
use crate::explain::{Act, Basis, Finding, InsideStart, Remedy, Spared};
use crate::served::Length;
use crate::{Call, Frame, Language, Location, Name, Operation, PathId, StackId, Text, own_frame};

/// Files that are listed, those with the most calls; the others are added up.
const FILES: usize = 10_000;

#[derive(Serialize)]
struct Document<'a> {
    v: u32,
    command: Vec<Text>,
    directory: Option<Text>,
    #[serde(flatten)]
    run: Run<'a>,
    summary: String,
    reason: Option<&'a str>,
    findings: Vec<Waste<'a>>,
    inside_start: Vec<Inside<'a>>,
    frames: Vec<Function>,
    by_name: Vec<Named>,
    by_file: Vec<File>,
    other_files: Tally,
    requests: Vec<Requested>,
    timeline: TimelineData,
    notes: &'a [crate::Note],
}

/// The figures of the whole run.
#[derive(Serialize)]
struct Run<'a> {
    calls: u64,
    failed: u64,
    wasted: u64,
    saved_ns: Option<u64>,
    run_ns: Option<u64>,
    run_basis: Option<&'static str>,
    baseline: Option<Baseline>,
    no_baseline: Option<&'a str>,
    ended: Option<End>,
    by_agent: u64,
    complete: bool,
    processes: u64,
    rates: Option<Rates>,
    served: Option<Answered>,
}

/// The requests that a server answered.
#[derive(Serialize)]
struct Answered {
    requests: u64,
    calls: Option<Length>,
}

#[derive(Serialize)]
struct Baseline {
    wall_ns: u64,
    user_ns: u64,
    system_ns: u64,
}

#[derive(Serialize)]
struct Waste<'a> {
    id: &'static str,
    verdict: &'a str,
    program: Option<Text>,
    language: Language,
    wasted: u64,
    made: u64,
    per_request: Option<f64>,
    saved_ns: Option<u64>,
    saved_between_ns: Option<[u64; 2]>,
    basis: Option<Basis>,
    callers: Vec<Caller<'a>>,
    examples: Vec<Example>,
    spared: Vec<Done>,
    remedy: &'a Remedy,
    careful: &'a str,
}

/// What lies inside the start of a runtime.
#[derive(Serialize)]
struct Inside<'a> {
    program: Option<Text>,
    language: Language,
    calls: u64,
    kinds: &'a [&'static str],
}

#[derive(Serialize)]
struct Caller<'a> {
    calls: u64,
    /// The innermost location that is the program's own.
    own: Option<&'a Location>,
    /// Places in `frames`, innermost first.
    stack: Vec<usize>,
    truncated: bool,
}

#[derive(Serialize)]
struct Example {
    text: String,
    name: Name,
    path: Option<Text>,
    file: Option<Text>,
    second: Option<Text>,
    arguments: [u64; 6],
    result: i64,
    moved: u64,
    process: u32,
    thread: u32,
    start_ns: u64,
}

#[derive(Serialize)]
struct Function {
    module: Text,
    address: u64,
    runtime: bool,
    #[serde(rename = "places")]
    locations: Vec<Location>,
}

/// Equal acts that would be spared. What does not apply to an act is left out.
#[derive(Default, Serialize)]
struct Done {
    act: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<bool>,
}

/// Requests of io_uring of one kind.
#[derive(Serialize)]
struct Requested {
    operation: Operation,
    requests: u64,
    failed: u64,
    moved: u64,
}

#[derive(Serialize)]
struct Named {
    name: Name,
    #[serde(flatten)]
    tally: Tally,
}

#[derive(Serialize)]
struct File {
    file: Text,
    #[serde(flatten)]
    tally: Tally,
}

#[derive(Serialize)]
struct TimelineData {
    step_ns: u64,
    kinds: Vec<&'static str>,
    steps: Vec<Vec<u32>>,
}

impl Report<'_> {
    /// One object on one line, with a newline behind it.
    #[must_use]
    pub fn json(&self) -> String {
        let mut frames = Frames::default();
        let findings = self.findings.iter().map(|finding| self.waste(finding, &mut frames));
        let findings = findings.collect();
        let first = self.registry.first();
        let mut files = self.counts.calls().by_file();
        let others = files.split_off(files.len().min(FILES));
        let document = Document {
            v: 1,
            command: first.map(|first| first.arguments.clone()).unwrap_or_default(),
            directory: first.and_then(|first| self.path(first.directory)),
            run: self.run(),
            summary: self.summary(),
            reason: self.findings.is_empty().then_some(self.reason),
            findings,
            inside_start: self.inside_start.iter().map(|inside| self.inside(inside)).collect(),
            frames: frames.list.into_iter().map(|frame| self.function(frame)).collect(),
            by_name: (self.counts.calls().by_kind().into_iter())
                .map(|(name, tally)| Named { name, tally })
                .collect(),
            by_file: (files.into_iter())
                .map(|(file, tally)| File { file: self.text_of(file), tally })
                .collect(),
            other_files: sum(others.into_iter().map(|other| other.1), self.counts.calls().beyond()),
            requests: (self.counts.requests().by_kind().into_iter())
                .map(|(operation, Tally { calls, failed, moved })| Requested {
                    operation,
                    requests: calls,
                    failed,
                    moved,
                })
                .collect(),
            timeline: TimelineData {
                step_ns: self.timeline.step(),
                kinds: Activity::ALL.map(|kind| kind.words().0).into(),
                steps: self.timeline.steps().iter().map(|step| step.to_vec()).collect(),
            },
            notes: self.registry.notes(),
        };
        // Every value is a number, a text, or a list or struct of these: that cannot fail.
        let mut json = serde_json::to_string(&document).unwrap_or_default();
        json.push('\n');
        json
    }

    fn run(&self) -> Run<'_> {
        let total = self.counts.total();
        Run {
            calls: total.calls,
            failed: total.failed,
            wasted: self.wasted(),
            saved_ns: self.saved(),
            run_ns: self.wall(),
            run_basis: self.untraced.ok().map(|run| match run.basis {
                Timing::Measured { .. } => "measured",
                Timing::Estimated { .. } => "estimated",
            }),
            baseline: self.untraced.ok().and_then(|run| match run.basis {
                Timing::Measured { user, system } => Some(Baseline {
                    wall_ns: nanoseconds(run.wall),
                    user_ns: nanoseconds(user),
                    system_ns: nanoseconds(system),
                }),
                Timing::Estimated { .. } => None,
            }),
            no_baseline: match self.untraced {
                Ok(Untraced { basis: Timing::Measured { .. }, .. }) => None,
                Ok(_) => Some("--baseline was not given"),
                Err(why) => Some(why),
            },
            ended: self.timeline.end(),
            by_agent: self.by_agent,
            complete: self.registry.end().is_some(),
            processes: self.timeline.processes(),
            rates: self.rates(),
            served: (self.served.requests() > 0).then(|| Answered {
                requests: self.served.requests(),
                calls: self.served.length(),
            }),
        }
    }

    fn text_of(&self, path: PathId) -> Text {
        Text::from(self.registry.path(path))
    }

    fn path(&self, path: PathId) -> Option<Text> {
        path.is_some().then(|| self.text_of(path))
    }

    fn waste<'a>(&'a self, finding: &'a Finding, frames: &mut Frames<'a>) -> Waste<'a> {
        let caller = |&(stack, calls): &(StackId, u64)| Caller {
            calls,
            own: own_frame::own_frame(self.registry, stack).and_then(|own| own.location),
            stack: self.registry.stack(stack).map(|frame| frames.number(frame)).collect(),
            truncated: self.registry.is_truncated(stack),
        };
        Waste {
            id: finding.id,
            verdict: &finding.verdict,
            program: self.path(finding.program),
            language: finding.language,
            wasted: finding.wasted,
            made: finding.made,
            per_request: self.per_request(finding.wasted),
            saved_ns: finding.saved.map(|saved| saved.nanoseconds),
            saved_between_ns: finding.saved.map(|saved| [saved.least, saved.most]),
            basis: finding.saved.map(|saved| saved.basis),
            callers: finding.callers.iter().map(caller).collect(),
            examples: finding.examples.iter().map(|call| self.example(call)).collect(),
            spared: finding.spared.iter().map(|spared| self.done(spared)).collect(),
            remedy: &finding.remedy,
            careful: &finding.careful,
        }
    }

    fn inside<'a>(&self, inside: &'a InsideStart) -> Inside<'a> {
        let InsideStart { program, language, calls, kinds } = inside;
        Inside { program: self.path(*program), language: *language, calls: *calls, kinds }
    }

    fn example(&self, call: &Call) -> Example {
        Example {
            text: notation(call, self.registry),
            name: call.name,
            path: self.path(call.path),
            file: self.path(call.file),
            second: self.path(call.second),
            arguments: call.arguments,
            result: call.result,
            moved: call.moved,
            process: call.process,
            thread: call.thread,
            start_ns: call.start,
        }
    }

    fn done(&self, spared: &Spared) -> Done {
        let done = Done { count: spared.count, ..Done::default() };
        match &spared.act {
            Act::Call { name, file, moved, failed } => Done {
                act: "call",
                name: Some(*name),
                file: self.path(*file),
                moved: Some(*moved),
                failed: Some(*failed),
                ..done
            },
            Act::ReadWhole { file } => Done { act: "read_whole", file: self.path(*file), ..done },
            Act::WriteWhole { file, moved, replaces } => {
                let act = if *replaces { "replace" } else { "write_whole" };
                Done { act, file: self.path(*file), moved: Some(*moved), ..done }
            }
            Act::LookUpOwner => Done { act: "look_up_owner", ..done },
            Act::Spawn { program } => Done { act: "spawn", file: self.path(*program), ..done },
        }
    }

    fn function(&self, frame: &Frame) -> Function {
        Function {
            module: self.text_of(frame.module),
            address: frame.address,
            runtime: own_frame::is_runtime(self.registry.path(frame.module)),
            locations: frame.locations.clone(),
        }
    }
}

/// Frames in the order in which they were first met.
#[derive(Default)]
struct Frames<'a> {
    list: Vec<&'a Frame>,
    numbers: FxHashMap<*const Frame, usize>,
}

impl<'a> Frames<'a> {
    fn number(&mut self, frame: &'a Frame) -> usize {
        *self.numbers.entry(std::ptr::from_ref(frame)).or_insert_with(|| {
            self.list.push(frame);
            self.list.len() - 1
        })
    }
}

fn sum(tallies: impl Iterator<Item = Tally>, first: Tally) -> Tally {
    tallies.fold(first, |sum, tally| Tally {
        calls: sum.calls + tally.calls,
        failed: sum.failed + tally.failed,
        moved: sum.moved + tally.moved,
    })
}

fn nanoseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::sample::{finding, run};
    use super::*;
    use serde_json::{Value, json};

    fn parsed(report: &Report) -> Value {
        let json = report.json();
        assert_eq!(json.matches('\n').count(), 1);
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn a_report_is_one_object() {
        let mut run = run();
        run.findings = vec![finding()];
        let report = parsed(&run.report());
        for (key, expected) in [
            ("v", json!(1)),
            ("command", json!([{"text": "lister"}, {"text": "/srv/files"}])),
            ("directory", json!({"text": "/srv/files"})),
            ("calls", json!(20_214)),
            ("failed", json!(11)),
            ("wasted", json!(10_001)),
            ("saved_ns", json!(9_840_000)),
            (
                "baseline",
                json!({"wall_ns": 31_000_000, "user_ns": 11_000_000, "system_ns": 20_000_000}),
            ),
            ("no_baseline", Value::Null),
            ("run_ns", json!(31_000_000)),
            ("run_basis", json!("measured")),
            ("ended", json!({"exited": 0})),
            ("complete", json!(true)),
            ("processes", json!(1)),
            ("reason", Value::Null),
            (
                "by_name",
                json!([
                    {"name": "read", "calls": 10_201, "failed": 0, "moved": 41_783_296},
                    {"name": "newfstatat", "calls": 10_013, "failed": 11, "moved": 0},
                ]),
            ),
            ("other_files", json!({"calls": 0, "failed": 0, "moved": 0})),
        ] {
            assert_eq!(report[key], expected, "{key}");
        }
    }

    #[test]
    fn a_finding_has_its_frames_and_examples() {
        let mut run = run();
        run.findings = vec![finding()];
        let report = parsed(&run.report());
        let waste = &report["findings"][0];
        let own = json!({"function": "show_entry", "file": "/home/a/src/lister.c", "line": 42});
        assert_eq!(waste["callers"][0]["own"], own);
        assert_eq!(waste["callers"][0]["calls"], 9_990);
        assert_eq!(waste["callers"][1]["truncated"], true);
        // The second stack is a part of the first: its frames are the same ones.
        assert_eq!(waste["callers"][1]["stack"], json!([5, 6, 7]));
        assert_eq!(
            report["frames"][0],
            json!({
                "module": {"text": "/usr/lib/x86_64-linux-gnu/libc.so.6"},
                "address": 16,
                "runtime": true,
                "places": [{"function": "__xstat64", "file": "", "line": 0}],
            })
        );
        assert_eq!(
            waste["examples"][0]["text"],
            "newfstatat(AT_FDCWD, \"/etc/localtime\", ...) = 0"
        );
        assert_eq!((&waste["saved_ns"], &waste["basis"]), (&json!(9_840_000), &json!("replayed")));
        assert_eq!(waste["language"], "c");
        assert_eq!(
            waste["spared"][0],
            json!({
                "act": "call",
                "count": 10_001,
                "name": "newfstatat",
                "file": {"text": "/etc/localtime"},
                "moved": 0,
                "failed": false,
            })
        );
    }

    #[test]
    fn what_is_not_utf8_is_lossless() {
        let run = run();
        let report = parsed(&run.report());
        // base64 of the hostile name's bytes, by base64(1).
        let bytes = "PC9zY3JpcHQ+PGltZyBzcmM9eCBvbmVycm9yPWFsZXJ0KDEpPhtbMzFt/zsK4oCu";
        let hostile = json!({"file": {"bytes": bytes}, "calls": 11, "failed": 11, "moved": 0});
        assert_eq!(report["by_file"][2], hostile);
        assert_eq!(report["reason"], "no kind of waste reached 100 calls and 2 % of all");
    }
}
