//! How much space trees take, and what there is in them: the parts that ``space.py`` makes objects
//! of.

use std::sync::{Mutex, PoisonError};

use fewer::disk_usage::{Event, Space};
use fewer::summary::Extreme;
use fewer::{Answer, DiskUsage, Error, Summary, Time, Walk};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arguments::{Flavour, flag, whole_or_none};
use crate::failure::os_error;
use crate::on_error::OnError;
use crate::stat::{datetime, kind_object, moment};
use crate::walk_options::WalkOptions;
use crate::watch::Watch;

type Object<'py> = Bound<'py, PyAny>;

/// Entries, size, allocated.
type Numbers = (u64, u64, u64);

fn numbers(space: Space) -> Numbers {
    (space.entries, space.size, space.allocated)
}

/// Measures, without the interpreter; then passes on what could not be looked at.
fn measured<T: Send>(
    py: Python<'_>,
    options: &WalkOptions,
    measure: impl FnOnce(&Walk, &(dyn Fn(Event) -> Answer + Sync)) -> T + Send,
) -> PyResult<T> {
    let WalkOptions { walk, flavour, on_error, .. } = options;
    let (watch, failed) = (Watch::default(), Mutex::new(Vec::<Error>::new()));
    let (is_cancelled, stops) = (watch.polled(), matches!(on_error, OnError::Raise));
    let done = py.detach(|| {
        measure(walk, &|event| {
            if let Event::Failed(error) = event {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(error);
                return if stops { Answer::Stop } else { Answer::Continue };
            }
            if is_cancelled() { Answer::Stop } else { Answer::Continue }
        })
    });
    py.check_signals()?;
    watch.take().map_or(Ok(()), Err)?;
    for error in failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        if let Some(error) = on_error.handle(py, || os_error(py, &error, *flavour))? {
            return Err(error);
        }
    }
    Ok(done)
}

fn options_of(paths: &Bound<'_, PyTuple>, options: &Bound<'_, PyDict>) -> PyResult<WalkOptions> {
    for word in ["sort", "since"] {
        if options.contains(word)? {
            let why = format!("got an unexpected keyword argument '{word}'");
            return Err(PyTypeError::new_err(why));
        }
    }
    WalkOptions::new(paths, Some(options))
}

/// A row: path, kind, depth, entries, size, allocated.
type Row<'py> = (Object<'py>, Py<PyString>, usize, u64, u64, u64);

/// The rows of ``size``.
#[pyfunction]
pub(crate) fn _size<'py>(
    py: Python<'py>,
    paths: &Bound<'py, PyTuple>,
    depth: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = flag)] files: bool,
    #[pyo3(from_py_with = flag)] count_links: bool,
    options: &Bound<'py, PyDict>,
) -> PyResult<Vec<Row<'py>>> {
    let (options, depth) = (options_of(paths, options)?, whole_or_none(depth)?);
    let rows = measured(py, &options, |walk, watch| {
        let usage = DiskUsage::new(walk.clone()).depth(depth.unwrap_or(usize::MAX));
        usage.files(files).count_links(count_links).measure(watch)
    })?;
    let row = |row: &fewer::disk_usage::Row| {
        let (entries, size, allocated) = numbers(row.space());
        let path = options.flavour.object(py, row.path_bytes())?;
        Ok((path, kind_object(py, row.kind()), row.depth(), entries, size, allocated))
    };
    rows.iter().map(row).collect()
}

/// The parts of a summary: directories, files, links, other; extensions; the largest; the deepest
/// and the longest; the newest and the oldest.
type Parts<'py> = (
    [Numbers; 4],
    Vec<(Option<Object<'py>>, Numbers)>,
    Vec<(Object<'py>, u64)>,
    [Option<(Object<'py>, usize)>; 2],
    [Option<(Object<'py>, Object<'py>)>; 2],
);

/// The parts of ``summary``.
#[pyfunction]
pub(crate) fn _summary<'py>(
    py: Python<'py>,
    paths: &Bound<'py, PyTuple>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Parts<'py>> {
    let options = options_of(paths, options)?;
    let summary = measured(py, &options, |walk, watch| Summary::of(walk, watch))?;
    let flavour = options.flavour;
    let groups = [summary.directories, summary.files, summary.links, summary.other].map(numbers);
    let extensions = summary.extensions.iter().map(|extension| {
        let name = extension.name.as_deref().map(|name| flavour.object(py, name)).transpose()?;
        Ok((name, numbers(extension.space)))
    });
    let largest = summary.largest.iter().map(|it| Ok((flavour.object(py, &it.path)?, it.value)));
    let [deepest, longest] =
        [&summary.deepest, &summary.longest].map(|it| extreme(py, flavour, it.as_ref()));
    let [newest, oldest] =
        [&summary.newest, &summary.oldest].map(|it| extreme(py, flavour, it.as_ref()));
    let time = |it: Option<(Object<'py>, Time)>| {
        it.map(|(path, time)| PyResult::Ok((path, datetime(py, moment(time))?))).transpose()
    };
    Ok((
        groups,
        extensions.collect::<PyResult<_>>()?,
        largest.collect::<PyResult<_>>()?,
        [deepest?, longest?],
        [time(newest?)?, time(oldest?)?],
    ))
}

fn extreme<'py, T: Copy>(
    py: Python<'py>,
    flavour: Flavour,
    it: Option<&Extreme<T>>,
) -> PyResult<Option<(Object<'py>, T)>> {
    it.map(|it| Ok((flavour.object(py, &it.path)?, it.value))).transpose()
}
