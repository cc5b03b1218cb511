//! S3 Inventory: a list of a bucket that the store has made earlier, in files of their own bucket.
//!
//! Source: the S3 user guide, "Locating your inventory list" and "Amazon S3 Inventory list".

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};
use fewer::{Answer, Time};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::error::{Error, Reason};
use crate::listing::{Failed, Outcome, Visitor};
use crate::location::Location;
use crate::page::Object;
use crate::read::{ObjectReader, Requests};
use crate::settings::Overrides;
use crate::xml;

/// A manifest names some hundred files.
const MANIFEST_BYTES: u64 = 64 << 20;

/// An inventory of a bucket.
#[derive(Clone, Debug)]
pub struct Inventory {
    address: String,
    bucket: String,
    created: Option<Time>,
    files: Vec<Location>,
    columns: Columns,
    overrides: Overrides,
    /// Those that the manifest took.
    requests: u64,
}

/// Where in a row what stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Columns {
    key: usize,
    size: Option<usize>,
    modified: Option<usize>,
    etag: Option<usize>,
    is_latest: Option<usize>,
    is_delete_marker: Option<usize>,
}

impl Inventory {
    /// Reads the manifest at an address like
    /// `s3://lists/logs/daily/2026-11-27T01-00Z/manifest.json`.
    ///
    /// Price: one request.
    ///
    /// # Errors
    /// What [`ObjectReader::open`] fails with; a manifest that is none, or of another format than
    /// CSV.
    pub fn open(address: &str, overrides: &Overrides) -> Result<Inventory, Error> {
        let location = Location::parse(address)?;
        let mut text = String::new();
        let requests = Requests::default();
        let reader = ObjectReader::open(location.clone(), overrides, &requests)?;
        let read = reader.take(MANIFEST_BYTES).read_to_string(&mut text);
        read.map_err(|error| of_reading(address, error))?;
        let inventory = Inventory::parse(address, &location, &text, overrides)
            .map_err(|why| Error::of_reading(address, Reason::Inventory(why)))?;
        Ok(Inventory { requests: requests.sent(), ..inventory })
    }

    fn parse(
        address: &str,
        location: &Location,
        manifest: &str,
        overrides: &Overrides,
    ) -> Result<Inventory, String> {
        let manifest: Value = serde_json::from_str(manifest).map_err(|error| error.to_string())?;
        let text = |name: &'static str| manifest.get(name).and_then(Value::as_str).ok_or(name);
        let format = text("fileFormat").map_err(missing)?;
        if format != "CSV" {
            return Err(format!("its format is {format}, and only CSV can be read"));
        }
        let created = text("creationTimestamp").ok().and_then(|text| text.parse::<i64>().ok());
        let files = manifest.get("files").and_then(Value::as_array).ok_or("files");
        let file = |file: &Value| {
            let key = file.get("key").and_then(Value::as_str)?;
            Location::parse(&format!("{}{key}", location.front())).ok()
        };
        let files = files.map_err(missing)?.iter().map(file).collect::<Option<Vec<_>>>();
        Ok(Inventory {
            address: address.to_owned(),
            bucket: text("sourceBucket").map_err(missing)?.to_owned(),
            created: created.map(|ms| Time { seconds: ms.div_euclid(1000), nanoseconds: 0 }),
            files: files.ok_or_else(|| missing("key"))?,
            columns: Columns::parse(text("fileSchema").map_err(missing)?)?,
            overrides: overrides.clone(),
            requests: 0,
        })
    }

    /// When it was begun.
    #[must_use]
    pub fn created(&self) -> Option<Time> {
        self.created
    }

