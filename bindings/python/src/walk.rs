//! The entries of a tree: one by one, as paths, or as a table.

use std::collections::VecDeque;

use fewer::walk::{Batch, Batches, Record};
use fewer::{Kind, Scope};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::asked::Asked;
use crate::failure::{failed, waiting};
use crate::given::{Flavour, Given};
use crate::stat::{PyStat, all_fields, fields_of, kind_object, kind_word};
use crate::turn::Turn;

/// An entry of a tree: what its directory says of it. It can be handed to whatever takes a path.
///
/// Price: none, but for :meth:`stat` and :meth:`read_link`.
///
/// >>> for entry in fewer.walk("python", glob="py.typed"):
/// ...     entry, entry.name, entry.kind, entry.depth, os.path.getsize(entry)
/// (<fewer.Entry 'python/fewer/py.typed', file>, 'py.typed', 'file', 2, 0)
#[pyclass(frozen, module = "fewer", name = "Entry")]
pub(crate) struct PyEntry {
    bytes: Box<[u8]>,
    name_start: u32,
    name_length: u32,
    place: Place,
    kind: Kind,
    depth: u32,
    inode: u64,
}

/// What all entries of a walk have in common.
#[derive(Clone)]
struct Place {
    scope: Scope,
    flavour: Flavour,
    follow: bool,
}

impl PyEntry {
    fn new(batch: &Batch, record: &Record, place: &Place) -> PyEntry {
        PyEntry {
            bytes: batch.path(record).into(),
            name_start: record.name - record.path,
            name_length: record.name_length,
            place: place.clone(),
            kind: record.kind,
            depth: record.depth,
            inode: record.inode,
        }
    }

    fn given(&self) -> &std::path::Path {
        use std::os::unix::ffi::OsStrExt;
        std::path::Path::new(std::ffi::OsStr::from_bytes(&self.bytes))
    }
}

#[pymethods]
impl PyEntry {
    /// The path: the root as it was given, and the way down from it. ``bytes`` if the root was.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.place.flavour.object(py, &self.bytes)
    }

    /// The last component of the path.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let start = self.name_start as usize;
        let name = &self.bytes[start..start + self.name_length as usize];
        self.place.flavour.object(py, name)
    }

    /// ``"file"``, ``"directory"``, ``"symlink"``, ``"fifo"``, ``"socket"``, ``"block"``,
    /// ``"char"`` or, where the directory did not say and asking failed, ``"unknown"``.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Py<PyString> {
        kind_object(py, self.kind)
    }

    /// Steps below the root, which is at 0.
    #[getter]
    fn depth(&self) -> u32 {
        self.depth
    }

    /// The number that the directory has for it; of a mount point, that of the directory below.
    #[getter]
    fn inode(&self) -> u64 {
        self.inode
    }

    /// What it is like; a link itself, unless the walk follows links. ``fields`` as in
    /// :meth:`Scope.stat`.
    ///
    /// Price: one ``statx``.
    ///
    /// Raises OSError.
    #[pyo3(signature = (*, fields=None))]
    fn stat(&self, py: Python<'_>, fields: Option<Vec<String>>) -> PyResult<PyStat> {
        let fields = match fields {
            Some(names) => fields_of(&names)?.unwrap_or(fewer::Fields::NONE),
            None => all_fields(),
        };
        let Place { scope, flavour, follow } = &self.place;
        let answer = waiting(py, *flavour, || match follow {
            true => scope.stat_target(self.given(), fields),
            false => scope.stat(self.given(), fields),
        })?;
        Ok(PyStat(answer))
    }

    /// Where a link points, as it is written there.
    ///
    /// Price: one ``readlinkat``.
    ///
    /// Raises OSError: EINVAL if it is no link.
    fn read_link<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Place { scope, flavour, .. } = &self.place;
        let target = waiting(py, *flavour, || scope.read_link(self.given()))?;
        flavour.object(py, &target)
    }

    fn __fspath__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.path(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path(py)?.repr()?;
        Ok(format!("<fewer.Entry {path}, {}>", kind_word(self.kind)))
    }
}

