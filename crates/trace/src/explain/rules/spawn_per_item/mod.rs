//! A small program started for every iteration of a loop.
//!
//! What one start came to is a unit (`unit`): the process, and what it started in turn, as a shell
//! does that `system` starts. A process that starts many of them is a loop; what it wasted are all
//! calls of the units but the first one's, and its own calls that made them.

mod unit;
mod verdict;

use fewer::compact;

use super::prelude::*;
use super::purposes;
use super::search_misses::looks_for;
use crate::stream::PathTable;
use unit::{Effort, Kind, Unit};

pub(super) const ID: &str = "spawn-per-item";

/// Processes that are counted one by one.
const MOST: usize = 1 << 17;
/// Kinds of starts of a process that are told apart.
const MOST_KINDS: usize = 1 << 10;
/// A loop is in one process; a script that starts one program each time it runs has none.
const FEWEST: u64 = 5;
/// A process that makes more calls is not small: interpreters look for their modules.
const FEW_CALLS: u64 = 2000;
/// Nor are those that live longer one with another, in nanoseconds while being traced. One of many
/// that has to wait on a busy machine says nothing.
const SHORT: u64 = 1_000_000_000;

/// Small programs started again and again.
#[derive(Default)]
pub(crate) struct SpawnPerItem {
    nodes: FxHashMap<u32, Node>,
    wastes: FxHashMap<(PathId, Kind), Started>,
    /// The first process that had to do with each file.
    owners: PathTable<Option<u32>>,
    /// How many have one.
    owned: usize,
    /// How often each program ran.
    runs: FxHashMap<PathId, u64>,
}

/// A process that lives.
#[derive(Default)]
struct Node {
    parent: u32,
    /// What it runs now.
    runs: PathId,
    start: u64,
    /// The call that made it.
    birth: Option<Box<Call>>,
    /// If it is a copy, the call that made what it started first: a function that is called in a
    /// substitution starts its programs there.
    site: Option<Box<Call>>,
    /// The last search of it, which may be for a program that it is about to start.
    search: Vec<Call>,
    unit: Unit,
    /// What it started and what has ended.
    started: FxHashMap<Kind, Started>,
    effort: Effort,
    /// Whether its work is to start others.
    is_starter: bool,
}

/// Starts of a kind.
#[derive(Default)]
struct Started {
    starts: u64,
    processes: u64,
    /// From where, with the calls that vanish with them.
    tally: Tally,
    /// Such calls of the first one.
    needed: u64,
    /// How many had the same options.
    forms: FxHashMap<u64, u64>,
    /// How often each program ran in them.
    programs: FxHashMap<PathId, u64>,
    /// How long they lived, all together.
    nanoseconds: u64,
    /// What they took.
    took: Children,
}

impl Started {
    fn is_loop(&self) -> bool {
        let alike = self.forms.values().max().copied().unwrap_or_default();
        alike >= FEWEST && self.nanoseconds < SHORT.saturating_mul(self.starts)
    }

    fn add(&mut self, unit: &Unit, birth: Option<&Call>) {
        self.starts += 1;
        self.processes += unit.processes;
        self.nanoseconds += unit.nanoseconds;
        self.took.processor += unit.processor;
        self.took.stops += unit.calls;
        let calls = unit.calls.saturating_sub(unit.work);
        if self.forms.len() < MOST_KINDS || self.forms.contains_key(&unit.form) {
            *self.forms.entry(unit.form).or_default() += 1;
        }
        if self.starts == 1 {
            self.needed = calls;
        }
        match birth {
            Some(call) => self.tally.count(call, calls),
            None => self.tally.blame(StackId::NONE, calls),
        }
        for program in &unit.programs {
            if self.programs.len() < MOST_KINDS || self.programs.contains_key(program) {
                *self.programs.entry(*program).or_default() += 1;
            }
        }
    }

    fn absorb(&mut self, other: &Started) {
        self.starts += other.starts;
        self.processes += other.processes;
        self.nanoseconds += other.nanoseconds;
        self.took.processor += other.took.processor;
        self.took.stops += other.took.stops;
        self.needed += other.needed;
        for (form, count) in &other.forms {
            *self.forms.entry(*form).or_default() += count;
        }
        self.tally.absorb(&other.tally);
        for (program, count) in &other.programs {
            *self.programs.entry(*program).or_default() += count;
        }
    }

