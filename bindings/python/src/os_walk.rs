//! `os.walk`, with fewer calls.

use std::collections::VecDeque;

use fewer::walk::{Batch, Directories, Record};
use fewer::{Kind, Walk};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::arguments::{PathArgument, expected, flag};
use crate::failure::failed;
use crate::lock::Lock;

/// The tuples of ``os.walk``, one after the other. Made by ``fewer.os_walk``.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct OsWalk {
    state: Lock<State>,
    onerror: Option<Py<PyAny>>,
}

struct State {
    directories: Option<Directories>,
    /// The path as it was passed, and the prefix of the paths below it.
    top: PathArgument,
    root: Vec<u8>,
    topdown: bool,
    /// The names of directories that were returned last, to see whether the caller changes them.
    handed: Option<Handed>,
    /// Bottom-up: the directories above the current one, with their depths.
    above: Vec<(u32, Py<PyTuple>)>,
    ready: VecDeque<Py<PyTuple>>,
}

struct Handed {
    list: Py<PyList>,
    before: Vec<Py<PyAny>>,
}

/// The next step of the walk.
enum Next {
    Directory { depth: u32, found: Py<PyTuple>, names: Py<PyList> },
    Failed(Vec<PyErr>),
    Nothing,
    Over,
}

fn is_directory(record: &Record) -> bool {
    record.kind == Kind::Directory
        || (record.kind == Kind::Symlink && record.target == Kind::Directory)
}

impl State {
    fn next(
        &mut self,
        py: Python<'_>,
        onerror: Option<&Py<PyAny>>,
    ) -> PyResult<Option<Py<PyTuple>>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Ok(Some(ready));
            }
            py.check_signals()?;
            self.settle(py)?;
            match self.advance(py)? {
                Next::Nothing => {}
                Next::Over if self.above.is_empty() => return Ok(None),
                Next::Over => self.come_back(0),
                Next::Failed(errors) => tell(py, errors, onerror)?,
                Next::Directory { depth, found, names } => {
                    if self.topdown {
                        let before = names.bind(py).iter().map(Bound::unbind).collect();
                        self.handed = Some(Handed { list: names, before });
                        return Ok(Some(found));
                    }
                    self.come_back(depth);
                    self.above.push((depth, found));
                }
            }
        }
    }

    /// Bottom-up: the directories that are this deep or deeper are complete.
    fn come_back(&mut self, depth: u32) {
        while let Some((_, found)) = self.above.pop_if(|(deep, _)| *deep >= depth) {
            self.ready.push_back(found);
        }
    }

    /// Enters the directories that are in the list now, if it was changed.
    fn settle(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(Handed { list, before }) = self.handed.take() else { return Ok(()) };
        let list = list.bind(py);
        let same = list.len() == before.len()
            && list.iter().zip(&before).all(|(now, before)| now.is(before));
        if same {
            return Ok(());
        }
        let mut names = Vec::with_capacity(list.len());
        for name in list.iter() {
            let name: PathArgument = name.extract()?;
            if name.bytes().is_empty() || name.bytes().contains(&b'/') {
                let why = "what is put into dirnames must be the name of a directory in dirpath";
                return Err(PyValueError::new_err(why));
            }
            names.push(name);
        }
        if let Some(directories) = &mut self.directories {
            py.detach(|| directories.enter(names.iter().map(PathArgument::bytes)));
        }
        Ok(())
    }

    fn advance(&mut self, py: Python<'_>) -> PyResult<Next> {
        let Some(directories) = &mut self.directories else { return Ok(Next::Over) };
        let Some(batch) = py.detach(|| directories.next()) else {
            self.directories = None;
            return Ok(Next::Over);
        };
        let flavour = self.top.flavour;
        if !batch.failures().is_empty() {
            let errors = errors(py, batch, &self.top, &self.root);
            if batch.directory().is_some() {
                // It was not read to its end: it is skipped, and everything below it.
                directories.enter::<&[u8]>([]);
            }
            return Ok(Next::Failed(errors));
        }
        let (Some(place), Some(path)) = (batch.directory(), batch.directory_path()) else {
            return Ok(Next::Nothing);
        };
        let path = match place.depth {
            0 => flavour.object(py, self.top.bytes())?,
            _ => flavour.object(py, path)?,
        };
        let (names, others) = (PyList::empty(py), PyList::empty(py));
        for record in batch.entries() {
            let name = flavour.object(py, batch.name(record))?;
            if is_directory(record) { names.append(name)? } else { others.append(name)? }
        }
        let found = PyTuple::new(py, [path, names.clone().into_any(), others.into_any()])?;
        Ok(Next::Directory { depth: place.depth, found: found.unbind(), names: names.unbind() })
    }
}

