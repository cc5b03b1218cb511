//! The sentence about a loop that starts programs.

use super::super::prelude::*;
use super::unit::{Kind, is_wrapper};
use super::{ID, Started};

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
    let verdict = match kind {
        Kind::Program(program) => {
            let program = words::path(program, registry);
            format!("{program} was started {times} by {by}, each time for a moment")
        }
        Kind::Command(shell) if tools.is_empty() => {
            let shell = words::program(shell, registry);
            format!("{shell} was started {times} by {by} for a command, each time for a moment")
        }
        Kind::Programs => format!("{tools} started {times} by {by}, each for a moment"),
        Kind::Command(_) => {
            format!("{tools} started {times} by {by} through a shell, each time for a moment")
        }
        Kind::CopyThatStarts => {
            format!("{tools} started {times} by {by} in a copy of itself, each time for a moment")
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
    Draft { id: ID, case, program: starter, tally, verdict }.finding(registry)
}

/// What was started behind a shell: "`cksum` and `cut` were".
fn tools(kind: Kind, started: &Started, registry: &Registry) -> String {
    let is_between =
        |program: PathId| kind == Kind::Command(program) || is_wrapper(registry.path(program));
    let mut tools: Vec<_> = started.programs.iter().filter(|(it, _)| !is_between(**it)).collect();
    tools.sort_by_key(|(program, count)| (std::cmp::Reverse(**count), registry.path(**program)));
    let names: Vec<_> =
        tools.iter().take(NAMED).map(|(program, _)| words::program(**program, registry)).collect();
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
