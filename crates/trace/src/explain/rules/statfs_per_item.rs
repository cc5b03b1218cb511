//! The file system asked about once for every file on it.

use super::prelude::*;
use crate::bytes::parent;
use crate::content_hash;

pub(super) const ID: &str = "statfs-per-item";

/// Files and directories that are known of a process.
const MOST: usize = 1 << 16;
/// Programs that show file systems.
const SHOWS: &[&[u8]] = &[b"df", b"stat", b"findmnt", b"mount", b"lsblk", b"quota"];

/// Questions about file systems that were asked already.
#[derive(Default)]
pub(crate) struct StatfsPerItem {
    /// Answers, files that were asked about, and the directories that they lie in, as hashes.
    known: FxHashMap<u32, FxHashSet<u64>>,
    wastes: ByFile,
}

impl Rule for StatfsPerItem {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Statfs)
    }

    fn call(&mut self, call: &Call, context: Context) {
        if call.name.class() != Class::Statfs || !call.succeeded() || !call.file.is_some() {
            return;
        }
        let program = context.process.program;
        let path = context.registry.path(call.file);
        if SHOWS.contains(&base_name(context.registry.path(program)))
            || context.kind(call.file) == FileKind::Kernel
        {
            return;
        }
        let directory = parent(path).unwrap_or(path);
        let facts = [content_hash::of(path), !content_hash::of(directory), call.answer];
        if self.known.len() >= MOST && !self.known.contains_key(&call.process) {
            return;
        }
        let known = self.known.entry(call.process).or_default();
        let is_known = facts.iter().any(|fact| *fact != 0 && known.contains(fact));
        if known.len() < MOST {
            known.extend(facts);
        }
        if is_known {
            self.wastes.of(program, call.file).add(call);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.known.remove(&context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (times, what) = (words::times(group.waste.times), group.subject("file", registry));
    let what = what.trim_end_matches(',');
    let verdict = format!("the same file system was asked about {times} more, through {what}");
    group.finding(ID, None, verdict, registry)
}
