//! The manifest of an earlier listing.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fewer::snapshot::bytes;
use sys::Descriptor;
use twox_hash::XxHash64;

use super::error::ManifestError;
use super::record::{self, Details, Next, Record};
use super::{Listing, MAGIC, VERSION};
use crate::secret::text_without_secret;

/// So many bytes are read at once.
const BLOCK_BYTES: usize = 256 << 10;

/// The checksum, at the end.
const HASH_BYTES: usize = 8;

/// No head is longer: an address and a server.
const MOST_HEAD_BYTES: usize = 128 << 10;

/// A manifest of which one record is read after the other.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    file: Descriptor,
    listing: Listing,
    /// What was read, and how much of it was used.
    block: Vec<u8>,
    used: usize,
    /// The current record; `None` behind the last.
    last: Vec<u8>,
    details: Option<Details>,
    /// The path of the record before.
    before: Vec<u8>,
    records: u64,
}

impl Reader {
    /// Opens it at its first record, if all of it is as it was written.
    pub(super) fn open(path: &Path, listing: &Listing) -> Result<Reader, ManifestError> {
        let failed = |errno| ManifestError::failed("read manifest", errno, path);
        let (file, size) = fewer::whole_file::open(path).map_err(failed)?;
        let mut reader = Reader {
            path: path.to_owned(),
            file,
            listing: listing.clone(),
            block: Vec::new(),
            used: 0,
            last: Vec::new(),
            details: None,
            before: Vec::new(),
            records: 0,
        };
        let head = reader.head()?;
        reader.check_sum(size)?;
        sys::set_position(&reader.file, 0).map_err(failed)?;
        (reader.block, reader.used) = (Vec::new(), 0);
        reader.read(head)?;
        reader.used = head;
        reader.advance()?;
        Ok(reader)
    }

    /// The current record.
    pub(super) fn record(&self) -> Option<Record<'_>> {
        Some(self.details?.at(&self.last))
    }

    /// Goes to the next record.
    pub(super) fn advance(&mut self) -> Result<(), ManifestError> {
        let is_first = self.details.is_none();
        self.before.clone_from(&self.last);
        loop {
            let mut rest = bytes::Reader(&self.block[self.used..]);
            match record::take(&mut rest, &mut self.last) {
                Some(Next::Record(details)) => {
                    self.used = self.block.len() - rest.0.len();
                    self.details = Some(details);
                    self.records += 1;
                    let is_behind = self.listing.compare(&self.before, &self.last).is_lt();
                    return if is_first || is_behind { Ok(()) } else { self.wrong() };
                }
                Some(Next::End(records)) if records == self.records => {
                    self.details = None;
                    return Ok(());
                }
                Some(_) => return self.wrong(),
                None => {
                    let had = self.block.len() - self.used;
                    if !self.read(had + 1)? {
                        return self.wrong();
                    }
                }
            }
        }
    }

    /// Checks what the manifest is of; returns how many bytes say so.
    fn head(&mut self) -> Result<usize, ManifestError> {
        let mut wanted = MAGIC.len() + 4;
        loop {
            let is_more = self.read(wanted)?;
            let mut rest = bytes::Reader(&self.block);
            if rest.take(MAGIC.len()) != Some(MAGIC) {
                return self.defect("it is no manifest of a listing");
            }
            match rest.fixed().map(u32::from_le_bytes) {
                Some(VERSION) => {}
                Some(_) => return self.defect("it has another version than this program reads"),
                None => return self.defect(NOT_WHOLE),
            }
            if let Some(listing) = listing(&mut rest) {
                let used = self.block.len() - rest.0.len();
                let listing = listing.ok_or_else(|| self.error(CONTRADICTS))?;
                return self.is_of(&listing).map(|()| used);
            }
            if !is_more || self.block.len() > MOST_HEAD_BYTES {
                return self.defect(NOT_WHOLE);
            }
            wanted = self.block.len() + 1;
        }
    }

    fn is_of(&self, was: &Listing) -> Result<(), ManifestError> {
        if *was == self.listing {
            return Ok(());
        }
        let server = |it: &Listing| match &it.endpoint {
            Some(endpoint) => text_without_secret(endpoint),
            None => "its owner".to_owned(),
        };
        let described = |it: &Listing, other: &Listing| match it.address == other.address {
            true => format!("'{}' by {}", it.address, server(it)),
            false => format!("'{}'", it.address),
        };
        let (was, is) = (described(was, &self.listing), described(&self.listing, was));
        Err(ManifestError::Other(self.path.clone(), was, is))
    }

    /// Reads all that there is for its checksum.
    fn check_sum(&mut self, size: u64) -> Result<(), ManifestError> {
        let mut hash = XxHash64::with_seed(0);
        let mut total = 0;
        loop {
            // The last bytes may be those of the checksum.
            let known = self.block.len().saturating_sub(HASH_BYTES);
            hash.write(&self.block[..known]);
            total += known as u64;
            self.used = known;
            let had = self.block.len() - known;
            if !self.read(had + 1)? {
                break;
            }
        }
        let sum = bytes::Reader(&self.block[self.used..]).fixed().map(u64::from_le_bytes);
        match sum {
            _ if total + HASH_BYTES as u64 != size => self.defect(NOT_WHOLE),
            Some(sum) if sum == hash.finish() => Ok(()),
            _ => self.defect("its checksum is wrong: it is cut off or damaged"),
        }
    }

    /// Reads until there are so many bytes that were not used; `false` if there are no more.
    fn read(&mut self, wanted: usize) -> Result<bool, ManifestError> {
        self.block.drain(..self.used);
        self.used = 0;
        self.block.reserve(BLOCK_BYTES.max(wanted.saturating_sub(self.block.len())));
        while self.block.len() < wanted {
            let count = sys::read_more(&self.file, &mut self.block);
            let count =
                count.map_err(|errno| ManifestError::failed("read manifest", errno, &self.path))?;
            if count == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn error(&self, defect: &'static str) -> ManifestError {
        ManifestError::Defect(self.path.clone(), defect)
    }

    fn defect<T>(&self, defect: &'static str) -> Result<T, ManifestError> {
        Err(self.error(defect))
    }

    fn wrong<T>(&self) -> Result<T, ManifestError> {
        self.defect(CONTRADICTS)
    }
}

const NOT_WHOLE: &str = "it is not whole";
const CONTRADICTS: &str = "it contradicts itself";

/// What a manifest is of; `None` if not all bytes are there, `Some(None)` if they are wrong.
fn listing(rest: &mut bytes::Reader<'_>) -> Option<Option<Listing>> {
    let is_tree = rest.byte()?;
    let (address, endpoint) = (rest.text()?, rest.text()?);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let listing = text(address).zip(text(endpoint)).map(|(address, endpoint)| Listing {
        address,
        endpoint: Some(endpoint).filter(|endpoint| !endpoint.is_empty()),
        is_tree: is_tree != 0,
    });
    Some(listing)
}
