//! The metadata of an entry.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::{Fields, Kind, Scope, Time};
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::arguments::Flavour;
use crate::failure::waiting;

/// The names of the kinds, in the order of their numbers.
pub(crate) fn kind_names() -> [&'static str; 8] {
    Kind::ALL.map(Kind::name)
}

/// The one object for each word, which is used again and again.
pub(crate) fn kind_object(py: Python<'_>, kind: Kind) -> Py<PyString> {
    static WORDS: PyOnceLock<[Py<PyString>; 8]> = PyOnceLock::new();
    let words =
        WORDS.get_or_init(py, || Kind::ALL.map(|kind| PyString::intern(py, kind.name()).unbind()));
    words[kind as usize].clone_ref(py)
}

/// The fields of these names; every field if there is no list of them.
pub(crate) fn fields_or_all(names: Option<Vec<String>>) -> PyResult<Fields> {
    names.map_or(Ok(Fields::ALL), |names| fields_of(&names))
}

/// The fields of these names.
pub(crate) fn fields_of(names: &[String]) -> PyResult<Fields> {
    let field = |name: &String| {
        let wrong = |why| PyValueError::new_err(format!("'{name}' is no field; {why}"));
        name.parse::<Fields>().map_err(wrong)
    };
    names.iter().map(field).collect()
}

/// A time in nanoseconds since 1970.
pub(crate) fn nanoseconds((seconds, nanoseconds): Moment) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
}

/// A time as a float, as `os.stat_result` has it.
fn float((seconds, nanoseconds): Moment) -> f64 {
    seconds as f64 + 1e-9 * f64::from(nanoseconds)
}

/// A `datetime` in UTC, which is precise to microseconds.
fn datetime(py: Python<'_>, (seconds, nanoseconds): Moment) -> PyResult<Bound<'_, PyAny>> {
    static MADE: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let (epoch, delta) = MADE.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        let epoch = module.getattr("datetime")?.call_method1("fromtimestamp", (0, utc))?;
        PyResult::Ok((epoch.unbind(), module.getattr("timedelta")?.unbind()))
    })?;
    let since = delta.bind(py).call1((0, seconds, nanoseconds / 1000))?;
    epoch.bind(py).add(since)
}

/// The file type bits of ``st_mode``.
fn mode_of(kind: Kind) -> u32 {
    match kind {
        Kind::Unknown => 0,
        Kind::Fifo => 0o010_000,
        Kind::Char => 0o020_000,
        Kind::Directory => 0o040_000,
        Kind::Block => 0o060_000,
        Kind::File => 0o100_000,
        Kind::Symlink => 0o120_000,
        Kind::Socket => 0o140_000,
    }
}

/// One number for a device, as `os.makedev` makes it.
fn device_number(major: u64, minor: u64) -> u64 {
    let high = (major & !0xfff) << 32 | (minor & 0xffff_ff00) << 12;
    high | (major & 0xfff) << 8 | minor & 0xff
}

/// The device of the file system that it is on.
pub(crate) fn device_of(stat: &fewer::Stat) -> u64 {
    device_number(stat.device() >> 32, stat.device() & 0xffff_ffff)
}

/// The metadata of an entry: the result of one ``statx``.
///
/// It has the fields of ``os.stat_result`` too, under their names. Fields that were not requested,
/// or that the file system lacks, are 0, and ``created`` is None. Two are equal if all fields are;
/// they can be pickled.
///
/// >>> answer = fewer.Scope().stat("Cargo.toml")
/// >>> answer.kind, answer.size == os.stat("Cargo.toml").st_size
/// ('file', True)
/// >>> stat.S_ISREG(answer.st_mode)
/// True
#[pyclass(frozen, module = "fewer", name = "Stat")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyStat {
    kind: Kind,
    permissions: u16,
    /// Of user and group.
    owner: (u32, u32),
    size: u64,
    allocated: u64,
    links: u32,
    inode: u64,
    device: u64,
    special: u64,
    times: Times,
}

/// Accessed, modified, changed; created, if that is kept.
type Times = (Moment, Moment, Moment, Option<Moment>);

/// Seconds and nanoseconds.
pub(crate) type Moment = (i64, u32);

pub(crate) fn moment(time: Time) -> Moment {
    (time.seconds, time.nanoseconds)
}

impl PyStat {
    pub(crate) fn new(stat: &fewer::Stat) -> PyStat {
        let (major, minor) = stat.special();
        PyStat {
            kind: stat.kind(),
            permissions: stat.permissions(),
            owner: (stat.user(), stat.group()),
            size: stat.size(),
            allocated: stat.allocated(),
            links: stat.links(),
            inode: stat.inode(),
            device: device_of(stat),
            special: device_number(major.into(), minor.into()),
            times: (
                moment(stat.accessed()),
                moment(stat.modified()),
                moment(stat.changed()),
                stat.created().map(moment),
            ),
        }
    }
}

/// The pickled form.
type Parts = ((Py<PyString>, u16, (u32, u32)), (u64, u64, u32), (u64, u64, u64), Times);

/// Makes a result from its pickled form.
#[pyfunction]
pub(crate) fn _stat(
    what: (String, u16, (u32, u32)),
    sizes: (u64, u64, u32),
    numbers: (u64, u64, u64),
    times: Times,
) -> PyResult<PyStat> {
    let (kind, permissions, owner) = what;
    let (size, allocated, links) = sizes;
    let (inode, device, special) = numbers;
    let kind = kind.parse::<Kind>().ok();
    let kind = kind.ok_or_else(|| PyValueError::new_err("that is no pickled answer"))?;
    Ok(PyStat { kind, permissions, owner, size, allocated, links, inode, device, special, times })
}

