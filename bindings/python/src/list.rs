//! One directory, with metadata.

use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fewer::list::{By, Hidden, List, ListOrder, Listing, Moment, Row};
use fewer::{Fields, Kind, Kinds, Owners, Scope};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString};

use crate::arguments::{Flavour, PathArgument, expected, flag, strings, whole_or_none};
use crate::failure::{os_error, waiting};
use crate::on_error::OnError;
use crate::scope::{self, PyScope};
use crate::stat::{Asking, PyStat, fields_of, kind_object};
use crate::watch::Watch;

/// A listing, and the options for making objects of its rows.
pub(crate) struct Listed {
    listing: Listing,
    directory: PathArgument,
    owners: Option<Owners>,
    scope: Scope,
}

impl Listed {
    pub(crate) fn flavour(&self) -> Flavour {
        self.directory.flavour
    }

    pub(crate) fn user_name(&self, row: Row<'_>) -> Option<&[u8]> {
        self.owners.as_ref()?.user(row.stat()?.user())
    }

    pub(crate) fn group_name(&self, row: Row<'_>) -> Option<&[u8]> {
        self.owners.as_ref()?.group(row.stat()?.group())
    }
}

/// Some rows of a listing, or all, in some order: those that a slice leaves.
#[derive(Clone)]
pub(crate) struct View {
    listed: Arc<Listed>,
    start: usize,
    step: isize,
    length: usize,
}

impl View {
    pub(crate) fn listed(&self) -> &Listed {
        &self.listed
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.length).map(|index| self.listed.listing.row(self.place(index)))
    }

    /// Which row of the listing it is; `index` is less than the length.
    fn place(&self, index: usize) -> usize {
        self.start.wrapping_add_signed(self.step.wrapping_mul(index.cast_signed()))
    }

    fn row(&self, index: usize) -> PyRow {
        PyRow { listed: Arc::clone(&self.listed), place: self.place(index) }
    }

    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<View> {
        let indices = slice.indices(self.length.cast_signed())?;
        let length = indices.slicelength;
        let start = if length == 0 { 0 } else { self.place(indices.start.cast_unsigned()) };
        let step = self.step.wrapping_mul(indices.step);
        Ok(View { listed: Arc::clone(&self.listed), start, step, length })
    }
}

/// The entries of a directory, in order: a sequence of :class:`Row`, and a table for Arrow. Made by
/// ``fewer.list``. A slice of it is one too.
///
/// >>> largest = fewer.list("python/fewer", sort="size", hidden=False)[:2]
/// >>> len(largest), largest[0].stat.size >= largest[1].stat.size
/// (2, True)
#[pyclass(frozen, sequence, module = "fewer", name = "Listing")]
pub(crate) struct PyListing(View);

#[pymethods]
impl PyListing {
    fn __len__(&self) -> usize {
        self.0.length
    }

    fn __iter__(&self) -> Rows {
        Rows { view: self.0.clone(), index: AtomicUsize::new(0) }
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(Bound::new(py, PyListing(self.0.slice(slice)?))?.into_any());
        }
        let none = || PyIndexError::new_err("there are not so many rows");
        let index = match index.extract::<isize>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => return Err(none()),
            Err(_) => return Err(expected("an integer or a slice", index)),
            Ok(index) => index,
        };
        let length = self.0.length;
        let place = if index < 0 { index.checked_add_unsigned(length) } else { Some(index) };
        let place = place.and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| *place < length).ok_or_else(none)?;
        Ok(Bound::new(py, self.0.row(place))?.into_any())
    }

    /// The rows as a table for Arrow: see ``README.md``. It can be made any number of times.
    ///
    /// Price: none.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::arrow::list(py, &self.0, requested_schema)
    }

    /// The columns of the table.
    ///
    /// Price: none.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::arrow::list_schema(py, self.0.listed.flavour())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let given = &self.0.listed.directory;
        let directory = given.flavour.object(py, given.bytes())?.repr()?;
        Ok(format!("<fewer.Listing of {directory}, {} entries>", self.0.length))
    }
}

/// The rows of a listing, one after the other.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct Rows {
    view: View,
    index: AtomicUsize,
}

#[pymethods]
impl Rows {
    fn __iter__(this: Py<Rows>) -> Py<Rows> {
        this
    }

    fn __next__(&self) -> Option<PyRow> {
        let index = self.index.fetch_add(1, Relaxed);
        (index < self.view.length).then(|| self.view.row(index))
    }
}

