//! S3 Inventory: a list of a bucket that the store has made earlier, in files of their own bucket.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Inventory`]: the manifest, and which files it names |
//! | `csv` | files as CSV |
//! | `parquet` | files as Parquet; `no_parquet` in a build without the feature `parquet` |
//!
//! Files as ORC are not read: the crate orc-rust (0.9) brings an Arrow of its own beside that of
//! `parquet`, and a library in C.
//!
//! Source: the S3 user guide, "Locating your inventory list" and "Amazon S3 Inventory list".

mod csv;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet;

use std::io::Read;

use fewer::{Answer, Time};
use serde_json::Value;

use crate::error::{Error, Reason};
use crate::location::Location;
use crate::page::Object;
use crate::read::{ObjectReader, Requests};
use crate::settings::Overrides;
use crate::visit::{Failed, Outcome, Visitor};

/// A manifest names some hundred files.
const MANIFEST_BYTES: u64 = 64 << 20;

/// An inventory of a bucket.
#[derive(Clone, Debug)]
pub struct Inventory {
    address: String,
    bucket: String,
    created: Option<Time>,
    files: Vec<Location>,
    format: Format,
    overrides: Overrides,
}

/// How the files are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Format {
    Csv(csv::Columns),
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "refused in such a build"))]
    Parquet,
}

impl Inventory {
    /// Reads the manifest at an address like
    /// `s3://lists/logs/daily/2026-11-27T01-00Z/manifest.json`; `requests` counts what is sent, also
    /// if it fails.
    ///
    /// Price: one request.
    ///
    /// # Errors
    /// What [`ObjectReader::open`] fails with; a manifest that is none, or of another format than
    /// CSV and, with the feature `parquet`, Parquet.
    pub fn open(
        address: &str,
        overrides: &Overrides,
        requests: &Requests,
    ) -> Result<Inventory, Error> {
        let location = Location::parse(address).map_err(Error::for_reading)?;
        let mut text = String::new();
        let reader = ObjectReader::open(location.clone(), overrides, requests)?;
        let read = reader.take(MANIFEST_BYTES).read_to_string(&mut text);
        read.map_err(|error| of_reading(address, error))?;
        Inventory::parse(address, &location, &text, overrides)
            .map_err(|why| Error::of_reading(address, Reason::Inventory(why)))
    }

    fn parse(
        address: &str,
        location: &Location,
        manifest: &str,
        overrides: &Overrides,
    ) -> Result<Inventory, String> {
        let manifest: Value = serde_json::from_str(manifest).map_err(|error| error.to_string())?;
        let text = |name: &'static str| manifest.get(name).and_then(Value::as_str).ok_or(name);
        let format = match text("fileFormat").map_err(missing)? {
            "CSV" => Format::Csv(csv::Columns::parse(text("fileSchema").map_err(missing)?)?),
            "Parquet" => parquet::supported()?,
            other => {
                return Err(format!("its format is {other}, and only CSV and Parquet can be read"));
            }
        };
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
            format,
            overrides: overrides.clone(),
        })
    }

    /// When it was begun.
    #[must_use]
    pub fn created(&self) -> Option<Time> {
        self.created
    }

    /// Hands on what it has of a location: the latest versions, in no order.
    ///
    /// Price: one request for each file of at most 1 MiB, and one for each 8 MiB behind that, which
    /// the outcome has; those for the manifest are not among them. A file as Parquet is in memory
    /// as a whole.
    ///
    /// # Errors
    /// An inventory of another bucket; what reading a file fails with.
    pub fn visit(
        &self,
        location: &Location,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Failed> {
        let mut outcome = Outcome::default();
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
        let mut show = |entry: Entry<'_>| {
            if !entry.key.starts_with(location.prefix().as_bytes()) {
                return Answer::Continue;
            }
            *keys += 1;
            visitor.object(entry.object())
        };
        let read = match &self.format {
            Format::Csv(columns) => csv::each(object.decompressed(), columns, &mut show),
            Format::Parquet => parquet::each(object, &mut show),
        };
        read.map_err(|defect| match defect {
            Defect::Io(error) => of_reading(&address, error),
            Defect::Format(why) => Error::of_reading(&address, Reason::Inventory(why)),
        })
    }
}

/// Why a file cannot be read.
enum Defect {
    Io(std::io::Error),
    Format(String),
}

/// What a row says of an object.
struct Entry<'r> {
    key: Vec<u8>,
    size: u64,
    modified: Option<Time>,
    etag: &'r str,
}

impl Entry<'_> {
    fn object(&self) -> Object<'_> {
        let Entry { key, size, modified, etag } = self;
        let modified = modified.unwrap_or(Time { seconds: 0, nanoseconds: 0 });
        let size = *size;
        Object { key, size, modified, is_common_prefix: false, etag }
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
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        for (manifest, word) in [
            ("{", "EOF"),
            ("{}", "fileFormat"),
            (&MANIFEST.replace("CSV", "ORC"), "ORC, and only CSV and Parquet"),
            (&MANIFEST.replace("Key,", "Name,"), "Key"),
            (&MANIFEST.replace("\"key\"", "\"name\""), "key"),
        ] {
            let why = parse(manifest).unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }
}
