//! Rows as lines of CSV. Null is an empty field, a time is `2026-01-31T10:00:00.000000Z`, and bytes
//! are in base64.

use std::io::{self, Write};

use csv::{Writer, WriterBuilder};
use fewer::present::lossless::to_base64;
use fewer::{Time, Zone, rows};

use crate::{BLOCK_BYTES, Row, columns, error};

pub(crate) struct CsvWriter<W: Write> {
    writer: Writer<W>,
    of_store: bool,
    utc: Zone,
    /// Memory for a field.
    field: Vec<u8>,
}

impl<W: Write> CsvWriter<W> {
    /// Begins with the names of the columns.
    pub(crate) fn new(of_store: bool, out: W) -> io::Result<CsvWriter<W>> {
        let mut writer = WriterBuilder::new().buffer_capacity(BLOCK_BYTES).from_writer(out);
        let names = columns(of_store).map(|(name, _)| name);
        writer.write_record(names).map_err(error::of_csv)?;
        Ok(CsvWriter { writer, of_store, utc: Zone::utc(), field: Vec::new() })
    }

    pub(crate) fn push(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.push_fields(row).map_err(error::of_csv)
    }

    fn push_fields(&mut self, row: &Row<'_>) -> csv::Result<()> {
        let text = |bytes| str::from_utf8(bytes).ok();
        let path = text(row.path);
        let path_bytes = path.is_none().then(|| to_base64(row.path));
        self.text(path)?;
        self.text(path_bytes.as_deref())?;
        self.text(row.name.and_then(text))?;
        self.text(Some(row.kind.name()))?;
        self.integer(row.depth.map(|depth| depth as i64))?;
        for value in rows::integers(row.stat) {
            self.integer(value)?;
        }
        for value in rows::timestamps(row.stat) {
            self.timestamp(value)?;
        }
        self.text(row.error)?;
        if self.of_store {
            self.text(row.etag)?;
        }
        self.writer.write_record(None::<&[u8]>)
    }

    fn text(&mut self, value: Option<&str>) -> csv::Result<()> {
        self.writer.write_field(value.unwrap_or_default())
    }

    fn integer(&mut self, value: Option<i64>) -> csv::Result<()> {
        self.field.clear();
        if let Some(value) = value {
            // Writing to memory does not fail.
            let _ = write!(self.field, "{value}");
        }
        self.writer.write_field(&self.field)
    }

    fn timestamp(&mut self, value: Option<i64>) -> csv::Result<()> {
        self.field.clear();
        if let Some(microseconds) = value {
            let seconds = microseconds.div_euclid(1_000_000);
            let nanoseconds = 1_000 * microseconds.rem_euclid(1_000_000) as u32;
            let time = Time { seconds, nanoseconds };
            self.utc.write(b"%Y-%m-%dT%H:%M:%S.%6NZ", time, &mut self.field);
        }
        self.writer.write_field(&self.field)
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