#[pymethods]
impl PyStat {
    /// ``"file"``, ``"directory"``, ``"symlink"``, ``"fifo"``, ``"socket"``, ``"block"``,
    /// ``"char"`` or ``"unknown"``.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Py<PyString> {
        kind_object(py, self.kind)
    }

    /// The twelve permission bits.
    #[getter]
    fn permissions(&self) -> u16 {
        self.permissions
    }

    /// Number of the user who owns it.
    #[getter]
    fn user(&self) -> u32 {
        self.owner.0
    }

    /// Number of the group that owns it.
    #[getter]
    fn group(&self) -> u32 {
        self.owner.1
    }

    /// In bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.size
    }

    /// Space taken, in bytes: a multiple of 512.
    #[getter]
    fn allocated(&self) -> u64 {
        self.allocated
    }

    /// Number of names.
    #[getter]
    fn links(&self) -> u32 {
        self.links
    }

    #[getter]
    fn inode(&self) -> u64 {
        self.inode
    }

    /// The file system that it is on, as ``os.makedev`` numbers it.
    #[getter]
    fn device(&self) -> u64 {
        self.device
    }

    /// The device that it is, if it is one, as ``os.makedev`` numbers it.
    #[getter]
    fn special(&self) -> u64 {
        self.special
    }

    /// The last change of the contents, in UTC.
    #[getter]
    fn modified<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.times.1)
    }

    /// The last reading of the contents, in UTC, as far as the mount keeps it.
    #[getter]
    fn accessed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.times.0)
    }

    /// The last change of contents or metadata, in UTC.
    #[getter]
    fn changed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.times.2)
    }

    /// The creation, in UTC; None where the file system keeps none.
    #[getter]
    fn created<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.times.3.map(|time| datetime(py, time)).transpose()
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn modified_ns(&self) -> i128 {
        nanoseconds(self.times.1)
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn accessed_ns(&self) -> i128 {
        nanoseconds(self.times.0)
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn changed_ns(&self) -> i128 {
        nanoseconds(self.times.2)
    }

    /// In nanoseconds since 1970; None where the file system keeps none.
    #[getter]
    fn created_ns(&self) -> Option<i128> {
        self.times.3.map(nanoseconds)
    }

    #[getter]
    fn st_mode(&self) -> u32 {
        mode_of(self.kind) | u32::from(self.permissions)
    }

    #[getter]
    fn st_ino(&self) -> u64 {
        self.inode
    }

    #[getter]
    fn st_dev(&self) -> u64 {
        self.device
    }

    #[getter]
    fn st_nlink(&self) -> u32 {
        self.links
    }

    #[getter]
    fn st_uid(&self) -> u32 {
        self.owner.0
    }

    #[getter]
    fn st_gid(&self) -> u32 {
        self.owner.1
    }

    #[getter]
    fn st_size(&self) -> u64 {
        self.size
    }

    #[getter]
    fn st_blocks(&self) -> u64 {
        self.allocated / 512
    }

    #[getter]
    fn st_rdev(&self) -> u64 {
        self.special
    }

    #[getter]
    fn st_atime(&self) -> f64 {
        float(self.times.0)
    }

    #[getter]
    fn st_mtime(&self) -> f64 {
        float(self.times.1)
    }

    #[getter]
    fn st_ctime(&self) -> f64 {
        float(self.times.2)
    }

    #[getter]
    fn st_atime_ns(&self) -> i128 {
        nanoseconds(self.times.0)
    }

    #[getter]
    fn st_mtime_ns(&self) -> i128 {
        nanoseconds(self.times.1)
    }

    #[getter]
    fn st_ctime_ns(&self) -> i128 {
        nanoseconds(self.times.2)
    }

    fn __eq__(&self, other: PyRef<'_, PyStat>) -> bool {
        *self == *other
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(this: Py<PyStat>) -> Py<PyStat> {
        this
    }

    fn __deepcopy__(this: Py<PyStat>, _memo: &Bound<'_, PyAny>) -> Py<PyStat> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let make = py.import("fewer._fewer")?.getattr("_stat")?;
        let what = (kind_object(py, self.kind), self.permissions, self.owner);
        let sizes = (self.size, self.allocated, self.links);
        Ok((make, (what, sizes, (self.inode, self.device, self.special), self.times)))
    }

    fn __repr__(&self) -> String {
        let (kind, permissions) = (self.kind.name(), self.permissions);
        format!("<fewer.Stat: {kind}, permissions {permissions:04o}, {} bytes>", self.size)
    }
}

/// An entry whose kind may have to be found out.
pub(crate) struct Asking<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) path: &'a Path,
    pub(crate) flavour: Flavour,
}

impl Asking<'_> {
    /// Whether it is of this kind, as `os.DirEntry` defines it: a link may have the kind of its
    /// target, and an entry that does not exist has none.
    ///
    /// Price: none if the known kind suffices; otherwise one `statx`.
    pub(crate) fn is(
        &self,
        py: Python<'_>,
        known: Kind,
        wanted: Kind,
        follow_links: bool,
    ) -> PyResult<bool> {
        let Asking { scope, path, flavour } = self;
        if known != Kind::Unknown && !(known == Kind::Symlink && follow_links) {
            return Ok(known == wanted);
        }
        let answer = waiting(py, *flavour, || match follow_links {
            true => scope.stat_target(path, Fields::KIND),
            false => scope.stat(path, Fields::KIND),
        });
        match answer {
            Ok(stat) => Ok(stat.kind() == wanted),
            Err(error) if error.is_instance_of::<PyFileNotFoundError>(py) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The bytes of a path.
pub(crate) fn path_bytes(path: &std::path::Path) -> &[u8] {
    path.as_os_str().as_bytes()
}
