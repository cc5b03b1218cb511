//! Text: all lines as a list, one by one, the last ones, or how many.

use std::collections::VecDeque;
use std::os::fd::RawFd;

use fewer::lines::{Count, End};
use fewer::{Kind, Scope};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::ahead::{self, Table};
use crate::decode::{Decoder, Known, with_place};
use crate::failure::{Failure, waiting};
use crate::given::{Flavour, Given};
use crate::raw;
use crate::turn::Turn;

/// What lines are read from.
#[derive(FromPyObject)]
pub(crate) enum Input {
    /// A descriptor that is open already.
    Number(RawFd),
    /// A file.
    Path(Given),
}

/// What a line is.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) keep_ends: bool,
    pub(crate) crlf: bool,
    pub(crate) nul: bool,
}

impl Input {
    fn open(
        &self,
        py: Python<'_>,
        scope: &Scope,
        shape: Shape,
        threads: Option<usize>,
    ) -> PyResult<fewer::Lines<'static>> {
        if shape.crlf && shape.nul {
            return Err(PyValueError::new_err("crlf and nul exclude each other"));
        }
        let lines = match self {
            Input::Number(number) => {
                let file = raw::duplicate(*number)?;
                fewer::Lines::from_owned(file, number.to_string())
            }
            Input::Path(given) => {
                waiting(py, given.flavour, || fewer::Lines::open_within(scope, given.path()))?
            }
        };
        let end = if shape.nul { End::Nul } else { End::Newline };
        let lines = lines.ends_with(end).crlf(shape.crlf);
        Ok(match threads {
            Some(threads) => lines.threads(threads),
            None => lines,
        })
    }

    fn flavour(&self) -> Flavour {
        match self {
            Input::Number(_) => Flavour::Text,
            Input::Path(given) => given.flavour,
        }
    }

    fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Input::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            Input::Path(given) => given.flavour.object(py, given.bytes()),
        }
    }
}

/// Lines on their way to Python.
pub(crate) struct Reader {
    pub(crate) lines: fewer::Lines<'static>,
    pub(crate) manner: Manner,
    reads_ahead: bool,
}

/// What becomes of them.
pub(crate) struct Manner {
    pub(crate) decoder: Decoder,
    pub(crate) flavour: Flavour,
    /// For notes.
    name: String,
    keep_ends: bool,
}

/// It is not worth to start a thread for less.
const LARGE_FROM_BYTES: u64 = 1 << 20;

impl Manner {
    /// Lines that must be UTF-8, each for itself.
    fn checked(
        &self,
        py: Python<'_>,
        (bytes, offsets): (Vec<u8>, Vec<i64>),
    ) -> PyResult<(Vec<u8>, Vec<i64>)> {
        let bad = |pair: &[i64]| {
            let line = &bytes[pair[0] as usize..pair[1] as usize];
            simdutf8::basic::from_utf8(line).is_err()
        };
        let found = py.detach(|| match bytes.is_ascii() {
            true => None,
            false => offsets.windows(2).position(bad),
        });
        if let Some(index) = found {
            let line = &bytes[offsets[index] as usize..offsets[index + 1] as usize];
            let number = index as u64 + 1;
            self.decoder
                .line(py, line, Known(0))
                .map_err(|error| with_place(py, error, &self.name, number))?;
        }
        Ok((bytes, offsets))
    }
}

impl Table<'_> {
    /// Hands over the lines as objects.
    fn each(
        &self,
        py: Python<'_>,
        manner: &Manner,
        mut each: impl FnMut(PyResult<Bound<'_, PyAny>>) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut start = 0;
        for (index, (end, flags)) in self.ends.iter().zip(self.flags).enumerate() {
            let end = *end as usize;
            let known = Known(*flags);
            let kept = if manner.keep_ends { 0 } else { known.end_bytes() };
            let mut bytes = &self.bytes[start..end - kept];
            if start == 0 && self.offset == 0 {
                bytes = &bytes[manner.decoder.mark_bytes(bytes)..];
            }
            let object = manner.decoder.line(py, bytes, known);
            each(
                object.map_err(|error| {
                    with_place(py, error, &manner.name, self.number + index as u64)
                }),
            )?;
            start = end;
        }
        Ok(())
    }
}

impl Reader {
    fn open(
        py: Python<'_>,
        input: &Input,
        scope: &Scope,
        decoder: Decoder,
        shape: Shape,
        threads: Option<usize>,
    ) -> PyResult<Reader> {
        let lines = input.open(py, scope, shape, threads)?.check(decoder.check());
        let name = input.object(py)?.repr()?.to_string();
        let (flavour, keep_ends) = (input.flavour(), shape.keep_ends);
        let manner = Manner { decoder, flavour, name, keep_ends };
        Ok(Reader { lines, manner, reads_ahead: threads != Some(1) })
    }

