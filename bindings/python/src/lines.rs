//! Text: all lines as a list, one by one, the last ones, or how many.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Input, flag, whole, whole_or_none};
use crate::arrow;
use crate::decode::Decoder;
use crate::lock::Lock;
use crate::reader::{ReadRequest, Reader, Shape};
use crate::scope::PyScope;

/// The lines of a file, one after the other: an iterator, a context manager, and a column for
/// Arrow. Made by ``fewer.lines``.
///
/// Each table that is made of it has all lines: the file is opened again. An input that can be read
/// only once, such as a pipe, is one table, and a second one is a ValueError. So is a table after
/// some lines have been taken.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct Lines {
    state: Lock<State>,
    request: ReadRequest,
}

struct State {
    source: Source,
    /// The rest of a block. An error is raised in its place; the lines behind it still come.
    ready: VecDeque<PyResult<Py<PyAny>>>,
    /// Whether some have been taken.
    is_begun: bool,
}

/// The input of lines.
enum Source {
    Open(Box<Reader>),
    /// A file that is opened again for each table.
    ToOpen,
    /// An input that can be read only once, by the first table.
    Once(Arc<Mutex<Option<Reader>>>),
    Closed,
}

/// The error of a second reading.
fn read_once() -> PyErr {
    PyValueError::new_err("these lines could be read once, and have been: they are not of a file")
}

fn take_once(once: &Mutex<Option<Reader>>) -> Option<Reader> {
    once.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl State {
    /// The reader, and the lines that are ready to be taken.
    fn begin(
        &mut self,
        py: Python<'_>,
        request: &ReadRequest,
    ) -> PyResult<(&mut Reader, &mut VecDeque<PyResult<Py<PyAny>>>)> {
        let reader = match &self.source {
            Source::Open(_) => None,
            Source::ToOpen => Some(request.open(py)?),
            Source::Once(once) => Some(take_once(once).ok_or_else(read_once)?),
            Source::Closed => return Err(PyValueError::new_err("these lines are closed")),
        };
        if let Some(reader) = reader {
            self.source = Source::Open(Box::new(reader));
        }
        self.is_begun = true;
        match &mut self.source {
            Source::Open(reader) => Ok((reader, &mut self.ready)),
            _ => Err(read_once()),
        }
    }

    /// Lines for a table, from the first one on.
    fn table_reader(&mut self, py: Python<'_>, request: &ReadRequest) -> PyResult<arrow::OfLines> {
        if self.is_begun {
            let why = "some of these lines have been taken already: a table has all of them; open \
                       the file anew";
            return Err(PyValueError::new_err(why));
        }
        match std::mem::replace(&mut self.source, Source::ToOpen) {
            Source::Open(mut reader) => {
                let is_file = matches!(request.input, Input::Path(_)) && reader.is_file(py)?;
                let reader = Arc::new(Mutex::new(Some(*reader)));
                if !is_file {
                    self.source = Source::Once(Arc::clone(&reader));
                }
                Ok(reader)
            }
            Source::ToOpen => Ok(Arc::new(Mutex::new(Some(request.open(py)?)))),
            Source::Once(once) => {
                self.source = Source::Once(Arc::clone(&once));
                let is_there = once.lock().unwrap_or_else(PoisonError::into_inner).is_some();
                is_there.then_some(once).ok_or_else(read_once)
            }
            Source::Closed => {
                self.source = Source::Closed;
                Err(PyValueError::new_err("these lines are closed"))
            }
        }
    }
}

#[pymethods]
impl Lines {
    fn __iter__(this: Py<Lines>) -> Py<Lines> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut state = self.state.take(py)?;
        let (reader, ready) = state.begin(py, &self.request)?;
        if ready.is_empty() {
            reader.next_batch(py, |line| {
                let room = ready.try_reserve(1);
                room.map_err(|_| PyMemoryError::new_err("there is no room for lines"))?;
                ready.push_back(line.map(Bound::unbind));
                Ok(())
            })?;
        }
        ready.pop_front().transpose()
    }

    /// Counts the lines that are left, and skips them.
    ///
    /// Price: one ``read`` for each 256 KiB; a file of 64 MiB or more is counted by several
    /// threads, one ``pread64`` for each 512 KiB.
    ///
    /// >>> fewer.lines("Cargo.toml").count() > 10
    /// True
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        let mut state = self.state.take(py)?;
        let (reader, ready) = state.begin(py, &self.request)?;
        Ok(std::mem::take(ready).len() as u64 + reader.count(py)?)
    }

    /// The lines that are left, as a list.
    ///
    /// Price: one ``read`` for each 256 KiB.
    ///
    /// >>> lines = fewer.lines("Cargo.toml")
    /// >>> first = next(lines)
    /// >>> [first, *lines.read()] == fewer.read_lines("Cargo.toml")
    /// True
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut state = self.state.take(py)?;
        let (reader, ready) = state.begin(py, &self.request)?;
        let list = PyList::empty(py);
        for line in ready.drain(..) {
            list.append(line?)?;
        }
        reader.read_into(&list)?;
        Ok(list)
    }

    /// Closes the file. Nothing can be read any more; closing again does nothing.
    ///
    /// Price: one ``close``.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.state.take(py)?;
        state.source = Source::Closed;
        state.ready.clear();
        Ok(())
    }

    fn __enter__(this: Py<Lines>) -> Py<Lines> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    /// All lines as a column for Arrow, ``line``: large_string, or large_binary if they are
    /// ``bytes``, in the memory that they were collected in.
    ///
    /// Price: one ``read`` for each 256 KiB and two ``statx``, each time that it is read, and
    /// ``openat`` but for the first time; a file of 8 MiB or more is read by several threads, one
    /// ``pread64`` for each 512 KiB.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ReadRequest { decoder, shape, .. } = &self.request;
        decoder.can_be_a_column(shape.keep_ends)?;
        let reader = self.state.take(py)?.table_reader(py, &self.request)?;
        arrow::lines(py, reader, !decoder.is_bytes(), requested_schema)
    }

    /// The columns of the table, of which there is one.
    ///
    /// Price: none.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::lines_schema(py, !self.request.decoder.is_bytes())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<fewer.Lines of {}>", self.request.input.object(py)?.repr()?))
    }
}

