//! A wait for the disk after every few bytes; for many files, also after each of them and for the
//! directory that it is in. What opens and closes a directory only to wait is a part of that, and
//! so is all that a transaction of SQLite is made of, if there are many small ones. Small writes to
//! one file, each with its wait, go together once nothing waits between them.

use super::prelude::*;
use crate::explain::caller;

pub(super) const ID: &str = "sync-per-item";

/// After more bytes than this a wait is worth its time.
const MUCH: u64 = 1 << 20;
/// Processes and programs that are counted one by one.
const MOST: usize = 1 << 16;
/// Fewer waits, or fewer for each of a few files, are those of some transactions.
const FEWEST: u64 = 10;
const FEWEST_PER_FILE: u64 = 8;
/// A data base waits for two or three files in turn; more are files of their own.
const FEW_FILES: u64 = 8;
/// What writes that go together need one for.
const BLOCK: u64 = 8192;

/// Waits for the disk.
#[derive(Default)]
pub(crate) struct SyncPerItem {
    wastes: ByFile,
    /// Bytes written by a process since its last wait, and whether there was one.
    written: FxHashMap<u32, (u64, bool)>,
    bytes: FxHashMap<PathId, u64>,
    /// Waits for files that are not closed yet, with what was written before them.
    pending: FxHashMap<(u32, PathId), (ByFile, u64)>,
    /// Programs that opened something only to wait: once is needed.
    opened: FxHashSet<PathId>,
    /// Writes with a wait between them, that one would do for.
    apart: Vec<Apart>,
}

/// Writes to a file, by a program.
struct Apart {
    program: PathId,
    /// Whether they go to the end of a log (O_APPEND).
    to_end: bool,
    writes: Tally,
}

impl Rule for SyncPerItem {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Write | Class::Copy | Class::Sync)
    }

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
        self.opened_to_wait(session, context.process.program);
        self.written_apart(session, context);
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        for (file, calls) in context.process.transactions.wasted() {
            self.wastes.of(context.process.program, file).tally.absorb(calls);
        }
        self.written.remove(&context.process.id);
        let id = context.process.id;
        let left: Vec<_> = self.pending.extract_if(|(process, _), _| *process == id).collect();
        for (_, (mut waits, bytes)) in left {
            self.take(context.process.program, &mut waits, bytes);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        let is_loop = |group: &&Group| {
            let (files, waits) = (group.files, group.waste.times);
            waits >= FEWEST && (files > FEW_FILES || waits >= FEWEST_PER_FILE * files)
        };
        let loops = groups.iter().filter(is_loop);
        loops.map(|group| self.finding(group, registry)).collect()
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

    /// What was opened only to wait: its opening and closing, but for the first time.
    fn opened_to_wait(&mut self, session: &DescriptorSession, program: PathId) {
        let waits = session.kinds.iter().any(|(call, _)| call.name.class() == Class::Sync);
        let has_moved = session.moved || session.has_written() || session.listing.calls > 0;
        let is_ours = session.origin == DescriptorOrigin::Opened && session.is_read_only();
        let only_waits = is_ours && waits && !has_moved;
        if !only_waits || self.opened.len() >= MOST || self.opened.insert(program) {
            return;
        }
        let others = session.kinds.iter().filter(|(call, _)| call.name.class() != Class::Sync);
        for (call, count) in others {
            let waste = self.wastes.of(program, session.file);
            waste.tally.count(call, *count);
            waste.tally.spare(Act::of(call), *count);
        }
    }

    /// Writes of a few bytes between the waits.
    fn written_apart(&mut self, session: &DescriptorSession, context: Context) {
        let Some(writes) = session.writes.as_deref().filter(|writes| writes.is_durable()) else {
            return;
        };
        let wasted = writes.tally.count.saturating_sub(writes.needed(BLOCK));
        let is_file = context.kind(session.file) == FileKind::File;
        if wasted > 0 && is_file && self.apart.len() < MOST && !session.is_copy() {
            let (program, to_end) = (context.process.program, session.appends());
            let mut writes = writes.tally.cut(wasted);
            let (name, file) = (Name::Write, session.file);
            writes.spare(Act::Call { name, file, moved: 1, failed: false }, wasted);
            self.apart.push(Apart { program, to_end, writes });
        }
    }

    /// The writes of a program that go together once nothing waits between them: those to the end
    /// of a log only in a stream of the language.
    fn together(&self, program: PathId, registry: &Registry) -> Tally {
        let mut together = Tally::default();
        let language = registry.language(program);
        for apart in self.apart.iter().filter(|apart| apart.program == program) {
            if !apart.to_end || caller::is_buffered(language, &apart.writes, registry) {
                together.absorb(&apart.writes);
            }
        }
        together
    }

    fn take(&mut self, program: PathId, waits: &mut ByFile, bytes: u64) {
        self.wastes.absorb(std::mem::take(waits));
        *self.bytes.entry(program).or_default() += bytes;
    }

    fn finding(&self, group: &Group, registry: &Registry) -> Finding {
        let waits = group.waste.times;
        let each = self.bytes.get(&group.program).copied().unwrap_or_default() / waits.max(1);
        let most = words::path(group.file, registry);
        let file = match group.is_one() {
            true => most,
            false => format!("{}, {most} the most", group.some("file")),
        };
        let mut verdict = format!(
            "the disk was waited for {}, after {} each: {file}",
            words::times(waits + 1),
            words::some(each, "byte")
        );
        let together = self.together(group.program, registry);
        if together.count > 0 {
            let writes = words::some(together.count, "write");
            verdict += &format!("; without that, {writes} fewer would do");
        }
        let case = (group.files > FEW_FILES).then_some("files");
        let mut finding = group.finding(ID, case, verdict, registry);
        // The waits stay the first: they are what is to be changed.
        finding.wasted += together.count;
        finding.callers.extend(together.callers());
        finding.spared.extend(together.spared());
        finding
    }
}
