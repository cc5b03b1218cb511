//! Lists the entries of one directory, with exactly the requested metadata.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the options of a list |
//! | `metadata` | which metadata each entry needs, and the calls for it |
//! | `operands` | rows for paths instead of the entries of a directory |
//! | `read` | one directory into rows |
//! | `fetch` | the metadata of rows, by several threads if there are many or storage is slow |
//! | `rows` | how rows are kept in memory, and what a caller sees of them |
//! | `order` | the order of rows |
//! | `version` | how names with numbers in them compare |
//! | `tree` | one list after the other, down a tree |
//! | `object_rows` | rows of objects in a store (feature `stores`) |
//! | `directory` | one directory of a tree: opened and listed |
//! | `pending` | the directories of a tree that are still to be handed over, in their order |
//! | `read_ahead` | the threads that read directories of a tree ahead of the caller |
//!
//! # The journey of a row
//!
//! `read` lets `getdents64` fill a block and puts names into chunks of 1,024 rows. From the second
//! chunk on, other threads fetch the metadata of full chunks: `metadata` makes the one `statx`, and
//! for links the other requested calls; when all names are read the first thread helps. `order`
//! gives each row a key of 24 bytes, taken behind the common beginning of all names; each half is
//! sorted by a thread, and they are merged from both ends. Rows stay where they are in memory: an
//! order is a list of indices.

mod directory;
mod fetch;
mod metadata;
#[cfg(feature = "stores")]
mod object_rows;
mod operands;
mod order;
mod pending;
mod read;
mod read_ahead;
mod rows;
mod tree;
mod version;

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sys::{Descriptor, Fields, FileSystem, OsStrExt};

use crate::cancel::CancelCheck;
use crate::error::{Action, Errno, Error};
use crate::path::in_pieces;
use crate::scope::Scope;
use crate::{Answer, Kinds};
use fetch::ReadsNow;
pub(crate) use metadata::MetadataRequest;
#[cfg(feature = "stores")]
pub use object_rows::ObjectRows;
pub use operands::OperandLinks;
pub use order::{By, ListOrder, Moment};
use read::Block;
pub use rows::{Link, Listing, Marks, Row};
pub use tree::Lists;

/// Which names that start with a dot are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// None of them.
    Skip,
    /// All but `.` and `..`.
    #[default]
    Show,
    /// All, the directory itself and its parent included.
    ShowDots,
}

/// The first criterion of the order.
pub(crate) type Rank = Arc<dyn Fn(&[u8]) -> u64 + Send + Sync>;
/// Whether a name is listed at all.
type Keep = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// The options of a listing: what to list of a directory, and in which order.
///
/// Price: `openat`, `getdents64` for 32 KiB of entries, for each 256 KiB of the rest, and for the
/// end, `close`; and for each entry only the requested calls: none by default, one `statx` with
/// [`stat`](List::stat), for links one `readlinkat` with [`links`](List::links) (two for a target
/// of more than 127 bytes, unless the size is requested) and one more `statx` with
/// [`targets`](List::targets), one `llistxattr` with [`marks`](List::marks). All are relative to
/// the directory held open. A directory of more than 1,024 entries with such calls is shared by
/// several threads; how many may run is found out once in a process, by about 8 calls.
///
/// ```
/// use fewer::{Fields, Kinds, List};
///
/// let listing = List::new("src").stat(Kinds::ALL, Fields::SIZE).read()?;
/// for row in listing.rows() {
///     let size = row.stat().map(|stat| stat.size());
///     println!("{} {size:?}", row.name().display());
/// }
/// # Ok::<(), fewer::Error>(())
/// ```
#[derive(Clone)]
pub struct List {
    path: PathBuf,
    scope: Scope,
    hidden: Hidden,
    keep: Option<Keep>,
    request: MetadataRequest,
    order: ListOrder,
    rank: Option<Rank>,
    threads: Option<usize>,
    cancel_check: CancelCheck,
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("List").field("path", &self.path).field("request", &self.request).finish()
    }
}

