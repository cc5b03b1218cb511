//! An object of a store as an input: its bytes come through a pipe.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::ArgMatches;
use fewer::Lines;
use stores::hdfs::Address;
use stores::{Error, Location, ObjectReader, Overrides, Pipe, Requests};
use sys::OsStrExt;

use crate::flags::{self, store};
use crate::report;
use crate::store::shown;

/// An object, and what it has cost so far.
pub(super) struct Object {
    address: String,
    overrides: Overrides,
    pipe: RefCell<Option<Pipe>>,
    requests: Requests,
}

impl Object {
    /// `None` if the text is the path of a file.
    pub(super) fn of_address(text: &[u8], flags: &ArgMatches) -> Option<Object> {
        Location::is_address(text).then(|| Object {
            address: String::from_utf8_lossy(text).into_owned(),
            overrides: store::overrides(flags),
            pipe: RefCell::default(),
            requests: Requests::default(),
        })
    }

    /// Price: one request for the first MiB, one for each further 8 MiB; of a file of HDFS one call
    /// of the NameNode more.
    pub(super) fn open(&self) -> Result<Lines<'static>, Error> {
        let (overrides, requests) = (&self.overrides, &self.requests);
        let reader = match Address::is_address(self.address.as_bytes()) {
            true => {
                let address = Address::parse(&self.address).map_err(Error::for_reading)?;
                ObjectReader::open_file(&address, overrides, requests)?
            }
            false => {
                let location = Location::parse(&self.address).map_err(Error::for_reading)?;
                ObjectReader::open(location, overrides, requests)?
            }
        };
        let (from, pipe) = reader.into_pipe()?;
        self.pipe.replace(Some(pipe));
        Ok(Lines::from_owned(from, &self.address))
    }

    /// What was wrong with what came through the pipe, whose end was closed.
    pub(super) fn close(&self) -> Result<(), Error> {
        self.pipe.take().map_or(Ok(()), Pipe::join)
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.sent()
    }
}

/// What does not go with an object: its own name, or a flag.
pub(super) fn refused(flags: &ArgMatches) -> Option<String> {
    let is_address = |path: &PathBuf| Location::is_address(path.as_os_str().as_bytes());
    let addresses: Vec<PathBuf> = flags::paths(flags).into_iter().filter(is_address).collect();
    if let Some(path) = addresses.iter().find(|path| path.to_str().is_none()) {
        return Some(format!("'{}' is not UTF-8", shown(path)));
    }
    let is_wanted = flags.get_flag("follow") && !addresses.is_empty();
    is_wanted
        .then(|| "--follow is about files, and does not go with addresses of stores".to_owned())
}

/// Prints how many requests the objects took.
pub(super) fn print_requests<'o>(objects: impl Iterator<Item = &'o Object>, json: bool) {
    let requests: Vec<u64> = objects.map(Object::requests).collect();
    if !requests.is_empty() {
        report::get_requests(requests.iter().sum(), requests.len(), json);
    }
}
