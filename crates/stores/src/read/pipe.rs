//! An object as a pipe, for what reads descriptors.

use std::io::Read;
use std::thread::{Builder, JoinHandle};

use sys::AsFile;

use super::{ObjectReader, Requests};
use crate::error::{Error, Reason};

const BLOCK_BYTES: usize = 256 << 10;

/// A pipe that another thread writes an object into, decompressed if its key ends in `.gz` or
/// `.zst`.
#[derive(Debug)]
pub struct Pipe {
    address: String,
    writer: JoinHandle<Result<(), Error>>,
    requests: Requests,
}

/// What came of a pipe.
#[derive(Debug)]
pub struct Received {
    /// Requests that were sent, with those that failed.
    pub requests: u64,
    /// Why the end of the object did not come.
    pub error: Option<Error>,
}

impl ObjectReader {
    /// Begins to write the object into a pipe, and returns its end to read from. When that is
    /// closed, the rest of the object is not requested.
    ///
    /// Price: the calls of a pipe and a thread, and one `write` for each 256 KiB.
    ///
    /// # Errors
    /// There are no more descriptors or threads.
    pub fn into_pipe(self) -> Result<(sys::Descriptor, Pipe), Error> {
        let (address, requests) = (self.address.clone(), self.requests());
        let failed = |why: String| Error::of_reading(&address, Reason::Setting(why));
        let (from, into) = sys::pipe().map_err(|errno| failed(format!("no pipe: {errno}")))?;
        let write = move || copy(self, &into);
        let writer = Builder::new().name("object".to_owned()).spawn(write);
        let writer = writer.map_err(|error| failed(format!("no thread: {error}")))?;
        Ok((from, Pipe { address, writer, requests }))
    }
}

impl Pipe {
    /// Waits for the end of the writer, which comes soon after the other end was closed.
    #[must_use]
    pub fn join(self) -> Received {
        let panicked = || Error::of_reading(&self.address, Reason::Answer("a panic".to_owned()));
        let written = self.writer.join().unwrap_or_else(|_| Err(panicked()));
        Received { requests: self.requests.sent(), error: written.err() }
    }
}

fn copy(object: ObjectReader, into: &sys::Descriptor) -> Result<(), Error> {
    let address = object.address.clone();
    let mut reader = object.decompressed();
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let count = reader.read(&mut block).map_err(|error| described(&address, error))?;
        // Nobody reads any more: there is nothing to be said.
        if count == 0 || sys::write_all(into.as_file(), &block[..count]).is_err() {
            return Ok(());
        }
    }
}

fn described(address: &str, error: std::io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::of_reading(address, Reason::Answer(error.to_string())),
    }
}
