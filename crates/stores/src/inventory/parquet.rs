//! Files of an inventory as Parquet.

use std::io::Read;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use fewer::{Answer, Time};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{Defect, Entry, Format, missing};
use crate::read::ObjectReader;

/// A file is in memory as a whole.
const MOST_BYTES: u64 = 2 << 30;

const NAMES: [&str; 6] =
    ["key", "size", "last_modified_date", "e_tag", "is_latest", "is_delete_marker"];

/// This build can read it.
#[expect(clippy::unnecessary_wraps, reason = "another build cannot")]
pub(super) fn supported() -> Result<Format, String> {
    Ok(Format::Parquet)
}

/// Shows the latest versions in a file.
pub(super) fn each(
    mut file: ObjectReader,
    show: &mut dyn FnMut(Entry<'_>) -> Answer,
) -> Result<Answer, Defect> {
    if file.size() > MOST_BYTES {
        return Err(Defect::Format(format!("a file of {} bytes is too large", file.size())));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(Defect::Io)?;
    let wrong = |error: &dyn std::fmt::Display| Defect::Format(error.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes));
    let builder = builder.map_err(|error| wrong(&error))?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), NAMES);
    let batches = builder.with_projection(mask).build().map_err(|error| wrong(&error))?;
    for batch in batches {
        let batch = batch.map_err(|error| wrong(&error))?;
        let columns = Columns::of(&batch).map_err(Defect::Format)?;
        for row in 0..batch.num_rows() {
            let entry = columns.entry(row).map_err(Defect::Format)?;
            if let Some(entry) = entry
                && show(entry) == Answer::Stop
            {
                return Ok(Answer::Stop);
            }
        }
    }
    Ok(Answer::Continue)
}

/// The columns of some rows, as far as they are there.
struct Columns<'b> {
    key: &'b dyn Array,
    size: Option<&'b dyn Array>,
    modified: Option<&'b dyn Array>,
    etag: Option<&'b dyn Array>,
    is_latest: Option<&'b dyn Array>,
    is_delete_marker: Option<&'b dyn Array>,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b RecordBatch) -> Result<Columns<'b>, String> {
        let [key, size, modified, etag, is_latest, is_delete_marker] =
            NAMES.map(|name| batch.column_by_name(name).map(AsRef::as_ref));
        let key = key.ok_or_else(|| missing("key"))?;
        Ok(Columns { key, size, modified, etag, is_latest, is_delete_marker })
    }

    /// The object of a row; `None` for an old version and for what was deleted.
    fn entry(&self, row: usize) -> Result<Option<Entry<'b>>, String> {
        let is_old = flag(self.is_latest, row) == Some(false);
        if is_old || flag(self.is_delete_marker, row) == Some(true) {
            return Ok(None);
        }
        let key = bytes(self.key, row).ok_or("a row has no key")?;
        let etag = self.etag.and_then(|column| bytes(column, row)).unwrap_or_default();
        Ok(Some(Entry {
            key: key.to_vec(),
            size: size(self.size, row)?,
            modified: self.modified.and_then(|column| time(column, row)),
            etag: str::from_utf8(etag).unwrap_or_default(),
        }))
    }
}

fn bytes(column: &dyn Array, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Utf8 => Some(column.as_string::<i32>().value(row).as_bytes()),
        DataType::LargeUtf8 => Some(column.as_string::<i64>().value(row).as_bytes()),
        DataType::Binary => Some(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Some(column.as_binary::<i64>().value(row)),
        _ => None,
    }
}

fn flag(column: Option<&dyn Array>, row: usize) -> Option<bool> {
    let values = column?.as_boolean_opt()?;
    (!values.is_null(row)).then(|| values.value(row))
}

fn size(column: Option<&dyn Array>, row: usize) -> Result<u64, String> {
    let Some(values) = column.and_then(|column| column.as_primitive_opt::<Int64Type>()) else {
        return Ok(0);
    };
    // Of what was deleted nothing is known.
    let size = if values.is_null(row) { 0 } else { values.value(row) };
    u64::try_from(size).map_err(|_| format!("size '{size}'"))
}

fn time(column: &dyn Array, row: usize) -> Option<Time> {
    let DataType::Timestamp(unit, _) = column.data_type() else { return None };
    let (value, in_a_second) = match unit {
        _ if column.is_null(row) => return None,
        TimeUnit::Second => return None,
        TimeUnit::Millisecond => {
            (column.as_primitive::<TimestampMillisecondType>().value(row), 1_000)
        }
        TimeUnit::Microsecond => {
            (column.as_primitive::<TimestampMicrosecondType>().value(row), 1_000_000)
        }
        TimeUnit::Nanosecond => {
            (column.as_primitive::<TimestampNanosecondType>().value(row), 1_000_000_000)
        }
    };
    let nanoseconds = value.rem_euclid(in_a_second) * (1_000_000_000 / in_a_second);
    Some(Time { seconds: value.div_euclid(in_a_second), nanoseconds: nanoseconds as u32 })
}
