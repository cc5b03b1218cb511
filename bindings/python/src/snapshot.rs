//! What a walk found, kept; and what has changed since.

use std::sync::Arc;

use fewer::snapshot::{Change, Changes, Defect, Level, SnapshotError, Wanted};
use fewer::walk::{Recording, Since, SnapshotFilters};
use fewer::{Action, Errno, Scope, Snapshot, Walk};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arguments::{Flavour, PathArgument, expected, flag, strings, whole_or_none};
use crate::failure::{Failure, failed, waiting};
use crate::lock::Lock;
use crate::on_error::OnError;
use crate::scope::{self, PyScope};
use crate::stat::kind_object;
use crate::walk::batch_failure;
use crate::walk_options::roots;
use crate::watch::Watch;

impl Failure for SnapshotError {
    fn errno(&self) -> Errno {
        SnapshotError::errno(self)
    }

    fn raise(&self, py: Python<'_>, flavour: Flavour) -> PyErr {
        let (number, path) = (self.errno().raw_os_error(), self.path().as_os_str());
        let path = path.as_encoded_bytes();
        failed(py, number, Some(self.action()), path, &self.to_string(), flavour)
    }
}

/// What is in a snapshot contradicts itself.
fn defective(py: Python<'_>, defect: Defect, flavour: Flavour) -> PyErr {
    let (number, message) =
        (Errno::BADMSG.raw_os_error(), format!("cannot use a snapshot: {defect}"));
    failed(py, number, Some(Action::READ_SNAPSHOT), b"", &message, flavour)
}

/// What a walk found: the directories below some paths, and the names in each. With it a later walk
/// asks for what has changed only (``fewer.walk(path, since=snapshot)``), and :meth:`changes` says
/// what that is. ``len`` is the number of entries, without the paths that it was made of; ``bytes``
/// are those of its file. Two are equal if these are.
///
/// Paths come out as those went in that it was made of; of one that was read, as that of the file.
///
/// >>> before = fewer.Snapshot.make("python")
/// >>> len(before) > 5, before.directories, before.paths
/// (True, 3, ['python'])
/// >>> list(before.changes())
/// []
#[pyclass(frozen, module = "fewer", name = "Snapshot")]
pub(crate) struct PySnapshot {
    snapshot: Arc<Snapshot>,
    flavour: Flavour,
}

impl PySnapshot {
    fn made(snapshot: Snapshot, flavour: Flavour) -> PySnapshot {
        PySnapshot { snapshot: Arc::new(snapshot), flavour }
    }

    /// For a walk that begins with it.
    pub(crate) fn since(&self) -> Arc<Since> {
        Arc::new(Since::new(Arc::clone(&self.snapshot)))
    }

    /// The walk that made it, once more: all of it, or what is below one of its paths.
    fn walk_again(&self, path: Option<&PathArgument>) -> PyResult<Walk> {
        let known = |path: &PathArgument| {
            let mut roots = self.snapshot.roots();
            roots.any(|root| root.path == path.bytes())
        };
        if path.is_some_and(|path| !known(path)) {
            return Err(PyValueError::new_err("the snapshot was not made of this path"));
        }
        let paths: Vec<_> = path.iter().map(|path| path.path()).collect();
        self.since().walk(&paths).ok_or_else(|| {
            PyValueError::new_err("the snapshot was made with options of another version of fewer")
        })
    }
}

/// Goes through a walk for the sake of what is written down.
fn record(
    py: Python<'_>,
    walk: Walk,
    recording: &Arc<Recording>,
    flavour: Flavour,
    on_error: &OnError,
) -> PyResult<()> {
    let watch = Watch::default();
    let mut batches = walk.record(recording).batches().cancel_when(watch.polled());
    loop {
        py.check_signals()?;
        let Some(batch) = py.detach(|| batches.next()) else { break };
        for failure in batch.failures() {
            let error = || batch_failure(py, batch, failure, flavour);
            if let Some(error) = on_error.handle(py, error)? {
                return Err(error);
            }
        }
        if let Some(raised) = watch.take() {
            return Err(raised);
        }
    }
    // The threads of the walk hand over what they have written down when they end.
    py.detach(|| drop(batches));
    watch.take().map_or(Ok(()), Err)
}

fn on_error_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<OnError> {
    value.map_or(Ok(OnError::Raise), OnError::new)
}

