//! Tables for Arrow, which pyarrow, polars, DuckDB and others read without a copy.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the columns of a walk, a listing and lines |
//! | `rows` | the columns of a scan |
//! | `table` | columns in memory |
//! | `c_data` | the structs of C: one of two modules with `unsafe` |

mod c_data;
mod rows;
mod table;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use fewer::list::{Link, Row};
use fewer::rows::device_number;
use fewer::scan::{Scan, Unit};
use fewer::walk::{Batch, Batches};
use fewer::{Errno, Time};
use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;

use crate::arguments::Flavour;
use crate::failure::failed;
use crate::list::View;
use crate::on_error::OnError;
use crate::reader::{Fault, Reader};
use crate::stat::{kind_names, moment, nanoseconds};
use crate::watch::Watch;
use c_data::{Refusal, Source};
use rows::Rows;
use table::{Buffer, Column, Field, Names, Strings, Table};

/// Rows of a walk are collected up to so many.
const ROWS: usize = 1 << 16;

/// Strings, or bytes if the paths were bytes.
fn names(flavour: Flavour, strings: &'static str, bytes: &'static str) -> Vec<Field> {
    match flavour {
        Flavour::Text => {
            vec![Field::new(strings, c"U").nullable(), Field::new(bytes, c"Z").nullable()]
        }
        Flavour::Bytes => vec![Field::new(strings, c"Z")],
    }
}

/// Names that are being collected into columns.
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

/// Entries that are being collected into a table.
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

    fn table(self, shown: Shown) -> Table {
        let length = self.kinds.len();
        let mut columns = self.paths.finish();
        if shown == Shown::Entries {
            columns.push(Column::words(self.kinds, &kind_names()));
            columns.push(Column::numbers(length, Buffer::Words32(self.depths)));
            columns.push(Column::numbers(length, Buffer::Words64(self.inodes)));
        }
        Table { length, columns }
    }
}

/// Which columns of a walk a table has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Paths,
    Entries,
}

fn walk_fields(flavour: Flavour, shown: Shown) -> Vec<Field> {
    let mut fields = names(flavour, "path", "path_bytes");
    if shown == Shown::Entries {
        fields.push(Field::word("kind"));
        fields.push(Field::new("depth", c"I"));
        fields.push(Field::new("inode", c"L"));
    }
    fields
}

pub(crate) fn walk_schema(
    py: Python<'_>,
    flavour: Flavour,
    shown: Shown,
) -> PyResult<Bound<'_, PyAny>> {
    c_data::schema_capsule(py, &walk_fields(flavour, shown))
}

/// The entries of a walk.
pub(crate) fn walk<'py>(
    py: Python<'py>,
    batches: Batches,
    flavour: Flavour,
    shown: Shown,
    on_error: OnError,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut refusals = VecDeque::new();
    let watch = Watch::default();
    let mut batches = batches.cancel_when(watch.polled());
    let next = move || {
        let mut entries = Entries::new(flavour);
        while refusals.is_empty()
            && entries.kinds.len() < ROWS
            && let Some(batch) = batches.next()
        {
            entries.append(batch);
            refusals.extend(tell(batch, flavour, &on_error));
            refusals.extend(watch.take().map(|error| Python::attach(|py| refusal(py, &error))));
        }
        match (entries.kinds.is_empty(), refusals.pop_front()) {
            // Entries before it go first.
            (false, refusal) => {
                refusals.extend(refusal);
                Ok(Some(entries.table(shown)))
            }
            (true, Some(refusal)) => Err(refusal),
            (true, None) => Ok(None),
        }
    };
    let source = Source { fields: walk_fields(flavour, shown), next: Box::new(next) };
    c_data::capsule(py, source, requested)
}

pub(crate) fn rows_schema(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    c_data::schema_capsule(py, &rows::fields())
}

/// All entries and failures of a walk.
pub(crate) fn tree_rows<'py>(
    py: Python<'py>,
    batches: Batches,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let watch = Watch::default();
    let mut batches = batches.cancel_when(watch.polled());
    let next = move || {
        let mut rows = Rows::default();
        while rows.len() < ROWS
            && let Some(batch) = batches.next()
        {
            rows.append(batch, 0);
            if let Some(error) = watch.take() {
                return Err(Python::attach(|py| refusal(py, &error)));
            }
        }
        Ok(Some(rows.table()).filter(|table| table.length > 0))
    };
    c_data::capsule(py, Source { fields: rows::fields(), next: Box::new(next) }, requested)
}

/// The entries and failures of a unit; what is left of it goes into `left` at the end.
pub(crate) fn unit_rows<'py>(
    py: Python<'py>,
    scan: Scan,
    left: Arc<Mutex<Option<Vec<Unit>>>>,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut scan = Some(scan);
    let next = move || {
        let mut rows = Rows::default();
        while rows.len() < ROWS
            && let Some((batch, depth)) = scan.as_mut().and_then(Scan::next)
        {
            rows.append(batch, depth);
        }
        if rows.len() == 0
            && let Some(scan) = scan.take()
        {
            *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(scan.left());
        }
        Ok(Some(rows.table()).filter(|table| table.length > 0))
    };
    c_data::capsule(py, Source { fields: rows::fields(), next: Box::new(next) }, requested)
}

