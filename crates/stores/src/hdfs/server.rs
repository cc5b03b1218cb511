//! One call of the NameNode and its answer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use fewer::Time;
use hdfs_native::client::{FileStatus, ListStatusIterator};
use hdfs_native::file::FileReader;
use hdfs_native::{Client, ClientBuilder, HdfsError, WriteOptions};
use tokio::runtime::Handle;
use tokio::task::unconstrained;
use tokio::time::timeout;

use super::address::{Address, has_port};
use super::found::Entry;
use super::settings::Settings;
use crate::error::Reason;
use crate::patience::unless;
use crate::secret::text_without_secret;
use crate::visit::TICK;

/// The port of a NameNode where none is given; source: Hadoop's core-default.xml.
const PORT: u16 = 8020;

/// So many entries are handed on at once: as many as a NameNode puts into an answer.
const BLOCK_ENTRIES: usize = 1000;

/// How often another NameNode is tried where there is only one, and how long the first pause is:
/// seconds are enough to say that it is not there.
const ALONE: [(&str, &str); 2] =
    [("dfs.client.failover.max.attempts", "2"), ("dfs.client.failover.sleep.base.millis", "250")];

/// Why a call failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It is about this path only.
    Path(Reason),
    /// The connection broke.
    Again(String),
    /// The NameNode wants fewer calls.
    SlowDown(String),
    /// No other call will do better.
    Server(Reason),
}

/// The NameNode, or those of a nameservice.
#[derive(Debug)]
pub(super) struct Server {
    client: Client,
    /// Its name as messages have it: that of the server and its port, or the nameservice.
    name: String,
    timeout: Duration,
}

/// A directory that is being listed.
pub(super) struct Listing {
    path: String,
    pages: ListStatusIterator,
}

/// Entries in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) entries: Vec<Entry>,
    /// How many calls they took.
    pub(super) calls: u64,
    /// Whether nothing follows.
    pub(super) is_last: bool,
    /// Why not.
    pub(super) failure: Option<Failure>,
}

impl Server {
    /// The server of an address. No call.
    ///
    /// # Errors
    /// Settings that name none, or cannot be used.
    pub(super) fn new(
        address: &Address,
        timeout: Duration,
        handle: &Handle,
    ) -> Result<Server, Reason> {
        let settings = Settings::find();
        let mut authority = address.authority().to_owned();
        if authority.is_empty() {
            authority = default_authority(settings.get("fs.defaultFS"))?;
        }
        let build = |authority: &str| {
            let is_alone = has_port(authority) && settings.get(ALONE[0].0).is_none();
            ClientBuilder::new()
                .with_url(format!("hdfs://{authority}"))
                .with_config(is_alone.then_some(ALONE).into_iter().flatten())
                .with_io_runtime(handle.clone())
                .build()
        };
        let mut client = build(&authority);
        // It is no nameservice, so it is the name of a server.
        if matches!(client, Err(HdfsError::InvalidArgument(_))) && !has_port(&authority) {
            authority = format!("{authority}:{PORT}");
            client = build(&authority);
        }
        let client = client.map_err(|error| Reason::Setting(error.to_string()))?;
        Ok(Server { client, name: authority, timeout })
    }

    /// What a path is. One call.
    pub(super) async fn entry(&self, path: &str) -> Result<Entry, Failure> {
        let status = timeout(self.timeout, self.client.get_file_info(path)).await;
        let status = status.map_err(|_| self.too_late())?;
        status.map(|status| entry(&status, "")).map_err(|error| self.failed(error))
    }

    /// Asks for the blocks of a file. One call.
    pub(super) async fn open(&self, path: &str) -> Result<FileReader, Failure> {
        let reader = timeout(self.timeout, self.client.read(path)).await;
        reader.map_err(|_| self.too_late())?.map_err(|error| self.failed(error))
    }

    /// Begins to list a directory. No call.
    pub(super) fn list(&self, path: String) -> Listing {
        let pages = self.client.list_status_iter(&path, false);
        Listing { path, pages }
    }

    /// The next entries of a directory, at most a thousand. Usually one call.
    pub(super) async fn block(&self, listing: &mut Listing) -> Block {
        let mut block = Block::default();
        while block.entries.len() < BLOCK_ENTRIES && !block.is_last {
            // Without a budget it waits for one thing only, the NameNode's answer. That cannot have
            // come at the first poll, as the task that receives it has the same thread.
            let mut next = pin!(unconstrained(listing.pages.next()));
            let first = poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
            block.calls += u64::from(first.is_pending());
            let status = match first {
                Poll::Ready(status) => Ok(status),
                Poll::Pending => timeout(self.timeout, next).await,
            };
            match status {
                Ok(Some(Ok(status))) if status.path.len() > listing.path.len() => {
                    block.entries.push(entry(&status, &listing.path));
                }
                // A file is listed as itself.
                Ok(Some(Ok(_))) => block.fail(Failure::Path(Reason::NotADirectory)),
                Ok(Some(Err(error))) => block.fail(self.failed(error)),
                Ok(None) => block.is_last = true,
                Err(_) => block.fail(self.too_late()),
            }
        }
        block
    }