#[pymethods]
impl PySnapshot {
    /// Walks, and keeps what was found below ``paths``: names, kinds and inodes; with ``stat`` also
    /// size, permissions and times of each entry. All names of a directory that is entered are in
    /// it. With ``since`` what has not changed is taken from that snapshot. The other keywords are
    /// those of :func:`walk` that say which directories are entered. An error that is raised (see
    /// ``on_error``) comes instead of the snapshot.
    ///
    /// Price: one ``statx`` a directory besides the walk; with ``stat`` one an entry.
    ///
    /// Raises OSError; ValueError for an invalid pattern.
    ///
    /// >>> fewer.Snapshot.make(b"python", hidden=False).paths
    /// [b'python']
    #[staticmethod]
    #[pyo3(signature = (*paths, stat=false, since=None, threads=None, max_threads=None,
        max_depth=None, one_file_system=false, exclude=None, hidden=true, gitignore=false,
        ignore_case=false, full_path=false, on_error=None, scope=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    #[expect(clippy::fn_params_excessive_bools, reason = "they have names in Python")]
    fn make(
        py: Python<'_>,
        paths: &Bound<'_, PyTuple>,
        #[pyo3(from_py_with = flag)] stat: bool,
        since: Option<&Bound<'_, PySnapshot>>,
        threads: Option<&Bound<'_, PyAny>>,
        max_threads: Option<&Bound<'_, PyAny>>,
        max_depth: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] one_file_system: bool,
        exclude: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] hidden: bool,
        #[pyo3(from_py_with = flag)] gitignore: bool,
        #[pyo3(from_py_with = flag)] ignore_case: bool,
        #[pyo3(from_py_with = flag)] full_path: bool,
        on_error: Option<&Bound<'_, PyAny>>,
        scope: Option<&Bound<'_, PyScope>>,
    ) -> PyResult<PySnapshot> {
        let exclude = exclude.map_or(Ok(Vec::new()), strings)?;
        let filters = SnapshotFilters {
            gitignore,
            skip_hidden: !hidden,
            one_file_system,
            ignore_case: ignore_case && !exclude.is_empty(),
            full_path: full_path && !exclude.is_empty(),
            max_depth: max_depth.map_or(Ok(None), whole_or_none)?,
            exclude,
        };
        let (walk, flavour) = roots(paths)?;
        let walk = filters.on(walk).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut walk = walk.within(&scope::of(scope)?);
        if let Some(threads) = threads.map_or(Ok(None), whole_or_none)? {
            walk = walk.threads(threads);
        }
        if let Some(threads) = max_threads.map_or(Ok(None), whole_or_none)? {
            walk = walk.max_threads(threads);
        }
        if let Some(since) = since {
            walk = walk.since(&since.get().since());
        }
        let level = if stat { Level::Stat } else { Level::Names };
        let recording = Arc::new(Recording::new(level).options(&filters.to_text()));
        record(py, walk, &recording, flavour, &on_error_of(on_error)?)?;
        let made = py.detach(|| recording.finish());
        let made = made.map_err(|defect| defective(py, defect, flavour))?;
        Ok(PySnapshot::made(made, flavour))
    }

    /// Reads one from a file.
    ///
    /// Price: ``openat``, ``statx``, one ``read`` for the first 64 KiB and one for the rest,
    /// ``close``.
    ///
    /// Raises OSError: EBADMSG for a file that is no snapshot, one of another version, cut off or
    /// damaged.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathArgument) -> PyResult<PySnapshot> {
        let read = waiting(py, path.flavour, || Snapshot::read(path.path()))?;
        Ok(PySnapshot::made(read, path.flavour))
    }

    /// Writes it to a file, which is the old one until the new one is whole and on the disk.
    ///
    /// Price: about a dozen calls, two ``fdatasync`` among them.
    ///
    /// Raises OSError.
    fn write(&self, py: Python<'_>, path: PathArgument) -> PyResult<()> {
        waiting(py, path.flavour, || self.snapshot.write(path.path()))
    }

    /// What is different in ``other``: another snapshot; or what is there now, below the path
    /// ``other`` or all that it was made of, with the options that it was made with and the
    /// keywords as in :func:`walk`.
    ///
    /// Price: none for another snapshot. Else one ``statx`` a directory, and 6 calls more for one
    /// that changed; of a snapshot with ``stat`` also one ``statx`` an entry.
    ///
    /// Raises OSError; ValueError for a path that it was not made of.
    ///
    /// >>> before = fewer.Snapshot.make("python", max_depth=1)
    /// >>> changes = list(fewer.Snapshot.make("python").changes(before))
    /// >>> changes
    /// []
    #[pyo3(signature = (other=None, *, threads=None, on_error=None, scope=None))]
    fn changes(
        &self,
        py: Python<'_>,
        other: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        on_error: Option<&Bound<'_, PyAny>>,
        scope: Option<&Bound<'_, PyScope>>,
    ) -> PyResult<PyChanges> {
        let (after, wanted) = match other.map(|other| other.cast::<PySnapshot>()) {
            Some(Ok(other)) => (Arc::clone(&other.get().snapshot), Wanted::default()),
            _ => {
                let path = other.map(|path| {
                    let wrong = |_| expected("a snapshot, str, bytes or os.PathLike object", path);
                    path.extract::<PathArgument>().map_err(wrong)
                });
                let walk = self.walk_again(path.transpose()?.as_ref())?;
                let scope = scope::of(scope)?;
                let threads = threads.map_or(Ok(None), whole_or_none)?;
                self.now(py, walk, (scope, threads), &on_error_of(on_error)?)?
            }
        };
        let found = py.detach(|| Changes::between(&self.snapshot, &after));
        let found = found.map_err(|defect| defective(py, defect, self.flavour))?;
        let after = PySnapshot { snapshot: after, flavour: self.flavour };
        Ok(PyChanges { found: Lock::new(found), wanted, after: Py::new(py, after)? })
    }

    /// How many directories were found.
    #[getter]
    fn directories(&self) -> usize {
        self.snapshot.directory_count()
    }

    /// Whether it has size, permissions and times of each entry.
    #[getter]
    fn has_stat(&self) -> bool {
        self.snapshot.level() == Level::Stat
    }

    /// The paths that it was made of.
    #[getter]
    fn paths<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.snapshot.roots().map(|root| self.flavour.object(py, root.path)).collect()
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.snapshot.entry_count())?)
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::raw::bytes(py, self.snapshot.as_bytes())
    }

    fn __eq__(&self, other: PyRef<'_, PySnapshot>) -> bool {
        self.snapshot.as_bytes() == other.snapshot.as_bytes()
    }

    fn __repr__(&self) -> String {
        let (entries, directories) = (self.snapshot.entry_count(), self.directories());
        format!("<fewer.Snapshot: {entries} entries, {directories} directories>")
    }
}

