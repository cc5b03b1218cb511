//! Tables for Arrow: pyarrow, polars, DuckDB and others read them without a detour.
//!
//! | room | what lives there |
//! |---|---|
//! | here | which columns a walk, a listing and lines have |
//! | `table` | columns as they lie in memory |
//! | `border` | the structs of C: one of two rooms with `unsafe` |

mod border;
mod table;

use std::collections::VecDeque;

use fewer::Time;
use fewer::list::{Link, Row};
use fewer::walk::{Batch, Batches};
use pyo3::prelude::*;

use crate::failure::failed;
use crate::given::Flavour;
use crate::list::Listed;
use crate::stat::{KINDS, device_of, nanoseconds};
use border::{Refusal, Source};
use table::{Buffer, Column, Field, Names, Strings, Table};

/// Rows of a walk are collected up to so many.
const ROWS: usize = 1 << 16;

/// Strings, or bytes where bytes were asked for.
fn names(flavour: Flavour, strings: &'static str, bytes: &'static str) -> Vec<Field> {
    match flavour {
        Flavour::Text => {
            vec![Field::new(strings, c"U").nullable(), Field::new(bytes, c"Z").nullable()]
        }
        Flavour::Bytes => vec![Field::new(strings, c"Z")],
    }
}

/// Names on their way into columns.
enum Spelled {
    Text(Names),
    Bytes(Strings),
}

impl Spelled {
    fn new(flavour: Flavour) -> Spelled {
        match flavour {
            Flavour::Text => Spelled::Text(Names::default()),
            Flavour::Bytes => Spelled::Bytes(Strings::default()),
        }
    }

    fn push(&mut self, name: &[u8]) {
        match self {
            Spelled::Text(names) => names.push(name),
            Spelled::Bytes(strings) => strings.push(Some(name)),
        }
    }

    fn finish(self) -> Vec<Column> {
        match self {
            Spelled::Text(names) => names.finish().into(),
            Spelled::Bytes(strings) => vec![strings.finish()],
        }
    }
}

/// Entries on their way into a table.
struct Entries {
    paths: Spelled,
    kinds: Vec<u8>,
    depths: Vec<u32>,
    inodes: Vec<u64>,
}

impl Entries {
    fn new(flavour: Flavour) -> Entries {
        let paths = Spelled::new(flavour);
        Entries { paths, kinds: Vec::new(), depths: Vec::new(), inodes: Vec::new() }
    }

    fn append(&mut self, batch: &Batch) {
        for record in batch.entries() {
            self.paths.push(batch.path(record));
            self.kinds.push(record.kind as u8);
            self.depths.push(record.depth);
            self.inodes.push(record.inode);
        }
    }

    fn table(self) -> Table {
        let length = self.kinds.len();
        let mut columns = self.paths.finish();
        columns.push(Column::words(self.kinds, &KINDS));
        columns.push(Column::numbers(length, Buffer::Words32(self.depths)));
        columns.push(Column::numbers(length, Buffer::Words64(self.inodes)));
        Table { length, columns }
    }
}

/// The entries of a walk.
pub(crate) fn walk(
    py: Python<'_>,
    mut batches: Batches,
    flavour: Flavour,
    on_error: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut fields = names(flavour, "path", "path_bytes");
    fields.push(Field::word("kind"));
    fields.push(Field::new("depth", c"I"));
    fields.push(Field::new("inode", c"L"));
    let mut refusals = VecDeque::new();
    let next = move || {
        let mut entries = Entries::new(flavour);
        while refusals.is_empty()
            && entries.kinds.len() < ROWS
            && let Some(batch) = batches.next()
        {
            entries.append(batch);
            refusals.extend(tell(batch, flavour, on_error.as_ref()));
        }
        match (entries.kinds.is_empty(), refusals.pop_front()) {
            // What came before it goes first.
            (false, refusal) => {
                refusals.extend(refusal);
                Ok(Some(entries.table()))
            }
            (true, Some(refusal)) => Err(refusal),
            (true, None) => Ok(None),
        }
    };
    border::capsule(py, Source { fields, next: Box::new(next) })
}

