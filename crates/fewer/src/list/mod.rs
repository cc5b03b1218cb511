//! List the entries of one directory, with exactly the metadata asked for.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the options of a list |
//! | `metadata` | which metadata each entry needs, and the calls for it |
//! | `operands` | rows for paths instead of the entries of a directory |
//! | `read` | one directory into rows, by several threads if it is large |
//! | `rows` | how rows are kept in memory, and what a caller sees of them |
//! | `order` | in which order |
//! | `version` | how names with numbers in them compare |
//! | `tree` | one list after the other, down a tree |

mod metadata;
mod operands;
mod order;
mod read;
mod rows;
mod tree;
mod version;

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sys::{Descriptor, Fields, FileSystem};

use crate::error::{Errno, Error};
use crate::path::in_pieces;
use crate::scope::Scope;
use crate::{Answer, Kinds};
pub(crate) use metadata::MetadataRequest;
pub use operands::OperandLinks;
pub use order::{By, ListOrder, Moment};
use read::Block;
pub use rows::{Link, Listing, Marks, Row};
pub use tree::Lists;

/// Which names that start with a dot are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// None of them.
    #[default]
    Skip,
    /// All but `.` and `..`.
    Show,
    /// All, the directory itself and its parent included.
    ShowDots,
}

/// What rows are ordered by first.
pub(crate) type Rank = Arc<dyn Fn(&[u8]) -> u64 + Send + Sync>;
/// Whether a name is listed at all.
type Keep = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// What is to be listed of a directory, and in which order.
///
/// Price: `openat`, `getdents64` for 32 KiB of entries, for each 256 KiB of the rest, and for the
/// end, `close`; and for each entry what was asked for: nothing by itself, one `statx` with
/// [`stat`](List::stat), for links one `readlinkat` with [`links`](List::links) (two for a target
/// of more than 127 bytes, unless the size is asked for) and one more `statx` with
/// [`targets`](List::targets), one `llistxattr` with [`marks`](List::marks). All are relative to
/// the directory held open. A directory of more than 1,024 entries that are asked for something is
/// shared by several threads; how many it may be is found out once in a process, for about 8 calls.
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
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("List").field("path", &self.path).field("request", &self.request).finish()
    }
}

impl List {
    /// The names in the directory at `path`, but for hidden ones, in byte order.
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
        }
    }

    /// Takes the path relative to `scope`.
    #[must_use]
    pub fn within(mut self, scope: &Scope) -> List {
        self.scope = scope.clone();
        self
    }

    /// Which names that start with a dot are listed.
    #[must_use]
    pub fn hidden(mut self, hidden: Hidden) -> List {
        self.hidden = hidden;
        self
    }

    /// Lists only the names for which `keep` says so. It is asked before anything else is.
    #[must_use]
    pub fn keep(mut self, keep: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> List {
        self.keep = Some(Arc::new(keep));
        self
    }

    /// Asks for `fields` of the entries that are one of `kinds` as far as the directory tells, and
    /// of all for which it does not.
    #[must_use]
    pub fn stat(mut self, kinds: Kinds, fields: Fields) -> List {
        self.request.kinds = kinds;
        self.request.fields = fields;
        self
    }

    /// Asks what an entry is, where the directory does not say.
    #[must_use]
    pub fn kinds(mut self) -> List {
        self.request.unknown = true;
        self
    }

    /// Lets a link be answered for what it points to. What points nowhere is an error of its row.
    #[must_use]
    pub fn follow(mut self, follow: bool) -> List {
        self.request.follow = follow;
        self
    }

    /// Asks each link where it points; and, where the directory does not say, what an entry is.
    #[must_use]
    pub fn links(mut self, links: bool) -> List {
        self.request.links = links;
        self.request.unknown |= links;
        self
    }

    /// Asks for kind and mode of what each link points to; and, where the directory does not say,
    /// what an entry is.
    #[must_use]
    pub fn targets(mut self, targets: bool) -> List {
        self.request.targets = targets;
        self.request.unknown |= targets;
        self
    }

    /// Asks whether there is more to the permissions than the mode shows.
    #[must_use]
    pub fn marks(mut self, marks: bool) -> List {
        self.request.marks = marks;
        self
    }

    /// In which order. What it orders by is asked for, too.
    #[must_use]
    pub fn order(mut self, order: ListOrder) -> List {
        self.order = order;
        self
    }

    /// Lets the rank of the names decide where rows are in the order, before the names themselves;
    /// only in the order by name.
    #[must_use]
    pub fn rank(mut self, rank: impl Fn(&[u8]) -> u64 + Send + Sync + 'static) -> List {
        self.rank = Some(Arc::new(rank));
        self
    }

    /// At most so many threads; without it as many as there are processors to use.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> List {
        self.threads = Some(threads.max(1));
        self
    }

    /// Reads the directory and asks for everything.
    ///
    /// # Errors
    /// If the directory cannot be opened. What happens later is told by the listing: see
    /// [`Listing::broken_off`] and [`Row::stat`].
    pub fn read(&self) -> Result<Listing, Error> {
        self.read_unless(&|| false)
    }

    /// [`read`](List::read), until `enough` says so. The calling thread asks that every 1,024
    /// entries. Then the listing has no rows, and was broken off by `ECANCELED`.
    ///
    /// # Errors
    /// As [`read`](List::read).
    pub fn read_unless(&self, enough: &dyn Fn() -> bool) -> Result<Listing, Error> {
        let dir = self.open()?;
        Ok(self.read_on(&dir, FileSystem::OTHER, &mut Block::new(), enough))
    }

    /// Reads the directory and hands over its rows while it does, up to 1,024 at a time, in the
    /// order in which they are read, whatever order was asked for. Nothing is kept, so a directory
    /// of any size takes the same memory; all calls are made by the calling thread.
    ///
    /// # Errors
    /// If the directory cannot be opened, or not be read to its end.
    pub fn visit(&self, visitor: impl FnMut(&Listing) -> Answer) -> Result<(), Error> {
        let dir = self.open()?;
        self.visit_on(&dir, visitor).map_err(|errno| self.error(errno, "read directory"))
    }

    fn open(&self) -> Result<Descriptor, Error> {
        in_pieces(self.scope.at(), self.path.as_os_str().as_bytes(), |at, rest| {
            let rest = CString::new(rest).map_err(|_| Errno::INVAL)?;
            sys::open_dir(at, &rest, true)
        })
        .map_err(|errno| self.error(errno, "open directory"))
    }

    /// The directory, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The metadata that is wanted, and what the order needs.
    fn request(&self) -> MetadataRequest {
        self.request.with_order(self.order)
    }
}
