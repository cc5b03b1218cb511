//! Bytes that become an object or a file.

use bytes::Bytes;

use crate::error::{Error, Reason};
use crate::hdfs::{self, Address};
use crate::location::Location;
use crate::patience::{Patience, unless};
use crate::request::{self, Client, Failure};
use crate::settings::Overrides;

/// The largest object that S3 and Google take in one request.
const MOST_BYTES: usize = 5 << 30;

/// Makes these bytes the object or the file at an address. Who reads it finds what was there
/// before, or all of them. In HDFS the directory has to be there.
///
/// Price: one request; in HDFS `create`, `addBlock` for each block, `complete` and `rename2`. What
/// fails on its way to a bucket is sent again, as a page of a listing is.
///
/// # Errors
/// Settings that cannot be used; a store that refuses or does not answer; more than 5 GiB for a
/// bucket.
pub fn put(address: &str, bytes: Vec<u8>, overrides: &Overrides) -> Result<(), Error> {
    let failed = |reason| Error::of_writing(address, reason);
    let bytes = Bytes::from(bytes);
    if Address::is_address(address.as_bytes()) {
        let to = Address::parse(address).map_err(Error::for_writing)?;
        return hdfs::put(&to, bytes, overrides).map_err(failed);
    }
    let location = Location::parse(address).map_err(Error::for_writing)?;
    if bytes.len() > MOST_BYTES {
        return Err(failed(Reason::TooLarge(bytes.len())));
    }
    let client = Client::new(location, overrides).map_err(failed)?;
    let runtime = request::runtime(1).map_err(failed)?;
    let sent = runtime.block_on(unless(overrides.stopped, send(&client, bytes)));
    runtime.shutdown_background();
    sent.map_err(failed)?.map_err(failed)
}

async fn send(client: &Client, bytes: Bytes) -> Result<(), Reason> {
    let mut patience = Patience::default();
    loop {
        let pause = match client.put(bytes.clone()).await {
            Ok(()) => return Ok(()),
            Err(Failure::Final(reason)) => return Err(reason),
            Err(Failure::Again(why)) => patience.failed(why, true)?,
            Err(Failure::SlowDown(why, at_least)) => patience.refused(why, at_least)?,
        };
        tokio::time::sleep(pause).await;
    }
}
