//! What an entry says about itself, when it is asked.

use std::os::unix::ffi::OsStrExt;

use fewer::{Fields, Kind, Time};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAnyMethods, PyString};

/// The word for a kind.
pub(crate) fn kind_word(kind: Kind) -> &'static str {
    KINDS[kind as usize]
}

/// In the order of the kinds' own numbers.
pub(crate) const KINDS: [&str; 8] =
    ["unknown", "file", "directory", "symlink", "fifo", "socket", "block", "char"];

/// The one object for a word that comes again and again.
pub(crate) fn kind_object(py: Python<'_>, kind: Kind) -> Py<PyString> {
    static WORDS: PyOnceLock<[Py<PyString>; 8]> = PyOnceLock::new();
    let words = WORDS.get_or_init(py, || KINDS.map(|word| PyString::intern(py, word).unbind()));
    words[kind as usize].clone_ref(py)
}

/// Names of fields, as they are asked for, and all of them.
const FIELDS: [(&str, Fields); 11] = [
    ("kind", Fields::KIND),
    ("permissions", Fields::MODE),
    ("owner", Fields::OWNER),
    ("size", Fields::SIZE),
    ("links", Fields::LINKS),
    ("inode", Fields::INODE),
    ("allocated", Fields::BLOCKS),
    ("accessed", Fields::ACCESSED),
    ("modified", Fields::MODIFIED),
    ("changed", Fields::CHANGED),
    ("created", Fields::CREATED),
];

/// Every field there is.
pub(crate) fn all_fields() -> Fields {
    FIELDS.iter().fold(Fields::NONE, |all, (_, field)| all | *field)
}

/// The fields of these names; `None` if there are none.
pub(crate) fn fields_of(names: &[String]) -> PyResult<Option<Fields>> {
    let mut asked = None;
    for name in names {
        let Some((_, field)) = FIELDS.iter().find(|(known, _)| known == name) else {
            let known: Vec<&str> = FIELDS.iter().map(|(known, _)| *known).collect();
            let why = format!("'{name}' is no field; fields are {}", known.join(", "));
            return Err(PyValueError::new_err(why));
        };
        asked = Some(asked.map_or(*field, |others| others | *field));
    }
    Ok(asked)
}

/// A time in nanoseconds since 1970.
pub(crate) fn nanoseconds(time: Time) -> i128 {
    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
}

/// A time as a float, as `os.stat_result` has it.
fn float(time: Time) -> f64 {
    time.seconds as f64 + 1e-9 * f64::from(time.nanoseconds)
}

