//! A working directory as a value.

use std::os::fd::{IntoRawFd, OwnedFd, RawFd};

use fewer::Scope;
use fewer::scope::{ExitStatus, Stdio};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString};

use crate::arguments::{Flavour, PathArgument, expected, flag, strings};
use crate::decode::{Decoder, Known};
use crate::failure::{os_error, waiting};
use crate::lock::Lock;
use crate::stat::{PyStat, fields_or_all, path_bytes};

/// A working directory as a value, for arguments ``scope=``: relative paths are relative to it.
///
/// The process's own directory does not change, so any number of threads can each work in another.
/// ``Scope()`` is the process's own. A directory that was entered is held open: it stays the same
/// directory when that is renamed or removed.
///
/// Price: none for ``Scope()``; one ``openat`` to enter a directory, and one ``close`` when the
/// last user of it is gone, or with :meth:`close`.
///
/// >>> with fewer.Scope("python") as scope:
/// ...     fewer.paths("fewer", scope=scope, glob="*.typed")
/// ...     scope.stat("fewer/py.typed").size
/// ['fewer/py.typed']
/// 0
#[pyclass(frozen, module = "fewer", name = "Scope")]
pub(crate) struct PyScope {
    /// `None` once it is closed.
    scope: Lock<Option<Scope>>,
    flavour: Flavour,
}

/// The scope to work in: the process's own if none was passed.
pub(crate) fn of(scope: Option<&Bound<'_, PyScope>>) -> PyResult<Scope> {
    scope.map_or_else(|| Ok(Scope::start()), |scope| scope.get().open_scope(scope.py()))
}

impl PyScope {
    /// A clone, which costs nothing.
    fn open_scope(&self, py: Python<'_>) -> PyResult<Scope> {
        let scope = self.scope.take(py)?;
        scope.clone().ok_or_else(|| PyValueError::new_err("this scope is closed"))
    }

    fn made(scope: Scope, flavour: Flavour) -> PyScope {
        PyScope { scope: Lock::new(Some(scope)), flavour }
    }
}

#[pymethods]
impl PyScope {
    #[new]
    #[pyo3(signature = (path=None))]
    fn new(py: Python<'_>, path: Option<PathArgument>) -> PyResult<PyScope> {
        let Some(path) = path else { return Ok(PyScope::made(Scope::start(), Flavour::Text)) };
        let flavour = path.flavour;
        let scope = waiting(py, flavour, || Scope::start().enter(path.path()))?;
        Ok(PyScope::made(scope, flavour))
    }

    /// The scope of a directory, relative to this one. As ``chdir`` would: ``..`` is the directory
    /// above, wherever a link has led.
    ///
    /// Price: one ``openat``; one ``close`` later.
    ///
    /// Raises OSError.
    ///
    /// >>> fewer.Scope("python").enter("fewer").stat("py.typed").kind
    /// 'file'
    fn enter(&self, py: Python<'_>, path: PathArgument) -> PyResult<PyScope> {
        let scope = self.open_scope(py)?;
        let entered = waiting(py, path.flavour, || scope.enter(path.path()))?;
        Ok(PyScope::made(entered, path.flavour))
    }

    /// The same, but as a shell's ``cd``: ``..`` takes the last name off the logical path.
    ///
    /// Price: as :meth:`enter`; with a ``..`` in the path what :meth:`logical` costs as well, and
    /// one ``statx`` for each name that is taken off again.
    ///
    /// Raises OSError.
    fn enter_logical(&self, py: Python<'_>, path: PathArgument) -> PyResult<PyScope> {
        let scope = self.open_scope(py)?;
        let entered = waiting(py, path.flavour, || scope.enter_logical(path.path()))?;
        Ok(PyScope::made(entered, path.flavour))
    }