fn tell(py: Python<'_>, errors: Vec<PyErr>, onerror: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(onerror) = onerror else { return Ok(()) };
    errors.into_iter().try_for_each(|error| onerror.call1(py, (error,)).map(drop))
}

fn errors(py: Python<'_>, batch: &Batch, top: &PathArgument, root: &[u8]) -> Vec<PyErr> {
    let error = |failure| {
        let (path, message) = batch.failure(failure);
        // The slash at its end was added here.
        let path = if path == root { top.bytes() } else { path };
        let message = String::from_utf8_lossy(message);
        failed(py, failure.number, failure.action(), path, &message, top.flavour)
    };
    batch.failures().iter().map(error).collect()
}

#[pymethods]
impl OsWalk {
    /// Ends the walk: there are no more tuples. Closing again does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.state.take(py)?;
        state.directories = None;
        state.handed = None;
        state.above.clear();
        state.ready.clear();
        Ok(())
    }

    fn __enter__(this: Py<OsWalk>) -> Py<OsWalk> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.onerror)
    }

    fn __iter__(this: Py<OsWalk>) -> Py<OsWalk> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyTuple>>> {
        self.state.take(py)?.next(py, self.onerror.as_ref())
    }
}

/// What ``os.walk`` does, for half of the calls: tuples ``(dirpath, dirnames, filenames)`` in the
/// same order, of ``str`` or, if ``top`` is, of ``bytes``.
///
/// Top-down, ``dirnames`` may be changed in place before the next tuple is taken: the names that
/// are left are entered, in that order. ``onerror`` is called with the OSError of a directory that
/// cannot be read; without it the directory is skipped.
///
/// Two differences. With ``followlinks`` a link that leads to a directory it lies in is an error
/// (ELOOP) for ``onerror`` rather than an endless loop. A name put into ``dirnames`` must not have
/// a slash in it.
///
/// Price: per directory ``openat``, ``getdents64`` and ``close``; one ``statx`` per link, to know
/// whether it leads to a directory, and per name that is added.
///
/// >>> for path, directories, files in fewer.os_walk("python"):
/// ...     directories[:] = []
/// ...     path, files
/// ('python', [])
#[pyfunction]
#[pyo3(signature = (top, topdown=true, onerror=None, followlinks=false))]
pub(crate) fn os_walk(
    top: PathArgument,
    #[pyo3(from_py_with = flag)] topdown: bool,
    onerror: Option<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = flag)] followlinks: bool,
) -> PyResult<OsWalk> {
    if let Some(onerror) = onerror.as_ref().filter(|onerror| !onerror.is_callable()) {
        return Err(expected("a callable or None as onerror", onerror));
    }
    let onerror = onerror.map(Bound::unbind);
    use std::os::unix::ffi::OsStrExt;
    // A slash behind a link makes the walk follow it.
    let mut root = top.bytes().to_vec();
    if !root.is_empty() && !root.ends_with(b"/") {
        root.push(b'/');
    }
    let walk = Walk::new(std::ffi::OsStr::from_bytes(&root)).follow(followlinks);
    let directories = Some(walk.targets(!followlinks).directories());
    let (handed, above, ready) = (None, Vec::new(), VecDeque::new());
    let state = Lock::new(State { directories, top, root, topdown, handed, above, ready });
    Ok(OsWalk { state, onerror })
}