    /// All entries of a directory, in the order of the bytes of their names.
    pub(super) async fn sorted(&self, path: String) -> Block {
        let mut listing = self.list(path);
        let mut all = self.block(&mut listing).await;
        while !all.is_last {
            let more = self.block(&mut listing).await;
            all.entries.extend(more.entries);
            all.calls += more.calls;
            (all.is_last, all.failure) = (more.is_last, more.failure);
        }
        // HDFS takes bytes for signed, and has what is not ASCII first.
        all.entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Makes these bytes the file at a path: written beside it, and renamed. Two calls besides
    /// those for the blocks.
    pub(super) async fn put(
        &self,
        path: &str,
        bytes: Bytes,
        stopped: Option<fn() -> bool>,
    ) -> Result<(), Failure> {
        let beside = format!("{path}.{}.new", sys::own_number());
        let options = WriteOptions::default().overwrite(true).create_parent(false);
        let written = async {
            let mut file = self.client.create(&beside, options).await?;
            file.write_bytes(bytes).await?;
            file.close().await?;
            self.client.rename(&beside, path, true).await
        };
        let too_late = |_| {
            let why = format!("it was not written in {}", seconds(self.timeout));
            Failure::Server(Reason::Connection(why))
        };
        let written = unless(stopped, timeout(self.timeout, written)).await;
        let written = written.map_err(Failure::Server).and_then(|it| it.map_err(too_late));
        let done = written.and_then(|done| done.map_err(understand));
        if done.is_err() {
            // There may be none, or it cannot be removed either: the first error is the cause.
            let is_stopped = done == Err(Failure::Server(Reason::Stopped));
            let patience = if is_stopped { 10 * TICK } else { self.timeout };
            let _ = timeout(patience, self.client.delete(&beside, false)).await;
        }
        done
    }

    fn too_late(&self) -> Failure {
        let (name, seconds) = (&self.name, seconds(self.timeout));
        let why = format!("the NameNode {name} did not answer a call in {seconds}");
        Failure::Server(Reason::Connection(why))
    }

    /// What an error of a call of the NameNode means.
    fn failed(&self, error: HdfsError) -> Failure {
        match understand(error) {
            Failure::Again(why) => Failure::Again(format!("cannot reach {}: {why}", self.name)),
            other => other,
        }
    }
}

/// A time as messages have it.
pub(super) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds} second{}", if seconds == 1.0 { "" } else { "s" })
}

impl Block {
    fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
        self.is_last = true;
    }
}

/// The server that `hdfs:///` stands for.
fn default_authority(default: Option<String>) -> Result<String, Reason> {
    let refuse = |why: &str| Err(Reason::Setting(format!("hdfs:/// is fs.defaultFS, {why}")));
    let Some(default) = default else {
        return refuse("which core-site.xml in HADOOP_CONF_DIR does not say");
    };
    match Address::parse(&default) {
        Ok(address) if !address.authority().is_empty() => Ok(address.authority().to_owned()),
        _ => refuse(&format!("which is '{}'", text_without_secret(&default))),
    }
}

/// What a status says of an entry of a directory.
fn entry(status: &FileStatus, directory: &str) -> Entry {
    let milliseconds = status.modification_time;
    let name = status.path.get(directory.len()..).unwrap_or_default();
    Entry {
        name: name.trim_start_matches('/').into(),
        is_directory: status.isdir,
        size: status.length as u64,
        modified: Time {
            seconds: i64::try_from(milliseconds / 1000).unwrap_or(i64::MAX),
            nanoseconds: (milliseconds % 1000) as u32 * 1_000_000,
        },
        permissions: status.permission,
    }
}

/// What an error means.
///
/// Source: the exceptions that ClientProtocol declares, in Hadoop 3.4.
pub(super) fn understand(error: HdfsError) -> Failure {
    match error {
        HdfsError::FileNotFound(_) => Failure::Path(Reason::Missing),
        HdfsError::RPCError(class, message) => understand_exception(&class, &message),
        HdfsError::FatalRPCError(class, message) => {
            Failure::Server(Reason::NameNode { class: short(&class), message: first(&message) })
        }
        HdfsError::IOError(error) => {
            let errno = sys::Errno::from_io_error(&error);
            let why = errno.map_or_else(|| error.to_string(), |errno| errno.to_string());
            Failure::Again(why)
        }
        HdfsError::SASLError(_) | HdfsError::GSSAPIError(..) | HdfsError::NoSASLMechanism => {
            Failure::Server(Reason::Credentials(format!("Kerberos or token: {error}")))
        }
        other => Failure::Server(Reason::Answer(other.to_string())),
    }
}

fn understand_exception(class: &str, message: &str) -> Failure {
    let (class, message) = (short(class), first(message));
    match &*class {
        // Source: INodeFile.valueOf.
        "FileNotFoundException" if message.starts_with("Path is not a file") => {
            Failure::Path(Reason::IsADirectory)
        }
        "FileNotFoundException" => Failure::Path(Reason::Missing),
        "AccessControlException" => {
            let why = message.strip_prefix("Permission denied: ").unwrap_or(&message);
            Failure::Path(Reason::Denied(why.to_owned()))
        }
        "RetriableException" => Failure::SlowDown(message),
        "StandbyException" | "AuthorizationException" | "InvalidToken" => {
            Failure::Server(Reason::NameNode { class, message })
        }
        _ => Failure::Path(Reason::NameNode { class, message }),
    }
}

/// The name of a class without its package.
fn short(class: &str) -> String {
    class.rsplit(['.', '$']).next().unwrap_or(class).to_owned()
}

/// A message without the stack that follows it.
fn first(message: &str) -> String {
    let end = message.find("\n\tat ").unwrap_or(message.len());
    message[..end].trim_end().to_owned()
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
