//! Walks.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use fewer::filter::{Names, PatternError};
use fewer::snapshot::{Defect, Level, Wanted};
use fewer::walk::{
    Batch, Batches, Directories, Failure, Record, Recording, Since, SnapshotFilters,
};
use fewer::{Errno, Filter, Kind, Kinds, Order, Scope, Walk};

use crate::boundary::{
    answer, array, borrow_mut, bytes, close, functions, hand_out, only, options, path,
    put_or_zeros, without_nul, writable,
};
use crate::error::Failed;
use crate::scope::scope_or_start;
use crate::snapshot::SnapshotHandle;

/// `fewer_text`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Text {
    pub(crate) bytes: *const c_char,
    pub(crate) length: usize,
}

/// `fewer_walk_options`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct WalkOptions {
    pub(crate) flags: u32,
    pub(crate) threads: u32,
    pub(crate) kinds: u32,
    pub(crate) max_threads: u32,
    pub(crate) max_depth: u64,
    pub(crate) min_depth: u64,
    pub(crate) globs: *const Text,
    pub(crate) globs_count: usize,
    pub(crate) exclude_globs: *const Text,
    pub(crate) exclude_globs_count: usize,
    pub(crate) since: *const SnapshotHandle,
    pub(crate) record: u32,
    pub(crate) reserved: u32,
}

pub(crate) const SORTED: u32 = 1 << 0;
pub(crate) const FOLLOW: u32 = 1 << 1;
pub(crate) const ONE_FILE_SYSTEM: u32 = 1 << 2;
pub(crate) const GITIGNORE: u32 = 1 << 3;
pub(crate) const SKIP_HIDDEN: u32 = 1 << 4;
pub(crate) const MAX_DEPTH: u32 = 1 << 5;
pub(crate) const IGNORE_CASE: u32 = 1 << 6;
pub(crate) const FULL_PATH: u32 = 1 << 7;
pub(crate) const BY_DIRECTORY: u32 = 1 << 8;
pub(crate) const TARGETS: u32 = 1 << 9;
pub(crate) const ALL: u32 = (1 << 10) - 1;

/// `fewer_walk_batch`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct WalkBatch {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) entries: *const Record,
    pub(crate) entries_count: usize,
    pub(crate) failures: *const Failure,
    pub(crate) failures_count: usize,
    pub(crate) directory: u32,
    pub(crate) directory_length: u32,
    pub(crate) directory_depth: u32,
    pub(crate) reserved: u32,
}

/// The levels of `fewer_walk_options.record`, each at the index of its number less one.
pub(crate) const LEVELS: [Level; 2] = [Level::Names, Level::Stat];

/// `fewer_walk`
pub struct WalkHandle {
    /// `None` if it was ended for its snapshot.
    walk: Option<Running>,
    recording: Option<Arc<Recording>>,
    /// Whether it began with a snapshot.
    has_since: bool,
}

impl WalkHandle {
    /// The walk that made a snapshot, once more.
    pub(crate) fn again(
        known: &SnapshotHandle,
        scope: &Scope,
        threads: u32,
    ) -> Result<WalkHandle, Failed> {
        let since = Arc::new(Since::new(Arc::clone(&known.snapshot)));
        // The filters are of a version that this one does not know.
        let wrong = || Failed::of_defect(Defect::Inconsistent, "walk by a snapshot");
        let mut walk = since.walk(&[] as &[&str]).ok_or_else(wrong)?.within(scope);
        if threads > 0 {
            walk = walk.threads(threads as usize);
        }
        let recording = Recording::new(known.snapshot.level());
        let recording = Arc::new(recording.options(known.snapshot.options()));
        let batches = walk.record(&recording).batches();
        let walk = Some(Running::Batches(Box::new(batches)));
        Ok(WalkHandle { walk, recording: Some(recording), has_since: true })
    }
}

enum Running {
    Batches(Box<Batches>),
    Directories(Box<Directories>),
}

