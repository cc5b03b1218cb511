//! A file that is written at once, and has its name once it is whole.

use bytes::Bytes;
use tokio::runtime::Builder;

use super::address::Address;
use super::server::{Failure, Server};
use crate::error::Reason;
use crate::settings::Overrides;

/// Makes these bytes the file at an address; its directory is there.
///
/// Price: `create`, `addBlock` for each block, `complete` and `rename2`.
pub(crate) fn put(address: &Address, bytes: Bytes, overrides: &Overrides) -> Result<(), Reason> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Reason::Setting(format!("no runtime: {error}")))?;
    let server = Server::new(address, overrides.timeout(), runtime.handle())?;
    let put = runtime.block_on(server.put(address.path(), bytes, overrides.stopped));
    runtime.shutdown_background();
    put.map_err(|failure| match failure {
        Failure::Path(reason) | Failure::Server(reason) => reason,
        Failure::Again(why) | Failure::SlowDown(why) => Reason::Connection(why),
    })
}
