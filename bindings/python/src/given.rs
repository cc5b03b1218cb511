//! What is handed in as a path: `str`, `bytes`, or whatever says so by `os.PathLike`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::raw;

/// What paths come out as: what they went in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// `str`, as `os.fsdecode` makes it.
    Text,
    /// `bytes`
    Bytes,
}

impl Flavour {
    /// The object for a name or a path.
    #[inline]
    pub(crate) fn object<'py>(self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Flavour::Text => raw::file_name(py, bytes),
            Flavour::Bytes => Ok(PyBytes::new(py, bytes).into_any()),
        }
    }
}

/// A path as it was handed in.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    bytes: OsString,
    pub(crate) flavour: Flavour,
}

impl Given {
    /// Where nothing was handed in.
    pub(crate) fn here() -> Given {
        Given { bytes: OsString::from("."), flavour: Flavour::Text }
    }

    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }
}

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Given> {
        let py = object.py();
        let is_path = |it: &Bound<'_, PyAny>| it.is_instance_of::<PyString>() || is_bytes(it);
        let path = match is_path(&object) {
            true => object.to_owned(),
            false => {
                let Some(say) = object.get_type().getattr_opt(intern!(py, "__fspath__"))? else {
                    let kind = object.get_type().qualname()?;
                    let why = format!("expected str, bytes or os.PathLike object, not {kind}");
                    return Err(PyTypeError::new_err(why));
                };
                let said = say.call1((object,))?;
                if !is_path(&said) {
                    let kind = said.get_type().qualname()?;
                    let why = format!("__fspath__() must return str or bytes, not {kind}");
                    return Err(PyTypeError::new_err(why));
                }
                said
            }
        };
        let (bytes, flavour) = match path.cast::<PyBytes>() {
            Ok(bytes) => (OsString::from_vec(bytes.as_bytes().to_vec()), Flavour::Bytes),
            Err(_) => (path.extract::<OsString>()?, Flavour::Text),
        };
        match bytes.as_bytes().contains(&0) {
            true => Err(PyValueError::new_err("embedded null byte")),
            false => Ok(Given { bytes, flavour }),
        }
    }
}

fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>()
}