/// Passes failures to `on_error`; returns those that are to be raised.
fn tell(batch: &Batch, flavour: Flavour, on_error: &OnError) -> Vec<Refusal> {
    let tell = |failure| {
        let (path, message) = batch.failure(failure);
        let message = String::from_utf8_lossy(message).into_owned();
        match on_error {
            OnError::Raise => Some(Refusal { number: failure.number, message }),
            OnError::Ignore => None,
            OnError::Call(_) => Python::attach(|py| {
                let error =
                    || failed(py, failure.number, failure.action(), path, &message, flavour);
                on_error.handle(py, error).err().map(|raised| refusal(py, &raised))
            }),
        }
    };
    batch.failures().iter().filter_map(tell).collect()
}

/// An exception in the form that C gets.
fn refusal(py: Python<'_>, error: &PyErr) -> Refusal {
    let value = error.value(py);
    let attribute = |name| value.getattr(name).ok();
    // KeyboardInterrupt, SystemExit: no failure of the table.
    if !error.is_instance_of::<PyException>(py) && c_data::raise_behind_c(py, error) {
        return Refusal::new(Errno::CANCELED, "interrupted");
    }
    if error.is_instance_of::<PyMemoryError>(py) {
        return Refusal::new(Errno::NOMEM, "there is not enough memory");
    }
    let number = attribute("errno").and_then(|number| number.extract::<i32>().ok());
    let message = attribute("message").and_then(|message| message.extract::<String>().ok());
    let message = message.unwrap_or_else(|| {
        let notes = attribute("__notes__").and_then(|notes| notes.extract::<Vec<String>>().ok());
        [vec![error.to_string()], notes.unwrap_or_default()].concat().join(", ")
    });
    // Not every consumer knows more than this one.
    let number = number.filter(|number| *number > 0).unwrap_or(Errno::INVAL.raw_os_error());
    Refusal { number, message }
}

/// Lines for one reading; if they can be read only once, all tables share them.
pub(crate) type OfLines = Arc<Mutex<Option<Reader>>>;

fn lines_fields(are_text: bool) -> Vec<Field> {
    vec![Field::new("line", if are_text { c"U" } else { c"Z" })]
}

pub(crate) fn lines_schema(py: Python<'_>, are_text: bool) -> PyResult<Bound<'_, PyAny>> {
    c_data::schema_capsule(py, &lines_fields(are_text))
}

/// All lines in one piece, without a copy. They are read when the table is: a consumer that only
/// looks at the columns does not use them up.
pub(crate) fn lines<'py>(
    py: Python<'py>,
    reader: OfLines,
    are_text: bool,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut is_done = false;
    let next = move || {
        if is_done {
            return Ok(None);
        }
        let once = reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut reader) = once else {
            let why = "these lines could be read once, and have been: they are not of a file";
            return Err(Refusal::new(Errno::INVAL, why));
        };
        is_done = true;
        let (bytes, offsets) = match reader.column() {
            Ok(column) => column,
            Err(Fault::Failed(failure)) if failure.errno() == Errno::NOMEM => {
                return Err(Refusal::new(Errno::NOMEM, &failure.to_string()));
            }
            Err(fault) => {
                return Err(Python::attach(|py| refusal(py, &reader.error(py, fault))));
            }
        };
        let length = offsets.len() - 1;
        Ok(Some(Table { length, columns: vec![Column::large(offsets, bytes)] }))
    };
    let source = Source { fields: lines_fields(are_text), next: Box::new(next) };
    c_data::capsule(py, source, requested)
}

fn list_fields(flavour: Flavour) -> Vec<Field> {
    const TIME: &std::ffi::CStr = c"tsn:UTC";
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
    fields
}

pub(crate) fn list_schema(py: Python<'_>, flavour: Flavour) -> PyResult<Bound<'_, PyAny>> {
    c_data::schema_capsule(py, &list_fields(flavour))
}

/// The rows of a listing.
pub(crate) fn list<'py>(
    py: Python<'py>,
    view: &View,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = list_fields(view.listed().flavour());
    let view = view.clone();
    let mut is_done = false;
    let next = move || Ok((!std::mem::replace(&mut is_done, true)).then(|| rows(&view)));
    c_data::capsule(py, Source { fields, next: Box::new(next) }, requested)
}

fn rows(view: &View) -> Table {
    let listed = view.listed();
    let all = || view.rows();
    let length = all().len();
    let mut spelled = Spelled::new(listed.flavour());
    all().for_each(|row| spelled.push(row.name_bytes()));
    let mut columns = spelled.finish();
    columns.push(Column::words(all().map(|row| row.kind() as u8).collect(), &kind_names()));
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
        number(device_number),
    ]);
    let time = |value: fn(&fewer::Stat) -> Option<Time>| {
        // Beyond the year 2262 the nanoseconds do not fit the number.
        let of = move |row: Row<'_>| {
            i64::try_from(nanoseconds(moment(row.stat().and_then(value)?))).ok()
        };
        Column::optional(all().map(of))
    };
    columns.extend([
        time(|stat| Some(stat.modified())),
        time(|stat| Some(stat.accessed())),
        time(|stat| Some(stat.changed())),
        time(fewer::Stat::created),
    ]);
    columns.extend(texts(view));
    Table { length, columns }
}

fn texts(view: &View) -> [Column; 3] {
    let listed = view.listed();
    let (mut users, mut groups, mut targets) =
        (Strings::default(), Strings::default(), Strings::default());
    for row in view.rows() {
        let text =
            |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
        users.push(text(listed.user_name(row)).as_deref().map(str::as_bytes));
        groups.push(text(listed.group_name(row)).as_deref().map(str::as_bytes));
        let target = row.link().and_then(|Link { path, .. }| path.as_ref()?.as_ref().ok());
        targets.push(target.map(Vec::as_slice));
    }
    [users.finish(), groups.finish(), targets.finish()]
}