    /// The metadata of the file that a path leads to; with ``follow=False`` of a link itself.
    /// ``fields`` are names of fields of the result, ``"owner"`` for user and group; all if it is
    /// None.
    ///
    /// Price: one ``statx``.
    ///
    /// Raises OSError.
    ///
    /// >>> fewer.Scope().stat("python", fields=["kind"])
    /// <fewer.Stat: directory, permissions ..., ... bytes>
    #[pyo3(signature = (path, *, follow=true, fields=None))]
    fn stat(
        &self,
        py: Python<'_>,
        path: PathArgument,
        #[pyo3(from_py_with = flag)] follow: bool,
        fields: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyStat> {
        let scope = self.open_scope(py)?;
        let fields = fields_or_all(fields.as_ref().map(strings).transpose()?)?;
        let answer = waiting(py, path.flavour, || match follow {
            true => scope.stat_target(path.path(), fields),
            false => scope.stat(path.path(), fields),
        })?;
        Ok(PyStat::new(&answer))
    }

    /// The target of a link, as it is written in it.
    ///
    /// Price: one ``readlinkat``.
    ///
    /// Raises OSError: EINVAL if it is no link.
    fn read_link<'py>(&self, py: Python<'py>, path: PathArgument) -> PyResult<Bound<'py, PyAny>> {
        let scope = self.open_scope(py)?;
        let target = waiting(py, path.flavour, || scope.read_link(path.path()))?;
        path.flavour.object(py, &target)
    }

    /// Opens a file for reading, as the builtin ``open`` does; its name is the one that was passed.
    ///
    /// ``mode`` is ``"r"`` or ``"rb"``; everything else is as in ``open``.
    ///
    /// Price: one ``openat``; the calls that Python's files make besides; ``close``.
    ///
    /// Raises OSError.
    ///
    /// >>> with fewer.Scope("python").open("fewer/py.typed") as file:
    /// ...     file.read()
    /// ''
    #[pyo3(signature = (path, mode="r", buffering=-1, encoding=None, errors=None, newline=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn open<'py>(
        &self,
        py: Python<'py>,
        path: PathArgument,
        mode: &str,
        buffering: i32,
        encoding: Option<&str>,
        errors: Option<&str>,
        newline: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !matches!(mode, "r" | "rt" | "tr" | "rb" | "br") {
            return Err(PyValueError::new_err(format!("mode is 'r' or 'rb', not '{mode}'")));
        }
        let scope = self.open_scope(py)?;
        let name = path.flavour.object(py, path.bytes())?;
        let opener = Opener { scope, path };
        let arguments = (name, mode, buffering, encoding, errors, newline, true, opener);
        py.import("io")?.call_method1("open", arguments)
    }

    /// The path by which it was entered, links included: ``str``, or ``bytes`` if the scope was
    /// made of ``bytes``.
    ///
    /// Price: none for the scope of an absolute path; else what the path of the process's directory
    /// costs, 1 to 3 calls.
    ///
    /// Raises OSError.
    ///
    /// >>> fewer.Scope("python").logical() == os.path.join(os.getcwd(), "python")
    /// True
    fn logical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scope = self.open_scope(py)?;
        let path = waiting(py, self.flavour, || scope.logical())?;
        self.flavour.object(py, path_bytes(&path))
    }

    /// The path without links, as the kernel has it.
    ///
    /// Price: one ``readlinkat``.
    ///
    /// Raises OSError.
    fn physical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scope = self.open_scope(py)?;
        let path = waiting(py, self.flavour, || scope.physical())?;
        self.flavour.object(py, path_bytes(&path))
    }
    /// Runs a program here and waits until it has ended: returns a ``subprocess.CompletedProcess``,
    /// as ``subprocess.run(args, cwd=...)`` does.
    ///
    /// With ``capture_output`` its standard output and error are collected, as ``str`` if
    /// ``encoding`` is given, else as ``bytes``. ``env`` is its whole environment. ``check`` raises
    /// ``subprocess.CalledProcessError`` unless it ends with status 0. A relative path of a program
    /// is relative to the scope. Signals are handled when it has ended.
    ///
    /// Price: ``clone3`` (never a fork) and ``wait4``; two ``pipe2`` and one ``read`` per block
    /// that arrives to collect.
    ///
    /// Raises OSError.
    ///
    /// >>> fewer.Scope("python").run(["ls"], capture_output=True, encoding="utf-8").stdout
    /// 'fewer\n'
    #[pyo3(signature = (args, *, capture_output=false, env=None, check=false, encoding=None,
        errors="strict"))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: Bound<'py, PyAny>,
        #[pyo3(from_py_with = flag)] capture_output: bool,
        env: Option<Bound<'py, PyMapping>>,
        #[pyo3(from_py_with = flag)] check: bool,
        encoding: Option<&str>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        if args.is_instance_of::<PyString>() || args.is_instance_of::<PyBytes>() {
            return Err(expected("a list of a program and its arguments", &args));
        }
        let items = args.try_iter()?;
        let words =
            items.map(|word| word?.extract::<PathArgument>()).collect::<PyResult<Vec<_>>>()?;
        let Some((program, others)) = words.split_first() else {
            return Err(PyValueError::new_err("args must name a program"));
        };
        let command = self.open_scope(py)?.command(program.path());
        let mut command = command.args(others.iter().map(PathArgument::path));
        if let Some(env) = env {
            command = command.env_clear();
            for pair in env.items()?.iter() {
                let (name, value): (PathArgument, PathArgument) = pair.extract()?;
                command = command.env(name.path(), value.path());
            }
        }
        let ended = py.detach(|| match capture_output {
            true => command
                .stdin(Stdio::inherit())
                .output()
                .map(|it| (it.status, Some((it.stdout, it.stderr)))),
            false => command.status().map(|status| (status, None)),
        });
        py.check_signals()?;
        let (status, output) = ended.map_err(|error| os_error(py, &error, program.flavour))?;
        let text = |bytes: Vec<u8>| Decoder::new(py, encoding, errors)?.line(py, &bytes, Known(0));
        let (stdout, stderr) = match output {
            Some((stdout, stderr)) => (Some(text(stdout)?), Some(text(stderr)?)),
            None => (None, None),
        };
        let completed = py
            .import("subprocess")?
            .call_method1("CompletedProcess", (args, return_code(status), stdout, stderr))?;
        if check {
            completed.call_method0("check_returncode")?;
        }
        Ok(completed)
    }

    /// Closes the directory; closing again does nothing. Scopes that were entered from it stay
    /// open.
    ///
    /// Price: one ``close``, if nothing else uses it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let scope = self.scope.take(py)?.take();
        drop(scope);
        Ok(())
    }

    fn __enter__(this: Py<PyScope>) -> Py<PyScope> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }
}

/// As in `subprocess`, a signal is a negative number.
fn return_code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| -signal)).unwrap_or_default()
}

/// The function that `io.open` calls to open a file.
#[pyclass(frozen, module = "fewer._fewer")]
struct Opener {
    scope: Scope,
    path: PathArgument,
}

#[pymethods]
impl Opener {
    fn __call__(
        &self,
        py: Python<'_>,
        _name: &Bound<'_, PyAny>,
        _flags: &Bound<'_, PyAny>,
    ) -> PyResult<RawFd> {
        let open = || self.scope.open(self.path.path());
        let file = waiting(py, self.path.flavour, open)?;
        Ok(OwnedFd::from(file).into_raw_fd())
    }
}
