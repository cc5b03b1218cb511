//! Files of an inventory as CSV, in which keys are encoded as in a URL.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};
use fewer::Answer;
use percent_encoding::percent_decode_str;

use super::{Defect, Entry, missing};
use crate::xml;

/// Where in a row what stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    key: usize,
    size: Option<usize>,
    modified: Option<usize>,
    etag: Option<usize>,
    is_latest: Option<usize>,
    is_delete_marker: Option<usize>,
}

/// Shows the latest versions in a file.
pub(super) fn each(
    file: impl Read,
    columns: &Columns,
    show: &mut dyn FnMut(Entry<'_>) -> Answer,
) -> Result<Answer, Defect> {
    let mut rows = ReaderBuilder::new().has_headers(false).from_reader(file);
    let mut row = StringRecord::new();
    loop {
        let read = rows.read_record(&mut row);
        let is_row = read.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => Defect::Io(error),
            other => Defect::Format(format!("{other:?}")),
        })?;
        if !is_row {
            return Ok(Answer::Continue);
        }
        let Some(entry) = columns.entry(&row).map_err(Defect::Format)? else { continue };
        if show(entry) == Answer::Stop {
            return Ok(Answer::Stop);
        }
    }
}

impl Columns {
    /// `Bucket, Key, VersionId, IsLatest, …`
    pub(super) fn parse(schema: &str) -> Result<Columns, String> {
        let names: Vec<&str> = schema.split(',').map(str::trim).collect();
        let place = |name: &str| names.iter().position(|other| *other == name);
        Ok(Columns {
            key: place("Key").ok_or_else(|| missing("Key"))?,
            size: place("Size"),
            modified: place("LastModifiedDate"),
            etag: place("ETag"),
            is_latest: place("IsLatest"),
            is_delete_marker: place("IsDeleteMarker"),
        })
    }

    /// The object of a row; `None` for an old version and for what was deleted.
    fn entry<'r>(&self, row: &'r StringRecord) -> Result<Option<Entry<'r>>, String> {
        let field = |place: Option<usize>| place.and_then(|place| row.get(place)).unwrap_or("");
        if field(self.is_latest) == "false" || field(self.is_delete_marker) == "true" {
            return Ok(None);
        }
        let key = row.get(self.key).ok_or("a row is too short")?;
        let size = match field(self.size) {
            "" => 0,
            size => size.parse().map_err(|_| format!("size '{size}'"))?,
        };
        let modified = match field(self.modified) {
            "" => None,
            time => Some(xml::time(time.as_bytes(), str::parse)?),
        };
        let key = percent_decode_str(&key.replace('+', " ")).collect();
        Ok(Some(Entry { key, size, modified, etag: field(self.etag) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, ETag";

    #[test]
    fn a_row_is_an_object_unless_it_is_old_or_deleted() {
        let columns = Columns::parse(SCHEMA).unwrap();
        let row = |fields: &[&str]| StringRecord::from(fields.to_vec());
        let latest = row(&["logs", "a+b%2B%C3%A9%0A", "v", "true", "false", "7", "e"]);
        let entry = columns.entry(&latest).unwrap().unwrap();
        assert_eq!((&*entry.key, entry.size, entry.etag), ("a b+é\n".as_bytes(), 7, "e"));
        for old in [["v", "false", "false"], ["v", "true", "true"]] {
            let fields = [&["logs", "a"], &old[..], &["1", "e"]].concat();
            assert!(columns.entry(&row(&fields)).unwrap().is_none());
        }
        let wrong = row(&["logs", "a", "v", "true", "false", "x", "e"]);
        assert!(columns.entry(&wrong).is_err_and(|why| why.contains("size 'x'")));
    }
}
