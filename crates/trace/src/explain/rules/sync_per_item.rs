//! A wait for the disk after every few bytes.

use super::prelude::*;

pub(super) const ID: &str = "sync-per-item";

/// After more bytes than this a wait is worth its time.
const MUCH: u64 = 1 << 20;
/// Processes that are counted one by one.
const MOST: usize = 1 << 16;

/// Waits for the disk.
#[derive(Default)]
pub(crate) struct SyncPerItem {
    wastes: ByFile,
    /// Bytes written by a process since its last wait, and whether there was one.
    written: FxHashMap<u32, (u64, bool)>,
    bytes: FxHashMap<PathId, u64>,
    /// Waits for files that are not closed yet, with what was written before them.
    pending: FxHashMap<(u32, PathId), (ByFile, u64)>,
}

impl Rule for SyncPerItem {
    fn call(&mut self, call: &Call, context: Context) {
        match call.name.class() {
            Class::Write | Class::Copy
                if self.written.len() < MOST || self.written.contains_key(&call.process) =>
            {
                self.written.entry(call.process).or_default().0 += bytes(call);
            }
            Class::Sync if call.succeeded() => {
                let (written, waited) = self.written.remove(&call.process).unwrap_or_default();
                if self.written.len() < MOST {
                    self.written.insert(call.process, (0, true));
                }
                if waited && written < MUCH {
                    self.add(call, written, context.process.program);
                }
            }
            _ => {}
        }
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let key = (context.process.id, session.file);
        let Some((mut waits, bytes)) = self.pending.remove(&key) else { return };
        // What is written again goes with its wait.
        if let Repeats::Rewrite(_) = session.repeats {
            return;
        }
        self.take(context.process.program, &mut waits, bytes);
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.written.remove(&context.process.id);
        let id = context.process.id;
        let left: Vec<_> = self.pending.extract_if(|(process, _), _| *process == id).collect();
        for (_, (mut waits, bytes)) in left {
            self.take(context.process.program, &mut waits, bytes);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        groups.iter().map(|group| finding(group, &self.bytes, registry)).collect()
    }
}

impl SyncPerItem {
    fn add(&mut self, call: &Call, written: u64, program: PathId) {
        let key = (call.process, call.file);
        if self.pending.len() >= MOST && !self.pending.contains_key(&key) {
            self.wastes.of(program, call.file).add(call);
            *self.bytes.entry(program).or_default() += written;
            return;
        }
        let (waits, bytes) = self.pending.entry(key).or_default();
        waits.of(program, call.file).add(call);
        *bytes += written;
    }

    fn take(&mut self, program: PathId, waits: &mut ByFile, bytes: u64) {
        self.wastes.absorb(std::mem::take(waits));
        *self.bytes.entry(program).or_default() += bytes;
    }
}

fn finding(group: &Group, bytes: &FxHashMap<PathId, u64>, registry: &Registry) -> Finding {
    let tally = &group.waste.tally;
    let each = bytes.get(&group.program).copied().unwrap_or_default() / tally.count.max(1);
    let file = match group.is_one() {
        true => words::path(group.file, registry),
        false => format!("{}, {} the most", group.some("file"), words::path(group.file, registry)),
    };
    let verdict = format!(
        "the disk was waited for {}, after {} each: {file}",
        words::times(tally.count + 1),
        words::some(each, "byte")
    );
    group.finding(ID, None, verdict, registry)
}
