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
    /// The path, of so many entries at once that their text has `ENOUGH` bytes.
    Gathered,
    /// The path and a row of the table.
    Entries,
}

/// V8 copies a string of up to 128 KiB, twice, when it collects garbage; a larger one stays where
/// it is.
const ENOUGH: usize = 256 << 10;

/// A walk on its way, as JavaScript holds it.
#[napi]
pub(crate) struct NativeWalk {
    slot: Arc<Slot<Running>>,
    shown: Shown,
    encoding: Encoding,
}

#[napi]
impl NativeWalk {
    /// Prepares a walk through `roots`, which have a NUL between them, for `shown`: `'paths'`,
    /// `'gathered'` paths, or entries. With `by_directory` each batch holds one root, or all
    /// entries of one directory. Makes no call.
    #[napi(factory)]
    pub fn open(
        roots: &[u8],
        options: WalkOptions,
        shown: String,
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
        let shown = match shown.as_str() {
            "paths" => Shown::Paths,
            "gathered" => Shown::Gathered,
            _ => Shown::Entries,
        };
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

/// A batch, or several that are gathered.
fn next(running: &mut Running, shown: Shown, encoding: Encoding) -> Made {
    let enough = if shown == Shown::Gathered { ENOUGH } else { 0 };
    let mut entries = Entries::<Joined>::default();
    loop {
        let batch = match running {
            Running::Batches(batches) => batches.next(),
            Running::Directories(directories) => directories.next(),
        };
        let Some(batch) = batch else { break };
        entries.add(batch, shown, encoding);
        // A walk that is cancelled returns empty batches.
        if entries.paths.next_start() >= enough || batch.entries().is_empty() {
            return made(entries.finish(encoding));
        }
    }
    if entries.count == 0 { None } else { made(entries.finish(encoding)) }
}

/// A batch, in JavaScript an array: the paths as one text with a NUL between them, whether that is
/// ASCII, how many there are, a table with a row of `COLUMNS` numbers for each entry (or
/// undefined), the failures (or undefined), and by directory its path and depth (or undefined).
///
/// Its paths are `Joined` while batches are gathered.
#[derive(Default)]
struct Entries<Paths> {
    paths: Paths,
    count: usize,
    table: Vec<u32>,
    failures: Vec<(u32, Failure)>,
    directory: Option<(Text, u32)>,
}

/// Where the path begins, its length, where the name begins in it, its length, depth, kind, and
/// the lower and the upper half of the inode. Lengths are in bytes.
const COLUMNS: usize = 8;

impl Entries<Joined> {
    fn add(&mut self, batch: &Batch, shown: Shown, encoding: Encoding) {
        let entries = batch.entries();
        self.paths.reserve(entries.iter().map(|entry| entry.path_length as usize + 1).sum());
        if shown == Shown::Entries {
            self.table.reserve_exact(COLUMNS * entries.len());
            for entry in entries {
                self.table.extend(row(entry, self.paths.next_start()));
                self.paths.push(batch.path(entry));
            }
        } else {
            entries.iter().for_each(|entry| self.paths.push(batch.path(entry)));
        }
        let before = self.count as u32;
        let failures = batch.failures().iter();
        self.failures
            .extend(failures.map(|failure| (before + failure.before, failed(batch, failure))));
        let place = batch.directory().zip(batch.directory_path());
        self.directory =
            place.map(|(place, path)| (Text::new(path.to_vec(), encoding), place.depth));
        self.count += entries.len();
    }

    fn finish(self, encoding: Encoding) -> Entries<Text> {
        let Entries { paths, count, table, failures, directory } = self;
        Entries { paths: paths.into_text(encoding), count, table, failures, directory }
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

impl ToJs for Entries<Text> {
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