impl List {
    /// The names in the directory at `path`, hidden ones too, in byte order.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> List {
        List {
            path: path.into(),
            scope: Scope::start(),
            hidden: Hidden::default(),
            keep: None,
            request: MetadataRequest::default(),
            order: ListOrder::default(),
            rank: None,
            threads: None,
            cancel_check: CancelCheck::default(),
        }
    }

    crate::setters::setters! {
        /// Takes the path relative to `scope`.
        within(scope: &Scope) => scope = scope.clone();
        /// Which names that start with a dot are listed: all but `.` and `..` unless told.
        hidden(hidden: Hidden) => hidden = hidden;
        /// Lists only the names for which `keep` returns true. It is called before any call for the
        /// entry.
        keep(keep: impl Fn(&[u8]) -> bool + Send + Sync + 'static) => keep = Some(Arc::new(keep));
    }

    /// Requests `fields` of the entries of these kinds, and of those whose kind the directory does
    /// not say.
    #[must_use]
    pub fn stat(mut self, kinds: Kinds, fields: Fields) -> List {
        self.request.kinds = kinds;
        self.request.fields = fields;
        self
    }

    /// Requests the kind of an entry, where the directory does not say it.
    #[must_use]
    pub fn kinds(mut self) -> List {
        self.request.unknown = true;
        self
    }

    /// Follows links: the metadata are those of the target. A link that leads nowhere is an error
    /// of its row.
    #[must_use]
    pub fn follow(mut self, follow: bool) -> List {
        self.request.follow = follow;
        self
    }

    /// Requests the target path of each link; and, where the directory does not say it, the kind of
    /// an entry.
    #[must_use]
    pub fn links(mut self, links: bool) -> List {
        self.request.links = links;
        self.request.unknown |= links;
        self
    }

    /// Requests kind and mode of each link's target; and, where the directory does not say it, the
    /// kind of an entry.
    #[must_use]
    pub fn targets(mut self, targets: bool) -> List {
        self.request.targets = targets;
        self.request.unknown |= targets;
        self
    }

    crate::setters::setters! {
        /// Requests whether an entry has an access control list or a security label.
        marks(marks: bool) => request.marks = marks;
        /// The order of rows. The fields that it needs are requested, too.
        order(order: ListOrder) => order = order;
        /// Orders rows by the rank of their names first, then by the names themselves; only in the
        /// order by name.
        rank(rank: impl Fn(&[u8]) -> u64 + Send + Sync + 'static) => rank = Some(Arc::new(rank));
        /// How many threads to use; by default as many as there are processors to use, and up to 64
        /// while storage has to be waited for and more rows are done per second with more.
        threads(threads: usize) => threads = Some(threads.max(1));
        /// Stops reading when the function returns true: the listing has no rows then, and its
        /// error is `ECANCELED`. It is called by the thread that reads, every 1,024 entries, 50
        /// times a second at most.
        cancel_when(canceled: impl Fn() -> bool + Send + Sync + 'static) => cancel_check =
            CancelCheck::new(canceled);
    }

    /// Reads the directory and makes all requested calls.
    ///
    /// # Errors
    /// If the directory cannot be opened. Later errors are in the listing: see
    /// [`Listing::broken_off`] and [`Row::stat`].
    pub fn read(&self) -> Result<Listing, Error> {
        let dir = self.open()?;
        Ok(self.read_on(&dir, FileSystem::OTHER, &mut Block::of(self), &ReadsNow))
    }

    /// Reads the directory and passes its rows to `visitor` meanwhile, up to 1,024 at a time, in
    /// the order in which they are read, whatever order the list has. Nothing is kept, so a
    /// directory of any size takes the same memory; all calls are made by the calling thread.
    ///
    /// # Errors
    /// If the directory cannot be opened, or not be read to its end.
    pub fn visit(&self, visitor: impl FnMut(&Listing) -> Answer) -> Result<(), Error> {
        let dir = self.open()?;
        self.visit_on(&dir, visitor).map_err(|errno| self.error(errno, Action::READ_DIRECTORY))
    }

    fn open(&self) -> Result<Descriptor, Error> {
        in_pieces(self.scope.at(), self.path.as_os_str().as_bytes(), |at, rest| {
            let rest = CString::new(rest).map_err(|_| Errno::INVAL)?;
            sys::open_dir(at, &rest, true)
        })
        .map_err(|errno| self.error(errno, Action::OPEN_DIRECTORY))
    }

    /// The path of the directory, as the caller wrote it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The metadata that is wanted, and what the order needs.
    fn request(&self) -> MetadataRequest {
        self.request.with_order(self.order)
    }
}
