//! A small program started for every round of a loop.

use fewer::compact;

use super::prelude::*;

pub(super) const ID: &str = "spawn-per-item";

/// Processes that are counted one by one.
const MOST: usize = 1 << 17;
/// A process that makes more calls is not small.
const FEW_CALLS: u64 = 1000;
/// Nor are those that live longer one with another, in nanoseconds while being traced. One of many
/// that has to wait on a busy machine says nothing.
const SHORT: u64 = 1_000_000_000;
/// Programs whose work is to start others.
const STARTERS: &[&str] = &[
    "bazel", "buck2", "cargo", "cmake", "cron", "ctest", "dpkg", "gmake", "gradle", "init", "make",
    "meson", "ninja", "nix", "parallel", "scons", "sshd", "systemd", "tox", "apt", "apt-get",
];

/// Small programs started again and again.
#[derive(Default)]
pub(crate) struct SpawnPerItem {
    processes: FxHashMap<u32, Child>,
    /// What each process has started.
    started: FxHashMap<(u32, PathId, bool), Started>,
    wastes: FxHashMap<(PathId, PathId, bool), Started>,
    /// The calls that made processes, as long as those live.
    births: FxHashMap<u32, Call>,
}

struct Child {
    /// The process on whose account it goes: copies of a shell work for the shell.
    account: u32,
    /// What that runs.
    starter: PathId,
    program: PathId,
    is_copy: bool,
    start: u64,
    /// How many others it started itself. One is started by a shell that `system` starts.
    starts: u32,
    calls: u64,
}

#[derive(Default)]
struct Started {
    starter: PathId,
    tally: Tally,
    /// How long they lived, all together.
    nanoseconds: u64,
}

impl Started {
    fn is_short(&self) -> bool {
        self.nanoseconds < SHORT.saturating_mul(self.tally.count)
    }
}

impl Rule for SpawnPerItem {
    fn process_started(&mut self, process: &Process, parent: Option<&ProcessState>) {
        if let Some(child) = self.processes.get_mut(&process.id) {
            child.program = process.program;
            child.is_copy = false;
            return;
        }
        if self.processes.len() >= MOST {
            return;
        }
        let account = match self.processes.get_mut(&process.parent) {
            Some(parent) if parent.is_copy => Some((parent.account, parent.starter)),
            Some(parent) => {
                parent.starts += 1;
                Some((process.parent, parent.program))
            }
            None => parent.map(|parent| (parent.id, parent.program)),
        };
        let (account, starter) = account.unwrap_or_default();
        let (program, start) = (process.program, process.start);
        let is_copy = account != 0 && program == starter;
        let child = Child { account, starter, program, is_copy, start, starts: 0, calls: 0 };
        self.processes.insert(process.id, child);
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        if let Some(child) = self.processes.get_mut(&context.process.id) {
            child.calls += context.process.calls;
        }
    }

    fn call(&mut self, call: &Call, _: Context) {
        let is_birth = call.name.class() == Class::Fork;
        if is_birth
            && let Ok(child) = u32::try_from(call.result)
            && self.births.len() < MOST
        {
            self.births.insert(child, call.clone());
        }
    }

    fn process_ended(&mut self, process: u32, at: u64) {
        let birth = self.births.remove(&process);
        let Some(child) = self.processes.remove(&process) else { return };
        let is_small = child.account != 0 && child.starts <= 1 && child.calls < FEW_CALLS;
        if !is_small || self.started.len() >= MOST {
            return;
        }
        let key = (child.account, child.program, child.is_copy);
        let started = self.started.entry(key).or_default();
        started.starter = child.starter;
        started.nanoseconds += at.saturating_sub(child.start);
        match birth {
            Some(call) => started.tally.count(&call, 1),
            None => started.tally.blame(StackId::NONE, 1),
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        // A loop is in one process; a script that starts one program each time it runs has none.
        const FEWEST: u64 = 5;
        for ((_, program, is_copy), started) in std::mem::take(&mut self.started) {
            if started.tally.count >= FEWEST && started.is_short() {
                let waste = self.wastes.entry((started.starter, program, is_copy)).or_default();
                waste.starter = started.starter;
                let wasted = started.tally.cut(started.tally.count - 1);
                waste.tally.absorb(&wasted);
                waste.tally.spare(Act::Spawn { program }, wasted.count);
            }
        }
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|((starter, _, is_copy), _)| {
            let starts = base_name(registry.path(*starter));
            let is_starter = STARTERS.iter().any(|name| name.as_bytes() == starts);
            !is_starter && (!is_copy || registry.language(*starter) == Language::Shell)
        });
        compact::sort_by_key(&mut wastes, |((starter, program, is_copy), _)| {
            (registry.path(*starter), registry.path(*program), *is_copy)
        });
        wastes.iter().map(|(key, started)| finding(*key, started, registry)).collect()
    }
}

fn finding(key: (PathId, PathId, bool), started: &Started, registry: &Registry) -> Finding {
    let (starter, program, is_copy) = key;
    let by = words::program(starter, registry);
    let times = words::times(started.tally.count + 1);
    let verdict = if is_copy {
        format!("{by} made a copy of itself {times}, each for a moment")
    } else {
        format!(
            "{} was started {times} by {by}, each time for a moment",
            words::path(program, registry)
        )
    };
    let case = is_copy.then_some("subshell");
    let tally = &started.tally;
    Draft { id: ID, case, program: starter, tally, verdict }.finding(registry)
}
