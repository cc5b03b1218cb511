//! The manifest of a listing under way.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fewer::Errno;
use fewer::snapshot::bytes::{put_number, put_text};
use fewer::whole_file::NewFile;
use twox_hash::XxHash64;

use super::error::ManifestError;
use super::record::{self, Record};
use super::{Listing, MAGIC, VERSION};

/// So many bytes are written at once.
const BLOCK_BYTES: usize = 256 << 10;

/// A manifest that is being written.
#[derive(Debug)]
pub(super) struct Writer {
    path: PathBuf,
    file: NewFile,
    block: Vec<u8>,
    hash: XxHash64,
    /// The path of the last record.
    last: Vec<u8>,
    records: u64,
    failed: Option<Errno>,
}

impl Writer {
    pub(super) fn create(path: &Path, listing: &Listing) -> Result<Writer, ManifestError> {
        let file = NewFile::create(path).map_err(|errno| failed(errno, path))?;
        let mut block = MAGIC.to_vec();
        block.extend_from_slice(&VERSION.to_le_bytes());
        block.push(listing.is_tree.into());
        put_text(&mut block, listing.address.as_bytes());
        put_text(&mut block, listing.endpoint.as_deref().unwrap_or_default().as_bytes());
        Ok(Writer {
            path: path.to_owned(),
            file,
            block,
            hash: XxHash64::with_seed(0),
            last: Vec::new(),
            records: 0,
            failed: None,
        })
    }

    /// Appends a record. If it cannot be written, that is said at the end.
    pub(super) fn push(&mut self, record: &Record<'_>) {
        record::put(&mut self.block, record, &mut self.last);
        self.records += 1;
        if self.block.len() >= BLOCK_BYTES {
            self.flush();
        }
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> Result<(), ManifestError> {
        put_number(&mut self.block, 0);
        put_number(&mut self.block, self.records);
        self.flush();
        self.block.extend_from_slice(&self.hash.finish().to_le_bytes());
        self.flush();
        let done = match self.failed {
            Some(errno) => Err(errno),
            None => self.file.finish(),
        };
        done.map_err(|errno| failed(errno, &self.path))
    }

    fn flush(&mut self) {
        self.hash.write(&self.block);
        if self.failed.is_none() {
            self.failed = self.file.write(&self.block).err();
        }
        self.block.clear();
    }
}

fn failed(errno: Errno, path: &Path) -> ManifestError {
    ManifestError::failed("write manifest", errno, path)
}
