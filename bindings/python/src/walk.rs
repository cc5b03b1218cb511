//! The entries of a tree: one by one, as paths, or as a table.

use std::collections::VecDeque;

use fewer::Walk;
use fewer::walk::{Batch, Batches, Failure, Record};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arguments::Flavour;
use crate::arrow::{self, Shown};
use crate::entry::{PyEntry, WalkContext};
use crate::failure::failed;
use crate::forks::SameProcess;
use crate::lock::Lock;
use crate::on_error::OnError;
use crate::walk_options::WalkOptions;
use crate::watch::Watch;

/// The options of a walk. It can be started any number of times.
struct WalkRequest {
    walk: Walk,
    context: WalkContext,
    on_error: OnError,
    watch: Watch,
}

impl WalkRequest {
    fn new(
        roots: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<WalkRequest> {
        let WalkOptions { walk, flavour, scope, follow, on_error } =
            WalkOptions::new(roots, options)?;
        let context = WalkContext { scope, flavour, follow };
        Ok(WalkRequest { walk, context, on_error, watch: Watch::default() })
    }

    fn batches(&self) -> Batches {
        self.walk.batches().cancel_when(self.watch.polled())
    }
}

/// Makes an object of a record.
type Make = fn(Python<'_>, &Batch, &Record, &WalkContext) -> PyResult<Py<PyAny>>;

fn entry(
    py: Python<'_>,
    batch: &Batch,
    record: &Record,
    context: &WalkContext,
) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, PyEntry::new(batch, record, context))?.into_any())
}

#[inline]
fn path(
    py: Python<'_>,
    batch: &Batch,
    record: &Record,
    context: &WalkContext,
) -> PyResult<Py<PyAny>> {
    context.flavour.object(py, batch.path(record)).map(Bound::unbind)
}

/// The exception for what could not be looked at.
pub(crate) fn batch_failure(
    py: Python<'_>,
    batch: &Batch,
    failure: &Failure,
    flavour: Flavour,
) -> PyErr {
    let (path, message) = batch.failure(failure);
    let message = String::from_utf8_lossy(message);
    failed(py, failure.number, failure.action(), path, &message, flavour)
}

/// Passes on the objects of the next batch, and its failures as exceptions, unless `on_error` takes
/// them; false when the walk is over.
fn next_batch(
    py: Python<'_>,
    batches: &mut Batches,
    request: &WalkRequest,
    make: Make,
    mut each: impl FnMut(PyResult<Py<PyAny>>) -> PyResult<()>,
) -> PyResult<bool> {
    py.check_signals()?;
    let WalkRequest { context, on_error, watch, .. } = request;
    let Some(batch) = py.detach(|| batches.next()) else { return Ok(false) };
    let mut from = 0;
    for failure in batch.failures() {
        for record in &batch.entries()[from..failure.before as usize] {
            each(make(py, batch, record, context))?;
        }
        from = failure.before as usize;
        let error = || batch_failure(py, batch, failure, context.flavour);
        if let Some(error) = on_error.handle(py, error)? {
            each(Err(error))?;
        }
    }
    for record in &batch.entries()[from..] {
        each(make(py, batch, record, context))?;
    }
    watch.take().map_or(Ok(true), Err)
}

/// A walk and its progress.
struct Stream {
    request: WalkRequest,
    progress: Lock<Progress>,
}

enum Progress {
    /// Not started.
    Fresh,
    /// Batches, and the rest of one of them.
    Begun(Box<SameProcess<Batches>>, VecDeque<PyResult<Py<PyAny>>>),
    Over,
    Closed,
}

impl Stream {
    fn new(request: WalkRequest) -> Stream {
        Stream { request, progress: Lock::new(Progress::Fresh) }
    }

    fn next(&self, py: Python<'_>, make: Make) -> PyResult<Option<Py<PyAny>>> {
        let mut progress = self.progress.take(py)?;
        if matches!(*progress, Progress::Fresh) {
            let batches = Box::new(SameProcess::new(self.request.batches()));
            *progress = Progress::Begun(batches, VecDeque::new());
        }
        let Progress::Begun(batches, ready) = &mut *progress else { return Ok(None) };
        loop {
            if let Some(object) = ready.pop_front() {
                return object.map(Some);
            }
            let more = next_batch(py, batches.get()?, &self.request, make, |object| {
                ready.push_back(object);
                Ok(())
            });
            match more {
                Ok(true) => {}
                Ok(false) => {
                    *progress = Progress::Over;
                    return Ok(None);
                }
                // An exception of the callback; the entries before it are not lost.
                Err(error) => ready.push_back(Err(error)),
            }
        }
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let before = std::mem::replace(&mut *self.progress.take(py)?, Progress::Closed);
        py.detach(|| drop(before));
        Ok(())
    }

