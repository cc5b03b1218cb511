//! Which metadata each entry needs, and the calls for it.

use std::ffi::CStr;

use sys::{At, Fields, Kind, Stat};

use super::rows::{Link, Marks, RareData, RowData, StatResult};
use super::{By, ListOrder, Moment};
use crate::Kinds;
use crate::error::Errno;

/// Which metadata each entry needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MetadataRequest {
    /// Entries of these kinds need a `statx` for `fields`.
    pub(crate) kinds: Kinds,
    pub(crate) fields: Fields,
    /// Whether an entry of unknown kind needs a `statx` for its kind.
    pub(crate) unknown: bool,
    pub(crate) follow: bool,
    pub(crate) links: bool,
    pub(crate) targets: bool,
    pub(crate) marks: bool,
}

impl Default for MetadataRequest {
    fn default() -> MetadataRequest {
        MetadataRequest {
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

impl MetadataRequest {
    /// The same, and what the order needs.
    pub(crate) fn with_order(mut self, order: ListOrder) -> MetadataRequest {
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

    /// Whether any entry at all may need a call.
    pub(crate) fn needs_calls(&self) -> bool {
        self.needs_stat() || self.links || self.targets || self.marks
    }

    /// Whether any entry may need a `statx`.
    pub(crate) fn needs_stat(&self) -> bool {
        self.unknown || self.kinds != Kinds::NONE
    }

    /// The fields that entries are asked for.
    pub(crate) fn wanted_fields(&self) -> Fields {
        if self.kinds == Kinds::NONE { Fields::NONE } else { self.fields | Fields::KIND }
    }

    /// Whether an entry of this kind needs a `statx`.
    #[inline]
    fn needs_stat_of(&self, kind: Kind) -> bool {
        self.kinds.contains(kind)
            || (kind == Kind::Unknown && self.needs_stat())
            || (kind == Kind::Symlink && self.follow && self.needs_stat())
    }

    /// Whether an entry of this kind needs any call.
    #[inline]
    pub(crate) fn needs_calls_of(&self, kind: Kind) -> bool {
        let link = kind == Kind::Symlink && (self.links || self.targets);
        link || self.marks || self.needs_stat_of(kind)
    }

    /// Fetches the metadata of one entry.
    ///
    /// Price: none, or one `statx`, and the other requested calls.
    #[inline]
    pub(crate) fn fetch(&self, at: At<'_>, name: &CStr, data: &mut RowData) -> StatResult {
        let answer = self.needs_stat_of(data.kind).then(|| {
            let fields = self.fields | Fields::KIND;
            if let Some(stat) = self.stat_in_record(data, fields) {
                return Ok(stat);
            }
            sys::stat(at, name, self.follow, fields).inspect(|stat| data.update_from(stat))
        });
        // If the entry does not exist, the other calls would fail, too.
        if !matches!(answer, Some(Err(_))) {
            self.fetch_more(at, name, data, answer.as_ref());
        }
        answer
    }

    /// The metadata in the directory's record, which is that of the entry itself.
    #[inline]
    fn stat_in_record(&self, data: &RowData, fields: Fields) -> Option<Stat> {
        let stat = data.metadata.stat(fields)?;
        (!self.follow || data.kind != Kind::Symlink).then_some(stat)
    }

    /// Fetches what comes after the `statx`: the link and the marks.
    #[inline]
    pub(crate) fn fetch_more(
        &self,
        at: At<'_>,
        name: &CStr,
        data: &mut RowData,
        answer: Option<&Result<Stat, Errno>>,
    ) {
        if (self.links || self.targets) && data.kind == Kind::Symlink {
            let length = answer.and_then(|stat| stat.as_ref().ok()).map_or(0, Stat::size);
            let link = Some(self.link(at, name, length));
            data.more().link = link;
        }
        if self.marks {
            let marks = marks(at, name, data.kind, self.follow);
            if marks != Marks::None {
                data.more().marks = marks;
            }
        }
    }

    fn link(&self, at: At<'_>, name: &CStr, length: u64) -> Link {
        Link {
            path: self.links.then(|| sys::read_link_of(at, name, length)),
            target: self
                .targets
                .then(|| sys::stat(at, name, true, Fields::KIND | Fields::PERMISSIONS)),
        }
    }
}

impl RowData {
    /// Takes the kind and the inode from the entry's own metadata, which may differ from the
    /// directory's record.
    pub(crate) fn update_from(&mut self, stat: &Stat) {
        self.kind = stat.kind();
        if stat.inode() != 0 {
            self.inode = stat.inode();
        }
    }

    fn more(&mut self) -> &mut RareData {
        self.more.get_or_insert_default()
    }
}

/// Price: one `llistxattr`, or `listxattr` to follow; none for a link itself, which has neither.
fn marks(at: At<'_>, name: &CStr, kind: Kind, follow: bool) -> Marks {
    if kind == Kind::Symlink {
        return Marks::None;
    }
    let names = sys::attribute_names(at, name, follow).unwrap_or_default();
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
