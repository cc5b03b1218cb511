//! A tree as batches of entries.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use fewer::walk::{Batch, Batches, Directories, Record};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::failure::Failure;
use crate::js::{self, ToJs, Value};
use crate::scope::{NativeScope, scope_of};
use crate::slot::Slot;
use crate::snapshot::NativeSnapshot;
use crate::text::{Encoding, Joined, Text};
use crate::walk_options::WalkOptions;
use crate::work::{Answer, Made, made, perform};

/// A walk on its way.
enum Running {
    Batches(Box<Batches>),
    Directories(Box<Directories>),
}

/// What is handed over of each entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The path.
    Paths,
    /// A row of the table as well.
    Entries,
}

/// A walk on its way, as JavaScript holds it.
#[napi]
pub(crate) struct NativeWalk {
    slot: Arc<Slot<Running>>,
    shown: Shown,
    encoding: Encoding,
}

#[napi]
impl NativeWalk {
    /// Prepares a walk through `roots`, which have a NUL between them. With `by_directory` each
    /// batch holds one root, or all entries of one directory. Makes no call.
    #[napi(factory)]
    pub fn open(
        roots: &[u8],
        options: WalkOptions,
        paths_only: bool,
        by_directory: bool,
        scope: Option<ClassInstance<NativeScope>>,
        since: Option<ClassInstance<NativeSnapshot>>,
    ) -> Result<NativeWalk> {
        let mut walk = options.walk(roots, &scope_of(scope.as_deref())?)?;
        if let Some(since) = since {
            walk = walk.since(&since.since());
        }
        let slot = match by_directory {
            true => Slot::new(|_| Running::Directories(Box::new(walk.directories()))),
            false => Slot::new(|is_cancelled| {
                let flag = Arc::clone(is_cancelled);
                let batches = walk.batches().cancel_when(move || flag.load(Relaxed));
                Running::Batches(Box::new(batches))
            }),
        };
        let shown = if paths_only { Shown::Paths } else { Shown::Entries };
        Ok(NativeWalk { slot, shown, encoding: options.encoding() })
    }

    /// The next batch: see `Entries`; undefined when the walk is over or closed.
    #[napi]
    pub fn next(&self, later: bool) -> Answer {
        let (slot, shown, encoding) = (Arc::clone(&self.slot), self.shown, self.encoding);
        perform(later, move || Ok(slot.with(|running| next(running, shown, encoding)).flatten()))
    }

    /// Does not enter the directory that is the entry `index` of the last batch; false if there is
    /// none.
    #[napi]
    pub fn prune(&self, index: u32) -> bool {
        let prune = |running: &mut Running| match running {
            Running::Directories(directories) => directories.prune(index as usize),
            Running::Batches(_) => false,
        };
        self.slot.with(prune).unwrap_or(false)
    }

    /// Ends the walk, its threads included.
    #[napi]
    pub fn close(&self) {
        self.slot.close();
    }
}

fn next(running: &mut Running, shown: Shown, encoding: Encoding) -> Made {
    let batch = match running {
        Running::Batches(batches) => batches.next(),
        Running::Directories(directories) => directories.next(),
    };
    batch.map(|batch| Entries::new(batch, shown, encoding)).and_then(made)
}

/// A batch, in JavaScript an array: the paths as one text with a NUL between them, whether that is
/// ASCII, how many there are, a table with a row of `COLUMNS` numbers for each entry (or
/// undefined), the failures (or undefined), and by directory its path and depth (or undefined).
struct Entries {
    paths: Text,
    count: usize,
    table: Vec<u32>,
    failures: Vec<(u32, Failure)>,
    directory: Option<(Text, u32)>,
}

/// Where the path begins, its length, where the name begins in it, its length, depth, kind, and
/// the lower and the upper half of the inode. Lengths are in bytes.
const COLUMNS: usize = 8;

impl Entries {
    fn new(batch: &Batch, shown: Shown, encoding: Encoding) -> Entries {
        let entries = batch.entries();
        let bytes = entries.iter().map(|entry| entry.path_length as usize + 1).sum();
        let mut paths = Joined::with_capacity(bytes);
        let mut table = Vec::new();
        if shown == Shown::Entries {
            table.reserve_exact(COLUMNS * entries.len());
            for entry in entries {
                table.extend(row(entry, paths.next_start()));
                paths.push(batch.path(entry));
            }
        } else {
            entries.iter().for_each(|entry| paths.push(batch.path(entry)));
        }
        let failures = batch.failures().iter();
        let failures = failures.map(|failure| (failure.before, failed(batch, failure))).collect();
        let place = batch.directory().zip(batch.directory_path());
        let directory =
            place.map(|(place, path)| (Text::new(path.to_vec(), encoding), place.depth));
        let (count, paths) = (entries.len(), paths.into_text(encoding));
        Entries { paths, count, table, failures, directory }
    }
}

fn row(entry: &Record, start: usize) -> [u32; COLUMNS] {
    [
        start as u32,
        entry.path_length,
        entry.name - entry.path,
        entry.name_length,
        entry.depth,
        entry.kind as u32,
        entry.inode as u32,
        (entry.inode >> 32) as u32,
    ]
}

/// What could not be looked at.
pub(crate) fn failed(batch: &Batch, failure: &fewer::walk::Failure) -> Failure {
    let (path, message) = batch.failure(failure);
    Failure {
        number: failure.number,
        action: failure.action(),
        path: path.to_vec(),
        message: String::from_utf8_lossy(message).into_owned(),
    }
}

impl ToJs for Entries {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let none = js::undefined(env)?;
        let table = match self.table.is_empty() {
            true => none,
            false => js::typed_array(env, &self.table)?,
        };
        let mut failures = none;
        if !self.failures.is_empty() {
            let each = self.failures.iter().map(|(before, failure)| {
                js::array(env, &[js::value(env, *before)?, failure.value(env)?])
            });
            failures = js::array(env, &each.collect::<Result<Vec<_>>>()?)?;
        }
        let (mut directory, mut depth) = (none, none);
        if let Some((path, steps)) = &self.directory {
            directory = path.value(env)?;
            depth = js::value(env, *steps)?;
        }
        let is_ascii = js::value(env, self.paths.is_ascii())?;
        let count = js::value(env, self.count as u32)?;
        let paths = self.paths.value(env)?;
        js::array(env, &[paths, is_ascii, count, table, failures, directory, depth])
    }
}