    /// Hands on what it has of a location: the latest versions, in no order.
    ///
    /// Price: one request for each file of at most 1 MiB, and one for each 8 MiB behind that.
    ///
    /// # Errors
    /// An inventory of another bucket; what reading a file fails with.
    pub fn visit(
        &self,
        location: &Location,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Failed> {
        let mut outcome = Outcome { requests: self.requests, ..Outcome::default() };
        match self.visit_files(location, visitor, &mut outcome) {
            Ok(()) => Ok(outcome),
            Err(error) => Err(Failed { error, outcome: Box::new(outcome) }),
        }
    }

    fn visit_files(
        &self,
        location: &Location,
        visitor: &mut impl Visitor,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        if location.bucket() != self.bucket {
            let why = format!("it is of the bucket '{}'", self.bucket);
            return Err(Error::of_reading(&self.address, Reason::Inventory(why)));
        }
        for file in &self.files {
            let requests = Requests::default();
            let answer =
                ObjectReader::open(file.clone(), &self.overrides, &requests).and_then(|object| {
                    self.visit_file(file, object, location, visitor, &mut outcome.keys)
                });
            outcome.requests += requests.sent();
            let is_stopped = answer? == Answer::Stop;
            if is_stopped || visitor.between_pages(&Vec::new) == Answer::Stop {
                break;
            }
        }
        Ok(())
    }

    fn visit_file(
        &self,
        file: &Location,
        object: ObjectReader,
        location: &Location,
        visitor: &mut impl Visitor,
        keys: &mut u64,
    ) -> Result<Answer, Error> {
        let address = file.address();
        let mut rows = ReaderBuilder::new().has_headers(false).from_reader(object.decompressed());
        let mut row = StringRecord::new();
        let failed = |why: String| Error::of_reading(&address, Reason::Inventory(why));
        loop {
            let read = rows.read_record(&mut row);
            let is_row = read.map_err(|error| match error.into_kind() {
                csv::ErrorKind::Io(error) => of_reading(&address, error),
                other => failed(format!("{other:?}")),
            })?;
            if !is_row {
                return Ok(Answer::Continue);
            }
            let Some(entry) = self.columns.entry(&row).map_err(failed)? else { continue };
            if !entry.key.starts_with(location.prefix().as_bytes()) {
                continue;
            }
            *keys += 1;
            if visitor.object(entry.object()) == Answer::Stop {
                return Ok(Answer::Stop);
            }
        }
    }
}

/// What a row says of an object.
struct Entry<'r> {
    key: Vec<u8>,
    size: u64,
    modified: Time,
    etag: &'r str,
}

impl Entry<'_> {
    fn object(&self) -> Object<'_> {
        let Entry { key, size, modified, etag } = self;
        let (size, modified) = (*size, *modified);
        Object { key, size, modified, is_common_prefix: false, etag }
    }
}

impl Columns {
    /// `Bucket, Key, VersionId, IsLatest, …`
    fn parse(schema: &str) -> Result<Columns, String> {
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
            "" => Time { seconds: 0, nanoseconds: 0 },
            time => xml::time(time.as_bytes(), str::parse)?,
        };
        let key = percent_decode_str(&key.replace('+', " ")).collect();
        Ok(Some(Entry { key, size, modified, etag: field(self.etag) }))
    }
}

fn missing(name: &str) -> String {
    format!("it lacks {name}")
}

fn of_reading(address: &str, error: std::io::Error) -> Error {
    error
        .downcast::<Error>()
        .unwrap_or_else(|error| Error::of_reading(address, Reason::Inventory(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the user guide, with other names.
    const MANIFEST: &str = r#"{
        "sourceBucket": "logs", "destinationBucket": "arn:aws:s3:::lists", "version": "2016-11-30",
        "creationTimestamp": "1764115200000", "fileFormat": "CSV",
        "fileSchema": "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, ETag",
        "files": [{"key": "logs/daily/data/a.csv.gz", "size": 99, "MD5checksum": "f11166069f1990"}]
    }"#;

    fn parse(manifest: &str) -> Result<Inventory, String> {
        let address = "s3://lists/logs/daily/2026-11-27T01-00Z/manifest.json";
        let location = Location::parse(address).unwrap();
        Inventory::parse(address, &location, manifest, &Overrides::default())
    }

    #[test]
    fn a_manifest_names_files_in_its_own_bucket() {
        let inventory = parse(MANIFEST).unwrap();
        let files: Vec<String> = inventory.files.iter().map(Location::address).collect();
        assert_eq!(files, ["s3://lists/logs/daily/data/a.csv.gz"]);
        assert_eq!(inventory.created().unwrap().seconds, 1_764_115_200);
        assert_eq!((inventory.columns.key, inventory.columns.modified), (1, None));
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        for (manifest, word) in [
            ("{", "EOF"),
            ("{}", "fileFormat"),
            (&MANIFEST.replace("CSV", "ORC"), "only CSV"),
            (&MANIFEST.replace("Key,", "Name,"), "Key"),
            (&MANIFEST.replace("\"key\"", "\"name\""), "key"),
        ] {
            let why = parse(manifest).unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }

    #[test]
    fn a_row_is_an_object_unless_it_is_old_or_deleted() {
        let columns = parse(MANIFEST).unwrap().columns;
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
