//! What a walk found, kept; and what has changed since.

use std::sync::Arc;

use fewer::snapshot::{Changes, Defect, Level, SnapshotError, Wanted};
use fewer::walk::{Recording, Since, SnapshotFilters};
use fewer::{Action, Errno, Snapshot, Walk};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::cancel::NativeCancel;
use crate::failure::{Failure, failures_value};
use crate::js::{self, ToJs, Value};
use crate::scope::{NativeScope, scope_of};
use crate::text::{Encoding, Joined, Text};
use crate::walk::failed;
use crate::walk_options::{WalkOptions, count, path, wrong};
use crate::work::{Answer, made, perform};

/// What a walk found, as JavaScript holds it.
#[napi]
pub(crate) struct NativeSnapshot(Arc<Snapshot>);

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Failure {
        Failure {
            number: error.errno().raw_os_error(),
            action: Some(error.action()),
            path: error.path().as_os_str().as_encoded_bytes().to_vec(),
            message: error.to_string(),
        }
    }
}

impl From<Defect> for Failure {
    fn from(defect: Defect) -> Failure {
        Failure {
            number: Errno::BADMSG.raw_os_error(),
            action: Some(Action::READ_SNAPSHOT),
            path: Vec::new(),
            message: format!("cannot use a snapshot: {defect}"),
        }
    }
}

/// Goes through a walk for the sake of what is written down; what could not be looked at. The first
/// of these ends it, if it `stops`.
fn record(
    walk: Walk,
    recording: &Arc<Recording>,
    stops: bool,
    is_cancelled: impl Fn() -> bool + Send + Sync + 'static,
) -> Vec<Failure> {
    let is_cancelled = Arc::new(is_cancelled);
    let check = Arc::clone(&is_cancelled);
    let mut batches = walk.record(recording).batches().cancel_when(move || check());
    let mut failures = Vec::new();
    while let Some(batch) = batches.next() {
        failures.extend(batch.failures().iter().map(|failure| failed(batch, failure)));
        if is_cancelled() || stops && !failures.is_empty() {
            break;
        }
    }
    // The threads of the walk hand over what they have written down when they end.
    drop(batches);
    failures
}

impl NativeSnapshot {
    /// For a walk that begins with it.
    pub(crate) fn since(&self) -> Arc<Since> {
        Arc::new(Since::new(Arc::clone(&self.0)))
    }

    /// The walk that made it, once more: all of it, or what is below one of its paths.
    fn walk_again(&self, root: Option<&[u8]>) -> Result<Walk> {
        let known = |root: &[u8]| self.0.roots().any(|known| known.path == root);
        if root.is_some_and(|root| !known(root)) {
            return Err(wrong("the snapshot was not made of this path"));
        }
        let roots: Vec<_> = root.iter().map(|root| path(root)).collect();
        let walk = self.since().walk(&roots);
        walk.ok_or_else(|| wrong("the snapshot was made with options of another version of fewer"))
    }
}

/// Which directories a snapshot enters: those of the options that say it.
fn filters(options: &WalkOptions) -> SnapshotFilters {
    let is = |flag: Option<bool>| flag.unwrap_or(false);
    let exclude = options.exclude.clone().unwrap_or_default();
    SnapshotFilters {
        gitignore: is(options.gitignore),
        skip_hidden: options.hidden == Some(false),
        one_file_system: is(options.one_file_system),
        ignore_case: is(options.ignore_case) && !exclude.is_empty(),
        full_path: is(options.full_path) && !exclude.is_empty(),
        max_depth: options.max_depth.map(count),
        exclude,
    }
}

#[napi]
impl NativeSnapshot {
    /// Walks, and keeps what was found, with the metadata of each entry if `stat`. An array of a
    /// snapshot and of failures.
    #[napi]
    pub fn make(
        roots: &[u8],
        options: WalkOptions,
        how: MakeOptions,
        scope: Option<ClassInstance<NativeScope>>,
        since: Option<ClassInstance<NativeSnapshot>>,
        cancel: ClassInstance<NativeCancel>,
    ) -> Result<Answer> {
        let MakeOptions { stat, stops, later } = how;
        let mut walk = options.walk(roots, &scope_of(scope.as_deref())?)?;
        if let Some(since) = since {
            walk = walk.since(&since.since());
        }
        let level = if stat { Level::Stat } else { Level::Names };
        let recording = Arc::new(Recording::new(level).options(&filters(&options).to_text()));
        let is_cancelled = cancel.check();
        Ok(perform(later, move || {
            let failures = record(walk, &recording, stops, is_cancelled);
            Ok(made(Made { snapshot: Arc::new(recording.finish()?), failures }))
        }))
    }

    /// Reads one from a file.
    #[napi]
    pub fn read(file: &[u8], later: bool) -> Answer {
        let file = file.to_vec();
        perform(later, move || {
            let snapshot = Arc::new(Snapshot::read(path(&file))?);
            Ok(made(Made { snapshot, failures: Vec::new() }))
        })
    }

