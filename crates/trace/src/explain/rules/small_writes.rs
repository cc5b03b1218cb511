//! A few bytes written at a time.

use super::prelude::*;
use super::small_reads::case_by_io_style;

pub(super) const ID: &str = "small-writes";

/// A block of this size would do.
const ENOUGH: u64 = 64 * 1024;

/// Pipes that are remembered.
const MOST: usize = 1 << 12;

/// Writes that a buffer would spare.
#[derive(Default)]
pub(crate) struct SmallWrites {
    wastes: ByFile,
    bytes: FxHashMap<(PathId, PathId), u64>,
    /// Pipes that a process reads: what it writes to them wakes its own threads, or is a token that
    /// it takes back, as those of `make`.
    read: FxHashSet<(u32, PathId)>,
}

impl Rule for SmallWrites {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Read)
    }

    fn call(&mut self, call: &Call, context: Context) {
        let is_pipe = context.kind(call.file) == FileKind::Pipe;
        if call.name.class() == Class::Read && is_pipe && self.read.len() < MOST {
            self.read.insert((call.process, call.file));
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.read.retain(|(process, _)| *process != context.process.id);
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(writes) = &session.writes else { return };
        let is_ours =
            matches!(context.kind(session.file), FileKind::File | FileKind::Null | FileKind::Pipe);
        let wakes_itself = self.read.contains(&(context.process.id, session.file));
        // Standard error is there to be seen at once; a log to survive.
        let is_error =
            session.kinds.iter().any(|(call, _)| call.name == Name::Write && call.int(0) == 2);
        if !is_ours
            || wakes_itself
            || is_error
            || writes.is_durable()
            || session.appends()
            || session.is_copy()
        {
            return;
        }
        let needed = writes.needed(ENOUGH);
        let is_pipe = context.kind(session.file) == FileKind::Pipe;
        let file = if is_pipe { PathId::NONE } else { session.file };
        let key = (context.process.program, file);
        let act = Act::Call { name: Name::Write, file: session.file, moved: 1, failed: false };
        if self.wastes.add_beyond(key, &writes.tally, needed, act) {
            *self.bytes.entry(key).or_default() += writes.bytes;
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.groups(registry);
        groups.iter().map(|group| finding(group, &self.bytes, registry)).collect()
    }
}

fn finding(
    group: &Group,
    bytes: &FxHashMap<(PathId, PathId), u64>,
    registry: &Registry,
) -> Finding {
    let what = group.stream_was(registry);
    let each = bytes.get(&(group.program, group.file)).copied().unwrap_or_default()
        / group.waste.times.max(1);
    let size = if group.is_one() {
        format!(" about {} at a time", words::some(each.max(1), "byte"))
    } else {
        " a few bytes at a time".to_owned()
    };
    let needed = figures::count(group.waste.times - group.waste.tally.count);
    let times = words::times(group.waste.times);
    let verdict = format!("{what} written to {times},{size}, where {needed} would do");
    let language = registry.language(group.program);
    let case = case_by_io_style(language, &group.waste.tally, registry);
    group.finding(ID, case, verdict, registry)
}
