//! How much space trees take, and what there is in them.

use std::sync::{Mutex, PoisonError};

use fewer::disk_usage::{Event, Space};
use fewer::summary::Extreme;
use fewer::{Answer, DiskUsage, Error, Summary, Time};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::cancel::NativeCancel;
use crate::failure::{Failure, failures_value};
use crate::js::{self, ToJs, Value};
use crate::scope::{NativeScope, scope_of};
use crate::text::{Encoding, Joined, Text};
use crate::walk_options::{WalkOptions, count};
use crate::work::{self, made, perform};

/// What has rows, and what is counted twice.
#[napi(object)]
pub(crate) struct SizeOptions {
    pub depth: f64,
    pub files: bool,
    pub count_links: bool,
    /// The first failure ends it.
    pub stops: bool,
}

/// The failures of a measurement, in the order in which they happened.
#[derive(Default)]
struct Failures(Mutex<Vec<Error>>);

impl Failures {
    /// Keeps what an event tells, and says whether to go on.
    fn watch(&self, event: Event, stops: bool, is_cancelled: &impl Fn() -> bool) -> Answer {
        if let Event::Failed(error) = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(error);
            return if stops { Answer::Stop } else { Answer::Continue };
        }
        if is_cancelled() { Answer::Stop } else { Answer::Continue }
    }

    fn take(self) -> Vec<Failure> {
        let failures = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.into_iter().map(Failure::from).collect()
    }
}

/// The rows of the space that trees take: see `Rows`.
#[napi]
pub(crate) fn size(
    roots: &[u8],
    walk: WalkOptions,
    options: SizeOptions,
    scope: Option<ClassInstance<NativeScope>>,
    cancel: ClassInstance<NativeCancel>,
    later: bool,
) -> Result<work::Answer> {
    let encoding = walk.encoding();
    let walk = walk.walk(roots, &scope_of(scope.as_deref())?)?;
    let is_cancelled = cancel.check();
    Ok(perform(later, move || {
        let usage = DiskUsage::new(walk).depth(count(options.depth)).files(options.files);
        let failures = Failures::default();
        let rows = usage
            .count_links(options.count_links)
            .measure(|event| failures.watch(event, options.stops, &is_cancelled));
        let (mut paths, mut table) = (Joined::default(), Vec::new());
        for row in &rows {
            paths.push(row.path_bytes());
            table.extend([f64::from(row.kind() as u8), row.depth() as f64]);
            table.extend(numbers(row.space()));
        }
        let (count, paths) = (rows.len(), paths.into_text(encoding));
        Ok(made(Rows { paths, count, table, failures: failures.take() }))
    }))
}

fn numbers(space: Space) -> [f64; 3] {
    [space.entries as f64, space.size as f64, space.allocated as f64]
}

/// The rows, in JavaScript an array: their paths as one text with a NUL between them, how many, a
/// table (kind, depth, entries, size, allocated), the failures.
struct Rows {
    paths: Text,
    count: usize,
    table: Vec<f64>,
    failures: Vec<Failure>,
}

impl ToJs for Rows {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let failures = failures_value(env, &self.failures)?;
        let (paths, count) = (self.paths.value(env)?, js::value(env, self.count as u32)?);
        js::array(env, &[paths, count, js::typed_array(env, &self.table)?, failures])
    }
}

/// What there is in trees: see `Found`.
#[napi]
pub(crate) fn summary(
    roots: &[u8],
    walk: WalkOptions,
    stops: bool,
    scope: Option<ClassInstance<NativeScope>>,
    cancel: ClassInstance<NativeCancel>,
    later: bool,
) -> Result<work::Answer> {
    let encoding = walk.encoding();
    let walk = walk.walk(roots, &scope_of(scope.as_deref())?)?;
    let is_cancelled = cancel.check();
    Ok(perform(later, move || {
        let failures = Failures::default();
        let summary = Summary::of(&walk, |event| failures.watch(event, stops, &is_cancelled));
        Ok(made(Found { summary, encoding, failures: failures.take() }))
    }))
}

/// A summary, in JavaScript an array: a text of no meaning, so that it is not taken for a failure;
/// the numbers of directories, files, links and others; the names of extensions as one text, how
/// many, and the numbers of each; whether the last of them are the rest; the paths of the largest
/// files, how many, and their sizes; the extremes (paths, numbers, which there are); the failures.
struct Found {
    summary: Summary,
    encoding: Encoding,
    failures: Vec<Failure>,
}

impl ToJs for Found {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let Found { summary, encoding, failures } = *self;
        let groups = [summary.directories, summary.files, summary.links, summary.other];
        let groups = groups.map(numbers).concat();
        let (mut names, mut rest, mut sizes) = (Joined::default(), -1_i32, Vec::new());
        for (index, extension) in summary.extensions.iter().enumerate() {
            names.push(extension.name.as_deref().unwrap_or_default());
            sizes.extend(numbers(extension.space));
            if extension.name.is_none() {
                rest = index as i32;
            }
        }
        let (mut largest, mut bytes) = (Joined::default(), Vec::new());
        for file in &summary.largest {
            largest.push(&file.path);
            bytes.push(file.value as f64);
        }
        let values = [
            js::latin1(env, b"")?,
            js::typed_array(env, &groups)?,
            names.into_text(encoding).value(env)?,
            js::value(env, summary.extensions.len() as u32)?,
            js::typed_array(env, &sizes)?,
            js::value(env, rest)?,
            largest.into_text(encoding).value(env)?,
            js::value(env, summary.largest.len() as u32)?,
            js::typed_array(env, &bytes)?,
            extreme(env, encoding, summary.deepest.as_ref(), |depth: usize| [depth as f64, 0.0])?,
            extreme(env, encoding, summary.longest.as_ref(), |bytes: usize| [bytes as f64, 0.0])?,
            extreme(env, encoding, summary.newest.as_ref(), moment)?,
            extreme(env, encoding, summary.oldest.as_ref(), moment)?,
            failures_value(env, &failures)?,
        ];
        js::array(env, &values)
    }
}

fn moment(time: Time) -> [f64; 2] {
    [time.seconds as f64, f64::from(time.nanoseconds)]
}

/// An array of a path and two numbers; undefined if there is none.
fn extreme<T: Copy>(
    env: &Env,
    encoding: Encoding,
    it: Option<&Extreme<T>>,
    numbers: impl Fn(T) -> [f64; 2],
) -> Result<Value> {
    let Some(it) = it else { return js::undefined(env) };
    let [first, second] = numbers(it.value);
    let path = Text::new(it.path.to_vec(), encoding).value(env)?;
    js::array(env, &[path, js::value(env, first)?, js::value(env, second)?])
}
