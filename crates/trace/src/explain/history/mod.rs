//! What each process has done so far, as far as more than one rule needs it: its questions and
//! their answers, its descriptors, its working directory.
//!
//! | module | what is in it |
//! |---|---|
//! | `blocks` | blocks read from files, until they are written |
//! | `fact` | what calls say about a process; rules judge facts |
//! | `fact_collector` | turns calls into facts |
//! | `process_state` | what a process did so far |
//! | `descriptor_session` | what was done with a descriptor until it was closed |
//! | `known_answers` | the answers that a process knows |
//! | `outputs` | files that a process appends to again |
//! | `patterns`, `seeks` | calls that are waste only together with others |
//! | `questions`, `thread_looks` | questions about paths, alone and in a row |
//! | `paths` | what kind of thing a path names |
//! | `polls` | looks at the same files between two sleeps |
//! | `transactions` | transactions of SQLite, one after the other |

mod blocks;
mod descriptor_session;
mod fact;
mod fact_collector;
mod known_answers;
mod outputs;
mod paths;
mod patterns;
mod polls;
mod process_state;
mod questions;
mod seeks;
mod thread_looks;
mod transactions;

pub(crate) use descriptor_session::{DescriptorOrigin, DescriptorSession, Reads, Repeats};
pub(crate) use fact::{Climb, DirectoryMove, Fact, PathQuestion};
pub(crate) use paths::FileKind;
pub(crate) use patterns::{Copies, bytes};
pub(crate) use process_state::{Novelty, ProcessState, Repetition};
pub(crate) use questions::{Key, Question, fields, is_missing};
pub(crate) use transactions::database;

use fact_collector::FactCollector;
use fewer::compact;
use fewer::path::base_name;
use paths::Paths;
use polls::Sleeper;

use crate::{Call, Class, PathId, Process, Registry};
use rustc_hash::FxHashMap;

/// What happened so far.
#[derive(Debug, Default)]
pub(crate) struct History {
    processes: FxHashMap<u32, ProcessState>,
    paths: Paths,
    facts: Vec<Fact>,
}

/// Whether it says nothing about files: a question about the time, or who asks.
pub(crate) fn is_aside(call: &Call) -> bool {
    matches!(call.name.class(), Class::Identity | Class::Clock | Class::Random)
}

/// Whether a program's threads wait with a time-out for the lock of its interpreter. When they
/// sleep they do so by other calls.
fn waits_for_its_lock(program: &[u8]) -> bool {
    let name = base_name(program);
    name.starts_with(b"python") || name.starts_with(b"ruby")
}

/// What a rule can see while it judges.
#[derive(Clone, Copy)]
pub(crate) struct Context<'h> {
    /// What the numbers in calls stand for.
    pub(crate) registry: &'h Registry,
    /// The process.
    pub(crate) process: &'h ProcessState,
    paths: &'h Paths,
}

impl Context<'_> {
    /// What a path names.
    pub(crate) fn kind(&self, path: PathId) -> FileKind {
        self.paths.kind(path)
    }

    /// The directory that a path lies in, as far as it is known.
    pub(crate) fn parent(&self, path: PathId) -> PathId {
        self.paths.parent(path, self.registry)
    }
}

impl History {
    /// Takes in a path.
    pub(crate) fn path(&mut self, id: PathId, registry: &Registry) {
        self.paths.take(id, registry);
    }

    /// What a rule can see of a process.
    pub(crate) fn context<'h>(
        &'h self,
        state: &'h ProcessState,
        registry: &'h Registry,
    ) -> Context<'h> {
        Context { registry, process: state, paths: &self.paths }
    }

    /// A process.
    pub(crate) fn process(&self, process: u32) -> Option<&ProcessState> {
        self.processes.get(&process)
    }

    /// A process begins, or becomes another program. Gives back the state that this ends.
    pub(crate) fn begin(&mut self, process: &Process, registry: &Registry) -> Option<ProcessState> {
        let before = self.processes.remove(&process.id);
        let mut directory = process.directory;
        if let Some(parent) = self.processes.get_mut(&process.parent).filter(|_| before.is_none()) {
            parent.forks += 1;
            if !directory.is_some() {
                directory = parent.directory;
            }
        }
        // A shell sleeps through a program.
        if base_name(registry.path(process.program)) == b"sleep"
            && let Some(parent) = self.processes.get_mut(&process.parent)
        {
            parent.polls.sleep(Sleeper::Process, None);
        }
        let is_copy = before.is_none()
            && self.processes.get(&process.parent).is_some_and(|p| p.program == process.program);
        let (id, program) = (process.id, process.program);
        let state = ProcessState::new(id, program, is_copy, directory);
        self.processes.insert(process.id, state);
        before
    }

    /// A process ends.
    pub(crate) fn end(&mut self, process: u32) -> Option<ProcessState> {
        self.processes.remove(&process)
    }

    /// A thread has slept by a call that is not watched.
    pub(crate) fn slept(&mut self, process: u32, thread: u32, registry: &Registry) {
        let Some(state) = self.processes.get_mut(&process) else { return };
        if !waits_for_its_lock(registry.path(state.program)) {
            state.polls.sleep(Sleeper::Thread(thread), None);
        }
    }

    /// All processes that are left, in the order of their numbers.
    pub(crate) fn end_all(&mut self) -> Vec<ProcessState> {
        let mut processes: Vec<ProcessState> =
            std::mem::take(&mut self.processes).into_values().collect();
        compact::sort_by_key(&mut processes, |state| state.id);
        processes
    }

    /// Takes in a call; its facts are in `facts`.
    pub(crate) fn see(&mut self, call: &Call, registry: &Registry) {
        let state = self.processes.entry(call.process).or_insert_with(|| {
            let program = registry.process(call.process).map(|process| process.program);
            let directory = registry.process(call.process).map(|process| process.directory);
            let (program, directory) = (program.unwrap_or_default(), directory.unwrap_or_default());
            ProcessState::new(call.process, program, false, directory)
        });
        // What is no question about files does not come between two that are.
        state.calls += u64::from(!is_aside(call));
        let mut collector =
            FactCollector { state, registry, paths: &self.paths, facts: &mut self.facts };
        collector.see(call);
    }

    /// The facts about the last call.
    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Gives an emptied list back, to be used again.
    pub(crate) fn reuse(&mut self, facts: Vec<Fact>) {
        self.facts = facts;
    }

    /// Ends a process: what is still open counts as closed.
    pub(crate) fn finish(&mut self, state: &mut ProcessState, registry: &Registry) {
        let mut collector =
            FactCollector { state, registry, paths: &self.paths, facts: &mut self.facts };
        collector.finish();
        state.finish();
    }
}
