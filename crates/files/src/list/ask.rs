//! What each entry is asked for, and the asking.

use std::ffi::CStr;

use kernel::{At, Fields, Kind, Stat};

use super::rows::{Answered, Kept, Link, Marks, More};
use super::{By, ListOrder, Moment};
use crate::Kinds;
use crate::error::Errno;

/// What is asked of each entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// Entries of these kinds are asked for `fields`.
    pub(crate) kinds: Kinds,
    pub(crate) fields: Fields,
    /// Whether an entry of a kind that the directory does not tell is asked what it is.
    pub(crate) unknown: bool,
    pub(crate) follow: bool,
    pub(crate) links: bool,
    pub(crate) targets: bool,
    pub(crate) marks: bool,
}

impl Default for Ask {
    fn default() -> Ask {
        Ask {
            kinds: Kinds::NONE,
            fields: Fields::NONE,
            unknown: false,
            follow: false,
            links: false,
            targets: false,
            marks: false,
        }
    }
}

impl Ask {
    /// The same, and whatever it takes to find the order.
    pub(crate) fn with_order(mut self, order: ListOrder) -> Ask {
        let needed = match order.by {
            By::Size => Some(Fields::SIZE),
            By::Time(Moment::Modified) => Some(Fields::MODIFIED),
            By::Time(Moment::Accessed) => Some(Fields::ACCESSED),
            By::Time(Moment::Changed) => Some(Fields::CHANGED),
            By::Time(Moment::Created) => Some(Fields::CREATED),
            By::Nothing | By::Name | By::Extension | By::Version => None,
        };
        if let Some(needed) = needed {
            self.kinds = Kinds::ALL;
            self.fields = self.fields | needed;
        }
        if order.directories_first {
            (self.unknown, self.targets) = (true, true);
        }
        self
    }

    /// Whether any entry at all may be asked for something.
    pub(crate) fn costs(&self) -> bool {
        self.stats() || self.links || self.targets || self.marks
    }

    /// Whether any entry may be asked for a `statx`.
    pub(crate) fn stats(&self) -> bool {
        self.unknown || self.kinds != Kinds::NONE
    }

    /// Asks for whatever is wanted of one entry.
    ///
    /// Price: none, or one `statx`, and the other calls that were asked for.
    #[inline]
    pub(crate) fn about(&self, at: At<'_>, name: &CStr, kept: &mut Kept) -> Answered {
        let wanted = self.kinds.contains(kept.kind)
            || (kept.kind == Kind::Unknown && self.stats())
            || (kept.kind == Kind::Symlink && self.follow && self.stats());
        let answer = wanted.then(|| {
            let fields = self.fields | Fields::KIND;
            kernel::stat(at, name, self.follow, fields).inspect(|stat| kept.learn(stat))
        });
        // If it is not there, nothing else would answer either.
        if !matches!(answer, Some(Err(_))) {
            self.about_more(at, name, kept, answer.as_ref());
        }
        answer
    }

    /// What is asked behind the `statx`.
    #[inline]
    pub(crate) fn about_more(
        &self,
        at: At<'_>,
        name: &CStr,
        kept: &mut Kept,
        answer: Option<&Result<Stat, Errno>>,
    ) {
        if (self.links || self.targets) && kept.kind == Kind::Symlink {
            let length = answer.and_then(|stat| stat.as_ref().ok()).map_or(0, Stat::size);
            let link = Some(self.link(at, name, length));
            kept.more().link = link;
        }
        if self.marks {
            let marks = marks(at, name, kept.kind, self.follow);
            if marks != Marks::None {
                kept.more().marks = marks;
            }
        }
    }

    fn link(&self, at: At<'_>, name: &CStr, length: u64) -> Link {
        Link {
            path: self.links.then(|| kernel::read_link_of(at, name, length)),
            target: self.targets.then(|| kernel::stat(at, name, true, Fields::KIND | Fields::MODE)),
        }
    }
}

impl Kept {
    /// Takes over what the entry itself knows better than its directory.
    pub(crate) fn learn(&mut self, stat: &Stat) {
        self.kind = stat.kind();
        if stat.inode() != 0 {
            self.inode = stat.inode();
        }
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}

/// Price: one `llistxattr`, or `listxattr` to follow; none for a link itself, which has neither.
fn marks(at: At<'_>, name: &CStr, kind: Kind, follow: bool) -> Marks {
    if kind == Kind::Symlink {
        return Marks::None;
    }
    let names = kernel::attribute_names(at, name, follow).unwrap_or_default();
    let mut marks = Marks::None;
    for attribute in names.split(|&byte| byte == 0) {
        match attribute {
            b"system.posix_acl_access" | b"system.posix_acl_default" | b"system.nfs4_acl" => {
                return Marks::AccessList;
            }
            b"security.selinux" => marks = Marks::Label,
            _ => {}
        }
    }
    marks
}