    /// Hands over the lines of the next block; false at the end.
    fn next_batch(
        &mut self,
        py: Python<'_>,
        each: impl FnMut(PyResult<Bound<'_, PyAny>>) -> PyResult<()>,
    ) -> PyResult<bool> {
        loop {
            py.check_signals()?;
            let read = py.detach(|| kernel::interruptible(|| self.lines.next_batch()));
            return match read {
                Ok(Some(batch)) => {
                    Table::of(batch).each(py, &self.manner, each)?;
                    Ok(true)
                }
                Ok(None) => Ok(false),
                Err(failure) if failure.errno() == fewer::Errno::INTR => continue,
                Err(failure) => Err(failure.raise(py, self.manner.flavour)),
            };
        }
    }

    /// Appends all lines that are left. Of a large file another thread reads and checks the blocks
    /// that come next, while this one makes objects.
    fn read_into(&mut self, list: &Bound<'_, PyList>) -> PyResult<()> {
        let py = list.py();
        while self.lines.bytes_read() < LARGE_FROM_BYTES {
            if !self.next_batch(py, |line| list.append(line?))? {
                return Ok(());
            }
        }
        if self.reads_ahead && self.is_file(py)? {
            let manner = &self.manner;
            ahead::read(py, &mut self.lines, manner.flavour, |table| {
                table.each(py, manner, |line| list.append(line?))
            })?;
        }
        while self.next_batch(py, |line| list.append(line?))? {}
        Ok(())
    }

    /// The lines that are left in one piece of memory.
    fn collect(&mut self, py: Python<'_>) -> PyResult<(Vec<u8>, Vec<i64>)> {
        let manner = &self.manner;
        if !manner.decoder.is_bytes() && !manner.decoder.is_strict_utf8() || manner.keep_ends {
            let why = "a column of lines is UTF-8 (or encoding=None), strict, without their ends";
            return Err(PyValueError::new_err(why));
        }
        let column = match self.is_file(py)? {
            true => {
                let lines = &mut self.lines;
                waiting(py, self.manner.flavour, || lines.collect())?.into_parts()
            }
            false => self.gather(py)?,
        };
        match self.manner.decoder.is_bytes() {
            true => Ok(column),
            false => self.manner.checked(py, column),
        }
    }

    /// The same, where somebody may have to be waited for: what was read before a signal is kept.
    fn gather(&mut self, py: Python<'_>) -> PyResult<(Vec<u8>, Vec<i64>)> {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        loop {
            py.check_signals()?;
            let read = py.detach(|| kernel::interruptible(|| self.lines.next_batch()));
            match read {
                Ok(Some(batch)) => {
                    for line in batch.lines() {
                        bytes.extend_from_slice(line.bytes());
                        offsets.push(bytes.len() as i64);
                    }
                }
                Ok(None) => return Ok((bytes, offsets)),
                Err(failure) if failure.errno() == fewer::Errno::INTR => {}
                Err(failure) => return Err(failure.raise(py, self.manner.flavour)),
            }
        }
    }

    fn count(&mut self, py: Python<'_>) -> PyResult<u64> {
        let mut count = Count::default();
        let lines = &mut self.lines;
        // What was counted before an interruption stays counted.
        waiting(py, self.manner.flavour, || lines.count_into(&mut count, &|_| ()))?;
        Ok(count.lines())
    }

    fn skip_to_last(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        // They are not many, however far behind in the file they are.
        self.reads_ahead = false;
        let lines = &mut self.lines;
        waiting(py, self.manner.flavour, || lines.last(count))
    }

    /// Whether it is a file, which nobody has to be waited for.
    pub(crate) fn is_file(&self, py: Python<'_>) -> PyResult<bool> {
        let stat = waiting(py, self.manner.flavour, || self.lines.stat())?;
        Ok(stat.kind() == Kind::File)
    }
}

/// The lines of a file, one after the other: an iterator, a context manager, and a column for
/// Arrow. Made by `fewer.lines`.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct Lines {
    /// `None` once it is closed.
    state: Turn<Option<State>>,
    input: Input,
}

struct State {
    reader: Reader,
    /// The rest of a block. An error is told where it belongs; what is behind it still comes.
    ready: VecDeque<PyResult<Py<PyAny>>>,
}

fn closed() -> PyErr {
    PyValueError::new_err("these lines are closed")
}