/// An entry of a directory with its metadata. Every function that takes a path takes it.
///
/// Price: none; everything was read when the directory was listed. It keeps the whole listing.
#[pyclass(frozen, module = "fewer", name = "Row")]
pub(crate) struct PyRow {
    listed: Arc<Listed>,
    place: usize,
}

impl PyRow {
    fn row(&self) -> Row<'_> {
        self.listed.listing.row(self.place)
    }

    fn is(&self, py: Python<'_>, wanted: Kind, follow_symlinks: bool) -> PyResult<bool> {
        let Listed { scope, directory, .. } = &*self.listed;
        let path = self.path_bytes();
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
        let asking = Asking { scope, path, flavour: directory.flavour };
        asking.is(py, self.row().kind(), wanted, follow_symlinks)
    }

    fn path_bytes(&self) -> Vec<u8> {
        let mut path = self.listed.directory.bytes().to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(self.row().name_bytes());
        path
    }
}

#[pymethods]
impl PyRow {
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.listed.flavour().object(py, self.row().name_bytes())
    }

    /// The directory as it was passed, and the name.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.listed.flavour().object(py, &self.path_bytes())
    }

    /// See :attr:`Entry.kind`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Py<PyString> {
        kind_object(py, self.row().kind())
    }

    #[getter]
    fn inode(&self) -> u64 {
        self.row().inode()
    }

    /// Whether it is a directory, or a link that leads to one: see :meth:`Entry.is_dir`.
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

    /// Whether it is a regular file, or a link that leads to one: see :meth:`Entry.is_dir`.
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

    /// Whether it is a link. With ``follow=True`` only one that leads nowhere is.
    ///
    /// Price: none.
    fn is_symlink(&self, py: Python<'_>) -> PyResult<bool> {
        self.is(py, Kind::Symlink, false)
    }

    /// The metadata; None if they were not requested, or could not be read (see :attr:`error`).
    #[getter]
    fn stat(&self) -> Option<PyStat> {
        self.row().stat().map(PyStat::new)
    }

    /// The target, if it is a link and that was requested (``links=True``).
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let target = self.row().link().and_then(|link| link.path.as_ref()?.as_ref().ok());
        target.map(|target| self.listed.flavour().object(py, target)).transpose()
    }

    /// The name of the owning user, if it has one and that was requested (``owners=True``).
    #[getter]
    fn user_name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let name = self.listed.user_name(self.row());
        name.map(|name| Flavour::Text.object(py, name)).transpose()
    }

    /// The name of the owning group, likewise.
    #[getter]
    fn group_name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let name = self.listed.group_name(self.row());
        name.map(|name| Flavour::Text.object(py, name)).transpose()
    }

    /// Why metadata or target could not be read: an OSError; otherwise None.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let row = self.row();
        let unread = row.link().and_then(|link| link.path.as_ref()?.as_ref().err().copied());
        let (errno, action) = match (row.stat_error(), unread) {
            (Some(errno), _) => (errno, "stat"),
            (None, Some(errno)) => (errno, "read link"),
            (None, None) => return None,
        };
        let error = fewer::Error::new(errno, action, &self.path_bytes());
        Some(os_error(py, &error, self.listed.flavour()).into_value(py).into_bound(py).into_any())
    }

    fn __fspath__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.path(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, kind) = (self.name(py)?.repr()?, self.row().kind().name());
        Ok(match self.row().stat() {
            Some(stat) => format!("<fewer.Row {name}, {kind}, {} bytes>", stat.size()),
            None => format!("<fewer.Row {name}, {kind}>"),
        })
    }
}

fn order(sort: Option<&str>, reverse: bool, directories_first: bool) -> PyResult<ListOrder> {
    let by = match sort {
        None => By::Nothing,
        Some("name") => By::Name,
        Some("version") => By::Version,
        Some("extension") => By::Extension,
        Some("size") => By::Size,
        Some("modified") => By::Time(Moment::Modified),
        Some("accessed") => By::Time(Moment::Accessed),
        Some("changed") => By::Time(Moment::Changed),
        Some("created") => By::Time(Moment::Created),
        Some(other) => {
            let why = format!(
                "'{other}' is no order; orders are name, version, extension, size, modified, \
                 accessed, changed, created, or None"
            );
            return Err(PyValueError::new_err(why));
        }
    };
    Ok(ListOrder { by, reversed: reverse, directories_first })
}

