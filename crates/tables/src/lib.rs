//! What a walk finds as a table: a row for each entry and each failure, as Parquet, as a stream of
//! Arrow, or as CSV.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Format`], [`Row`], [`TableWriter`] |
//! | `batch` | the entries and failures of a walk as rows |
//! | `part` | [`PartWriter`]: the rows of a unit of a scan, counted and with a checksum |
//! | [`unit`](mod@unit) | units of a scan and what came of them, as JSON |
//! | `arrow` | rows as columns of Arrow |
//! | `csv` | rows as lines of CSV |
//! | `error` | what the libraries for these formats report, as an [`io::Error`] |
//!
//! The columns are those of [`fewer::rows`], and `etag` for an object store. Rows are written in
//! groups, so memory does not grow with the table, but for the footer of Parquet, which lists the
//! groups. Nothing here makes a system call: bytes go to an [`io::Write`].
#![forbid(unsafe_code)]

mod arrow;
mod batch;
mod csv;
mod error;
mod part;
pub mod unit;

use std::io::{self, BufWriter, Write};

use arrow_ipc::writer::StreamWriter;
use fewer::rows::{self, ColumnType};
use fewer::{Kind, Stat};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use arrow::Columns;
pub use batch::each_row;
use csv::CsvWriter;
pub use part::{Contents, PartWriter};

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A Parquet file, compressed with Snappy.
    Parquet,
    /// A stream of Arrow's record batches.
    Arrow,
    /// Lines with commas, after RFC 4180, with a line of names in front.
    Csv,
}

/// One row: an entry, or a failure.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The path of the entry, or of what failed.
    pub path: &'r [u8],
    /// The last component of the path; `None` for a failure.
    pub name: Option<&'r [u8]>,
    /// The kind; `Unknown` for a failure.
    pub kind: Kind,
    /// Steps below the root; `None` for a failure.
    pub depth: Option<usize>,
    /// What else is known of the entry. Fields that it lacks are null.
    pub stat: Option<&'r Stat>,
    /// Why there is not more.
    pub error: Option<&'r str>,
    /// What names the contents of an object in a store.
    pub etag: Option<&'r str>,
}

impl<'r> Row<'r> {
    /// The row of a failure.
    #[must_use]
    pub fn failure(path: &'r [u8], error: &'r str) -> Row<'r> {
        let kind = Kind::Unknown;
        Row { path, name: None, kind, depth: None, stat: None, error: Some(error), etag: None }
    }
}

/// A group ends with so many rows: as many as DuckDB has in a group.
const GROUP_ROWS: usize = 122_880;

/// A group ends when its texts are so long.
const GROUP_BYTES: usize = 32 << 20;

/// So many bytes are written at once.
const BLOCK_BYTES: usize = 256 << 10;

/// Writes rows as a table.
pub struct TableWriter<W: Write + Send>(Writer<W>);

enum Writer<W: Write + Send> {
    Parquet(Box<Columns>, Box<ArrowWriter<BufWriter<W>>>),
    Arrow(Box<Columns>, Box<StreamWriter<BufWriter<W>>>),
    Csv(Box<CsvWriter<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table, with the column `etag` if it is of a store.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(format: Format, of_store: bool, out: W) -> io::Result<TableWriter<W>> {
        let columns = || Box::new(Columns::new(of_store));
        let buffered = |out| BufWriter::with_capacity(BLOCK_BYTES, out);
        Ok(TableWriter(match format {
            Format::Parquet => {
                let columns = columns();
                let writer =
                    ArrowWriter::try_new(buffered(out), columns.schema(), Some(properties()));
                Writer::Parquet(columns, Box::new(writer.map_err(error::of_parquet)?))
            }
            Format::Arrow => {
                let columns = columns();
                let writer = StreamWriter::try_new(buffered(out), &columns.schema());
                Writer::Arrow(columns, Box::new(writer.map_err(error::of_arrow)?))
            }
            Format::Csv => Writer::Csv(Box::new(CsvWriter::new(of_store, out)?)),
        }))
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Those of the output.
    pub fn push(&mut self, row: &Row<'_>) -> io::Result<()> {
        match &mut self.0 {
            Writer::Parquet(columns, _) | Writer::Arrow(columns, _) => {
                columns.push(row);
                if columns.len() >= GROUP_ROWS || columns.text_bytes() >= GROUP_BYTES {
                    return self.end_group();
                }
                Ok(())
            }
            Writer::Csv(writer) => writer.push(row),
        }
    }

    /// Writes the rows that are collected as a group.
    fn end_group(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Writer::Parquet(columns, writer) => {
                let batch = columns.take().map_err(error::of_arrow)?;
                writer.write(&batch).map_err(error::of_parquet)?;
                drop(batch);
                writer.flush().map_err(error::of_parquet)
            }
            Writer::Arrow(columns, writer) => {
                let batch = columns.take().map_err(error::of_arrow)?;
                writer.write(&batch).map_err(error::of_arrow)
            }
            Writer::Csv(_) => Ok(()),
        }
    }

    /// Ends the table, and returns where it was written.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        if let Writer::Parquet(columns, _) | Writer::Arrow(columns, _) = &self.0
            && columns.len() > 0
        {
            self.end_group()?;
        }
        let buffered = match self.0 {
            Writer::Parquet(_, writer) => writer.into_inner().map_err(error::of_parquet)?,
            Writer::Arrow(_, writer) => writer.into_inner().map_err(error::of_arrow)?,
            Writer::Csv(writer) => return writer.finish(),
        };
        buffered.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// The columns of a table.
fn columns(of_store: bool) -> impl Iterator<Item = (&'static str, ColumnType)> {
    rows::columns().chain(of_store.then_some(("etag", ColumnType::Text)))
}

/// Paths and inodes are different from each other, and like those before: what they share with them
/// is left out.
fn properties() -> WriterProperties {
    let like_those_before =
        [("path", Encoding::DELTA_BYTE_ARRAY), ("inode", Encoding::DELTA_BINARY_PACKED)];
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    like_those_before
        .into_iter()
        .fold(properties, |properties, (name, encoding)| {
            let column = ColumnPath::from(name);
            properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, encoding)
        })
        .build()
}

#[cfg(test)]
mod tests;
