//! Filters on the entries of a walk: by name, kind, depth, size, time and owner.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the whole filter; the cheapest conditions come first |
//! | `names` | patterns on names and paths |
//! | `size`, `when`, `owner` | conditions that need a `statx`, and their text forms |

mod names;
mod owner;
mod size;
mod when;

pub use names::{Names, PatternError};
pub use owner::Owner;
pub use size::Size;
use sys::{Fields, Stat, Time};
pub use when::{modified, parse_time};

use crate::entry::Entry;
use crate::error::Error;
use crate::kinds::Kinds;

/// The answer of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Show,
    Hide,
    /// Neither shown nor entered.
    Prune,
}

/// Conditions on the entries of a walk. All of them must hold. A directory that is filtered out is
/// entered all the same, unless it is excluded or hidden.
///
/// Price: free with conditions on names, kinds and depths only; with sizes, times or owners one
/// `statx` for each entry that passes the free conditions.
#[derive(Clone, Debug)]
pub struct Filter {
    kinds: Kinds,
    min_depth: usize,
    skip_hidden: bool,
    names: Option<Names>,
    sizes: Vec<Size>,
    newer: Option<Time>,
    older: Option<Time>,
    owner: Option<Owner>,
    executable: bool,
    empty: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::new()
    }
}

impl Filter {
    /// A filter that every entry passes.
    #[must_use]
    pub fn new() -> Filter {
        Filter {
            kinds: Kinds::ALL,
            min_depth: 0,
            skip_hidden: false,
            names: None,
            sizes: Vec::new(),
            newer: None,
            older: None,
            owner: None,
            executable: false,
            empty: false,
        }
    }

    crate::setters::setters! {
        /// Only entries of these kinds.
        kinds(kinds: Kinds) => kinds = kinds;
        /// Only entries at least so many steps below their root.
        min_depth(depth: usize) => min_depth = depth;
        /// Neither shows nor enters what starts with a dot, other than roots.
        skip_hidden(yes: bool) => skip_hidden = yes;
        /// Only entries that pass these patterns.
        names(names: Names) => names = Some(names).filter(|names| !names.is_trivial());
    }

    /// Only entries of such a size; several conditions must all hold.
    #[must_use]
    pub fn size(mut self, size: Size) -> Filter {
        self.sizes.push(size);
        self
    }

    /// Only entries whose contents changed after this time.
    #[must_use]
    pub fn newer(mut self, than: Time) -> Filter {
        self.newer = self.newer.max(Some(than));
        self
    }

    /// Only entries whose contents changed before this time.
    #[must_use]
    pub fn older(mut self, than: Time) -> Filter {
        self.older = Some(self.older.map_or(than, |before| before.min(than)));
        self
    }

    crate::setters::setters! {
        /// Only entries of this owner.
        owner(owner: Owner) => owner = Some(owner);
        /// Only entries that have a permission to execute, as fd's `-t x` (which is about files).
        executable(yes: bool) => executable = yes;
        /// Only files of no bytes and directories without entries, as find's `-empty`.
        ///
        /// Price: for each directory that passes the other conditions `openat`, `getdents64`,
        /// `close`.
        empty(yes: bool) => empty = yes;
    }

    /// Whether every entry passes: then there is no need to call the filter.
    pub(crate) fn is_trivial(&self) -> bool {
        self.kinds == Kinds::ALL
            && self.min_depth == 0
            && !self.skip_hidden
            && self.names.is_none()
            && self.fields().is_none()
            && !self.empty
    }

    /// The fields that the conditions need, if any.
    pub(crate) fn fields(&self) -> Option<Fields> {
        let times = self.newer.is_some() || self.older.is_some();
        let wanted = [
            (!self.sizes.is_empty()).then_some(Fields::SIZE),
            times.then_some(Fields::MODIFIED),
            self.owner.is_some().then_some(Fields::OWNER),
            self.executable.then_some(Fields::PERMISSIONS),
        ];
        wanted.into_iter().flatten().reduce(|all, field| all | field)
    }

    /// Whether it makes calls for entries that pass the free conditions.
    pub(crate) fn makes_calls(&self) -> bool {
        self.fields().is_some() || self.empty
    }

    /// Whether there may be entries that it prunes.
    pub(crate) fn may_prune(&self) -> bool {
        self.skip_hidden || self.names.is_some()
    }

    /// Whether the entry is neither shown nor entered. Price: no call.
    #[inline]
    pub(crate) fn prunes(&self, entry: &Entry<'_>) -> bool {
        let hidden = self.skip_hidden && entry.name_bytes().first() == Some(&b'.');
        let excluded = || self.names.as_ref().is_some_and(|names| names.exclude(entry));
        entry.depth() > 0 && (hidden || excluded())
    }

    /// Whether the entry passes.
    pub(crate) fn judge(&self, entry: &Entry<'_>) -> Result<Verdict, Error> {
        if self.prunes(entry) {
            return Ok(Verdict::Prune);
        }
        if !self.accepts_unasked(entry) {
            return Ok(Verdict::Hide);
        }
        let mut fields = self.fields();
        if self.empty && entry.is_file() {
            fields = Some(fields.unwrap_or(Fields::NONE) | Fields::SIZE);
        }
        if let Some(fields) = fields {
            let stat = entry.stat(fields)?;
            if !self.accept(&stat) || (self.empty && entry.is_file() && stat.size() > 0) {
                return Ok(Verdict::Hide);
            }
        }
        let empty = || Ok(entry.is_file() || (entry.is_dir() && entry.is_empty_dir()?));
        let passes = !self.empty || empty()?;
        Ok(if passes { Verdict::Show } else { Verdict::Hide })
    }

    /// Whether the entry passes all conditions that need no call.
    pub(crate) fn accepts_unasked(&self, entry: &Entry<'_>) -> bool {
        entry.depth() >= self.min_depth
            && self.kinds.contains(entry.kind())
            && self.names.as_ref().is_none_or(|names| names.accept(entry))
    }

    fn accept(&self, stat: &Stat) -> bool {
        self.sizes.iter().all(|size| size.accept(stat.size()))
            && self.newer.is_none_or(|than| stat.modified() > than)
            && self.older.is_none_or(|than| stat.modified() < than)
            && self.owner.as_ref().is_none_or(|owner| owner.accept(stat.user(), stat.group()))
            && !(self.executable && stat.permissions() & 0o111 == 0)
    }
}