/// The entries of the directory at ``path``, with metadata: a sequence of :class:`Row`, and a table
/// for Arrow (``polars.DataFrame(fewer.list(path))``).
///
/// - ``fields``: what each entry is asked for: names of fields (``"kind"``, ``"permissions"``,
///   ``"owner"``, ``"size"``, ``"links"``, ``"inode"``, ``"allocated"``, ``"modified"``,
///   ``"accessed"``, ``"changed"``, ``"created"``); all if it is None, nothing if it is empty.
/// - ``sort``: ``"name"``, ``"version"`` (numbers in names by their value), ``"extension"``,
///   ``"size"`` (the largest first), ``"modified"``, ``"accessed"``, ``"changed"``, ``"created"``
///   (the latest first), or None: as the directory has them. ``reverse`` turns it round;
///   ``directories_first`` holds in any case.
/// - ``hidden``: False leaves out what begins with a dot.
/// - ``follow``: the metadata of a link are those of its target.
/// - ``links``: reads the targets of links. ``owners``: looks up names of users and groups.
/// - ``threads``: how many threads work at most, if there are more than 1,024 entries.
/// - ``on_error``: what to do with the OSError if the directory cannot be read to its end.
///   ``"raise"`` or None: it is raised. ``"ignore"``, or a callable, which is called with it: the
///   rows that were read are returned.
/// - ``scope``: the scope that the path is relative to.
///
/// Price: ``openat``, ``getdents64`` for 32 KiB of entries, for each further 256 KiB and for the
/// end, ``close``; per entry one ``statx``, or none without fields; per link one ``readlinkat``
/// with ``links``. With ``owners`` one read of each file that names are in.
///
/// Raises OSError.
///
/// >>> [(row.name, row.kind) for row in fewer.list("python/fewer", hidden=False)][3]
/// ('py.typed', 'file')
/// >>> fewer.list("python")[0].stat.modified.tzinfo
/// datetime.timezone.utc
#[pyfunction]
#[pyo3(signature = (path=None, *, fields=None, sort="name", reverse=false, directories_first=false,
    hidden=true, follow=false, links=false, owners=false, threads=None, on_error=None, scope=None))]
#[pyo3(text_signature = "(path='.', *, fields=None, sort='name', reverse=False, \
    directories_first=False, hidden=True, follow=False, links=False, owners=False, threads=None, \
    on_error=None, scope=None)")]
#[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords")]
pub(crate) fn list(
    py: Python<'_>,
    path: Option<PathArgument>,
    fields: Option<Bound<'_, PyAny>>,
    sort: Option<&str>,
    #[pyo3(from_py_with = flag)] reverse: bool,
    #[pyo3(from_py_with = flag)] directories_first: bool,
    #[pyo3(from_py_with = flag)] hidden: bool,
    #[pyo3(from_py_with = flag)] follow: bool,
    #[pyo3(from_py_with = flag)] links: bool,
    #[pyo3(from_py_with = flag)] owners: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    on_error: Option<Bound<'_, PyAny>>,
    scope: Option<&Bound<'_, PyScope>>,
) -> PyResult<PyListing> {
    let directory = path.unwrap_or_else(PathArgument::here);
    let scope = scope::of(scope)?;
    let on_error = match &on_error {
        Some(on_error) => OnError::new(on_error)?,
        None => OnError::Raise,
    };
    let mut list = List::new(directory.path())
        .within(&scope)
        .hidden(if hidden { Hidden::Show } else { Hidden::Skip })
        .order(order(sort, reverse, directories_first)?)
        .follow(follow)
        .links(links);
    let fields = match fields {
        Some(names) => fields_of(&strings(&names)?)?,
        None => Fields::ALL,
    };
    if fields != Fields::NONE {
        list = list.stat(Kinds::ALL, fields);
    }
    if let Some(threads) = threads {
        list = list.threads(threads);
    }
    let watch = Watch::default();
    let list = list.cancel_when(watch.polled());
    let listing = waiting(py, directory.flavour, || list.read())?;
    watch.take().map_or(Ok(()), Err)?;
    py.check_signals()?;
    if let Some(error) = listing.broken_off() {
        let error = || os_error(py, error, directory.flavour);
        if let Some(error) = on_error.handle(py, error)? {
            return Err(error);
        }
    }
    let owners = owners.then(Owners::new);
    let length = listing.len();
    let listed = Arc::new(Listed { listing, directory, owners, scope });
    Ok(PyListing(View { listed, start: 0, step: 1, length }))
}