/// All lines of a file, as a list.
///
/// A line ends with a newline, and nothing else: as in ``list(open(path, newline="\n"))``, and
/// unlike ``open(path)``, which takes ``\r`` and ``\r\n`` for newlines as well. The end is not part
/// of the line unless ``keep_ends`` says so. With ``crlf`` a ``\r`` in front of the newline belongs
/// to the end; with ``nul`` lines end with a NUL instead. With ``encoding=None`` lines are
/// ``bytes``.
///
/// Price: ``openat``, one ``read`` for each 256 KiB and one that finds the end, ``close``. Beyond
/// 1 MiB one ``statx`` (and one ``lseek`` for a descriptor), and a second thread that reads ahead,
/// unless ``threads`` is 1.
///
/// Raises OSError; UnicodeDecodeError with a note that names the line.
///
/// >>> fewer.read_lines("Cargo.toml")[1]
/// '[workspace]'
/// >>> fewer.read_lines("Cargo.toml", encoding=None, keep_ends=True)[1]
/// b'[workspace]\n'
#[pyfunction]
#[pyo3(signature = (path, encoding="utf-8", errors="strict", keep_ends=false, *, crlf=false,
    nul=false, threads=None, scope=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn read_lines<'py>(
    py: Python<'py>,
    path: Input,
    encoding: Option<&str>,
    errors: &str,
    #[pyo3(from_py_with = flag)] keep_ends: bool,
    #[pyo3(from_py_with = flag)] crlf: bool,
    #[pyo3(from_py_with = flag)] nul: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    scope: Option<&Bound<'py, PyScope>>,
) -> PyResult<Bound<'py, PyList>> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let shape = Shape { keep_ends, crlf, nul };
    ReadRequest::new(path, scope, decoder, shape, threads)?.open(py)?.read(py)
}

