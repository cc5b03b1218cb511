//! Makes objects of the bytes of a line: `bytes`, or a `str` in some encoding.

use std::ffi::CString;

use fewer::lines::{Batch, Check};
use pyo3::exceptions::{PyLookupError, PyUnicodeDecodeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::raw;

/// What is known of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known(pub(crate) u8);

impl Known {
    #[inline]
    pub(crate) fn is_ascii(self) -> bool {
        self.0 & Batch::ASCII != 0
    }

    /// How many bytes end the line.
    #[inline]
    pub(crate) fn end_bytes(self) -> usize {
        usize::from(self.0 & Batch::ENDED != 0) + usize::from(self.0 & Batch::CRLF != 0)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Decoder {
    /// `encoding=None`
    Bytes,
    Text(Text),
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Its name in Python; `None` for UTF-8.
    encoding: Option<CString>,
    errors: CString,
    /// Whether bytes below 128 stand for the characters of these numbers.
    keeps_ascii: bool,
    /// Whether a byte order mark is no part of the first line.
    skips_mark: bool,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

impl Decoder {
    /// Price: none; an encoding other than UTF-8 may have to be imported.
    pub(crate) fn new(py: Python<'_>, encoding: Option<&str>, errors: &str) -> PyResult<Decoder> {
        let Some(encoding) = encoding else { return Ok(Decoder::Bytes) };
        let errors = c_string(errors)?;
        if matches!(encoding, "utf-8" | "UTF-8" | "utf8") {
            return Ok(Decoder::Text(Text::utf8(errors, false)));
        }
        let codec = py.import(intern!(py, "codecs"))?.call_method1("lookup", (encoding,))?;
        let name: String = codec.getattr("name")?.extract()?;
        if name == "utf-8" || name == "utf-8-sig" {
            return Ok(Decoder::Text(Text::utf8(errors, name == "utf-8-sig")));
        }
        let c_name = c_string(encoding)?;
        let is_newline = match raw::decode(py, b"\n", &c_name, c"strict") {
            Ok(newline) => newline.eq("\n")?,
            // A name that is no text encoding leads to an error of its own.
            Err(error) if error.is_instance_of::<PyLookupError>(py) => return Err(error),
            Err(_) => false,
        };
        if !is_newline {
            let why = format!("lines end with the byte 10, which is no newline in {name}");
            return Err(PyValueError::new_err(why));
        }
        let all: Vec<u8> = (0..128).collect();
        let keeps_ascii = match raw::decode(py, &all, &c_name, c"strict") {
            Ok(text) => text.eq(raw::ascii(py, &all)?)?,
            Err(_) => false,
        };
        let encoding = Some(c_name);
        Ok(Decoder::Text(Text { encoding, errors, keeps_ascii, skips_mark: false }))
    }

    pub(crate) fn is_bytes(&self) -> bool {
        matches!(self, Decoder::Bytes)
    }

    /// What to check of lines while they are in the cache.
    pub(crate) fn check(&self) -> Check {
        match self {
            Decoder::Bytes => Check::Nothing,
            Decoder::Text(_) => Check::Ascii,
        }
    }

    /// Raises ValueError if lines such as these cannot be a column.
    pub(crate) fn can_be_a_column(&self, keeps_ends: bool) -> PyResult<()> {
        if !self.is_bytes() && !self.is_strict_utf8() || keeps_ends {
            let why = "a column of lines is UTF-8 (or encoding=None), strict, without their ends";
            return Err(PyValueError::new_err(why));
        }
        Ok(())
    }

    /// Whether every `str` is decoded strictly as UTF-8.
    fn is_strict_utf8(&self) -> bool {
        matches!(self, Decoder::Text(text)
            if text.encoding.is_none() && text.errors.as_c_str() == c"strict")
    }

    /// How many bytes at the start of an input are not part of its first line.
    pub(crate) fn mark_bytes(&self, first_line: &[u8]) -> usize {
        match self {
            Decoder::Text(text) if text.skips_mark && first_line.starts_with(MARK) => MARK.len(),
            _ => 0,
        }
    }

    /// Removes the same from a column.
    pub(crate) fn strip_mark(&self, (bytes, offsets): &mut (Vec<u8>, Vec<i64>)) {
        let end = offsets.get(1).map_or(0, |end| *end as usize);
        let mark = self.mark_bytes(&bytes[..end]);
        if mark > 0 {
            bytes.drain(..mark);
            offsets[1..].iter_mut().for_each(|offset| *offset -= mark as i64);
        }
    }

    /// The object for a line.
    #[inline]
    pub(crate) fn line<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
        known: Known,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Decoder::Bytes => raw::bytes(py, bytes),
            Decoder::Text(text) if known.is_ascii() && text.keeps_ascii => raw::ascii(py, bytes),
            Decoder::Text(text) => match &text.encoding {
                None => match simdutf8::basic::from_utf8(bytes) {
                    Ok(valid) => raw::known_utf8(py, valid),
                    Err(_) => raw::utf8(py, bytes, &text.errors),
                },
                Some(encoding) => raw::decode(py, bytes, encoding, &text.errors),
            },
        }
    }
}

impl Text {
    fn utf8(errors: CString, skips_mark: bool) -> Text {
        Text { encoding: None, errors, keeps_ascii: true, skips_mark }
    }
}

fn c_string(text: &str) -> PyResult<CString> {
    CString::new(text).map_err(|_| PyValueError::new_err("embedded null character"))
}

/// Adds line and file to a UnicodeDecodeError, as a note below its traceback.
pub(crate) fn with_place(py: Python<'_>, error: PyErr, path: &str, number: u64) -> PyErr {
    if error.is_instance_of::<PyUnicodeDecodeError>(py) {
        let value = error.value(py);
        let notes = PyList::new(py, [format!("in line {number} of {path}")]);
        // Without a note it is still the right error. Before Python 3.11 notes are not shown.
        let _ = notes.and_then(|notes| value.setattr(intern!(py, "__notes__"), notes));
    }
    error
}
