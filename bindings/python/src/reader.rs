//! Reads lines and makes objects of them.

use fewer::lines::{Batch, Count, End};
use fewer::{Errno, Error, Kind, Scope};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Flavour, Input, PathArgument};
use crate::decode::{Decoder, Known, with_place};
use crate::failure::{Failure, os_error, waiting};
use crate::raw;
use crate::scope::{self, PyScope};
use crate::watch::Watch;

/// The options of a reader. A file by its path can be opened any number of times.
pub(crate) struct ReadRequest {
    pub(crate) input: Input,
    pub(crate) scope: Scope,
    pub(crate) decoder: Decoder,
    pub(crate) shape: Shape,
    pub(crate) threads: Option<usize>,
}

/// What a line is.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) keep_ends: bool,
    pub(crate) crlf: bool,
    pub(crate) nul: bool,
}

impl Input {
    pub(crate) fn flavour(&self) -> Flavour {
        match self {
            Input::Number(_) => Flavour::Text,
            Input::Path(path) => path.flavour,
        }
    }

    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Input::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            Input::Path(path) => path.flavour.object(py, path.bytes()),
        }
    }
}

impl ReadRequest {
    pub(crate) fn new(
        input: Input,
        scope: Option<&Bound<'_, PyScope>>,
        decoder: Decoder,
        shape: Shape,
        threads: Option<usize>,
    ) -> PyResult<ReadRequest> {
        Ok(ReadRequest { input, scope: scope::of(scope)?, decoder, shape, threads })
    }

    /// Price: one `openat`, or one `fcntl` for a descriptor.
    pub(crate) fn open(&self, py: Python<'_>) -> PyResult<Reader> {
        let ReadRequest { input, scope, decoder, shape, threads } = self;
        if shape.crlf && shape.nul {
            return Err(PyValueError::new_err("crlf and nul exclude each other"));
        }
        let lines = match input {
            Input::Number(number) => {
                let failed = |errno| Error::new(errno, "read", number.to_string().as_bytes());
                let file = raw::duplicate(*number)
                    .map_err(|errno| os_error(py, &failed(errno), Flavour::Text))?;
                fewer::Lines::from_owned(file, number.to_string())
            }
            Input::Path(path) => open(py, scope, path)?,
        };
        let end = if shape.nul { End::Nul } else { End::Newline };
        let watch = Watch::default();
        let lines = lines.ends_with(end).crlf(shape.crlf).check(decoder.check());
        let lines = lines.cancel_when(watch.polled());
        let lines = match threads {
            Some(threads) => lines.threads(*threads),
            None => lines,
        };
        let name = input.object(py)?.repr()?.to_string();
        let (flavour, keep_ends) = (input.flavour(), shape.keep_ends);
        let manner = Manner { decoder: decoder.clone(), flavour, name, keep_ends };
        Ok(Reader { lines, manner, watch, reads_ahead: *threads != Some(1) })
    }
}