impl From<&Batch> for WalkBatch {
    fn from(batch: &Batch) -> WalkBatch {
        let place = batch.directory();
        WalkBatch {
            bytes: batch.bytes().as_ptr().cast(),
            bytes_length: batch.bytes().len(),
            entries: batch.entries().as_ptr(),
            entries_count: batch.entries().len(),
            failures: batch.failures().as_ptr(),
            failures_count: batch.failures().len(),
            directory: place.map_or(0, |place| place.path),
            directory_length: place.map_or(0, |place| place.path_length),
            directory_depth: place.map_or(0, |place| place.depth),
            reserved: 0,
        }
    }
}

/// # Safety
/// As the header says of the options.
pub(crate) unsafe fn walk(
    options: &WalkOptions,
    roots: &[Text],
    scope: Scope,
) -> Result<Walk, Failed> {
    only(options.flags, ALL)?;
    only(options.reserved, 0)?;
    let mut walk: Option<Walk> = None;
    for root in roots {
        // SAFETY: the caller says so.
        let root = unsafe { path(root.bytes, root.length) }?;
        let root_bytes = root.as_os_str().as_encoded_bytes();
        if root_bytes.contains(&0) {
            return Err(fewer::Error::new(Errno::INVAL, "access", root_bytes).into());
        }
        walk = Some(match walk {
            Some(walk) => walk.add_root(root),
            None => Walk::new(root),
        });
    }
    let has = |flag: u32| options.flags & flag != 0;
    let walk = walk.ok_or_else(|| Failed::of(Errno::INVAL, "walk without a root"))?;
    let mut walk = walk
        .within(&scope)
        .order(if has(SORTED) { Order::Sorted } else { Order::Any })
        .follow(has(FOLLOW))
        .one_file_system(has(ONE_FILE_SYSTEM))
        .gitignore(has(GITIGNORE))
        .targets(has(TARGETS))
        // SAFETY: the caller says so.
        .filter(unsafe { filter(options) }?);
    if has(MAX_DEPTH) {
        walk = walk.max_depth(usize::try_from(options.max_depth).unwrap_or(usize::MAX));
    }
    if options.threads > 0 {
        walk = walk.threads(options.threads as usize);
    }
    if options.max_threads > 0 {
        walk = walk.max_threads(options.max_threads as usize);
    }
    // SAFETY: the caller says so.
    if let Some(since) = unsafe { options.since.as_ref() } {
        walk = walk.since(&Arc::new(Since::new(Arc::clone(&since.snapshot))));
    }
    Ok(walk)
}

/// # Safety
/// As the header says of the options.
unsafe fn filter(options: &WalkOptions) -> Result<Filter, Failed> {
    let mut names = Names::new()
        .ignore_case(options.flags & IGNORE_CASE != 0)
        .full_path(options.flags & FULL_PATH != 0);
    // SAFETY: the caller says so.
    let globs = unsafe { texts(options.globs, options.globs_count) }?;
    // SAFETY: the caller says so.
    let excluded = unsafe { texts(options.exclude_globs, options.exclude_globs_count) }?;
    let wrong = |error: PatternError| Failed::of_pattern(&error);
    if !globs.is_empty() {
        names = names.globs(&globs).map_err(wrong)?;
    }
    if !excluded.is_empty() {
        names = names.exclude_globs(&excluded).map_err(wrong)?;
    }
    let min_depth = usize::try_from(options.min_depth).unwrap_or(usize::MAX);
    Ok(Filter::new()
        .names(names)
        .kinds(kinds(options.kinds)?)
        .min_depth(min_depth)
        .skip_hidden(options.flags & SKIP_HIDDEN != 0))
}

/// # Safety
/// There are so many texts, and each is as long as it says.
unsafe fn texts<'t>(data: *const Text, count: usize) -> Result<Vec<&'t str>, Failed> {
    // SAFETY: the caller says so.
    let texts = unsafe { array(data, count) }?;
    texts
        .iter()
        .map(|text| {
            // SAFETY: the caller says so.
            let bytes = without_nul(unsafe { bytes(text.bytes, text.length) }?)?;
            std::str::from_utf8(bytes).map_err(|_| Failed::of(Errno::ILSEQ, "read a glob"))
        })
        .collect()
}