    /// Writes it to a file.
    #[napi]
    pub fn write(&self, file: &[u8], later: bool) -> Answer {
        let (snapshot, file) = (Arc::clone(&self.0), file.to_vec());
        perform(later, move || {
            snapshot.write(path(&file))?;
            Ok(None)
        })
    }

    /// What is there now, below one of its paths or all, and what is different: see `Different`.
    #[napi]
    pub fn changes_now(
        &self,
        root: Option<&[u8]>,
        threads: Option<f64>,
        how: MakeOptions,
        scope: Option<ClassInstance<NativeScope>>,
        cancel: ClassInstance<NativeCancel>,
    ) -> Result<Answer> {
        let mut walk = self.walk_again(root)?.within(&scope_of(scope.as_deref())?);
        if let Some(threads) = threads {
            walk = walk.threads(count(threads));
        }
        let (before, is_cancelled) = (Arc::clone(&self.0), cancel.check());
        Ok(perform(how.later, move || {
            let recording = Recording::new(before.level());
            let recording = Arc::new(recording.options(before.options()));
            let failures = record(walk, &recording, how.stops, is_cancelled);
            let wanted = recording.wanted();
            let after = Made { snapshot: Arc::new(recording.finish()?), failures };
            Ok(made(Different::between(&before, after, &wanted)?))
        }))
    }

    /// What is different in another snapshot.
    #[napi]
    pub fn changes_to(&self, other: ClassInstance<NativeSnapshot>, later: bool) -> Answer {
        let (before, snapshot) = (Arc::clone(&self.0), Arc::clone(&other.0));
        perform(later, move || {
            let after = Made { snapshot, failures: Vec::new() };
            Ok(made(Different::between(&before, after, &Wanted::default())?))
        })
    }

    /// How many entries, how many directories, and whether it has metadata.
    #[napi]
    pub fn facts(&self) -> (f64, f64, bool) {
        let (entries, directories) = (self.0.entry_count(), self.0.directory_count());
        (entries as f64, directories as f64, self.0.level() == Level::Stat)
    }

    /// The paths that it was made of, as one text with a NUL between them.
    #[napi]
    pub fn paths(&self) -> Answer {
        let mut paths = Joined::default();
        self.0.roots().for_each(|root| paths.push(root.path));
        perform(false, move || Ok(made(paths.into_text(Encoding::Lossless))))
    }

    /// The bytes of its file.
    #[napi]
    pub fn bytes(&self) -> Answer {
        let bytes = self.0.as_bytes().to_vec();
        perform(false, move || Ok(made(Text::Bytes(bytes))))
    }
}

/// How a snapshot is made.
#[napi(object)]
pub(crate) struct MakeOptions {
    /// With size, permissions and times of each entry.
    pub stat: bool,
    /// The first failure ends it.
    pub stops: bool,
    pub later: bool,
}

/// A snapshot that was made, in JavaScript an array of it and of what could not be looked at.
struct Made {
    snapshot: Arc<Snapshot>,
    failures: Vec<Failure>,
}

impl ToJs for Made {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let snapshot = js::value(env, NativeSnapshot(self.snapshot))?;
        js::array(env, &[snapshot, failures_value(env, &self.failures)?])
    }
}

/// Differences, in JavaScript an array: the snapshot with them, what could not be looked at, the
/// paths and the paths before (empty without one) as texts with a NUL between them, how many there
/// are, and a table of what happened and to what kind of entry.
struct Different {
    after: Made,
    paths: Text,
    before: Text,
    count: usize,
    table: Vec<u32>,
}

impl Different {
    fn between(
        before: &Snapshot,
        after: Made,
        wanted: &Wanted,
    ) -> std::result::Result<Different, Failure> {
        let (mut paths, mut from) = (Joined::default(), Joined::default());
        let (mut count, mut table) = (0, Vec::new());
        let all = Changes::between(before, &after.snapshot)?;
        for change in all.filter_map(|change| wanted.change(change)) {
            paths.push(&change.path);
            from.push(change.from.as_deref().unwrap_or_default());
            table.extend([change.kind as u32, change.entry as u32]);
            count += 1;
        }
        let (paths, before) =
            (paths.into_text(Encoding::Lossless), from.into_text(Encoding::Lossless));
        Ok(Different { after, paths, before, count, table })
    }
}

impl ToJs for Different {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let snapshot = js::value(env, NativeSnapshot(self.after.snapshot))?;
        let values = [
            snapshot,
            failures_value(env, &self.after.failures)?,
            self.paths.value(env)?,
            self.before.value(env)?,
            js::value(env, self.count as u32)?,
            js::typed_array(env, &self.table)?,
        ];
        js::array(env, &values)
    }
}