    /// The same with the calls of all starts but one. `effort` are calls of the process that made
    /// them.
    fn beyond_one(&self, effort: u64) -> Started {
        let part = |count: u64| count - count.div_ceil(self.starts.max(1));
        let mut tally = self.tally.cut(self.tally.count - self.needed.min(self.tally.count));
        if let Some((stack, _)) = self.tally.callers().first() {
            tally.blame(*stack, part(effort));
        }
        for (program, count) in &self.programs {
            tally.spare(Act::Spawn { program: *program }, part(*count));
        }
        let copies = self.processes.saturating_sub(self.programs.values().sum());
        tally.spare(Act::Spawn { program: PathId::NONE }, part(copies));
        let took = Children { processor: part(self.took.processor), stops: part(self.took.stops) };
        let (programs, forms) = (self.programs.clone(), FxHashMap::default());
        Started { tally, programs, forms, took, ..*self }
    }
}

impl Rule for SpawnPerItem {
    fn process_started(&mut self, process: &Process, parent: Option<&ProcessState>) {
        let is_starter = purposes::is_starter(&process.arguments);
        if let Some(node) = self.nodes.get_mut(&process.id) {
            node.unit.becomes(process);
            node.runs = process.program;
            node.is_starter = is_starter;
            return self.runs(process.program);
        }
        if self.nodes.len() >= MOST {
            return;
        }
        let (runs, start) = (process.program, process.start);
        let mut node = Node { parent: process.parent, runs, start, ..Node::default() };
        node.unit.processes = 1;
        node.is_starter = is_starter;
        // The first process of all, and one whose beginning was not seen.
        if parent.is_none_or(|parent| parent.program != process.program) {
            node.unit.becomes(process);
            self.runs(process.program);
        }
        self.nodes.insert(process.id, node);
    }

    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        let is_birth = call.name.class() == Class::Fork;
        if is_birth
            && let Ok(child) = u32::try_from(call.result)
            && let Some(node) = self.nodes.get_mut(&child)
        {
            node.birth = Some(Box::new(call.clone()));
        }
        if call.name.class() == Class::Execute && call.succeeded() {
            self.found(call, context);
        }
        let is_work = context.kind(call.file) == FileKind::File && self.is_work(call);
        if let Some(node) = self.nodes.get_mut(&call.process) {
            node.effort.call(call, context);
            node.unit.calls += 1;
            node.unit.work += u64::from(is_work);
        }
    }

    fn search_ended(&mut self, calls: &[Call], context: Context) {
        if let Some(node) = self.nodes.get_mut(&context.process.id) {
            node.search = calls.to_vec();
        }
    }

    fn process_ended(&mut self, process: u32, at: u64, processor: u64) {
        let Some(mut node) = self.nodes.remove(&process) else { return };
        node.unit.processor = processor;
        node.unit.nanoseconds = at.saturating_sub(node.start);
        self.ended(node);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut left: Vec<_> = self.nodes.drain().collect();
        compact::sort_by_key(&mut left, |(id, _)| std::cmp::Reverse(*id));
        for (_, mut node) in left {
            self.close(&mut node);
        }
        self.wastes.retain(|(starter, kind), _| is_waste(*starter, *kind, registry));
        self.gather_programs();
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        compact::sort_by_key(&mut wastes, |((starter, kind), _)| {
            let (order, program) = match kind {
                Kind::Program(program) => (0, *program),
                Kind::Command(program) => (1, *program),
                Kind::Programs => (2, PathId::NONE),
                Kind::CopyThatStarts => (3, PathId::NONE),
                Kind::Copy => (4, PathId::NONE),
            };
            (registry.path(*starter), order, registry.path(program))
        });
        let findings = wastes.iter().map(|((starter, kind), started)| {
            let mut finding = verdict::finding(*starter, *kind, started, registry);
            finding.replaces = self.only_in(started);
            finding.children = started.took;
            finding
        });
        findings.collect()
    }
}

impl SpawnPerItem {
    /// A program was found and started: the search before it goes with that.
    fn found(&mut self, call: &Call, context: Context) {
        let parent = self.nodes.get(&call.process).map_or(0, |node| node.parent);
        if let Some(parent) = self.nodes.get_mut(&parent)
            && looks_for(&parent.search, call, context.registry)
        {
            // And the look that found it.
            parent.effort.calls += parent.search.len() as u64 + 1;
            parent.search = Vec::new();
        }
    }

