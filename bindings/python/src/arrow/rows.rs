//! Rows: what is known of each entry of a walk, and each failure, in columns that every reader of
//! Parquet and every Delta table can hold: no unsigned numbers, microseconds.

use fewer::walk::Batch;
use fewer::{Stat, Time};

use super::table::{Column, Field, Names, Strings, Table};
use crate::stat::{device_of, kind_names};

type Number = (&'static str, fn(&Stat) -> i64);
type Moment = (&'static str, fn(&Stat) -> Option<Time>);

const NUMBERS: [Number; 8] = [
    ("inode", |stat| stat.inode().cast_signed()),
    ("device", |stat| device_of(stat).cast_signed()),
    ("size", |stat| stat.size().cast_signed()),
    ("allocated", |stat| stat.allocated().cast_signed()),
    ("permissions", |stat| stat.permissions().into()),
    ("links", |stat| stat.links().into()),
    ("user", |stat| stat.user().into()),
    ("group", |stat| stat.group().into()),
];

const MOMENTS: [Moment; 4] = [
    ("modified", |stat| Some(stat.modified())),
    ("accessed", |stat| Some(stat.accessed())),
    ("changed", |stat| Some(stat.changed())),
    ("created", Stat::created),
];

/// The columns: `docs/scan.md` says what is in them.
pub(super) fn fields() -> Vec<Field> {
    let number = |name| Field::new(name, c"l").nullable();
    let text = |name| Field::new(name, c"U").nullable();
    let mut fields = vec![text("path"), Field::new("path_bytes", c"Z").nullable(), text("name")];
    fields.extend([Field::word("kind"), number("depth")]);
    fields.extend(NUMBERS.map(|(name, _)| number(name)));
    fields.extend(MOMENTS.map(|(name, _)| Field::new(name, c"tsu:UTC").nullable()));
    fields.push(text("error"));
    fields
}

/// Rows that are being collected into a table.
#[derive(Default)]
pub(super) struct Rows {
    paths: Names,
    names: Strings,
    kinds: Vec<u8>,
    depths: Vec<Option<i64>>,
    numbers: [Vec<Option<i64>>; NUMBERS.len()],
    moments: [Vec<Option<i64>>; MOMENTS.len()],
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
        for (column, (_, number)) in self.numbers.iter_mut().zip(NUMBERS) {
            column.push(stat.map(number));
        }
        for (column, (_, moment)) in self.moments.iter_mut().zip(MOMENTS) {
            column.push(stat.and_then(moment).and_then(microseconds));
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
        columns.extend(self.numbers.map(optional));
        columns.extend(self.moments.map(optional));
        columns.push(self.errors.finish());
        Table { length, columns }
    }
}

fn is_text(name: &[u8]) -> bool {
    simdutf8::basic::from_utf8(name).is_ok()
}

/// Since 1970, rounded down; none beyond the year 294,246.
fn microseconds(time: Time) -> Option<i64> {
    time.seconds.checked_mul(1_000_000)?.checked_add(i64::from(time.nanoseconds / 1_000))
}
