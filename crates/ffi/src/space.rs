//! How much space trees take, and what there is in them.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use fewer::disk_usage::{Event, Row, Space};
use fewer::summary::{Extension, Extreme};
use fewer::walk::Failure;
use fewer::{Answer, DiskUsage, Error, Scope, Summary, Time, Walk};

use crate::boundary::{
    append, array, borrow, borrow_mut, close, functions, hand_out, only, options, put,
    put_or_zeros, writable,
};
use crate::error::Failed;
use crate::metadata::CTime;
use crate::scope::scope_or_start;
use crate::walk::{self, Text, WalkOptions};

/// `fewer_space`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CSpace {
    pub(crate) entries: u64,
    pub(crate) size: u64,
    pub(crate) allocated: u64,
}

/// `fewer_size_options`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SizeOptions {
    pub(crate) flags: u32,
    pub(crate) reserved: u32,
    pub(crate) depth: u64,
}

pub(crate) const FILES: u32 = 1 << 0;
pub(crate) const COUNT_LINKS: u32 = 1 << 1;
pub(crate) const ALL: u32 = (1 << 2) - 1;

/// `fewer_size_row`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SizeRow {
    pub(crate) space: CSpace,
    pub(crate) path: u32,
    pub(crate) path_length: u32,
    pub(crate) depth: u32,
    pub(crate) kind: u32,
}

/// `fewer_size_batch`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SizeBatch {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) rows: *const SizeRow,
    pub(crate) rows_count: usize,
    pub(crate) failures: *const Failure,
    pub(crate) failures_count: usize,
}

/// `fewer_extension`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CExtension {
    pub(crate) space: CSpace,
    pub(crate) name: u32,
    pub(crate) name_length: u32,
    pub(crate) is_rest: u32,
    pub(crate) reserved: u32,
}

/// `fewer_extreme`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CExtreme {
    pub(crate) value: u64,
    pub(crate) time: CTime,
    pub(crate) path: u32,
    pub(crate) path_length: u32,
}

/// `fewer_summary_facts`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SummaryFacts {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) directories: CSpace,
    pub(crate) files: CSpace,
    pub(crate) links: CSpace,
    pub(crate) other: CSpace,
    pub(crate) extensions: *const CExtension,
    pub(crate) extensions_count: usize,
    pub(crate) largest: *const CExtreme,
    pub(crate) largest_count: usize,
    pub(crate) deepest: *const CExtreme,
    pub(crate) longest: *const CExtreme,
    pub(crate) newest: *const CExtreme,
    pub(crate) oldest: *const CExtreme,
    pub(crate) failures: *const Failure,
    pub(crate) failures_count: usize,
}

/// Bytes that offsets lead into, and what could not be looked at.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    failures: Vec<Failure>,
}

impl Texts {
    fn put(&mut self, text: &[u8]) -> (u32, u32) {
        append(&mut self.bytes, text)
    }

    fn fail(&mut self, error: &Error) {
        let (path, path_length) = self.put(error.path().as_os_str().as_encoded_bytes());
        let (message, message_length) = self.put(error.to_string().as_bytes());
        let (number, action) = (error.errno().raw_os_error(), error.action().number().into());
        let before = 0;
        self.failures.push(Failure {
            path,
            path_length,
            message,
            message_length,
            before,
            number,
            action,
        });
    }
}

/// `fewer_size`: the rows, and the memory of the batch.
pub struct SizeHandle {
    rows: Vec<Row>,
    next: usize,
    failed: Vec<Error>,
    texts: Texts,
    records: Vec<SizeRow>,
}

/// A batch has so many rows, or so many bytes, and one more.
const ROWS_PER_BATCH: usize = 1024;
const BYTES_PER_BATCH: usize = 128 << 10;

impl SizeHandle {
    fn next(&mut self) -> Option<SizeBatch> {
        let SizeHandle { rows, next, failed, texts, records } = self;
        texts.bytes.clear();
        texts.failures.clear();
        records.clear();
        let failed_count = failed.len().min(ROWS_PER_BATCH);
        for error in failed.drain(..failed_count) {
            texts.fail(&error);
        }
        while records.len() < ROWS_PER_BATCH && texts.bytes.len() < BYTES_PER_BATCH {
            let Some(row) = rows.get(*next) else { break };
            *next += 1;
            let (path, path_length) = texts.put(row.path_bytes());
            let (space, depth) = (space(row.space()), row.depth() as u32);
            let kind = row.kind() as u32;
            records.push(SizeRow { space, path, path_length, depth, kind });
        }
        let is_over = records.is_empty() && texts.failures.is_empty();
        (!is_over).then_some(SizeBatch {
            bytes: texts.bytes.as_ptr().cast(),
            bytes_length: texts.bytes.len(),
            rows: records.as_ptr(),
            rows_count: records.len(),
            failures: texts.failures.as_ptr(),
            failures_count: texts.failures.len(),
        })
    }
}

/// `fewer_summary`: the numbers, and the memory for them in C.
pub struct SummaryHandle {
    summary: Summary,
    texts: Texts,
    extensions: Vec<CExtension>,
    largest: Vec<CExtreme>,
    /// The deepest, the longest, the newest and the oldest.
    single: [Option<CExtreme>; 4],
}

