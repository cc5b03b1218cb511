//! The bytes of an object: pieces of it are requested side by side and come in their order.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`ObjectReader`]: the bytes in their order |
//! | `source` | what it is read from: a bucket or HDFS |
//! | `piece` | one piece: requested again from where it was cut off |
//! | `cancel` | who reads may have enough while bytes are waited for |
//! | `decompress`, `zstd` | what `.gz` and `.zst` stand for |
//! | `pipe` | the same for who reads a descriptor |

mod cancel;
mod decompress;
mod piece;
mod pipe;
mod source;
mod zstd;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio::runtime::Runtime;

use crate::error::{Error, Reason};
use crate::hdfs::Address;
use crate::location::Location;
use crate::patience::unless;
use crate::request;
use crate::settings::Overrides;
use cancel::Cancel;
use piece::Receiver;
use source::Source;

pub use pipe::Pipe;

/// The first piece is small: whoever wants the beginning alone asks for no more.
const FIRST_BYTES: u64 = 1 << 20;
const PIECE_BYTES: u64 = 8 << 20;
/// So many pieces are under way at once.
const AHEAD: usize = 4;
const MOST_THREADS: usize = 2;

/// An object, or a file of HDFS, that is read from its beginning to its end.
///
/// Price: one request for an object of at most 1 MiB, and one more for each 8 MiB behind them, of
/// which 4 are under way at once. In HDFS one call of the NameNode, and as many reads of DataNodes
/// as requests. Memory: 40 MiB; of a store that ignores ranges up to 64 MiB, the whole object.
#[derive(Debug)]
pub struct ObjectReader {
    address: String,
    source: Source,
    /// `None` when it is dropped.
    runtime: Option<Runtime>,
    /// What was received and not read yet.
    current: Vec<u8>,
    read: usize,
    /// Pieces, each with how many bytes are to come of it.
    under_way: VecDeque<(Receiver, u64)>,
    /// The first byte that was not requested yet, and how many the object has.
    next: u64,
    size: u64,
    requests: Requests,
    cancel: Arc<Cancel>,
    stopped: Option<fn() -> bool>,
}

impl ObjectReader {
    /// Requests the first bytes of the object at a location; `requests` counts what is sent, also
    /// if it fails.
    ///
    /// Price: one request.
    ///
    /// # Errors
    /// Settings that cannot be used; a store that refuses or does not answer; no such object.
    pub fn open(
        location: Location,
        overrides: &Overrides,
        requests: &Requests,
    ) -> Result<ObjectReader, Error> {
        let address = location.address();
        let failed = |reason| Error::of_reading(&address, reason);
        let runtime = request::runtime(MOST_THREADS).map_err(failed)?;
        let opened = source::open(location, overrides, requests);
        let opened = runtime.block_on(unless(overrides.stopped, opened));
        let opened = opened.map_err(failed)?.map_err(failed)?;
        Ok(ObjectReader::new(address, runtime, opened, requests, overrides.stopped))
    }

    /// The same of a file of HDFS.
    ///
    /// Price: one call of the NameNode, and one read of a DataNode unless the file is empty.
    ///
    /// # Errors
    /// Settings that cannot be used; a NameNode that refuses or does not answer; no such file.
    pub fn open_file(
        address: &Address,
        overrides: &Overrides,
        requests: &Requests,
    ) -> Result<ObjectReader, Error> {
        let failed = |reason| Error::of_reading(address.as_str(), reason);
        let runtime = request::runtime(MOST_THREADS).map_err(failed)?;
        let opened = source::open_file(address, overrides.timeout(), runtime.handle(), requests);
        let opened = runtime.block_on(unless(overrides.stopped, opened));
        let opened = opened.map_err(failed)?.map_err(failed)?;
        let address = address.as_str().to_owned();
        Ok(ObjectReader::new(address, runtime, opened, requests, overrides.stopped))
    }

    fn new(
        address: String,
        runtime: Runtime,
        opened: source::Opened,
        requests: &Requests,
        stopped: Option<fn() -> bool>,
    ) -> ObjectReader {
        let source::Opened { source, size, whole, first } = opened;
        let next = first.as_ref().map_or(whole.len() as u64, |(_, bytes)| *bytes);
        ObjectReader {
            address,
            source,
            runtime: Some(runtime),
            current: whole,
            read: 0,
            under_way: first.into_iter().collect(),
            next,
            size,
            requests: requests.clone(),
            cancel: Arc::default(),
            stopped,
        }
    }

    /// How many bytes it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes: decompressed if the key ends in `.gz` or `.zst`.
    #[must_use]
    pub fn decompressed(self) -> Box<dyn Read> {
        decompress::reader(self)
    }

    /// Requests pieces until enough are under way.
    fn request(&mut self, runtime: &Runtime) {
        while self.under_way.len() < AHEAD && self.next < self.size {
            let end = self.size.min(self.source.end_of_piece(self.next));
            let receiver = self.source.request(runtime.handle(), self.next..end, &self.requests);
            self.under_way.push_back((receiver, end - self.next));
            self.next = end;
        }
    }

    /// Waits for the next bytes; `false` at the end.
    fn fill(&mut self) -> Result<bool, Reason> {
        let Some(runtime) = self.runtime.take() else { return Ok(false) };
        let filled = self.fill_by(&runtime);
        self.runtime = Some(runtime);
        filled
    }

    fn fill_by(&mut self, runtime: &Runtime) -> Result<bool, Reason> {
        loop {
            // Behind the first bytes others are asked for once these were read.
            let Some((receiver, left)) = self.under_way.front_mut() else {
                self.request(runtime);
                if self.under_way.is_empty() {
                    return Ok(false);
                }
                continue;
            };
            if *left == 0 {
                self.under_way.pop_front();
                self.request(runtime);
                continue;
            }
            let came = runtime.block_on(unless(self.stopped, self.cancel.unless(receiver)))?;
            let Some(came) = came else {
                return match self.cancel.is_set() {
                    true => Ok(false),
                    false => Err(Reason::Answer("a request ended without an answer".to_owned())),
                };
            };
            self.current = came?;
            self.read = 0;
            *left -= self.current.len() as u64;
            return Ok(true);
        }
    }
}

/// How many requests an object takes: counted by who sends them, and known to all clones.
#[derive(Clone, Debug, Default)]
pub struct Requests(Arc<AtomicU64>);

impl Requests {
    /// Those that were sent so far, with those that failed.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.0.load(Relaxed)
    }

    fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.current.len() {
            let filled = self.fill();
            if !filled
                .map_err(|reason| io::Error::other(Error::of_reading(&self.address, reason)))?
            {
                return Ok(0);
            }
        }
        let mut left = &self.current[self.read..];
        let count = left.read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        // Requests that are under way are not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
