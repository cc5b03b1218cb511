//! Addresses of stores instead of paths: what the verbs share that take them.
//!
//! | module | what is in it |
//! |---|---|
//! | here | which paths are addresses, and what flags mean for all of them |
//! | `visit` | everything at an address, shown to a visitor |
//! | `row` | what a store tells of an entry, as a row of a table |
//! | `cost` | requests, and what a store takes for them |

mod cost;
#[cfg(feature = "tables")]
mod row;
mod visit;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::Fields;
use fewer::object::Object;
use fewer::present::escaped;
use stores::hdfs::{Address, Tree};
use stores::{List, Location, Store, without_secret};
use sys::OsStrExt;

pub(crate) use cost::Cost;
#[cfg(feature = "tables")]
pub(crate) use row::with_row;
pub(crate) use visit::{Entries, Keys, Visitor, visit_bucket, visit_inventory, visit_tree};

use crate::exit_status;
use crate::flags::{self, store};

/// The paths of the command line, if they are addresses; `None` if none of them is one.
pub(crate) fn addresses(flags: &ArgMatches) -> Option<Result<Vec<PathBuf>, String>> {
    let paths = flags::paths(flags);
    let is_address = |path: &PathBuf| Location::is_address(path.as_os_str().as_bytes());
    if !paths.iter().any(is_address) {
        return None;
    }
    Some(match paths.iter().find(|path| !is_address(path)) {
        Some(path) => Err(format!("'{}' is no address, and others are", shown(path))),
        None => Ok(paths),
    })
}

/// Refuses flags that these addresses have no answer to.
pub(crate) fn refuse_flags(flags: &ArgMatches, paths: &[PathBuf]) -> Result<(), String> {
    if let Some(flag) = store::about_buckets(flags).filter(|_| paths.iter().all(|it| is_tree(it))) {
        return Err(format!("--{flag} is about buckets, and does not go with hdfs://"));
    }
    let stores = stores_of(paths);
    if let Some(flag) = store::about_s3(flags).filter(|_| !stores.contains(&Store::S3)) {
        return Err(format!("--{flag} is about S3, and no address is s3://"));
    }
    if stores.len() > 1 && flags.contains_id("endpoint-url") {
        return Err("--endpoint-url is the server of one store".to_owned());
    }
    Ok(())
}

/// The message for a flag that is about files alone.
pub(crate) fn is_about_files(flag: &str) -> String {
    format!("{flag} is about files, and does not go with addresses of stores")
}

/// The stores that have buckets. An address that cannot be listed has none, which is said later.
pub(crate) fn stores_of(paths: &[PathBuf]) -> Vec<Store> {
    let store_of = |path: &PathBuf| Some(Location::parse(path.to_str()?).ok()?.store());
    let mut stores: Vec<Store> = paths.iter().filter_map(store_of).collect();
    stores.dedup();
    stores
}

/// Whether a path is an address of HDFS.
pub(crate) fn is_tree(path: &Path) -> bool {
    Address::is_address(path.as_os_str().as_bytes())
}

/// What a store tells of an entry at these addresses.
pub(crate) fn fields(are_trees: bool) -> Fields {
    let fields: &[Fields] = if are_trees { &Object::FIELDS_IN_TREE } else { &Object::FIELDS };
    fields.iter().copied().collect()
}

/// The bucket and the prefix that a path names.
pub(crate) fn location(path: &Path) -> Result<Location, String> {
    Location::parse(utf8(path)?).map(Location::listed).map_err(|error| error.to_string())
}

/// The part of an address of a bucket up to the folder that the listing is of: to its last slash.
#[cfg(any(feature = "ls", feature = "size"))]
pub(crate) fn folder(address: &[u8]) -> &[u8] {
    let end = address.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    &address[..end]
}

/// What stands in front of a path below an address of HDFS, as that was written.
#[cfg(any(feature = "ls", feature = "size"))]
pub(crate) fn front(address: &Address) -> String {
    let written = address.as_str();
    if written.ends_with('/') { written.to_owned() } else { format!("{written}/") }
}

/// The listing of a bucket with the server and the number of requests that the flags say.
pub(crate) fn list(flags: &ArgMatches, location: &Location) -> List {
    let list = List::new(location.clone()).overrides(store::overrides(flags));
    match requests(flags) {
        Some(requests) => list.requests(requests),
        None => list,
    }
}

/// The same of prefixes of a bucket, level by level.
#[cfg(feature = "tables")]
pub(crate) fn levels(
    flags: &ArgMatches,
    location: &Location,
    prefixes: Vec<String>,
) -> stores::Levels {
    let overrides = store::overrides(flags);
    let levels = stores::Levels::new(location.clone(), prefixes).overrides(overrides);
    match requests(flags) {
        Some(requests) => levels.requests(requests),
        None => levels,
    }
}

/// The address in HDFS that a path names.
pub(crate) fn address(path: &Path) -> Result<Address, String> {
    Address::parse(utf8(path)?).map_err(|error| error.to_string())
}

/// The walk of a tree of HDFS with the number of calls that the flags say.
pub(crate) fn tree(flags: &ArgMatches, address: &Address) -> Tree {
    let mut tree = Tree::new(address.clone());
    if let Some(calls) = requests(flags) {
        tree = tree.calls(calls);
    }
    if let Some(timeout) = store::overrides(flags).timeout {
        tree = tree.timeout(timeout);
    }
    tree
}

/// How many requests there may be at once: `-j`, of the verbs that have it.
fn requests(flags: &ArgMatches) -> Option<NonZero<usize>> {
    let requests = flags.try_get_one::<u16>("threads").ok().flatten()?;
    NonZero::new((*requests).into())
}

fn utf8(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", shown(path)))
}

/// A path or an address as messages have it, without a password.
pub(crate) fn shown(path: &Path) -> String {
    escaped(&without_secret(path.as_os_str().as_bytes()))
}

/// What came of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    All,
    Some,
    Nothing,
}

impl Came {
    /// Of an address at which so many entries were found, and perhaps something could not be.
    pub(crate) fn of(entries: u64, has_failed: bool) -> Came {
        match (has_failed, entries) {
            (false, _) => Came::All,
            (true, 0) => Came::Nothing,
            (true, _) => Came::Some,
        }
    }

    /// The exit status, of all addresses.
    pub(crate) fn status(all: &[Came]) -> u8 {
        match () {
            () if all.iter().all(|came| *came == Came::All) => exit_status::OK,
            () if all.iter().all(|came| *came == Came::Nothing) => exit_status::FAILED,
            () => exit_status::SOME_FAILED,
        }
    }
}
