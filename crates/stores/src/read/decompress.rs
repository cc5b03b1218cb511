//! What an object is compressed with, by the end of its key, and its bytes without that.

use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::ObjectReader;
use super::zstd::Frames;
use crate::error::{Error, Reason};

const BUFFER_BYTES: usize = 256 << 10;

/// The bytes of an object: decompressed if its key ends in `.gz` or `.zst`.
pub(super) fn reader(object: ObjectReader) -> Box<dyn Read> {
    let address = object.address.clone();
    let ends_in = |end: &str| address.len() > end.len() && address.ends_with(end);
    if object.size == 0 || !(ends_in(".gz") || ends_in(".zst")) {
        return Box::new(object);
    }
    let is_gzip = ends_in(".gz");
    let object = BufReader::with_capacity(BUFFER_BYTES, object);
    if is_gzip {
        return Box::new(Decompressed {
            inner: MultiGzDecoder::new(object),
            format: "gzip",
            address,
        });
    }
    Box::new(Decompressed { inner: Frames::new(object), format: "zstd", address })
}

/// Says which object it is that cannot be decompressed.
struct Decompressed<R> {
    inner: R,
    format: &'static str,
    address: String,
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            // The store's own failures have their words already.
            let error = match of_store(&error) {
                Some(error) => error.clone(),
                None => {
                    let reason = Reason::Compressed(self.format, error.to_string());
                    Error::of_reading(&self.address, reason)
                }
            };
            io::Error::other(error)
        })
    }
}

/// The failure of a store that is behind an error of a decoder.
fn of_store(error: &io::Error) -> Option<&Error> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = inner.map(|inner| inner as _).or_else(|| error.source());
    }
    None
}
