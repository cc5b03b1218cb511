//! Trees of HDFS, walked in the fewest calls of the NameNode.
//!
//! | module | what is in it |
//! |---|---|
//! | `address` | [`Address`]: a NameNode or nameservice and a path, from `hdfs://…` |
//! | `settings` | what Hadoop's own files say of `hdfs:///…` |
//! | `tree`, `options` | [`Tree`]: what is walked, and how; [`Outcome`] |
//! | `found` | [`Found`], and the [`Visitor`] that is shown it |
//! | `walk` | which directory is listed next; directories side by side |
//! | `sorted` | listings on their way to the visitor of a sorted walk |
//! | `put` | a file that has its name once it is whole |
//! | `order` | where a path stands in that order |
//! | `server` | one call of the NameNode and its answer; what an error means |
//! | `file` | the bytes of a file, which come from DataNodes |
//!
//! Unlike a bucket, HDFS has directories, with permissions: they are visited, entered, and may be
//! closed to this user, as on a disk. A directory costs one `getListing` for each 1,000 entries,
//! the root one `getFileInfo`, an entry none. Directories are listed side by side, the pages of one
//! directory one after the other, as HDFS continues a page only behind its last name.
//!
//! The protocol, the failover to another NameNode and Kerberos are those of the crate hdfs-native.

mod address;
mod file;
mod found;
mod options;
mod order;
mod put;
mod server;
mod settings;
mod sorted;
mod tree;
mod walk;

pub use address::Address;
pub(crate) use file::File;
pub use found::{Found, Visitor};
pub use options::{NotListed, Outcome};
pub(crate) use order::compare;
pub(crate) use put::put;
pub use tree::Tree;
