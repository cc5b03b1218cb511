//! Rows: what is known of each entry of a walk, and each failure, in columns that every reader of
//! Parquet and every Delta table can hold: no unsigned numbers, microseconds.

use fewer::Stat;
use fewer::rows::{ColumnType, Integers, Timestamps, columns, integers, timestamps};
use fewer::walk::Batch;

use super::table::{Column, Field, Names, Strings, Table};
use crate::stat::kind_names;

/// The columns: `docs/tables.md` says what is in them.
pub(super) fn fields() -> Vec<Field> {
    let field = |(name, column_type)| match column_type {
        ColumnType::Text => Field::new(name, c"U").nullable(),
        ColumnType::Bytes => Field::new(name, c"Z").nullable(),
        ColumnType::Word => Field::word(name),
        ColumnType::Integer => Field::new(name, c"l").nullable(),
        ColumnType::Timestamp => Field::new(name, c"tsu:UTC").nullable(),
    };
    columns().map(field).collect()
}

/// Rows that are being collected into a table.
#[derive(Default)]
pub(super) struct Rows {
    paths: Names,
    names: Strings,
    kinds: Vec<u8>,
    depths: Vec<Option<i64>>,
    integers: Integers<Vec<Option<i64>>>,
    timestamps: Timestamps<Vec<Option<i64>>>,
    errors: Strings,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Adds the entries and failures of a batch, whose depths count from `depth`.
    pub(super) fn append(&mut self, batch: &Batch, depth: usize) {
        for (index, record) in batch.entries().iter().enumerate() {
            let depth = depth as i64 + i64::from(record.depth);
            self.names.push(Some(batch.name(record)).filter(|it| is_text(it)));
            self.push(batch.path(record), record.kind as u8, Some(depth), batch.stat(index), None);
        }
        for failure in batch.failures() {
            let (path, message) = batch.failure(failure);
            self.names.push(None);
            self.push(path, fewer::Kind::Unknown as u8, None, None, Some(message));
        }
    }

    fn push(
        &mut self,
        path: &[u8],
        kind: u8,
        depth: Option<i64>,
        stat: Option<&Stat>,
        error: Option<&[u8]>,
    ) {
        self.paths.push(path);
        self.kinds.push(kind);
        self.depths.push(depth);
        for (column, value) in self.integers.iter_mut().zip(integers(stat)) {
            column.push(value);
        }
        for (column, value) in self.timestamps.iter_mut().zip(timestamps(stat)) {
            column.push(value);
        }
        let error = error.map(String::from_utf8_lossy);
        self.errors.push(error.as_deref().map(str::as_bytes));
    }

    pub(super) fn table(self) -> Table {
        let length = self.len();
        let optional = |values: Vec<Option<i64>>| Column::optional(values.into_iter());
        let mut columns: Vec<Column> = self.paths.finish().into();
        columns.push(self.names.finish());
        columns.push(Column::words(self.kinds, &kind_names()));
        columns.push(optional(self.depths));
        columns.extend(self.integers.map(optional));
        columns.extend(self.timestamps.map(optional));
        columns.push(self.errors.finish());
        Table { length, columns }
    }
}

fn is_text(name: &[u8]) -> bool {
    simdutf8::basic::from_utf8(name).is_ok()
}