impl PySnapshot {
    /// What is there now, and which changes the walk is about.
    fn now(
        &self,
        py: Python<'_>,
        walk: Walk,
        (scope, threads): (Scope, Option<usize>),
        on_error: &OnError,
    ) -> PyResult<(Arc<Snapshot>, Wanted)> {
        let mut walk = walk.within(&scope);
        if let Some(threads) = threads {
            walk = walk.threads(threads);
        }
        let recording = Recording::new(self.snapshot.level());
        let recording = Arc::new(recording.options(self.snapshot.options()));
        record(py, walk, &recording, self.flavour, on_error)?;
        let wanted = recording.wanted();
        let made = py.detach(|| recording.finish());
        let made = made.map_err(|defect| defective(py, defect, self.flavour))?;
        Ok((Arc::new(made), wanted))
    }
}

/// What is different between two snapshots: an iterator of :class:`Change`, in the order of the
/// paths. The new tree follows from the old one by them: first what was removed goes, then what was
/// renamed gets its new path, then comes what was added. Made by :meth:`Snapshot.changes`.
#[pyclass(frozen, module = "fewer", name = "Changes")]
pub(crate) struct PyChanges {
    found: Lock<Changes>,
    wanted: Wanted,
    after: Py<PySnapshot>,
}

#[pymethods]
impl PyChanges {
    /// The snapshot with the changes: what is there now, to be kept for the next time.
    #[getter]
    fn snapshot(&self, py: Python<'_>) -> Py<PySnapshot> {
        self.after.clone_ref(py)
    }

    fn __iter__(this: Py<PyChanges>) -> Py<PyChanges> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyChange>> {
        let flavour = self.after.get().flavour;
        let mut found = self.found.take(py)?;
        let change = found.find_map(|change| self.wanted.change(change));
        Ok(change.map(|change| PyChange { change, flavour }))
    }
}

/// One difference between two snapshots.
#[pyclass(frozen, module = "fewer", name = "Change")]
pub(crate) struct PyChange {
    change: Change,
    flavour: Flavour,
}

#[pymethods]
impl PyChange {
    /// ``"removed"``; ``"renamed"``: the device and the inode are the same, and what is in a
    /// directory comes along; ``"added"``; or ``"changed"``: it is of another kind, or with
    /// ``stat`` has another size, time of modification, permissions or inode.
    #[getter]
    fn change(&self) -> &'static str {
        self.change.kind.name()
    }

    /// The path now, or before if it is gone.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.flavour.object(py, &self.change.path)
    }

    /// Of what was renamed the path before; else None.
    #[getter(from_path)]
    fn path_before<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let from = self.change.from.as_deref();
        from.map(|from| self.flavour.object(py, from)).transpose()
    }

    /// What it is now, or was if it is gone: as the kind of an :class:`Entry`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Py<PyString> {
        kind_object(py, self.change.entry)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (change, path) = (self.change(), self.path(py)?.repr()?);
        Ok(match self.path_before(py)? {
            Some(from) => format!("<fewer.Change: {change} {} to {path}>", from.repr()?),
            None => format!("<fewer.Change: {change} {path}>"),
        })
    }
}
