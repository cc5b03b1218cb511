//! What is read: an object of a bucket, or a file of HDFS.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::unbounded_channel;

use super::piece::{Begin, First, Piece, Receiver};
use super::{FIRST_BYTES, PIECE_BYTES, Requests};
use crate::error::Reason;
use crate::hdfs::{Address, File};
use crate::location::Location;
use crate::request::Client;
use crate::settings::Overrides;

/// Where bytes are requested from.
#[derive(Debug)]
pub(super) enum Source {
    /// An object, with what names the contents that it had at first.
    Object {
        client: Arc<Client>,
        version: Option<Arc<str>>,
        size: u64,
    },
    File(Arc<File>),
}

/// What was opened.
pub(super) struct Opened {
    pub(super) source: Source,
    /// How many bytes there are.
    pub(super) size: u64,
    /// All of them, if these came at once.
    pub(super) whole: Vec<u8>,
    /// Otherwise so many of them are under way.
    pub(super) first: Option<(Receiver, u64)>,
}

/// Opens an object, once the store has begun to answer.
pub(super) async fn open(
    location: Location,
    overrides: &Overrides,
    requests: &Requests,
) -> Result<Opened, Reason> {
    let client = Arc::new(Client::new(location, overrides)?);
    let First { size, version, begin } = First::receive(&client, FIRST_BYTES, requests).await?;
    let source = Source::Object { client: client.clone(), version: version.clone(), size };
    let (answer, bytes) = match begin {
        Begin::Whole(whole) => return Ok(Opened { source, size, whole, first: None }),
        Begin::Part(answer, bytes) => (answer, bytes),
    };
    let (piece, receiver) = Piece::new(client, 0..bytes, size, version, requests.clone());
    tokio::spawn(piece.receive(Some(answer)));
    Ok(Opened { source, size, whole: Vec::new(), first: Some((receiver, bytes)) })
}

/// Opens a file of HDFS.
pub(super) async fn open_file(
    address: &Address,
    timeout: Duration,
    handle: &Handle,
    requests: &Requests,
) -> Result<Opened, Reason> {
    requests.add();
    let file = Arc::new(File::open(address, timeout, handle).await?);
    let (size, source) = (file.size(), Source::File(file));
    let bytes = size.min(FIRST_BYTES);
    let first = (bytes > 0).then(|| (source.request(handle, 0..bytes, requests), bytes));
    Ok(Opened { source, size, whole: Vec::new(), first })
}

impl Source {
    /// Where a piece ends that begins at a byte.
    pub(super) fn end_of_piece(&self, begin: u64) -> u64 {
        match self {
            Source::Object { .. } => begin + PIECE_BYTES,
            // Blocks end at multiples of this, and what lies in two takes two reads.
            Source::File(_) => (begin / PIECE_BYTES + 1) * PIECE_BYTES,
        }
    }

    /// Requests a piece, which then comes by itself.
    pub(super) fn request(
        &self,
        handle: &Handle,
        range: Range<u64>,
        requests: &Requests,
    ) -> Receiver {
        match self {
            Source::Object { client, version, size } => {
                let (client, version) = (client.clone(), version.clone());
                let (piece, receiver) = Piece::new(client, range, *size, version, requests.clone());
                handle.spawn(piece.receive(None));
                receiver
            }
            Source::File(file) => {
                let (out, receiver) = unbounded_channel();
                let (file, requests) = (file.clone(), requests.clone());
                handle.spawn(async move {
                    let read = file.read(range, || requests.add()).await;
                    // Whoever is gone wants no bytes.
                    let _ = out.send(read);
                });
                receiver
            }
        }
    }
}