/// Tells of what could not be looked at; back comes what nobody wants to be told.
fn tell(batch: &Batch, flavour: Flavour, on_error: Option<&Py<PyAny>>) -> Vec<Refusal> {
    let tell = |failure| {
        let (path, message) = batch.failure(failure);
        let message = String::from_utf8_lossy(message).into_owned();
        let Some(on_error) = on_error else {
            return Some(Refusal { number: failure.number, message });
        };
        Python::attach(|py| {
            let error = failed(py, failure.number, path, &message, flavour);
            let raised = on_error.call1(py, (error,)).err()?;
            let message = raised.to_string();
            Some(Refusal { number: fewer::Errno::CANCELED.raw_os_error(), message })
        })
    };
    batch.failures().iter().filter_map(tell).collect()
}

/// All lines in one piece, without a copy.
pub(crate) fn lines(
    py: Python<'_>,
    bytes: Vec<u8>,
    offsets: Vec<i64>,
    are_text: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let format = if are_text { c"U" } else { c"Z" };
    let length = offsets.len() - 1;
    let mut table = Some(Table { length, columns: vec![Column::large(offsets, bytes)] });
    let fields = vec![Field::new("line", format)];
    border::capsule(py, Source { fields, next: Box::new(move || Ok(table.take())) })
}

/// The rows of a listing.
pub(crate) fn list<'py>(py: Python<'py>, listed: &Listed) -> PyResult<Bound<'py, PyAny>> {
    const TIME: &std::ffi::CStr = c"tsn:UTC";
    let flavour = listed.flavour();
    let mut fields = names(flavour, "name", "name_bytes");
    fields.extend([Field::word("kind"), Field::new("inode", c"L")]);
    let optional = |name| Field::new(name, c"l").nullable();
    for name in ["size", "allocated", "permissions", "links", "user", "group", "device"] {
        fields.push(optional(name));
    }
    for name in ["modified", "accessed", "changed", "created"] {
        fields.push(Field::new(name, TIME).nullable());
    }
    for name in ["user_name", "group_name", "target"] {
        fields.push(Field::new(name, if name == "target" { c"Z" } else { c"U" }).nullable());
    }
    let mut table = Some(py.detach(|| rows(listed)));
    border::capsule(py, Source { fields, next: Box::new(move || Ok(table.take())) })
}

fn rows(listed: &Listed) -> Table {
    let all = || listed.listing().rows();
    let length = all().len();
    let mut spelled = Spelled::new(listed.flavour());
    all().for_each(|row| spelled.push(row.name_bytes()));
    let mut columns = spelled.finish();
    columns.push(Column::words(all().map(|row| row.kind() as u8).collect(), &KINDS));
    columns.push(Column::numbers(length, Buffer::Words64(all().map(|row| row.inode()).collect())));
    let number = |value: fn(&fewer::Stat) -> u64| {
        Column::optional(all().map(move |row| row.stat().map(|stat| value(stat).cast_signed())))
    };
    columns.extend([
        number(fewer::Stat::size),
        number(fewer::Stat::allocated),
        number(|stat| stat.permissions().into()),
        number(|stat| stat.links().into()),
        number(|stat| stat.user().into()),
        number(|stat| stat.group().into()),
        number(device_of),
    ]);
    let time = |value: fn(&fewer::Stat) -> Option<Time>| {
        // Beyond the year 2262 there are more nanoseconds than a number has room for.
        let of = move |row: Row<'_>| i64::try_from(nanoseconds(row.stat().and_then(value)?)).ok();
        Column::optional(all().map(of))
    };
    columns.extend([
        time(|stat| Some(stat.modified())),
        time(|stat| Some(stat.accessed())),
        time(|stat| Some(stat.changed())),
        time(fewer::Stat::created),
    ]);
    columns.extend(texts(listed));
    Table { length, columns }
}

fn texts(listed: &Listed) -> [Column; 3] {
    let (mut users, mut groups, mut targets) =
        (Strings::default(), Strings::default(), Strings::default());
    for row in listed.listing().rows() {
        let text =
            |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
        users.push(text(listed.user_name(row)).as_deref().map(str::as_bytes));
        groups.push(text(listed.group_name(row)).as_deref().map(str::as_bytes));
        let target = row.link().and_then(|Link { path, .. }| path.as_ref()?.as_ref().ok());
        targets.push(target.map(Vec::as_slice));
    }
    [users.finish(), groups.finish(), targets.finish()]
}
