//! The metadata of an entry.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::rows::{device_number, makedev};
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
pub(crate) fn datetime(
    py: Python<'_>,
    (seconds, nanoseconds): Moment,
) -> PyResult<Bound<'_, PyAny>> {
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
#[pyclass(frozen, eq, hash, module = "fewer", name = "Stat")]
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
            device: device_number(stat),
            special: makedev(major.into(), minor.into()),
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

/// The attributes, each with its type and its value; and the other methods.
macro_rules! methods {
    (
        $($(#[$($doc:tt)*])* $name:ident: $type:ty = |$stat:pat_param, $py:pat_param| $value:expr;)*
        { $($others:tt)* }
    ) => {
        #[pymethods]
        impl PyStat {
            $(
                $(#[$($doc)*])*
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> PyResult<$type> {
                    let ($stat, $py) = (self, py);
                    Ok($value)
                }
            )*
            $($others)*
        }
    };
}

type Datetime<'py> = Bound<'py, PyAny>;

methods! {
    /// ``"file"``, ``"directory"``, ``"symlink"``, ``"fifo"``, ``"socket"``, ``"block"``,
    /// ``"char"`` or ``"unknown"``.
    kind: Py<PyString> = |it, py| kind_object(py, it.kind);
    /// The twelve permission bits.
    permissions: u16 = |it, _| it.permissions;
    /// Number of the user who owns it.
    user: u32 = |it, _| it.owner.0;
    /// Number of the group that owns it.
    group: u32 = |it, _| it.owner.1;
    /// In bytes.
    size: u64 = |it, _| it.size;
    /// Space taken, in bytes: a multiple of 512.
    allocated: u64 = |it, _| it.allocated;
    /// Number of names.
    links: u32 = |it, _| it.links;
    inode: u64 = |it, _| it.inode;
    /// The file system that it is on, as ``os.makedev`` numbers it.
    device: u64 = |it, _| it.device;
    /// The device that it is, if it is one, as ``os.makedev`` numbers it.
    special: u64 = |it, _| it.special;
    /// The last change of the contents, in UTC.
    modified: Datetime<'py> = |it, py| datetime(py, it.times.1)?;
    /// The last reading of the contents, in UTC, as far as the mount keeps it.
    accessed: Datetime<'py> = |it, py| datetime(py, it.times.0)?;
    /// The last change of contents or metadata, in UTC.
    changed: Datetime<'py> = |it, py| datetime(py, it.times.2)?;
    /// The creation, in UTC; None where the file system keeps none.
    created: Option<Datetime<'py>> = |it, py| {
        it.times.3.map(|time| datetime(py, time)).transpose()?
    };
    /// In nanoseconds since 1970.
    modified_ns: i128 = |it, _| nanoseconds(it.times.1);
    /// In nanoseconds since 1970.
    accessed_ns: i128 = |it, _| nanoseconds(it.times.0);
    /// In nanoseconds since 1970.
    changed_ns: i128 = |it, _| nanoseconds(it.times.2);
    /// In nanoseconds since 1970; None where the file system keeps none.
    created_ns: Option<i128> = |it, _| it.times.3.map(nanoseconds);
    st_mode: u32 = |it, _| mode_of(it.kind) | u32::from(it.permissions);
    st_ino: u64 = |it, _| it.inode;
    st_dev: u64 = |it, _| it.device;
    st_nlink: u32 = |it, _| it.links;
    st_uid: u32 = |it, _| it.owner.0;
    st_gid: u32 = |it, _| it.owner.1;
    st_size: u64 = |it, _| it.size;
    st_blocks: u64 = |it, _| it.allocated / 512;
    st_rdev: u64 = |it, _| it.special;
    st_atime: f64 = |it, _| float(it.times.0);
    st_mtime: f64 = |it, _| float(it.times.1);
    st_ctime: f64 = |it, _| float(it.times.2);
    st_atime_ns: i128 = |it, _| nanoseconds(it.times.0);
    st_mtime_ns: i128 = |it, _| nanoseconds(it.times.1);
    st_ctime_ns: i128 = |it, _| nanoseconds(it.times.2);
    {
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