/// The lines of a file, one after the other: an iterator that reads a block when it needs one, and
/// a context manager.
///
/// What a line is: see :func:`read_lines`. ``path`` may be the number of an open descriptor, which
/// is read from where it stands, and stays open. A line that cannot be decoded raises
/// UnicodeDecodeError in its place; the iteration can go on behind it.
///
/// It is a table for Arrow as well (``pyarrow.table(fewer.lines(path))``): one column ``line``,
/// large_string, or large_binary with ``encoding=None``, without a copy. Each table has all lines,
/// for the file is read again; but lines of a descriptor, or of a pipe, can be read once.
///
/// Price: ``openat`` now; one ``read`` for each 256 KiB and one that finds the end; ``close``.
///
/// Raises OSError.
///
/// >>> for line in fewer.lines("Cargo.toml"):
/// ...     if line.startswith("name"):
/// ...         print(line)
/// name = "fewer-python"
/// name = "_fewer"
#[pyfunction]
#[pyo3(signature = (path, encoding="utf-8", errors="strict", keep_ends=false, *, crlf=false,
    nul=false, threads=None, scope=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn lines(
    py: Python<'_>,
    path: Input,
    encoding: Option<&str>,
    errors: &str,
    #[pyo3(from_py_with = flag)] keep_ends: bool,
    #[pyo3(from_py_with = flag)] crlf: bool,
    #[pyo3(from_py_with = flag)] nul: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    scope: Option<&Bound<'_, PyScope>>,
) -> PyResult<Lines> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let shape = Shape { keep_ends, crlf, nul };
    let request = ReadRequest::new(path, scope, decoder, shape, threads)?;
    let source = Source::Open(Box::new(request.open(py)?));
    let state = State { source, ready: VecDeque::new(), is_begun: false };
    Ok(Lines { state: Lock::new(state), request })
}

/// The last ``count`` lines of a file, as a list.
///
/// What a line is: see :func:`read_lines`. A regular file is read backwards from its end, as far as
/// necessary; any other input is read to its end, and only what is needed is kept.
///
/// Price: ``openat``, one ``statx``, one ``pread64`` for each 256 KiB of these lines, one
/// ``lseek``, the reading of them, ``close``.
///
/// Raises OSError; UnicodeDecodeError.
///
/// >>> fewer.last_lines("Cargo.toml", 1)
/// ['strip = "none"']
#[pyfunction]
#[pyo3(signature = (path, count=10, encoding="utf-8", errors="strict", keep_ends=false, *,
    crlf=false, nul=false, scope=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn last_lines<'py>(
    py: Python<'py>,
    path: Input,
    #[pyo3(from_py_with = whole)] count: u64,
    encoding: Option<&str>,
    errors: &str,
    #[pyo3(from_py_with = flag)] keep_ends: bool,
    #[pyo3(from_py_with = flag)] crlf: bool,
    #[pyo3(from_py_with = flag)] nul: bool,
    scope: Option<&Bound<'py, PyScope>>,
) -> PyResult<Bound<'py, PyList>> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let shape = Shape { keep_ends, crlf, nul };
    let mut reader = ReadRequest::new(path, scope, decoder, shape, None)?.open(py)?;
    reader.skip_to_last(py, count)?;
    reader.read(py)
}

/// How many lines a file has: one more than newlines if something follows the last of them.
///
/// Price: ``openat``, one ``read`` for each 256 KiB, one ``statx`` if there is more than that,
/// ``close``. A file of 64 MiB or more is counted by several threads, one ``pread64`` for each
/// 512 KiB.
///
/// Raises OSError.
///
/// >>> fewer.count_lines("Cargo.toml") == len(fewer.read_lines("Cargo.toml"))
/// True
#[pyfunction]
#[pyo3(signature = (path, *, nul=false, threads=None, scope=None))]
pub(crate) fn count_lines(
    py: Python<'_>,
    path: Input,
    #[pyo3(from_py_with = flag)] nul: bool,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    scope: Option<&Bound<'_, PyScope>>,
) -> PyResult<u64> {
    let shape = Shape { keep_ends: false, crlf: false, nul };
    ReadRequest::new(path, scope, Decoder::Bytes, shape, threads)?.open(py)?.count(py)
}
