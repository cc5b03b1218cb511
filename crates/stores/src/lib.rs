//! Object stores and HDFS listed in the fewest requests: what `walk` is for a disk.
//!
//! | module | what is in it |
//! |---|---|
//! | `store` | [`Store`]: which there are, and what differs between them as data |
//! | `location` | [`Location`]: a bucket and a prefix, from an address |
//! | `settings` | what flags and the environment say of all stores |
//! | `listing` | [`List`]: the listing of a bucket, requests side by side |
//! | `visit` | [`Visitor`], [`Outcome`]: what a listing shows and comes to |
//! | `levels` | [`Levels`]: prefixes of a bucket that has no ranges, level by level |
//! | `plan` | which range of keys is requested next; how ranges are split |
//! | `split` | where to split a range |
//! | `density`, `names` | what was listed so far |
//! | `alphabet` | keys as numbers |
//! | `output` | pages on their way to the visitor, as they come or sorted |
//! | `pace`, `patience` | how many requests are under way at once; when one is sent again |
//! | `checkpoint` | [`Checkpoint`]: what is left of a listing, in a file |
//! | `manifest` | [`Comparison`]: what changed since an earlier listing, which a file has |
//! | `read` | [`ObjectReader`]: the bytes of an object |
//! | `put` | [`put()`]: bytes that become an object or a file, whole or not at all |
//! | `inventory` | [`Inventory`]: a list that the store has made earlier |
//! | `request`, `refusal` | one request and its answer; what an error means |
//! | `page`, `xml` | the keys of an answer; documents, element by element |
//! | `list_objects` | ListObjectsV2: the URL of a page, and its XML |
//! | `query` | what is wanted of a bucket, and what requests have in common |
//! | `scheme`, `secret` | addresses: what they begin with, and without the passwords in them |
//! | `server` | one of those below: how a request is made, what its answer means |
//! | `s3` | endpoint, region, credentials and signatures of S3 |
//! | `gcs` | endpoint and token of Google Cloud Storage |
//! | `azure` | account, credentials and pages of Azure Blob Storage |
//! | `webdav` | collections of WebDAV |
//! | [`hdfs`] | trees of HDFS, which have directories |
//! | `error` | [`Error`]: an address, and why it could not be listed |
//!
//! A bucket has keys, and no directories: an object is an entry, and nothing is made up between
//! them. The price is counted in requests: one for each 1,000 keys, at most a tenth more for large
//! buckets, as ranges of keys that are listed side by side end with a page that is not full.
//!
//! Transport, signatures and credentials are those of the crates object_store and reqwest. Requests
//! go through a runtime of its own, which ends with the listing.
//!
//! ```no_run
//! use fewer_stores::{Answer, List, Location};
//!
//! let location = Location::parse("s3://bucket/prefix")?;
//! let mut bytes = 0;
//! let outcome = List::new(location).run(|object| {
//!     bytes += object.size;
//!     Answer::Continue
//! })?;
//! println!("{} keys, {bytes} bytes, {} requests", outcome.keys, outcome.requests);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod alphabet;
mod azure;
mod checkpoint;
mod density;
mod error;
mod gcs;
pub mod hdfs;
mod inventory;
mod levels;
mod list_objects;
mod listing;
mod location;
mod manifest;
mod names;
mod output;
mod pace;
mod page;
mod patience;
mod plan;
mod put;
mod query;
mod read;
mod refusal;
mod request;
mod s3;
mod scheme;
mod secret;
mod server;
mod settings;
mod split;
mod store;
mod visit;
mod webdav;
mod xml;

pub use checkpoint::{Checkpoint, CheckpointError, Listed, Opened};
pub use error::{Error, Reason};
pub use fewer::Answer;
pub use inventory::Inventory;
pub use levels::{Level, LevelVisitor, Levels};
pub use listing::List;
pub use location::Location;
pub use manifest::{Comparison, Listing, ManifestError, Record, etag_hash};
pub use page::Object;
pub use plan::KeyRange;
pub use put::put;
pub use read::{ObjectReader, Pipe, Requests};
pub use secret::without_secret;
pub use settings::Overrides;
pub use store::Store;
pub use visit::{Failed, Outcome, Visitor};