#[pymethods]
impl Lines {
    fn __iter__(this: Py<Lines>) -> Py<Lines> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut state = self.state.take(py)?;
        let State { reader, ready } = state.as_mut().ok_or_else(closed)?;
        if ready.is_empty() {
            reader.next_batch(py, |line| {
                ready.push_back(line.map(Bound::unbind));
                Ok(())
            })?;
        }
        ready.pop_front().transpose()
    }

    /// Counts the lines that are left, and reads over them.
    ///
    /// Price: one ``read`` for each 256 KiB; a file of 64 MiB or more is counted by several
    /// threads, one ``pread64`` for each 512 KiB.
    ///
    /// >>> fewer.lines("Cargo.toml").count() > 10
    /// True
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        let mut state = self.state.take(py)?;
        let State { reader, ready } = state.as_mut().ok_or_else(closed)?;
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
        let State { reader, ready } = state.as_mut().ok_or_else(closed)?;
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
        let state = self.state.take(py)?.take();
        drop(state);
        Ok(())
    }

    fn __enter__(this: Py<Lines>) -> Py<Lines> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    /// The lines that are left as a column for Arrow, ``line``: large_string, or large_binary if
    /// they are ``bytes``, in the memory that they were collected in.
    ///
    /// Price: one ``read`` for each 256 KiB and one ``statx``; a file of 8 MiB or more is read by
    /// several threads, one ``pread64`` for each 512 KiB.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema;
        let mut state = self.state.take(py)?;
        let State { reader, ready } = state.as_mut().ok_or_else(closed)?;
        if !ready.is_empty() {
            let why = "some lines of a block have been taken, and the others wait to be";
            return Err(PyValueError::new_err(why));
        }
        let (bytes, offsets) = reader.collect(py)?;
        crate::arrow::lines(py, bytes, offsets, !reader.manner.decoder.is_bytes())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<fewer.Lines of {}>", self.input.object(py)?.repr()?))
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
/// 1 MiB one ``statx``, and a second thread that reads ahead, unless ``threads`` is 1.
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
    keep_ends: bool,
    crlf: bool,
    nul: bool,
    threads: Option<usize>,
    scope: Option<&Bound<'py, crate::scope::PyScope>>,
) -> PyResult<Bound<'py, PyList>> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let scope = crate::scope::of(scope)?;
    let shape = Shape { keep_ends, crlf, nul };
    let list = PyList::empty(py);
    Reader::open(py, &path, &scope, decoder, shape, threads)?.read_into(&list)?;
    Ok(list)
}

/// The lines of a file, one after the other: an iterator that reads a block when it needs one, and
/// a context manager.
///
/// What a line is: see :func:`read_lines`. ``path`` may be the number of an open descriptor, which
/// is read from where it stands, and stays open. A line that cannot be decoded raises
/// UnicodeDecodeError in its place; the iteration can go on behind it.
///
/// It is a column for Arrow as well (``pyarrow.table(fewer.lines(path))``): one column ``line``,
/// large_string, or large_binary with ``encoding=None``, without a copy.
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
    keep_ends: bool,
    crlf: bool,
    nul: bool,
    threads: Option<usize>,
    scope: Option<&Bound<'_, crate::scope::PyScope>>,
) -> PyResult<Lines> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let scope = crate::scope::of(scope)?;
    let shape = Shape { keep_ends, crlf, nul };
    let reader = Reader::open(py, &path, &scope, decoder, shape, threads)?;
    let state = State { reader, ready: VecDeque::new() };
    Ok(Lines { state: Turn::new(Some(state)), input: path })
}

/// The last ``count`` lines of a file, as a list.
///
/// What a line is: see :func:`read_lines`. A regular file is read backwards from its end, as far as
/// it takes; anything else is read to its end, and only what is needed is kept.
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
    count: u64,
    encoding: Option<&str>,
    errors: &str,
    keep_ends: bool,
    crlf: bool,
    nul: bool,
    scope: Option<&Bound<'py, crate::scope::PyScope>>,
) -> PyResult<Bound<'py, PyList>> {
    let decoder = Decoder::new(py, encoding, errors)?;
    let scope = crate::scope::of(scope)?;
    let shape = Shape { keep_ends, crlf, nul };
    let mut reader = Reader::open(py, &path, &scope, decoder, shape, None)?;
    reader.skip_to_last(py, count)?;
    let list = PyList::empty(py);
    reader.read_into(&list)?;
    Ok(list)
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
    nul: bool,
    threads: Option<usize>,
    scope: Option<&Bound<'_, crate::scope::PyScope>>,
) -> PyResult<u64> {
    let scope = crate::scope::of(scope)?;
    let shape = Shape { keep_ends: false, crlf: false, nul };
    Reader::open(py, &path, &scope, Decoder::Bytes, shape, threads)?.count(py)
}
