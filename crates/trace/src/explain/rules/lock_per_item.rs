//! A file locked and unlocked for every item.

use super::lock_files::LockFiles;
use super::prelude::*;
use crate::explain::history::database;

pub(super) const ID: &str = "lock-per-item";

/// A lock and an unlock that are needed.
const NEEDED: u64 = 2;
/// Databases whose journals are known.
const MOST: usize = 4096;
/// Libraries that lock for their own transactions.
const LIBRARIES: [&[u8]; 6] = [b"sqlite", b"libdb-", b"liblmdb", b"libgdbm", b"libtdb", b"mdbx"];
/// What the functions of such libraries begin with, if a program has them inside.
const FUNCTIONS: [&str; 5] = ["sqlite3", "mdb_", "mdbx_", "gdbm_", "tdb_"];

/// Locks of open files beyond the first.
#[derive(Default)]
pub(crate) struct LockPerItem {
    wastes: ByFile,
    /// Files that were opened again to lock them.
    again: ByFile,
    /// Databases, by the journals beside them.
    databases: FxHashSet<Vec<u8>>,
    files: LockFiles,
}

impl Rule for LockPerItem {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Change | Class::Open | Class::Stat | Class::Access)
    }

    fn call(&mut self, call: &Call, context: Context) {
        self.files.call(call, context);
        let may_name = matches!(call.name.class(), Class::Open | Class::Stat | Class::Access);
        if may_name
            && let Some(database) = database(context.registry.path(call.file))
            && self.databases.len() < MOST
            && !self.databases.contains(database)
        {
            self.databases.insert(database.to_vec());
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.files.process_gone(context);
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        self.files.descriptor_closed(session, context);
        if session.repeats == Repeats::Lock {
            let waste = self.again.of(context.process.program, session.file);
            waste.times += 1;
            waste.tally.absorb(&session.marks);
            for (call, count) in &session.kinds {
                waste.tally.count(call, *count);
                waste.tally.spare(Act::of(call), *count);
            }
            return;
        }
        let locks = &session.patterns.locks;
        if session.repeats.is_some() || locks.count <= NEEDED {
            return;
        }
        let Some(name) = locks.examples().first().map(|call| call.name) else { return };
        let act = Act::Call { name, file: session.file, moved: 0, failed: false };
        let key = (context.process.program, session.file);
        self.wastes.add_beyond(key, locks, NEEDED, act);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        // How a database locks is its own matter; how many transactions there are shows elsewhere.
        let databases = std::mem::take(&mut self.databases);
        let is_programs = |file: PathId, waste: &Waste| {
            let path = registry.path(file);
            database(path).is_none()
                && !databases.contains(path)
                && !is_of_library(&waste.tally, registry)
        };
        self.wastes.retain_files(is_programs);
        self.again.retain_files(is_programs);
        let groups = self.wastes.whole(registry);
        let mut found: Vec<_> = groups.iter().map(|group| finding(group, registry)).collect();
        found.extend(self.again.whole(registry).iter().map(|it| opened_again(it, registry)));
        found.extend(self.files.findings(ID, registry));
        found
    }
}

/// Whether most of the calls come from a library for databases.
fn is_of_library(tally: &Tally, registry: &Registry) -> bool {
    let is_inside = |stack: &StackId| {
        registry.stack(*stack).any(|frame| {
            let module = base_name(registry.path(frame.module));
            let is_function = |function: &str| FUNCTIONS.iter().any(|it| function.starts_with(it));
            LIBRARIES.iter().any(|it| memchr::memmem::find(module, it).is_some())
                || frame.locations.iter().any(|location| is_function(&location.function))
        })
    };
    let callers = tally.callers();
    let inside: u64 =
        callers.iter().filter(|(stack, _)| is_inside(stack)).map(|(_, calls)| calls).sum();
    inside * 2 > tally.count
}

fn opened_again(group: &Group, registry: &Registry) -> Finding {
    let times = words::times(group.waste.times + group.files);
    let was = group.subject_was("file", registry);
    let verdict = format!("{was} opened, locked and closed again {times}");
    group.finding(ID, Some("opened"), verdict, registry)
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("file", registry), words::times(group.waste.times));
    let verdict = format!("{was} locked or unlocked {times} while it was open");
    group.finding(ID, None, verdict, registry)
}