/// A walk that is asked for more.
pub(crate) struct Stream {
    batches: Option<Batches>,
    place: Place,
    on_error: Option<Py<PyAny>>,
    /// The rest of a batch.
    ready: VecDeque<PyResult<Py<PyAny>>>,
}

/// What is made of a record.
type Make = fn(Python<'_>, &Batch, &Record, &Place) -> PyResult<Py<PyAny>>;

fn entry(py: Python<'_>, batch: &Batch, record: &Record, place: &Place) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, PyEntry::new(batch, record, place))?.into_any())
}

#[inline]
fn path(py: Python<'_>, batch: &Batch, record: &Record, place: &Place) -> PyResult<Py<PyAny>> {
    place.flavour.object(py, batch.path(record)).map(Bound::unbind)
}

impl Stream {
    fn new(asked: Asked) -> Stream {
        let Asked { walk, flavour, scope, follow, on_error } = asked;
        let place = Place { scope, flavour, follow };
        Stream { batches: Some(walk.batches()), place, on_error, ready: VecDeque::new() }
    }

    /// Hands over what the next batch is made into, and its failures as exceptions, unless somebody
    /// wants to be told of them; false when the walk is over.
    fn next_batch(
        &mut self,
        py: Python<'_>,
        make: Make,
        mut each: impl FnMut(PyResult<Py<PyAny>>) -> PyResult<()>,
    ) -> PyResult<bool> {
        py.check_signals()?;
        let Some(batches) = &mut self.batches else { return Ok(false) };
        let Some(batch) = py.detach(move || batches.next()) else {
            (self.batches, self.on_error) = (None, None);
            return Ok(false);
        };
        let mut from = 0;
        for failure in batch.failures() {
            for record in &batch.entries()[from..failure.before as usize] {
                each(make(py, batch, record, &self.place))?;
            }
            from = failure.before as usize;
            let (path, message) = batch.failure(failure);
            let message = String::from_utf8_lossy(message);
            let error = failed(py, failure.number, path, &message, self.place.flavour);
            match &self.on_error {
                Some(tell) => drop(tell.call1(py, (error,))?),
                None => each(Err(error))?,
            }
        }
        for record in &batch.entries()[from..] {
            each(make(py, batch, record, &self.place))?;
        }
        Ok(true)
    }

    fn next(&mut self, py: Python<'_>, make: Make) -> PyResult<Option<Py<PyAny>>> {
        let mut ready = std::mem::take(&mut self.ready);
        while ready.is_empty() {
            let more = self.next_batch(py, make, |object| {
                ready.push_back(object);
                Ok(())
            });
            match more {
                Ok(true) => {}
                Ok(false) => break,
                // A callback's own exception; what came before it is not lost.
                Err(error) => ready.push_back(Err(error)),
            }
        }
        self.ready = ready;
        self.ready.pop_front().transpose()
    }

    /// All that is left, for a table.
    fn take(&mut self) -> PyResult<(Batches, Flavour, Option<Py<PyAny>>)> {
        match self.batches.take() {
            Some(batches) if self.ready.is_empty() => {
                Ok((batches, self.place.flavour, self.on_error.take()))
            }
            _ => Err(PyValueError::new_err("some entries of this walk have been taken already")),
        }
    }
}

/// The entries of a tree, one after the other. Made by ``fewer.walk``.
#[pyclass(frozen, module = "fewer", name = "Walk")]
pub(crate) struct PyWalk(Turn<Stream>);

#[pymethods]
impl PyWalk {
    fn __iter__(this: Py<PyWalk>) -> Py<PyWalk> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.take(py)?.next(py, entry)
    }

    /// The entries as a table for Arrow: see ``README.md``. They are taken then.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema;
        let (batches, flavour, on_error) = self.0.take(py)?.take()?;
        crate::arrow::walk(py, batches, flavour, on_error)
    }
}

/// The paths of a tree, one after the other. Made by ``fewer.iter_paths``.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct Paths(Turn<Stream>);

#[pymethods]
impl Paths {
    fn __iter__(this: Py<Paths>) -> Py<Paths> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.take(py)?.next(py, path)
    }
}

