//! An object as a pipe, for what reads descriptors.

use std::io::Read;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use sys::AsFile;

use super::ObjectReader;
use super::cancel::Cancel;
use crate::error::{Error, Reason};

const BLOCK_BYTES: usize = 256 << 10;

/// A pipe that another thread writes an object into, decompressed if its key ends in `.gz` or
/// `.zst`.
#[derive(Debug)]
pub struct Pipe {
    address: String,
    writer: JoinHandle<Result<(), Error>>,
    cancel: Arc<Cancel>,
}

impl ObjectReader {
    /// Begins to write the object into a pipe, and returns its end to read from.
    ///
    /// Price: the calls of a pipe and a thread, and one `write` for each 256 KiB.
    ///
    /// # Errors
    /// There are no more descriptors or threads.
    pub fn into_pipe(self) -> Result<(sys::Descriptor, Pipe), Error> {
        let (address, cancel) = (self.address.clone(), self.cancel.clone());
        let failed = |why: String| Error::of_reading(&address, Reason::Setting(why));
        let (from, into) = sys::pipe().map_err(|errno| failed(format!("no pipe: {errno}")))?;
        let write = move || copy(self, &into);
        let writer = Builder::new().name("object".to_owned()).spawn(write);
        let writer = writer.map_err(|error| failed(format!("no thread: {error}")))?;
        Ok((from, Pipe { address, writer, cancel }))
    }
}

impl Pipe {
    /// Ends the writer, once the other end was closed: what is under way then is not waited for,
    /// and the rest of the object not requested.
    ///
    /// Price: the calls that end a thread.
    ///
    /// # Errors
    /// Why the end of the object did not come, if it was waited for.
    pub fn join(self) -> Result<(), Error> {
        self.cancel.set();
        let panicked = || Error::of_reading(&self.address, Reason::Answer("a panic".to_owned()));
        self.writer.join().unwrap_or_else(|_| Err(panicked()))
    }
}

fn copy(object: ObjectReader, into: &sys::Descriptor) -> Result<(), Error> {
    let (address, cancel) = (object.address.clone(), object.cancel.clone());
    let mut reader = object.decompressed();
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let count = match reader.read(&mut block) {
            Ok(count) => count,
            // What is cut off because nobody wants it is not wrong.
            Err(_) if cancel.is_set() => return Ok(()),
            Err(error) => return Err(described(&address, error)),
        };
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
