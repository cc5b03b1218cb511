//! What an object is compressed with, by the end of its key, and its bytes without that.

use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::ObjectReader;
use super::zstd::Frames;
use crate::error::{Error, Reason};

const BUFFER_BYTES: usize = 256 << 10;

/// What has fewer bytes was not looked at by a decoder, and may be anything.
const GZIP_HEAD_BYTES: u64 = 10;
const ZSTD_MAGIC_BYTES: u64 = 4;

/// The bytes of an object: decompressed if its key ends in `.gz` or `.zst`.
pub(super) fn reader(object: ObjectReader) -> Box<dyn Read> {
    let address = object.address.clone();
    let ends_in = |end: &str| address.len() > end.len() && address.ends_with(end);
    if object.size == 0 || !(ends_in(".gz") || ends_in(".zst")) {
        return Box::new(object);
    }
    let is_gzip = ends_in(".gz");
    let begins = object.size >= if is_gzip { GZIP_HEAD_BYTES } else { ZSTD_MAGIC_BYTES };
    let object = BufReader::with_capacity(BUFFER_BYTES, object);
    if is_gzip {
        let (inner, format) = (MultiGzDecoder::new(object), "gzip");
        return Box::new(Decompressed { inner, format, begins, address });
    }
    Box::new(Decompressed { inner: Frames::new(object), format: "zstd", begins, address })
}

/// Says which object it is that cannot be decompressed.
struct Decompressed<R> {
    inner: R,
    format: &'static str,
    /// It is long enough to tell whether it begins as the format does.
    begins: bool,
    address: String,
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            // The store's own failures have their words already.
            let error = match of_store(&error) {
                Some(error) => error.clone(),
                None if self.begins && ends_early(&error) => {
                    Error::of_reading(&self.address, Reason::EndsEarly(self.format))
                }
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
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// Whether a decoder wanted more bytes than there are.
fn ends_early(error: &io::Error) -> bool {
    let mut kinds = causes(error).filter_map(|cause| cause.downcast_ref().map(io::Error::kind));
    kinds.any(|kind| kind == io::ErrorKind::UnexpectedEof)
}

/// An error, and those behind it.
fn causes(error: &io::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let first: &(dyn std::error::Error + 'static) = error;
    std::iter::successors(Some(first), |error| {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        inner.map(|inner| inner as _).or_else(|| error.source())
    })
}
