//! What the libraries for the formats report, as an [`io::Error`]: with the kernel's number if the
//! output failed.

use std::io;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

pub(crate) fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => {
            inner.downcast().map_or_else(io::Error::other, |error| *error)
        }
        other => io::Error::other(other),
    }
}

pub(crate) fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

pub(crate) fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
