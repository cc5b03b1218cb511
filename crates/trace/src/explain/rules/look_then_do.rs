//! A look at a path right before it is opened.

use super::prelude::*;
use crate::explain::caller;

pub(super) const ID: &str = "look-then-do";

/// The thread opens within as many calls.
const SOON: u64 = 2;
/// Threads whose last look is known, and looks that another thread may follow.
const MOST: usize = 4096;
/// A pool that opens what was looked at does so within as many calls of the process.
const SOON_IN_POOL: u64 = 1024;

/// Looks that opening would have answered.
#[derive(Default)]
pub(crate) struct LookThenDo {
    /// The last look of each thread, and how many calls it made since, that one included.
    latest: FxHashMap<u32, (Call, u64)>,
    wastes: ByFile,
    /// Looks by file, and when they were made, in calls of the process.
    looks: FxHashMap<(u32, PathId), (Call, u64)>,
    /// What other threads opened: the next step of the same task, if a pool does what is asked.
    in_pools: ByFile,
}

impl Rule for LookThenDo {
    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        // An entry of a listed directory is looked at for its kind; what was asked before is
        // another rule's.
        let is_for_kind = asked.entry_of.is_some() && asked.question != Question::Access;
        let is_ours = asked.novelty == Novelty::New
            && !is_for_kind
            && !asked.ends_path
            && !asked.answered_by_fstat
            && asked.question != Question::Link
            && context.kind(call.file) == FileKind::File;
        if self.latest.get(&call.thread).is_some_and(|(look, _)| look.file == call.file) {
            // The second of two looks is double-stat.
            return;
        }
        if !is_ours {
            self.latest.remove(&call.thread);
            return;
        }
        if self.latest.len() < MOST || self.latest.contains_key(&call.thread) {
            self.latest.insert(call.thread, (call.clone(), 0));
        }
        if self.looks.len() >= MOST {
            self.looks.clear();
        }
        self.looks.insert((call.process, call.file), (call.clone(), context.process.calls));
    }

    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        if self.looks.is_empty() || is_aside(call) {
            return;
        }
        if call.name.class() != Class::Open {
            if let Some((_, since)) = self.latest.get_mut(&call.thread) {
                *since += 1;
            }
            return;
        }
        let latest = self.latest.remove(&call.thread);
        let in_pool = self.looks.remove(&(call.process, call.file));
        let is_next = |(look, since): &(Call, u64)| {
            *since <= SOON && look.process == call.process && is_same(look, call)
        };
        let program = context.process.program;
        if let Some((look, _)) = latest.filter(is_next) {
            self.wastes.of(program, look.file).add(&look);
        } else if let Some((look, at)) = in_pool
            && context.process.calls - at <= SOON_IN_POOL
            && (look.thread, call.thread) != (call.process, call.process)
        {
            self.in_pools.of(program, look.file).add(&look);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.latest.retain(|_, (look, _)| look.process != context.process.id);
        self.looks.retain(|(process, _), _| *process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut in_pools = std::mem::take(&mut self.in_pools);
        in_pools.retain_programs(|program| registry.language(program) == Language::Node);
        self.wastes.absorb(in_pools);
        let groups = self.wastes.whole(registry);
        let groups = groups.iter().filter(|group| !is_of_opening(group, registry));
        groups.map(|group| finding(group, registry)).collect()
    }
}

/// Whether Lisp's own `OPEN` looks first: its caller cannot leave that out.
fn is_of_opening(group: &Group, registry: &Registry) -> bool {
    caller::locations(&group.waste.tally, registry)
        .any(|it| it.function == "OPEN" && it.file.starts_with("SYS:"))
}

/// Whether both mean one file: an opened link is known by where it leads.
fn is_same(look: &Call, open: &Call) -> bool {
    look.file == open.file || look.path == open.path && look.path != PathId::NONE
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let verdict = if group.is_one() {
        format!(
            "{path} was looked at {} right before it was opened",
            words::times(group.waste.times)
        )
    } else {
        let files = group.some("file");
        format!("{files}, {path} among them, were looked at right before they were opened")
    };
    group.finding(ID, None, verdict, registry)
}