/// A `datetime` in UTC; it has no room for what is less than a microsecond.
pub(crate) fn datetime(py: Python<'_>, time: Time) -> PyResult<Bound<'_, PyAny>> {
    static MADE: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let (epoch, delta) = MADE.get_or_try_init(py, || {
        let module = py.import("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        let epoch = module.getattr("datetime")?.call_method1("fromtimestamp", (0, utc))?;
        PyResult::Ok((epoch.unbind(), module.getattr("timedelta")?.unbind()))
    })?;
    let since = delta.bind(py).call1((0, time.seconds, time.nanoseconds / 1000))?;
    epoch.bind(py).add(since)
}

/// What ``st_mode`` says besides the permissions.
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

/// The file system that it is on.
pub(crate) fn device_of(stat: &fewer::Stat) -> u64 {
    device_number(stat.device() >> 32, stat.device() & 0xffff_ffff)
}

/// What an entry is like: the answer to one ``statx``.
///
/// It has the fields of ``os.stat_result`` too, under their names. Fields that were not asked for,
/// or that the file system lacks, are 0, and ``created`` is None.
///
/// >>> answer = fewer.Scope().stat("Cargo.toml")
/// >>> answer.kind, answer.size == os.stat("Cargo.toml").st_size
/// ('file', True)
/// >>> stat.S_ISREG(answer.st_mode)
/// True
#[pyclass(frozen, module = "fewer", name = "Stat")]
pub(crate) struct PyStat(pub(crate) fewer::Stat);

#[pymethods]
impl PyStat {
    /// ``"file"``, ``"directory"``, ``"symlink"``, ``"fifo"``, ``"socket"``, ``"block"``,
    /// ``"char"`` or ``"unknown"``.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Py<PyString> {
        kind_object(py, self.0.kind())
    }

    /// The twelve permission bits.
    #[getter]
    fn permissions(&self) -> u16 {
        self.0.permissions()
    }

    /// Number of the user who owns it.
    #[getter]
    fn user(&self) -> u32 {
        self.0.user()
    }

    /// Number of the group that owns it.
    #[getter]
    fn group(&self) -> u32 {
        self.0.group()
    }

    /// In bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    /// Space taken, in bytes: a multiple of 512.
    #[getter]
    fn allocated(&self) -> u64 {
        self.0.allocated()
    }

    /// Number of names.
    #[getter]
    fn links(&self) -> u32 {
        self.0.links()
    }

    #[getter]
    fn inode(&self) -> u64 {
        self.0.inode()
    }

    /// The file system that it is on, as ``os.makedev`` numbers it.
    #[getter]
    fn device(&self) -> u64 {
        device_of(&self.0)
    }

    /// The device that it is, if it is one, as ``os.makedev`` numbers it.
    #[getter]
    fn special(&self) -> u64 {
        let (major, minor) = self.0.special();
        device_number(major.into(), minor.into())
    }

    /// The last change of the contents, in UTC.
    #[getter]
    fn modified<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.modified())
    }

    /// The last reading of the contents, in UTC, as far as the mount keeps it.
    #[getter]
    fn accessed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.accessed())
    }

    /// The last change of contents or metadata, in UTC.
    #[getter]
    fn changed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.changed())
    }

    /// The creation, in UTC; None where the file system keeps none.
    #[getter]
    fn created<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.created().map(|time| datetime(py, time)).transpose()
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn modified_ns(&self) -> i128 {
        nanoseconds(self.0.modified())
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn accessed_ns(&self) -> i128 {
        nanoseconds(self.0.accessed())
    }

    /// In nanoseconds since 1970.
    #[getter]
    fn changed_ns(&self) -> i128 {
        nanoseconds(self.0.changed())
    }

    /// In nanoseconds since 1970; None where the file system keeps none.
    #[getter]
    fn created_ns(&self) -> Option<i128> {
        self.0.created().map(nanoseconds)
    }

    #[getter]
    fn st_mode(&self) -> u32 {
        mode_of(self.0.kind()) | u32::from(self.0.permissions())
    }

    #[getter]
    fn st_ino(&self) -> u64 {
        self.0.inode()
    }

    #[getter]
    fn st_dev(&self) -> u64 {
        self.device()
    }

    #[getter]
    fn st_nlink(&self) -> u32 {
        self.0.links()
    }

    #[getter]
    fn st_uid(&self) -> u32 {
        self.0.user()
    }

    #[getter]
    fn st_gid(&self) -> u32 {
        self.0.group()
    }

    #[getter]
    fn st_size(&self) -> u64 {
        self.0.size()
    }

    #[getter]
    fn st_blocks(&self) -> u64 {
        self.0.allocated() / 512
    }

    #[getter]
    fn st_rdev(&self) -> u64 {
        self.special()
    }

    #[getter]
    fn st_atime(&self) -> f64 {
        float(self.0.accessed())
    }

    #[getter]
    fn st_mtime(&self) -> f64 {
        float(self.0.modified())
    }

    #[getter]
    fn st_ctime(&self) -> f64 {
        float(self.0.changed())
    }

    #[getter]
    fn st_atime_ns(&self) -> i128 {
        nanoseconds(self.0.accessed())
    }

    #[getter]
    fn st_mtime_ns(&self) -> i128 {
        nanoseconds(self.0.modified())
    }

    #[getter]
    fn st_ctime_ns(&self) -> i128 {
        nanoseconds(self.0.changed())
    }

    fn __repr__(&self) -> String {
        let (kind, permissions) = (kind_word(self.0.kind()), self.0.permissions());
        format!("<fewer.Stat: {kind}, permissions {permissions:04o}, {} bytes>", self.0.size())
    }
}

/// The bytes of a path, for whatever hands one out as such.
pub(crate) fn path_bytes(path: &std::path::Path) -> &[u8] {
    path.as_os_str().as_bytes()
}