impl SummaryHandle {
    fn new(summary: Summary, failed: &[Error]) -> SummaryHandle {
        let mut texts = Texts::default();
        failed.iter().for_each(|error| texts.fail(error));
        let extension = |Extension { name, space: taken, .. }: &Extension| {
            let (name, name_length, is_rest) = match name {
                Some(name) => {
                    let (start, length) = texts.put(name);
                    (start, length, 0)
                }
                None => (0, 0, 1),
            };
            CExtension { space: space(*taken), name, name_length, is_rest, reserved: 0 }
        };
        let extensions = summary.extensions.iter().map(extension).collect();
        let mut extreme = |path: &[u8], value: u64, time: Option<Time>| {
            let (path, path_length) = texts.put(path);
            CExtreme { value, time: time.map_or(CTime::default(), CTime::from), path, path_length }
        };
        let largest = &summary.largest;
        let largest = largest.iter().map(|it| extreme(&it.path, it.value, None)).collect();
        let mut steps = |it: &Extreme<usize>| extreme(&it.path, it.value as u64, None);
        let lengths = [&summary.deepest, &summary.longest].map(|it| it.as_ref().map(&mut steps));
        let mut moment = |it: &Extreme<Time>| extreme(&it.path, 0, Some(it.value));
        let times = [&summary.newest, &summary.oldest].map(|it| it.as_ref().map(&mut moment));
        let ([deepest, longest], [newest, oldest]) = (lengths, times);
        let single = [deepest, longest, newest, oldest];
        SummaryHandle { summary, texts, extensions, largest, single }
    }

    fn facts(&self) -> SummaryFacts {
        let SummaryHandle { summary, texts, extensions, largest, single } = self;
        let [deepest, longest, newest, oldest] =
            single.each_ref().map(|it| it.as_ref().map_or(std::ptr::null(), std::ptr::from_ref));
        SummaryFacts {
            bytes: texts.bytes.as_ptr().cast(),
            bytes_length: texts.bytes.len(),
            directories: space(summary.directories),
            files: space(summary.files),
            links: space(summary.links),
            other: space(summary.other),
            extensions: extensions.as_ptr(),
            extensions_count: extensions.len(),
            largest: largest.as_ptr(),
            largest_count: largest.len(),
            deepest,
            longest,
            newest,
            oldest,
            failures: texts.failures.as_ptr(),
            failures_count: texts.failures.len(),
        }
    }
}

fn space(space: Space) -> CSpace {
    let Space { entries, size, allocated } = space;
    CSpace { entries, size, allocated }
}

/// The walk through what is measured. What only a walk of entries has is refused.
///
/// # Safety
/// As the header says of the options.
unsafe fn measured(
    scope: *const Scope,
    roots: *const Text,
    roots_count: usize,
    given: *const WalkOptions,
    given_size: usize,
) -> Result<Walk, Failed> {
    // SAFETY: the caller says so.
    let given = unsafe { options(given, given_size) }?;
    only(given.flags, walk::ALL & !(walk::BY_DIRECTORY | walk::TARGETS))?;
    only(given.record | u32::from(!given.since.is_null()), 0)?;
    // SAFETY: the caller says so.
    unsafe { walk::walk(&given, array(roots, roots_count)?, scope_or_start(scope)) }
}

/// What is called while it is measured; keeps the errors.
fn keep_errors(failed: &Mutex<Vec<Error>>) -> impl Fn(Event) -> Answer + Sync + '_ {
    |event| {
        if let Event::Failed(error) = event {
            failed.lock().unwrap_or_else(PoisonError::into_inner).push(error);
        }
        Answer::Continue
    }
}

functions! {
    fn fewer_size_open(
        scope: *const Scope, roots: *const Text, roots_count: usize, given: *const WalkOptions,
        given_size: usize, how: *const SizeOptions, how_size: usize, handle: *mut *mut SizeHandle
    ) {
        writable(handle)?;
        let how = options(how, how_size)?;
        only(how.flags, ALL)?;
        only(how.reserved, 0)?;
        let failed = Mutex::default();
        let rows = DiskUsage::new(measured(scope, roots, roots_count, given, given_size)?)
            .depth(usize::try_from(how.depth).unwrap_or(usize::MAX))
            .files(how.flags & FILES != 0)
            .count_links(how.flags & COUNT_LINKS != 0)
            .measure(keep_errors(&failed));
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (texts, records) = (Texts::default(), Vec::new());
        hand_out(handle, SizeHandle { rows, next: 0, failed, texts, records })
    }

    fn fewer_size_next(handle: *mut SizeHandle, batch: *mut SizeBatch) {
        writable(batch)?;
        put_or_zeros(batch, borrow_mut(handle)?.next())
    }

    fn fewer_summary_open(
        scope: *const Scope, roots: *const Text, roots_count: usize, given: *const WalkOptions,
        given_size: usize, handle: *mut *mut SummaryHandle
    ) {
        writable(handle)?;
        let walk = measured(scope, roots, roots_count, given, given_size)?;
        let failed = Mutex::default();
        let summary = Summary::of(&walk, keep_errors(&failed));
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        hand_out(handle, SummaryHandle::new(summary, &failed))
    }

    fn fewer_summary_facts_of(handle: *const SummaryHandle, facts: *mut SummaryFacts) {
        put(facts, borrow(handle)?.facts())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_size_close(handle: *mut SizeHandle) {
    // SAFETY: it came from fewer_size_open.
    unsafe { close(handle) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_summary_close(handle: *mut SummaryHandle) {
    // SAFETY: it came from fewer_summary_open.
    unsafe { close(handle) };
}