fn open(py: Python<'_>, scope: &Scope, path: &PathArgument) -> PyResult<fewer::Lines<'static>> {
    waiting(py, path.flavour, || fewer::Lines::open_within(scope, path.path()))
}

/// Reads lines and makes objects of them.
pub(crate) struct Reader {
    pub(crate) lines: fewer::Lines<'static>,
    pub(crate) manner: Manner,
    watch: Watch,
    reads_ahead: bool,
}

/// How objects are made of lines.
pub(crate) struct Manner {
    pub(crate) decoder: Decoder,
    pub(crate) flavour: Flavour,
    /// For notes.
    name: String,
    keep_ends: bool,
}

/// Lines one behind the other, and where each of them ends.
type Column = (Vec<u8>, Vec<i64>);

/// Why there is no column of lines.
pub(crate) enum Fault {
    Failed(fewer::LineError),
    /// The line of this index is not UTF-8.
    Bad(Column, usize),
}

impl Manner {
    /// Passes on the lines of a batch as objects.
    fn each(
        &self,
        py: Python<'_>,
        batch: Batch<'_>,
        mut each: impl FnMut(PyResult<Bound<'_, PyAny>>) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut start = 0;
        for (index, (end, flags)) in batch.ends().iter().zip(batch.flags()).enumerate() {
            let end = *end as usize;
            let known = Known(*flags);
            let kept = if self.keep_ends { 0 } else { known.end_bytes() };
            let mut bytes = &batch.bytes()[start..end - kept];
            if start == 0 && batch.offset() == 0 {
                bytes = &bytes[self.decoder.mark_bytes(bytes)..];
            }
            let object = self.decoder.line(py, bytes, known);
            each(object.map_err(|error| {
                with_place(py, error, &self.name, batch.number() + index as u64)
            }))?;
            start = end;
        }
        Ok(())
    }

    fn raise(&self, py: Python<'_>, failure: fewer::LineError, watch: &Watch) -> PyErr {
        match watch.take() {
            Some(error) if failure.errno() == Errno::CANCELED => error,
            _ => failure.raise(py, self.flavour),
        }
    }
}

impl Reader {
    /// Passes on the lines of the next block; false at the end.
    pub(crate) fn next_batch(
        &mut self,
        py: Python<'_>,
        each: impl FnMut(PyResult<Bound<'_, PyAny>>) -> PyResult<()>,
    ) -> PyResult<bool> {
        py.check_signals()?;
        let lines = &mut self.lines;
        match py.detach(|| sys::interruptible(|| lines.next_batch())) {
            Ok(Some(batch)) => {
                self.manner.each(py, batch, each)?;
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(failure) => Err(self.manner.raise(py, failure, &self.watch)),
        }
    }

    /// Runs a long operation, while other threads of the interpreter go on. A signal handler that
    /// raises something ends it; otherwise it goes on where it was.
    fn patiently<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut fewer::Lines<'static>) -> Result<T, fewer::LineError> + Send,
    ) -> PyResult<T> {
        py.check_signals()?;
        let lines = &mut self.lines;
        py.detach(|| sys::interruptible(|| work(lines)))
            .map_err(|failure| self.manner.raise(py, failure, &self.watch))
    }

    /// All lines that are left, as a list.
    pub(crate) fn read<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.read_into(&list)?;
        Ok(list)
    }

    /// Appends all lines that are left. Of a large file another thread reads and checks the blocks
    /// that come next, while this one makes objects.
    pub(crate) fn read_into(&mut self, list: &Bound<'_, PyList>) -> PyResult<()> {
        let py = list.py();
        let reads_ahead = self.reads_ahead;
        self.patiently(py, |lines| lines.set_read_ahead(reads_ahead))?;
        let mut read = Ok(true);
        while matches!(read, Ok(true)) {
            read = self.next_batch(py, |line| list.append(line?));
        }
        // No thread outlives the call: there is none in a process that is forked off.
        let stopped = py.detach(|| self.lines.set_read_ahead(false));
        read?;
        stopped.map_err(|failure| self.manner.raise(py, failure, &self.watch))
    }

    /// The lines that are left in one piece of memory. Needs no interpreter.
    pub(crate) fn column(&mut self) -> Result<Column, Fault> {
        let lines = &mut self.lines;
        let column = sys::interruptible(|| lines.collect()).map_err(Fault::Failed)?;
        let is_ascii = column.is_ascii();
        let mut column = column.into_parts();
        self.manner.decoder.strip_mark(&mut column);
        if is_ascii || self.manner.decoder.is_bytes() {
            return Ok(column);
        }
        let (bytes, offsets) = &column;
        let is_bad = |pair: &[i64]| {
            let line = &bytes[pair[0] as usize..pair[1] as usize];
            simdutf8::basic::from_utf8(line).is_err()
        };
        match offsets.windows(2).position(is_bad) {
            Some(index) => Err(Fault::Bad(column, index)),
            None => Ok(column),
        }
    }

    /// The exception for a fault.
    pub(crate) fn error(&self, py: Python<'_>, fault: Fault) -> PyErr {
        let ((bytes, offsets), index) = match fault {
            Fault::Failed(failure) => return self.manner.raise(py, failure, &self.watch),
            Fault::Bad(column, index) => (column, index),
        };
        let line = &bytes[offsets[index] as usize..offsets[index + 1] as usize];
        match self.manner.decoder.line(py, line, Known(0)) {
            Err(error) => with_place(py, error, &self.manner.name, index as u64 + 1),
            Ok(_) => PyValueError::new_err("a line is not UTF-8"),
        }
    }

    pub(crate) fn count(&mut self, py: Python<'_>) -> PyResult<u64> {
        let mut count = Count::default();
        self.patiently(py, |lines| lines.count_into(&mut count, &|_| ()))?;
        Ok(count.lines())
    }

    pub(crate) fn skip_to_last(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        // There are few of them, however far back in the file they are.
        self.reads_ahead = false;
        self.patiently(py, |lines| lines.last(count))
    }

    /// Whether it is a regular file, which never makes a reader wait, and which can be opened
    /// again.
    pub(crate) fn is_file(&mut self, py: Python<'_>) -> PyResult<bool> {
        let stat = self.patiently(py, |lines| lines.stat())?;
        Ok(stat.kind() == Kind::File)
    }
}
