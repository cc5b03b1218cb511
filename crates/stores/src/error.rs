//! What can go wrong with a store, with the address it is about.

use std::fmt;

use fewer::present::escaped;

use crate::secret::{secret, text_without_secret};

/// An address, and why it could not be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    address: String,
    reason: Reason,
    /// What was to be done.
    action: &'static str,
}

/// Why a store could not be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The text is no address of a store.
    NoAddress,
    /// Stores of this scheme cannot be listed yet.
    Scheme(String),
    /// No name of a bucket follows the `://`.
    BucketName,
    /// The text between `://` and the next `/` is no name: of a bucket or a server, and which.
    WrongName(&'static str, String),
    /// The address has a user, and perhaps a password.
    User,
    /// The text behind the `@` is no account of Azure Blob Storage.
    Account,
    /// It is a file system, and has directories.
    NoBucket,
    /// No name of a server follows the `://`.
    ServerName,
    /// No object can have this key, or none can be requested by it.
    Key(&'static str),
    /// The object is another one than when its first bytes were read.
    Changed,
    /// What is compressed cannot be decompressed: the format, and why.
    Compressed(&'static str, String),
    /// What is compressed ends before its format says so.
    EndsEarly(&'static str),
    /// It is no inventory, or one that cannot be used.
    Inventory(String),
    /// Directory buckets list their keys in no order, and need sessions.
    DirectoryBucket,
    /// The store lists from the beginning alone, and not in ranges of keys.
    NoRanges,
    /// It is listed collection by collection, and not in the order of keys.
    NoOrder,
    /// A setting cannot be used: which one, and why.
    Setting(String),
    /// There are no credentials, or they cannot be used.
    Credentials(String),
    /// The store refused: HTTP status, its code, and its message.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The code in the answer, such as `AccessDenied`; empty if there is none.
        code: String,
        /// The message in the answer; may be empty.
        message: String,
    },
    /// It was not waited for any longer: [`crate::Overrides::stopped`].
    Stopped,
    /// There is no such file or directory.
    Missing,
    /// It has more bytes than one request may have.
    TooLarge(usize),
    /// It is a directory, which has no bytes.
    IsADirectory,
    /// It is a file, and was a directory before.
    NotADirectory,
    /// This user may not list it: which permission is missing, in the NameNode's words.
    Denied(String),
    /// A NameNode refused: the exception without its package, and its message.
    NameNode {
        /// The name of the exception, such as `StandbyException`.
        class: String,
        /// Its message; may be empty.
        message: String,
    },
    /// The connection failed, or there was no answer in time.
    Connection(String),
    /// The store did not answer as long as it was tried: how often, and the last reason.
    GaveUp {
        /// How many requests were sent.
        attempts: u32,
        /// Why the last of them failed.
        last: String,
    },
    /// The answer is no page of a listing, or not the bytes that were wanted.
    Answer(String),
    /// The store answers out of order: after this key came a smaller one.
    Unordered {
        /// The greater key, which came first.
        after: String,
        /// The smaller key, which came next.
        came: String,
    },
}

impl Error {
    pub(crate) fn new(address: &str, reason: Reason) -> Error {
        Error { address: text_without_secret(address), reason, action: "list" }
    }

    /// What is no name of a bucket or a server.
    pub(crate) fn of_name(address: &str, of: &'static str, name: &str) -> Error {
        let reason = match name {
            _ if secret(address.as_bytes()).is_some() => Reason::User,
            "" if of == "bucket" => Reason::BucketName,
            "" => Reason::ServerName,
            name => Reason::WrongName(of, name.to_owned()),
        };
        Error::new(address, reason)
    }

    pub(crate) fn of_reading(address: &str, reason: Reason) -> Error {
        Error { action: "read", ..Error::new(address, reason) }
    }

    /// The same of an address that was to be read, and not listed.
    #[must_use]
    pub fn for_reading(self) -> Error {
        Error { action: "read", ..self }
    }

    pub(crate) fn for_writing(self) -> Error {
        Error { action: "write", ..self }
    }

    pub(crate) fn of_writing(address: &str, reason: Reason) -> Error {
        Error { action: "write", ..Error::new(address, reason) }
    }

    /// The address that was to be listed, read or written, [without a
    /// password](crate::without_secret).
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Why it could not be.
    #[must_use]
    pub fn reason(&self) -> &Reason {
        &self.reason
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = escaped(self.address.as_bytes());
        // Much of the reason is what the server says.
        let reason = escaped(self.reason.to_string().as_bytes());
        write!(f, "cannot {} '{address}': {reason}", self.action)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoAddress => f.write_str("no address of a store"),
            Reason::Scheme(scheme) => {
                let others = "only s3://, gs://, az://, https://, http:// and hdfs://";
                write!(f, "stores of the scheme {scheme}:// are not supported, {others}")
            }
            Reason::BucketName => f.write_str("no name of a bucket follows the ://"),
            Reason::WrongName(of, name) => write!(f, "'{name}' is no name of a {of}"),
            Reason::User => f.write_str(
                "an address has no user and no password: the environment says who one is",
            ),
            Reason::Account => f.write_str("no ACCOUNT.dfs.core.windows.net follows the @"),
            Reason::NoRanges => f.write_str("the store lists from the beginning alone"),
            Reason::NoOrder => {
                f.write_str("WebDAV lists one collection after the other, in no order of all names")
            }
            Reason::NoBucket => f.write_str("a file system is no bucket"),
            Reason::ServerName => f.write_str("no name of a server follows the ://"),
            Reason::DirectoryBucket => {
                f.write_str("a directory bucket, which lists in no order, is not supported")
            }
            Reason::Setting(why) | Reason::Connection(why) => f.write_str(why),
            Reason::Credentials(why) => write!(f, "no credentials: {why}"),
            Reason::Refused { status, code, message } => {
                let code = if code.is_empty() { "no code" } else { code };
                write!(f, "the store answers {status} {code}")?;
                if message.is_empty() { Ok(()) } else { write!(f, ": {message}") }
            }
            Reason::Key(why) => f.write_str(why),
            Reason::Inventory(why) => write!(f, "it is no inventory that can be used: {why}"),
            Reason::Changed => f.write_str("it was written while it was read"),
            Reason::Compressed(format, why) => write!(f, "it is no {format}: {why}"),
            Reason::EndsEarly(format) => write!(f, "it ends before its {format} does"),
            Reason::Stopped => f.write_str("it was stopped"),
            Reason::Missing => f.write_str("No such file or directory"),
            Reason::TooLarge(bytes) => write!(f, "{bytes} bytes are too many for one request"),
            Reason::IsADirectory => f.write_str("Is a directory"),
            Reason::NotADirectory => f.write_str("Not a directory"),
            Reason::Denied(why) => write!(f, "Permission denied: {why}"),
            Reason::NameNode { class, message } => {
                write!(f, "the NameNode answers {class}: {message}")
            }
            Reason::GaveUp { attempts, last } => write!(f, "after {attempts} attempts: {last}"),
            Reason::Answer(why) => write!(f, "the answer cannot be used: {why}"),
            Reason::Unordered { after, came } => {
                write!(f, "the store lists in no order: after '{after}' comes '{came}'")
            }
        }
    }
}