    /// A walk of its own for each table, from the beginning.
    fn table<'py>(
        &self,
        py: Python<'py>,
        shown: Shown,
        schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match *self.progress.take(py)? {
            Progress::Fresh => {}
            Progress::Closed => return Err(PyValueError::new_err("this walk is closed")),
            Progress::Begun(..) | Progress::Over => {
                let why = "some entries of this walk have been taken already: a table has all of \
                           them; begin a new walk";
                return Err(PyValueError::new_err(why));
            }
        }
        let WalkRequest { walk, context, on_error, .. } = &self.request;
        arrow::walk(py, walk.batches(), context.flavour, shown, on_error.clone_ref(py), schema)
    }

    fn schema<'py>(&self, py: Python<'py>, shown: Shown) -> PyResult<Bound<'py, PyAny>> {
        arrow::walk_schema(py, self.request.context.flavour, shown)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.request.on_error {
            OnError::Call(tell) => visit.call(tell),
            OnError::Raise | OnError::Ignore => Ok(()),
        }
    }
}

/// A class whose objects are walks: an iterator, a context manager, and a table for Arrow.
macro_rules! walk_class {
    ($(#[$($attribute:tt)*])* $class:ident, $make:expr, $shown:expr, $what:literal) => {
        $(#[$($attribute)*])*
        pub(crate) struct $class(Stream);

        #[pymethods]
        impl $class {
            fn __iter__(this: Py<$class>) -> Py<$class> {
                this
            }

            fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
                self.0.next(py, $make)
            }

            #[doc = concat!("Ends the walk, its threads included: there are no more ", $what, ".")]
            /// Closing again does nothing.
            fn close(&self, py: Python<'_>) -> PyResult<()> {
                self.0.close(py)
            }

            fn __enter__(this: Py<$class>) -> Py<$class> {
                this
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
                self.close(py)
            }

            #[doc = concat!("The ", $what, " as a table for Arrow: see ``README.md``.")]
            ///
            /// Price: the walk, each time that it is read.
            #[pyo3(signature = (requested_schema=None))]
            fn __arrow_c_stream__<'py>(
                &self,
                py: Python<'py>,
                requested_schema: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                self.0.table(py, $shown, requested_schema)
            }

            /// The columns of the table.
            ///
            /// Price: none.
            fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.0.schema(py, $shown)
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.0.traverse(&visit)
            }
        }
    };
}

walk_class! {
    /// The entries of a tree, one after the other: an iterator, a context manager, and a table for
    /// Arrow. Made by ``fewer.walk``.
    ///
    /// The walk begins when the first entry is taken. For each table, ``polars.DataFrame(walk)``
    /// say, it begins anew, so there may be several; after some entries have been taken, a table is
    /// a ValueError.
    ///
    /// >>> with fewer.walk("python", sort=True) as walk:
    /// ...     next(walk).path
    /// 'python'
    #[pyclass(frozen, module = "fewer", name = "Walk")]
    PyWalk, entry, Shown::Entries, "entries"
}

walk_class! {
    /// The paths of a tree, one after the other: an iterator, a context manager, and a table for
    /// Arrow as :class:`Walk` is one. Made by ``fewer.iter_paths``.
    ///
    /// >>> with fewer.iter_paths("python", sort=True) as paths:
    /// ...     next(paths)
    /// 'python'
    #[pyclass(frozen, module = "fewer")]
    Paths, path, Shown::Paths, "paths"
}

