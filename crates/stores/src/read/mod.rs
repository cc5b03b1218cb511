//! The bytes of an object: pieces of it are requested side by side and come in their order.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`ObjectReader`]: the bytes in their order |
//! | `piece` | one piece: requested again from where it was cut off |
//! | `decompress`, `zstd` | what `.gz` and `.zst` stand for |
//! | `pipe` | the same for who reads a descriptor |

mod decompress;
mod piece;
mod pipe;
mod zstd;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::error::{Error, Reason};
use crate::location::Location;
use crate::request::{self, Client};
use crate::settings::Overrides;
use piece::{First, Piece};

pub use pipe::{Pipe, Received};

/// The first piece is small: whoever wants the beginning alone waits for no more.
const FIRST_BYTES: u64 = 1 << 20;
const PIECE_BYTES: u64 = 8 << 20;
/// So many pieces are under way at once.
const AHEAD: usize = 4;
const MOST_THREADS: usize = 2;

/// An object that is read from its beginning to its end.
///
/// Price: one request for an object of at most 1 MiB, and one more for each 8 MiB behind them, of
/// which 4 are under way at once. Memory: 40 MiB; of a store that ignores ranges up to 64 MiB, the
/// whole object.
#[derive(Debug)]
pub struct ObjectReader {
    address: String,
    client: Arc<Client>,
    /// `None` when it is dropped.
    runtime: Option<Runtime>,
    /// What was received and not read yet.
    current: Vec<u8>,
    read: usize,
    under_way: VecDeque<JoinHandle<Result<Vec<u8>, Reason>>>,
    /// The first byte that was not requested yet, and how many the object has.
    next: u64,
    size: u64,
    version: Option<Arc<str>>,
    requests: Arc<AtomicU64>,
}

impl ObjectReader {
    /// Requests the first bytes of the object at a location.
    ///
    /// Price: one request.
    ///
    /// # Errors
    /// Settings that cannot be used; a store that refuses or does not answer; no such object.
    pub fn open(location: Location, overrides: &Overrides) -> Result<ObjectReader, Error> {
        let address = location.address();
        let failed = |reason| Error::of_reading(&address, reason);
        let client = Arc::new(Client::new(location, overrides).map_err(failed)?);
        let runtime = request::runtime(MOST_THREADS).map_err(failed)?;
        let requests = Arc::new(AtomicU64::new(0));
        let first = runtime.block_on(First::receive(&client, FIRST_BYTES, &requests));
        let First { bytes, size, version } = first.map_err(failed)?;
        Ok(ObjectReader {
            client,
            runtime: Some(runtime),
            read: 0,
            under_way: VecDeque::new(),
            next: bytes.len() as u64,
            size,
            current: bytes,
            version,
            requests,
            address,
        })
    }

    /// How many bytes it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many requests are sent, also once it is gone.
    #[must_use]
    pub fn requests(&self) -> Requests {
        Requests(self.requests.clone())
    }

    /// The bytes: decompressed if the key ends in `.gz` or `.zst`.
    #[must_use]
    pub fn decompressed(self) -> Box<dyn Read> {
        decompress::reader(self)
    }

    /// Requests pieces until enough are under way.
    fn request(&mut self, runtime: &Runtime) {
        while self.under_way.len() < AHEAD && self.next < self.size {
            let end = self.size.min(self.next + PIECE_BYTES);
            let mut piece = Piece::new(self.next..end, self.size, self.version.clone());
            let (client, requests) = (self.client.clone(), self.requests.clone());
            self.under_way.push_back(runtime.spawn(async move {
                piece.receive(&client, &requests).await.map(|()| piece.into_bytes())
            }));
            self.next = end;
        }
    }

    /// Waits for the next piece; `false` at the end.
    fn fill(&mut self) -> Result<bool, Reason> {
        let Some(runtime) = self.runtime.take() else { return Ok(false) };
        self.request(&runtime);
        let piece = self.under_way.pop_front().map(|piece| runtime.block_on(piece));
        self.runtime = Some(runtime);
        let Some(piece) = piece else { return Ok(false) };
        self.current = piece.map_err(|error| Reason::Answer(error.to_string()))??;
        self.read = 0;
        Ok(true)
    }
}

/// How many requests an object takes.
#[derive(Clone, Debug)]
pub struct Requests(Arc<AtomicU64>);

impl Requests {
    /// Those that were sent so far, with those that failed.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.0.load(Relaxed)
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

fn count(requests: &AtomicU64) {
    requests.fetch_add(1, Relaxed);
}
