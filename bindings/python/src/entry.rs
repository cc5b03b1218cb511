//! An entry of a tree, as an object.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;

use fewer::walk::{Batch, Record};
use fewer::{Kind, Scope};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};

use crate::arguments::{Flavour, PathArgument, flag, strings};
use crate::failure::waiting;
use crate::stat::{Asking, PyStat, fields_or_all, kind_object};

/// An entry of a tree, as its directory describes it. Every function that takes a path takes it.
///
/// Two are equal if all their fields are, whichever walk they are from. They can be pickled, unless
/// the walk had a ``scope``.
///
/// Price: none, but for :meth:`stat`, :meth:`read_link`, and :meth:`is_dir` and :meth:`is_file` of
/// a link.
///
/// >>> for entry in fewer.walk("python", glob="py.typed"):
/// ...     entry, entry.name, entry.kind, entry.depth, os.path.getsize(entry)
/// (<fewer.Entry 'python/fewer/py.typed', file>, 'py.typed', 'file', 2, 0)
#[pyclass(frozen, module = "fewer", name = "Entry")]
pub(crate) struct PyEntry {
    bytes: Box<[u8]>,
    name_start: u32,
    name_length: u32,
    context: WalkContext,
    kind: Kind,
    depth: u32,
    inode: u64,
}

/// What all entries of a walk have in common.
#[derive(Clone)]
pub(crate) struct WalkContext {
    pub(crate) scope: Scope,
    pub(crate) flavour: Flavour,
    pub(crate) follow: bool,
}

impl PyEntry {
    pub(crate) fn new(batch: &Batch, record: &Record, context: &WalkContext) -> PyEntry {
        PyEntry {
            bytes: batch.path(record).into(),
            name_start: record.name - record.path,
            name_length: record.name_length,
            context: context.clone(),
            kind: record.kind,
            depth: record.depth,
            inode: record.inode,
        }
    }

    fn as_path(&self) -> &std::path::Path {
        std::path::Path::new(std::ffi::OsStr::from_bytes(&self.bytes))
    }

    fn name_bytes(&self) -> &[u8] {
        let start = self.name_start as usize;
        &self.bytes[start..start + self.name_length as usize]
    }

    /// All fields.
    fn said(&self) -> (bool, &[u8], &[u8], Kind, u32, u64) {
        let is_text = self.context.flavour == Flavour::Text;
        (is_text, &self.bytes, self.name_bytes(), self.kind, self.depth, self.inode)
    }

    fn is(&self, py: Python<'_>, wanted: Kind, follow_symlinks: bool) -> PyResult<bool> {
        let WalkContext { scope, flavour, .. } = &self.context;
        let path = self.as_path();
        Asking { scope, path, flavour: *flavour }.is(py, self.kind, wanted, follow_symlinks)
    }
}

#[pymethods]
impl PyEntry {
    /// The path: the root as it was passed, and the path below it. ``bytes`` if the root was.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.context.flavour.object(py, &self.bytes)
    }

    /// The last component of the path.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.context.flavour.object(py, self.name_bytes())
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

    /// The inode number in the directory's record; for a mount point, that of the directory below.
    #[getter]
    fn inode(&self) -> u64 {
        self.inode
    }

    /// Whether it is a directory, or a link that leads to one, as with ``os.DirEntry``; with
    /// ``follow_symlinks=False`` a link is none. An entry that does not exist any more is none
    /// either.
    ///
    /// Price: none, or one ``statx`` for a link.
    ///
    /// Raises OSError.
    #[pyo3(signature = (*, follow_symlinks=true))]
    fn is_dir(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] follow_symlinks: bool,
    ) -> PyResult<bool> {
        self.is(py, Kind::Directory, follow_symlinks)
    }

    /// Whether it is a regular file, or a link that leads to one: see :meth:`is_dir`.
    ///
    /// Price: none, or one ``statx`` for a link.
    ///
    /// Raises OSError.
    #[pyo3(signature = (*, follow_symlinks=true))]
    fn is_file(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = flag)] follow_symlinks: bool,
    ) -> PyResult<bool> {
        self.is(py, Kind::File, follow_symlinks)
    }

    /// Whether it is a link. In a walk that follows links only one that leads nowhere is.
    ///
    /// Price: none.
    fn is_symlink(&self, py: Python<'_>) -> PyResult<bool> {
        self.is(py, Kind::Symlink, false)
    }

    /// The metadata; of a link itself, unless the walk follows links. ``fields`` as in
    /// :meth:`Scope.stat`.
    ///
    /// Price: one ``statx``.
    ///
    /// Raises OSError.
    #[pyo3(signature = (*, fields=None))]
    fn stat(&self, py: Python<'_>, fields: Option<Bound<'_, PyAny>>) -> PyResult<PyStat> {
        let fields = fields_or_all(fields.as_ref().map(strings).transpose()?)?;
        let WalkContext { scope, flavour, follow } = &self.context;
        let answer = waiting(py, *flavour, || match follow {
            true => scope.stat_target(self.as_path(), fields),
            false => scope.stat(self.as_path(), fields),
        })?;
        Ok(PyStat::new(&answer))
    }

    /// The target of a link, as it is written in it.
    ///
    /// Price: one ``readlinkat``.
    ///
    /// Raises OSError: EINVAL if it is no link.
    fn read_link<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let WalkContext { scope, flavour, .. } = &self.context;
        let target = waiting(py, *flavour, || scope.read_link(self.as_path()))?;
        flavour.object(py, &target)
    }

    fn __fspath__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.path(py)
    }

    fn __eq__(&self, other: PyRef<'_, PyEntry>) -> bool {
        self.said() == other.said()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.bytes, self.inode).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(this: Py<PyEntry>) -> Py<PyEntry> {
        this
    }

    fn __deepcopy__(this: Py<PyEntry>, _memo: &Bound<'_, PyAny>) -> Py<PyEntry> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        if !self.context.scope.is_start() {
            let why = "an entry of a walk with a scope cannot be pickled: its path is relative to \
                       a directory that only this process has open";
            return Err(PyTypeError::new_err(why));
        }
        let make = py.import("fewer._fewer")?.getattr("_entry")?;
        let name = (self.name_start, self.name_length);
        let kind = kind_object(py, self.kind);
        Ok((make, (self.path(py)?, name, kind, self.depth, self.inode, self.context.follow)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path(py)?.repr()?;
        Ok(format!("<fewer.Entry {path}, {}>", self.kind.name()))
    }
}

/// The pickled form of an entry.
type Parts<'py> = (Bound<'py, PyAny>, (u32, u32), Py<PyString>, u32, u64, bool);

/// Makes an entry from its pickled form.
#[pyfunction]
pub(crate) fn _entry(
    path: PathArgument,
    name: (u32, u32),
    kind: &str,
    depth: u32,
    inode: u64,
    follow: bool,
) -> PyResult<PyEntry> {
    let (name_start, name_length) = name;
    let bytes: Box<[u8]> = path.bytes().into();
    let end = u64::from(name_start) + u64::from(name_length);
    let kind = kind.parse::<Kind>().ok().filter(|_| end <= bytes.len() as u64);
    let kind = kind.ok_or_else(|| PyValueError::new_err("that is no pickled entry"))?;
    let context = WalkContext { scope: Scope::start(), flavour: path.flavour, follow };
    Ok(PyEntry { bytes, name_start, name_length, context, kind, depth, inode })
}