fn kinds(bits: u32) -> Result<Kinds, Failed> {
    only(bits, 0xff)?;
    if bits == 0 {
        return Ok(Kinds::ALL);
    }
    Ok(Kind::ALL.into_iter().filter(|kind| bits & 1 << *kind as u8 != 0).collect())
}

/// What the walk is to be written down in, if it is.
///
/// # Safety
/// As the header says of the options.
unsafe fn recording(options: &WalkOptions) -> Result<Option<Arc<Recording>>, Failed> {
    let Some(index) = (options.record as usize).checked_sub(1) else { return Ok(None) };
    let level = LEVELS.get(index).ok_or_else(|| Failed::of(Errno::INVAL, "read the options"))?;
    // SAFETY: the caller says so.
    let exclude = unsafe { texts(options.exclude_globs, options.exclude_globs_count) }?;
    let has = |flag: u32| options.flags & flag != 0;
    let max_depth = usize::try_from(options.max_depth).unwrap_or(usize::MAX);
    let filters = SnapshotFilters {
        gitignore: has(GITIGNORE),
        skip_hidden: has(SKIP_HIDDEN),
        one_file_system: has(ONE_FILE_SYSTEM),
        ignore_case: has(IGNORE_CASE) && !exclude.is_empty(),
        full_path: has(FULL_PATH) && !exclude.is_empty(),
        max_depth: has(MAX_DEPTH).then_some(max_depth),
        exclude: exclude.into_iter().map(str::to_owned).collect(),
    };
    Ok(Some(Arc::new(Recording::new(*level).options(&filters.to_text()))))
}

functions! {
    fn fewer_walk_open(
        scope: *const Scope, roots: *const Text, roots_count: usize, given: *const WalkOptions,
        given_size: usize, handle: *mut *mut WalkHandle
    ) {
        let given = options(given, given_size)?;
        let mut walk = walk(&given, array(roots, roots_count)?, scope_or_start(scope))?;
        let recording = recording(&given)?;
        if let Some(recording) = &recording {
            walk = walk.record(recording);
        }
        let walk = match given.flags & BY_DIRECTORY {
            0 => Running::Batches(Box::new(walk.batches())),
            _ => Running::Directories(Box::new(walk.directories())),
        };
        let has_since = !given.since.is_null();
        hand_out(handle, WalkHandle { walk: Some(walk), recording, has_since })
    }

    fn fewer_walk_next(handle: *mut WalkHandle, batch: *mut WalkBatch) {
        writable(batch)?;
        let next = match &mut borrow_mut(handle)?.walk {
            Some(Running::Batches(batches)) => batches.next(),
            Some(Running::Directories(directories)) => directories.next(),
            None => None,
        };
        put_or_zeros(batch, next.map(WalkBatch::from))
    }

    fn fewer_walk_snapshot(handle: *mut WalkHandle, snapshot: *mut *mut SnapshotHandle) {
        writable(snapshot)?;
        let WalkHandle { walk, recording, has_since } = borrow_mut(handle)?;
        let none = || Failed::of(Errno::INVAL, "make a snapshot of a walk that was not recorded");
        let recording = recording.take().ok_or_else(none)?;
        // The threads of the walk hand over what they have written down when they end.
        drop(walk.take());
        let wanted = Arc::new(if *has_since { recording.wanted() } else { Wanted::default() });
        let made = recording.finish();
        let made = made.map_err(|defect| Failed::of_defect(defect, "make a snapshot"))?;
        hand_out(snapshot, SnapshotHandle { snapshot: Arc::new(made), wanted })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_walk_prune(handle: *mut WalkHandle, index: usize) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        answer(std::ptr::null_mut(), || {
            let pruned = match &mut borrow_mut(handle)?.walk {
                Some(Running::Directories(directories)) => directories.prune(index),
                Some(Running::Batches(_)) | None => false,
            };
            pruned.then_some(()).ok_or_else(|| Failed::of(Errno::INVAL, "prune"))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_walk_close(handle: *mut WalkHandle) {
    // SAFETY: it came from fewer_walk_open.
    unsafe { close(handle) };
}