/// The entries of the trees at ``paths``, which are entries themselves: an iterator of
/// :class:`Entry`, and a table for Arrow (``polars.DataFrame(fewer.walk(path))``). Without a path
/// it is the working directory, ``"."``.
///
/// - ``sort``: depth-first, the names of each directory in byte order; else as it comes, each
///   directory before what is below it.
/// - ``threads``: how many threads work; by default as many as there are processors, and more, up
///   to ``max_threads`` (64), while storage has to be waited for.
/// - ``kinds``: only entries of these kinds: the letters of find (``"f"``, ``"d"``, ``"l"``,
///   ``"p"``, ``"s"``, ``"b"``, ``"c"``), ``"dir"``, ``"link"``, ``"pipe"``, or the words of
///   :attr:`Entry.kind`, one or several.
/// - ``glob``: only entries whose names match one of these patterns. ``exclude``: leaves out
///   entries that match one of these, and everything below them. With ``full_path`` the patterns
///   are matched with the whole path; with ``ignore_case`` upper and lower case are the same.
/// - ``min_depth``, ``max_depth``: steps below the root, which is at 0.
/// - ``hidden``: False leaves out names that begin with a dot. ``gitignore``: leaves out what git
///   would ignore.
/// - ``follow``: a link is treated as its target.
/// - ``one_file_system``: mount points are entries, but are not entered.
/// - ``on_error``: what to do with the OSError of an entry that could not be looked at. ``"raise"``
///   or None: it is raised in its place, and the iteration can go on behind it. ``"ignore"``: it is
///   ignored. A callable is called with it, and the walk goes on.
/// - ``scope``: the scope that the paths are relative to.
/// - ``since``: a :class:`Snapshot`. A directory that it knows and that did not change is not
///   opened: one ``statx`` instead. The entries are those of a walk without it.
///
/// Price: per directory ``openat``, ``getdents64`` and ``close``, one ``getdents64`` more for each
/// further 256 KiB, and for the end where the file system does not mark it; none per entry, unless
/// the directory does not say its kind. Once some 10 calls.
///
/// Raises OSError; ValueError for an invalid pattern.
///
/// >>> files = fewer.walk("python", sort=True, kinds="f", glob="*.py", max_depth=2)
/// >>> [entry.path for entry in files]
/// ['python/fewer/__init__.py', 'python/fewer/cost.py', 'python/fewer/space.py']
#[pyfunction]
#[pyo3(signature = (*paths, **options))]
#[pyo3(text_signature = "(*paths, sort=False, threads=None, max_threads=None, kinds=None, \
    glob=None, max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, \
    hidden=True, gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None, \
    since=None)")]
pub(crate) fn walk(
    paths: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyWalk> {
    Ok(PyWalk(Stream::new(WalkRequest::new(paths, options)?)))
}

/// The paths of all entries of one tree or several, as a list: ``str`` as ``os.fsdecode`` makes
/// them, or ``bytes`` if ``paths`` are. The keywords are those of :func:`walk`.
///
/// The fastest way to enumerate a tree: other threads read it while this one makes the strings. An
/// error that is raised (see ``on_error``) comes instead of the list.
///
/// Price: as :func:`walk`.
///
/// >>> sorted(fewer.paths("python", kinds="f", glob="*.py", max_depth=2))
/// ['python/fewer/__init__.py', 'python/fewer/cost.py', 'python/fewer/space.py']
/// >>> fewer.paths(b"python", max_depth=0)
/// [b'python']
#[pyfunction]
#[pyo3(signature = (*paths, **options))]
#[pyo3(text_signature = "(*paths, sort=False, threads=None, max_threads=None, kinds=None, \
    glob=None, max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, \
    hidden=True, gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None, \
    since=None)")]
pub(crate) fn paths<'py>(
    py: Python<'py>,
    paths: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let request = WalkRequest::new(paths, options)?;
    let mut batches = request.batches();
    let list = PyList::empty(py);
    while next_batch(py, &mut batches, &request, path, |path| list.append(path?))? {}
    Ok(list)
}

/// The paths of all entries of one tree or several, one after the other, and a table for Arrow:
/// see :func:`paths`.
///
/// Price: as :func:`walk`.
///
/// >>> next(fewer.iter_paths("python"))
/// 'python'
#[pyfunction]
#[pyo3(signature = (*paths, **options))]
#[pyo3(text_signature = "(*paths, sort=False, threads=None, max_threads=None, kinds=None, \
    glob=None, max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, \
    hidden=True, gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None, \
    since=None)")]
pub(crate) fn iter_paths(
    paths: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Paths> {
    Ok(Paths(Stream::new(WalkRequest::new(paths, options)?)))
}