/// The entries of the tree at ``path``, which is an entry itself: an iterator of :class:`Entry`.
///
/// - ``sort``: depth-first, the names of each directory in byte order; else as it comes, each
///   directory before what is below it.
/// - ``threads``: at most so many work; as many as there are processors unless told.
/// - ``types``: only entries of these kinds: letters as find has them (``"f"``, ``"d"``, ``"l"``,
///   ``"p"``, ``"s"``, ``"b"``, ``"c"``) or the words of :attr:`Entry.kind`, one or several.
/// - ``glob``: only entries whose names fit one of these patterns. ``exclude``: neither what fits
///   one of these, nor what is below. With ``full_path`` they are for the whole path; with
///   ``ignore_case`` for letters of either case.
/// - ``min_depth``, ``max_depth``: steps below the root, which is at 0.
/// - ``hidden``: False leaves out what begins with a dot. ``gitignore``: leaves out what git would
///   ignore.
/// - ``follow``: a link stands for what it points to.
/// - ``one_file_system``: mount points are entries, but are not entered.
/// - ``on_error``: is called with the OSError of whatever could not be looked at, and the walk goes
///   on. Without it the error is raised in its place; the iteration can be gone on with behind it.
/// - ``scope``: what the path is relative to.
///
/// Price: per directory ``openat``, ``getdents64`` and ``close``, one ``getdents64`` more for each
/// further 256 KiB, and for the end where the file system does not mark it; none per entry, unless
/// the directory does not say what it is. Once some 10 calls.
///
/// Raises OSError; ValueError for a pattern that is none.
///
/// >>> [entry.path for entry in fewer.walk("python", sort=True, types="f", glob="*.py")]
/// ['python/fewer/__init__.py', 'python/fewer/cost.py']
#[pyfunction]
#[pyo3(signature = (path, **options))]
#[pyo3(text_signature = "(path, *, sort=False, threads=None, types=None, glob=None, \
    max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, hidden=True, \
    gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None)")]
pub(crate) fn walk(path: Given, options: Option<&Bound<'_, PyDict>>) -> PyResult<PyWalk> {
    Ok(PyWalk(Turn::new(Stream::new(Asked::new(&path, options)?))))
}

/// The paths of all entries of a tree, as a list: ``str`` as ``os.fsdecode`` makes them, or
/// ``bytes`` if ``path`` is. The keywords are those of :func:`walk`.
///
/// The fastest way to enumerate a tree: other threads read it while this one makes the strings.
/// An error that no ``on_error`` takes is raised, and there is no list.
///
/// Price: as :func:`walk`.
///
/// >>> sorted(fewer.paths("python", types="f", glob="*.py"))
/// ['python/fewer/__init__.py', 'python/fewer/cost.py']
/// >>> fewer.paths(b"python", max_depth=0)
/// [b'python']
#[pyfunction]
#[pyo3(signature = (path, **options))]
#[pyo3(text_signature = "(path, *, sort=False, threads=None, types=None, glob=None, \
    max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, hidden=True, \
    gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None)")]
pub(crate) fn paths<'py>(
    py: Python<'py>,
    path: Given,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut stream = Stream::new(Asked::new(&path, options)?);
    let list = PyList::empty(py);
    while stream.next_batch(py, self::path, |path| list.append(path?))? {}
    Ok(list)
}

/// The paths of all entries of a tree, one after the other: see :func:`paths`.
///
/// Price: as :func:`walk`.
///
/// >>> next(fewer.iter_paths("python"))
/// 'python'
#[pyfunction]
#[pyo3(signature = (path, **options))]
#[pyo3(text_signature = "(path, *, sort=False, threads=None, types=None, glob=None, \
    max_depth=None, follow=False, one_file_system=False, exclude=None, min_depth=0, hidden=True, \
    gitignore=False, ignore_case=False, full_path=False, on_error=None, scope=None)")]
pub(crate) fn iter_paths(path: Given, options: Option<&Bound<'_, PyDict>>) -> PyResult<Paths> {
    Ok(Paths(Turn::new(Stream::new(Asked::new(&path, options)?))))
}
