//! The bytes of a file.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use hdfs_native::file::FileReader;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::address::Address;
use super::server::{Failure, Server, seconds, understand};
use crate::error::Reason;
use crate::patience::Patience;

/// A file of which the blocks are known.
pub(crate) struct File {
    reader: FileReader,
    timeout: Duration,
    /// Connections are its.
    _server: Server,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("size", &self.size()).finish_non_exhaustive()
    }
}

impl File {
    /// Asks the NameNode for the blocks of a file. One call.
    pub(crate) async fn open(
        address: &Address,
        timeout: Duration,
        handle: &Handle,
    ) -> Result<File, Reason> {
        let server = Server::new(address, timeout, handle)?;
        let reader = server.open(address.path()).await.map_err(reason)?;
        Ok(File { reader, timeout, _server: server })
    }

    /// How many bytes it has.
    pub(crate) fn size(&self) -> u64 {
        self.reader.file_length() as u64
    }

    /// Reads a range, which must lie within the file. Another DataNode is tried by the client where
    /// one fails; if the connection breaks on its way, the range is read again.
    ///
    /// Price: one read of a DataNode for each block that the range lies in, each counted by
    /// `count` as one for the range.
    pub(crate) async fn read(
        &self,
        range: Range<u64>,
        count: impl Fn(),
    ) -> Result<Vec<u8>, Reason> {
        let mut patience = Patience::default();
        let wanted = range.end - range.start;
        let too_large = |_| Reason::Answer("the file is too large for this machine".to_owned());
        let from = usize::try_from(range.start).map_err(too_large)?;
        let length = usize::try_from(wanted).map_err(too_large)?;
        loop {
            count();
            let read = timeout(self.timeout, self.reader.read_range(from, length)).await;
            let failure = match read {
                Ok(Ok(bytes)) if bytes.len() == length => return Ok(bytes.into()),
                Ok(Ok(_)) => Failure::Again("a DataNode sent too few bytes".to_owned()),
                Ok(Err(error)) => understand(error),
                Err(_) => {
                    Failure::Again(format!("no DataNode answered in {}", seconds(self.timeout)))
                }
            };
            let pause = match failure {
                Failure::Again(why) => patience.failed(why, true)?,
                Failure::SlowDown(why) => patience.refused(why, None)?,
                failure => return Err(reason(failure)),
            };
            sleep(pause).await;
        }
    }
}

fn reason(failure: Failure) -> Reason {
    match failure {
        Failure::Path(reason) | Failure::Server(reason) => reason,
        Failure::Again(why) | Failure::SlowDown(why) => Reason::Connection(why),
    }
}
