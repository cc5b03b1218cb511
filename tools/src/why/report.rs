//! The part of a report of `fewer why --json` that is judged; `docs/why-json.md` describes all of
//! it.

use serde::Deserialize;

/// A report.
#[derive(Deserialize)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    frames: Vec<Frame>,
    #[serde(default)]
    by_name: Vec<Watched>,
}

/// A kind of call that was watched.
#[derive(Deserialize)]
struct Watched {
    name: String,
}

#[derive(Deserialize)]
pub(crate) struct Finding {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) wasted: u64,
    pub(crate) saved_ns: Option<u64>,
    pub(crate) basis: Option<String>,
    pub(crate) callers: Vec<Caller>,
    #[serde(default)]
    examples: Vec<Example>,
    pub(crate) remedy: Remedy,
}

/// A wasted call.
#[derive(Deserialize)]
struct Example {
    name: String,
}

#[derive(Deserialize)]
pub(crate) struct Caller {
    pub(crate) own: Option<SourceLine>,
    stack: Vec<usize>,
}

#[derive(Deserialize)]
pub(crate) struct Remedy {
    pub(crate) text: String,
    pub(crate) snippet: String,
}

#[derive(Deserialize)]
struct Frame {
    places: Vec<SourceLine>,
}

#[derive(Clone, Deserialize)]
pub(crate) struct SourceLine {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Finding {
    /// The names of the calls that it shows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().map(|example| example.name.as_str())
    }
}

impl Report {
    pub(crate) fn read(json: &str) -> Result<Report, String> {
        serde_json::from_str(json).map_err(|why| format!("the report is not as expected: {why}"))
    }

    /// Whether calls of that name were watched.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.iter().any(|watched| watched.name == name)
    }

    /// The frame of the most frequent caller that the report takes for the program's own; else the
    /// innermost frame with a name.
    pub(crate) fn own_line(&self, finding: &Finding) -> Option<SourceLine> {
        let caller = finding.callers.first()?;
        caller.own.clone().or_else(|| {
            let frames = caller.stack.iter().filter_map(|&number| self.frames.get(number));
            frames.flat_map(|frame| &frame.places).next().cloned()
        })
    }
}
