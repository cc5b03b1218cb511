//! Transactions of SQLite, one after the other.
//!
//! What a database is kept safe by lies beside it, under names that say so. A transaction ends with
//! a wait for the disk on the database, or on its log (`-wal`). From one such wait to the next all
//! calls on the database and on what lies beside it belong to a transaction: they take and release
//! locks, write the journal, make and remove it, write pages. Where all was put into one
//! transaction, only the first of these rounds would be left. The waits themselves are not counted
//! here, nor the directory that is opened for one.

use super::paths::Paths;
use crate::explain::tally::Tally;
use crate::{Call, Class, PathId, Registry, StackId};
use rustc_hash::FxHashMap;

/// What SQLite puts behind the name of a database to name what it keeps beside it.
const BESIDE: [&[u8]; 3] = [b"-journal", b"-wal", b"-shm"];
/// Databases of a process whose transactions are followed.
const MOST: usize = 64;
/// Fewer transactions are no habit.
const FEWEST: u64 = 10;
/// A transaction of more calls writes much, or the program reads in between.
const MOST_CALLS: u64 = 128;

/// The transactions of a process.
#[derive(Debug, Default)]
pub(crate) struct Transactions {
    databases: Vec<Database>,
    /// Which database a file belongs to.
    files: FxHashMap<PathId, usize>,
    /// The thread and the database of the last call, if that was on one.
    latest: Option<(u32, usize)>,
}

#[derive(Debug)]
struct Database {
    file: PathId,
    /// Waits for the disk that ended a transaction.
    ends: u64,
    /// The calls since the last one: what they do, and where the latest came from.
    since: Tally,
    /// All calls of transactions behind the first.
    wasted: Tally,
}

/// The database that a file with such a name lies beside.
pub(crate) fn database(path: &[u8]) -> Option<&[u8]> {
    BESIDE.iter().find_map(|ending| path.strip_suffix(*ending))
}

impl Transactions {
    /// Takes in a call.
    pub(super) fn see(&mut self, call: &Call, paths: &Paths, registry: &Registry) {
        let class = call.name.class();
        if matches!(class, Class::Open | Class::Stat | Class::Access)
            && self.databases.len() < MOST
            && !self.files.contains_key(&call.file)
            && let Some(path) = database(registry.path(call.file))
        {
            self.lies_beside(call.file, paths.look_up(path, registry));
        }
        let latest = self.latest.filter(|(thread, _)| *thread == call.thread);
        self.latest = match self.files.get(&call.file) {
            Some(at) => Some((call.thread, *at)),
            // Right behind a call on the database the library asks who it is.
            None => latest.filter(|_| class == Class::Identity),
        };
        let Some((_, at)) = self.latest else { return };
        let database = &mut self.databases[at];
        if class != Class::Sync {
            database.since.add(call);
            return;
        }
        let is_end = call.file == database.file || registry.path(call.file).ends_with(BESIDE[1]);
        if is_end && call.succeeded() {
            database.end(call.stack);
        }
    }

    fn lies_beside(&mut self, file: PathId, database: PathId) {
        if !database.is_some() {
            return;
        }
        let at = match self.files.get(&database) {
            Some(at) => *at,
            None => {
                self.databases.push(Database {
                    file: database,
                    ends: 0,
                    since: Tally::default(),
                    wasted: Tally::default(),
                });
                self.databases.len() - 1
            }
        };
        self.files.insert(database, at);
        self.files.insert(file, at);
    }

    /// The databases with many small transactions, and the calls of all but the first.
    pub(crate) fn wasted(&self) -> impl Iterator<Item = (PathId, &Tally)> {
        let many = self.databases.iter().filter(|database| database.ends >= FEWEST);
        many.map(|database| (database.file, &database.wasted))
    }

    /// Whether the last call belongs to a transaction, whatever it is about.
    pub(crate) fn has_taken(&self) -> bool {
        self.latest.is_some()
    }

    /// Whether the calls on a file are counted here.
    pub(crate) fn counts(&self, file: PathId) -> bool {
        self.files.get(&file).is_some_and(|at| self.databases[*at].ends >= FEWEST)
    }
}

impl Database {
    /// A transaction ends: what it was made of came from there.
    fn end(&mut self, stack: StackId) {
        let since = std::mem::take(&mut self.since);
        self.ends += 1;
        if self.ends > 1 && since.count <= MOST_CALLS {
            self.wasted.absorb(&since.at(stack));
        }
    }
}
