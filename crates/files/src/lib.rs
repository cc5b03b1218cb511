//! File-system work in the fewest system calls.
//!
//! | room | what lives there |
//! |---|---|
//! | [`Walk`] | enumerate a tree: 3 calls a directory, none an entry |
//! | [`List`] | one directory with the metadata asked for: one call an entry at most |
//! | [`Lines`] | text: one read for each 256 KiB |
//! | [`Entry`] | one entry, lent or owned |
//! | [`Filter`] | which entries are wanted: by name, kind, depth, size, time, owner |
//! | [`Owners`] | users and groups, number and name: each file read once |
//! | [`Zone`], [`Clock`], [`TimeColumn`] | local time from one read of the zone's file |
//! | [`Scope`] | a working directory as a value, and children in it |
//! | [`Error`] | number, action, path |
//! | [`canonical`](canonical()) | a path without links in it |
//! | [`escape`](escape()) | bytes made safe to look at |
//!
//! Names and paths are bytes from the kernel to the border. Nothing here changes the working
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
//! impl fewer::Visitor for Names {
//!     fn visit(&mut self, item: fewer::Item<'_>, _out: &mut Vec<u8>) -> Answer {
//!         if let Ok(entry) = item {
//!             self.longest = self.longest.max(entry.name().len());
//!         }
//!         Answer::Continue
//!     }
//! }
//! ```
#![forbid(unsafe_code)]

mod canonical;
mod entry;
mod error;
mod escape;
mod filter;
mod lines;
mod list;
mod localtime;
mod owner;
mod processors;
mod scope;
mod walk;

pub use canonical::canonical;
pub use entry::{Entry, OwnedEntry};
pub use error::{Errno, Error};
pub use escape::{escape, steers};
pub use filter::{Filter, Names, Owner, PatternError, Size, modified, parse_time};
pub use kernel::{Descriptor, Fields, Kind, Stat, Time};
pub use lines::{Batch, Check, Column, Count, End, Line, LineError, Lines, Longest, Piece};
pub use list::{
    By, Hidden, Link, List, ListOrder, Listing, Lists, Marks, Moment, OperandLinks, Row,
};
pub use localtime::{Civil, Clock, TimeColumn, TimeStyle, TimeStyleError, Zone};
pub use owner::Owners;
pub use scope::{Child, Command, ExitStatus, Output, PipeReader, PipeWriter, Scope, Stdio};
pub use walk::{Answer, Item, Iter, Kinds, Order, Visitor, Walk};
