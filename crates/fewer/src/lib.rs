//! File-system work in the fewest system calls.
//!
//! | module | what is in it |
//! |---|---|
//! | [`walk`] | [`Walk`]: enumerate a tree: 3 calls a directory, none an entry |
//! | [`rows`] | the columns of a table of entries, as Parquet or Arrow have it |
//! | [`scan`] | a walk in units, for several processes or machines |
//! | [`list`] | [`List`]: one directory with the requested metadata: one call an entry at most |
//! | [`watch`] | [`Watch`]: changes in trees as they happen; no call while nothing does |
//! | [`lines`] | [`Lines`]: text: one read for each 256 KiB |
//! | [`disk_usage`] | [`DiskUsage`]: how much space trees take: one call an entry |
//! | [`summary`] | [`Summary`]: what there is in trees, in numbers: one call an entry |
//! | [`Entry`] | one entry: borrowed during a walk, or owned |
//! | `object` | entries of objects in a store (feature `stores`) |
//! | [`filter`] | [`Filter`]: filters entries by name, kind, depth, size, time, owner |
//! | [`exec`] | commands run on what is found: one each, or in batches |
//! | [`format`](mod@format) | [`Format`]: an entry as text after a template |
//! | [`Owners`] | users and groups, number and name: each file read once |
//! | [`locale`](mod@locale) | the locale that the environment names |
//! | [`localtime`] | [`Zone`]: local time from one read of the zone's file |
//! | [`snapshot`] | [`Snapshot`]: what a walk found, kept in a file |
//! | [`whole_file`] | a file that is always whole: written beside and renamed |
//! | [`scope`] | [`Scope`]: a working directory as a value, changes and children in it |
//! | [`Error`] | number, action, path |
//! | [`path`] | [`canonical`]: a path without links; paths joined as text; the search of `PATH` |
//! | [`utf8`] | UTF-8 into the units in which a language keeps characters |
//! | [`compact`] | sorting and collecting in little machine code |
//! | [`present`] | names and times as the programs of this workspace show them |
//!
//! The options and the results of each are in the module of the same name:
//! [`lines::Batch`], [`list::Row`], [`walk::Visitor`].
//!
//! Names and paths are bytes from the kernel to the caller. Nothing here changes the working
//! directory, the umask or what signals do.
//!
//! ```
//! use fewer::{Answer, Walk};
//!
//! // In parallel: each worker has a visitor of its own, and gets it back when the walk is over.
//! let sizes = Walk::new("src").visit(
//!     || Names::default(),
//!     |_bytes| Answer::Continue,
//! );
//! # assert!(sizes.iter().map(|names| names.longest).max() >= Some("walk".len()));
//!
//! #[derive(Default)]
//! struct Names {
//!     longest: usize,
//! }
//!
//! impl fewer::walk::Visitor for Names {
//!     fn visit(&mut self, item: fewer::walk::Item<'_>, _out: &mut Vec<u8>) -> Answer {
//!         if let Ok(entry) = item {
//!             self.longest = self.longest.max(entry.name().len());
//!         }
//!         Answer::Continue
//!     }
//! }
//! ```
#![forbid(unsafe_code)]

mod action;
mod align;
mod cancel;
pub mod compact;
mod concurrency;
mod descriptors;
pub mod disk_usage;
mod entry;
mod error;
mod escape;
pub mod exec;
pub mod filter;
pub mod format;
mod identity;
mod kinds;
mod known;
mod late_dir;
pub mod lines;
pub mod list;
pub mod locale;
pub mod localtime;
mod lossless;
mod mode;
#[cfg(feature = "stores")]
pub mod object;
mod owner;
pub mod path;
mod pool;
pub mod present;
mod processors;
mod quote;
pub mod rows;
mod scale;
pub mod scan;
pub mod scope;
mod setters;
pub mod snapshot;
pub mod summary;
mod threads;
pub mod utf8;
pub mod walk;
#[cfg(target_os = "linux")]
pub mod watch;
pub mod whole_file;

pub use disk_usage::DiskUsage;
pub use entry::{Entry, OwnedEntry};
pub use error::{Action, Errno, Error};
pub use filter::Filter;
pub use format::Format;
pub use kinds::Kinds;
pub use lines::{LineError, Lines};
pub use list::List;
pub use localtime::Zone;
pub use owner::Owners;
pub use path::canonical;
pub use scope::{Command, Scope};
pub use snapshot::Snapshot;
pub use summary::Summary;
pub use sys::{
    Access, Call, Calls, Descriptor, Fields, Kind, SetTime, Stat, Time, TimeOutOfRange,
    UnknownField, UnknownKind, calls,
};
pub use walk::{Answer, Order, Walk};
#[cfg(target_os = "linux")]
pub use watch::Watch;
