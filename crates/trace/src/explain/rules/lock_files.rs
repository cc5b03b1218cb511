//! Files and directories that are locks because they are there: made for every item, and removed.

use super::prelude::*;

/// What is written into a lock, to say whose it is.
const LARGEST: u64 = 256;
/// Files that are followed.
const MOST: usize = 1 << 14;

/// Locks by file, beyond the first of each.
#[derive(Default)]
pub(super) struct LockFiles {
    known: FxHashMap<(u32, PathId), LockFile>,
    /// These files, and whether there is more to one than that it is there: any process may use it.
    used: FxHashMap<PathId, bool>,
    wastes: ByFile,
}

/// A file that had to be new, or a directory.
#[derive(Default)]
struct LockFile {
    made: u64,
    removed: u64,
    /// The descriptors that made it.
    closed: u64,
    /// What was done beyond the first time.
    again: Tally,
}

impl LockFiles {
    pub(super) fn call(&mut self, call: &Call, context: Context) {
        let is_change = call.name.class() == Class::Change;
        if !call.succeeded() || !(is_change || call.name.class() == Class::Open) {
            return;
        }
        let key = (call.process, call.file);
        match call.name {
            Name::Unlink | Name::Unlinkat | Name::Rmdir => {
                if let Some(lock) = self.known.get_mut(&key) {
                    lock.removed += 1;
                    if lock.removed > 1 {
                        lock.again.add(call);
                    }
                }
            }
            Name::Mkdir | Name::Mkdirat => {
                if let Some(lock) = self.made(key)
                    && lock.made > 1
                {
                    lock.again.add(call);
                }
            }
            _ if is_new(call) => {
                self.made(key);
            }
            _ => {
                self.used(call.file);
                self.used(call.second);
            }
        }
        // What lies in a directory is its purpose.
        if is_change || is_new(call) {
            self.used(context.parent(call.file));
        }
    }

    fn made(&mut self, key: (u32, PathId)) -> Option<&mut LockFile> {
        let is_known = self.known.len() < MOST || self.known.contains_key(&key);
        let lock = (key.1.is_some() && is_known).then(|| self.known.entry(key).or_default())?;
        lock.made += 1;
        self.used.entry(key.1).or_default();
        Some(lock)
    }

    fn used(&mut self, file: PathId) {
        if let Some(is_used) = self.used.get_mut(&file) {
            *is_used = true;
        }
    }

    pub(super) fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        if session.origin != DescriptorOrigin::Opened || !session.creates() {
            return;
        }
        let Some(lock) = self.known.get_mut(&(context.process.id, session.file)) else { return };
        lock.closed += 1;
        let calls = session.kinds.iter().filter(|(call, _)| call.name.class() != Class::Change);
        for (call, count) in calls.filter(|_| lock.closed > 1) {
            lock.again.count(call, *count);
            lock.again.spare(Act::of(call), *count);
        }
        let writes = session.kinds.iter().filter(|(call, _)| call.name.class() == Class::Write);
        let written: u64 = writes.map(|(call, count)| bytes(call) * count).sum();
        if written > LARGEST || session.bytes_read > 0 || session.repeats.is_some() {
            self.used(session.file);
        }
    }

    pub(super) fn process_gone(&mut self, context: Context) {
        let id = context.process.id;
        for ((_, file), lock) in self.known.extract_if(|(process, _), _| *process == id) {
            let is_used = self.used.get(&file).copied().unwrap_or_default();
            if !is_used && lock.removed > 1 {
                let waste = self.wastes.of(context.process.program, file);
                waste.tally.absorb(&lock.again);
                waste.times += lock.made;
            }
        }
    }

    pub(super) fn findings(&mut self, id: &'static str, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        let found = groups.iter().map(|group| {
            let (was, times) = (group.subject_was("file", registry), group.waste.times);
            let times = words::times(times);
            let verdict = format!("{was} made and removed again {times}, a lock for each item");
            group.finding(id, Some("file"), verdict, registry)
        });
        found.collect()
    }
}

/// Whether a call opens a file that had to be new.
fn is_new(call: &Call) -> bool {
    const O_CREAT_EXCL: i32 = 0o300;
    call.open_flags() & O_CREAT_EXCL == O_CREAT_EXCL
}
