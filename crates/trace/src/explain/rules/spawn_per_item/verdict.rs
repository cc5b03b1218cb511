//! The sentence about a loop that starts programs.

use super::super::prelude::*;
use super::unit::{Kind, is_wrapper};
use super::{ID, Started};
use crate::explain::substitutes;

/// Programs that a sentence names.
const NAMED: usize = 3;
/// Programs that start one for each item because they were told to.
const BATCHERS: &[&str] = &["find", "xargs"];

pub(super) fn finding(
    starter: PathId,
    kind: Kind,
    started: &Started,
    registry: &Registry,
) -> Finding {
    let by = words::program(starter, registry);
    let times = words::times(started.starts);
    let tools = tools(kind, started, registry);
    let were = tools_were(&tools, registry);
    let verdict = match kind {
        Kind::Program(program) => {
            let program = words::path(program, registry);
            format!("{program} was started {times} by {by}, each time for a moment")
        }
        Kind::Command(shell) if tools.is_empty() => {
            let shell = words::program(shell, registry);
            format!("{shell} was started {times} by {by} for a command, each time for a moment")
        }
        Kind::Programs => format!("{were} started {times} by {by}, each for a moment"),
        Kind::Command(_) => {
            format!("{were} started {times} by {by} through a shell, each time for a moment")
        }
        Kind::CopyThatStarts => {
            format!("{were} started {times} by {by} in a copy of itself, each time for a moment")
        }
        Kind::Copy => format!("{by} made a copy of itself {times}, each for a moment"),
    };
    let many = started.processes > started.starts;
    let processes = figures::count(started.processes);
    let verdict = if many { format!("{verdict}: {processes} processes") } else { verdict };
    let is_batcher = BATCHERS.iter().any(|it| it.as_bytes() == base_name(registry.path(starter)));
    let case = match kind {
        _ if is_batcher => Some("batch"),
        Kind::Program(program) if base_name(registry.path(program)) == b"sleep" => Some("sleep"),
        Kind::Copy => Some("subshell"),
        Kind::Command(_) => Some("shell"),
        _ => None,
    };
    let tally = &started.tally;
    let mut finding = Draft { id: ID, case, program: starter, tally, verdict }.finding(registry);
    let substitutes = substitutes::snippet(&names(&tools, registry), finding.language);
    if let (None | Some("shell"), Some(snippet)) = (case, substitutes) {
        finding.remedy.snippet = snippet;
    }
    finding
}

/// What was started, without shells between; what ran most often first.
fn tools(kind: Kind, started: &Started, registry: &Registry) -> Vec<PathId> {
    let is_between =
        |program: PathId| kind == Kind::Command(program) || is_wrapper(registry.path(program));
    let mut tools: Vec<_> = started.programs.iter().filter(|(it, _)| !is_between(**it)).collect();
    tools.sort_by_key(|(program, count)| (std::cmp::Reverse(**count), registry.path(**program)));
    tools.into_iter().map(|(program, _)| *program).collect()
}

fn names<'r>(tools: &[PathId], registry: &'r Registry) -> Vec<&'r [u8]> {
    tools.iter().map(|tool| base_name(registry.path(*tool))).collect()
}

/// What was started behind a shell: "`cksum` and `cut` were".
fn tools_were(tools: &[PathId], registry: &Registry) -> String {
    let names: Vec<_> =
        tools.iter().take(NAMED).map(|program| words::program(*program, registry)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("{one} was"),
        [one, other] => format!("{one} and {other} were"),
        [one, ..] if tools.len() > NAMED => {
            format!("{one} and {} were", words::some(tools.len() as u64 - 1, "other program"))
        }
        _ => format!("{} were", names.join(", ")),
    }
}
