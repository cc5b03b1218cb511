//! Arguments: paths (`str`, `bytes`, or any object with `__fspath__`), flags, numbers, words; and
//! the errors for anything else.

use std::ffi::OsString;
use std::os::fd::RawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString};

use crate::raw;

/// The type of returned paths: that of the path that was passed.
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
            Flavour::Bytes => raw::bytes(py, bytes),
        }
    }
}

/// A path argument.
#[derive(Clone, Debug)]
pub(crate) struct PathArgument {
    bytes: OsString,
    pub(crate) flavour: Flavour,
}

impl PathArgument {
    /// The path if none was passed.
    pub(crate) fn here() -> PathArgument {
        PathArgument { bytes: OsString::from("."), flavour: Flavour::Text }
    }

    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }
}

impl<'py> FromPyObject<'_, 'py> for PathArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PathArgument> {
        let py = object.py();
        let is_path = |it: &Bound<'_, PyAny>| it.is_instance_of::<PyString>() || is_bytes(it);
        let path = match is_path(&object) {
            true => object.to_owned(),
            false => {
                let Some(say) = object.get_type().getattr_opt(intern!(py, "__fspath__"))? else {
                    return Err(expected("str, bytes or os.PathLike object", &object));
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
            false => Ok(PathArgument { bytes, flavour }),
        }
    }
}

fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>()
}

/// The error for an object of another type than expected.
pub(crate) fn expected(what: &str, object: &Bound<'_, PyAny>) -> PyErr {
    match object.get_type().qualname() {
        Ok(kind) => PyTypeError::new_err(format!("expected {what}, not {kind}")),
        Err(error) => error,
    }
}

/// A path, or the number of an open descriptor; `True` is refused.
pub(crate) enum Input {
    /// A descriptor that is open already.
    Number(RawFd),
    /// A file.
    Path(PathArgument),
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Input> {
        const WHAT: &str = "str, bytes, os.PathLike or integer";
        let py = object.py();
        if object.is_instance_of::<PyString>()
            || is_bytes(&object)
            || object.get_type().hasattr(intern!(py, "__fspath__"))?
        {
            return object.extract().map(Input::Path);
        }
        if object.is_instance_of::<PyBool>() {
            return Err(expected(WHAT, &object));
        }
        match object.extract::<RawFd>() {
            Ok(number) => Ok(Input::Number(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                Err(PyOverflowError::new_err("the number of the descriptor is too large"))
            }
            Err(_) => Err(expected(WHAT, &object)),
        }
    }
}

/// `True` or `False`: any other true value is more likely a mistake.
pub(crate) fn flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.extract().map_err(|_| expected("bool", object))
}

/// A number that is not negative; larger ones become the largest `u64`.
pub(crate) fn whole(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    let py = object.py();
    if object.is_instance_of::<PyBool>() {
        return Err(expected("int", object));
    }
    match object.extract::<u64>() {
        Ok(number) => Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => Err(expected("int", object)),
        Err(_) if object.lt(0)? => {
            Err(PyValueError::new_err(format!("expected a number from 0 on, not {object}")))
        }
        Err(_) => Ok(u64::MAX),
    }
}

/// The same; `None` stands for the default.
pub(crate) fn whole_or_none(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    match object.is_none() {
        true => Ok(None),
        false => Ok(Some(usize::try_from(whole(object)?).unwrap_or(usize::MAX))),
    }
}

/// One string, or several; none for `None`.
pub(crate) fn strings(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    const WHAT: &str = "str or an iterable of str";
    if value.is_none() {
        return Ok(Vec::new());
    }
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    if is_bytes(value) {
        return Err(expected(WHAT, value));
    }
    let items = value.try_iter().map_err(|_| expected(WHAT, value))?;
    let string = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        item.extract().map_err(|_| expected(WHAT, &item))
    };
    items.map(string).collect()
}