    /// Whether a call has to do with a file that no other process had to do with before, but a
    /// shell that started this one for it: that is the work itself, which is done in any case.
    fn is_work(&mut self, call: &Call) -> bool {
        const MOST_FILES: usize = 1 << 20;
        let owner = self.owners.of(call.file);
        if owner.is_none() {
            if self.owned >= MOST_FILES {
                return false;
            }
            self.owned += 1;
        }
        let owner = *owner.get_or_insert(call.process);
        let shell = || {
            let parent = self.nodes.get(&call.process)?.parent;
            (self.nodes.get(&parent)?.unit.is_command && parent == owner).then_some(())
        };
        owner == call.process || shell().is_some()
    }

    /// A process has ended: it is a part of what its parent does, or a loop by itself.
    fn ended(&mut self, mut node: Node) {
        let is_loop = node.started.values().any(Started::is_loop);
        let parent = self.nodes.get_mut(&node.parent);
        let Some(parent) = parent.filter(|_| !is_loop || node.unit.is_copy()) else {
            return self.close(&mut node);
        };
        if is_loop {
            // What a copy does, its maker does.
            for (kind, started) in node.started.drain() {
                parent.started.entry(kind).or_default().absorb(&started);
            }
            parent.effort.calls += node.effort.calls;
            return;
        }
        if parent.unit.is_copy() && parent.site.is_none() {
            parent.site = node.site.take().or_else(|| node.birth.clone());
        }
        parent.unit.take_in(&node.unit);
        let kind = node.unit.kind();
        let is_small = node.unit.calls < FEW_CALLS.saturating_mul(node.unit.processes);
        let site = node.site.as_deref().or(node.birth.as_deref());
        let has_room = parent.started.len() < MOST_KINDS || parent.started.contains_key(&kind);
        if is_small && has_room {
            parent.started.entry(kind).or_default().add(&node.unit, site);
        }
    }

    /// Nothing more comes from this process.
    fn close(&mut self, node: &mut Node) {
        if node.is_starter {
            return;
        }
        let all: u64 = node.started.values().map(|started| started.starts).sum();
        for (kind, started) in node.started.drain().filter(|(_, started)| started.is_loop()) {
            let effort = node.effort.calls * started.starts / all.max(1);
            let key = (node.runs, kind);
            if self.wastes.len() < MOST || self.wastes.contains_key(&key) {
                self.wastes.entry(key).or_default().absorb(&started.beyond_one(effort));
            }
        }
    }

    /// A loop that starts many programs in turn is one finding.
    fn gather_programs(&mut self) {
        const FEW: usize = 3;
        let mut programs: FxHashMap<PathId, Vec<Kind>> = FxHashMap::default();
        for (starter, kind) in self.wastes.keys() {
            if let Kind::Program(_) = kind {
                programs.entry(*starter).or_default().push(*kind);
            }
        }
        for (starter, mut kinds) in programs.into_iter().filter(|(_, kinds)| kinds.len() > FEW) {
            kinds.sort_unstable();
            let mut all = Started::default();
            for started in kinds.iter().filter_map(|kind| self.wastes.remove(&(starter, *kind))) {
                all.absorb(&started);
            }
            self.wastes.insert((starter, Kind::Programs), all);
        }
    }

    fn runs(&mut self, program: PathId) {
        if self.runs.len() < MOST || self.runs.contains_key(&program) {
            *self.runs.entry(program).or_default() += 1;
        }
    }

    /// The programs that ran nowhere else.
    fn only_in(&self, started: &Started) -> Vec<PathId> {
        let is_only = |(program, count): &(&PathId, &u64)| self.runs.get(program) == Some(count);
        started.programs.iter().filter(is_only).map(|(program, _)| *program).collect()
    }
}

/// Whether the starter's author could have done without.
fn is_waste(starter: PathId, kind: Kind, registry: &Registry) -> bool {
    let is_work = match kind {
        Kind::Program(program) | Kind::Command(program) => {
            purposes::works_alone(registry.path(program))
        }
        Kind::Programs => false,
        Kind::Copy | Kind::CopyThatStarts => registry.language(starter) != Language::Shell,
    };
    !is_work && !purposes::starts_others(registry.path(starter))
}
