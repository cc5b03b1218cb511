//! How wide the columns of a listing are, and what else depends on all rows: found in one pass, in
//! the order in which the rows lie in memory.

use fewer::list::{Listing, Marks, Row};
use fewer::{Kind, Stat};

use super::options::Layout;
use super::owner_names::RecentNames;
use super::renderer::Renderer;
use fewer::present::align::digits;

/// What depends on all rows of a listing. Rows whose metadata could not be read do not count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Widths {
    pub(super) inode: usize,
    pub(super) blocks: usize,
    pub(super) links: usize,
    pub(super) owner: usize,
    pub(super) group: usize,
    pub(super) size: usize,
    pub(super) major: usize,
    pub(super) minor: usize,
    /// Whether any entry has a mark (`.` or `+`) behind its mode.
    pub(super) marks: bool,
    /// Whether any name has quotes around it: then the others are indented by one blank.
    pub(super) some_quoted: bool,
    /// The bytes that all files take together.
    pub(super) total: u64,
}

impl Widths {
    pub(super) fn of(renderer: &Renderer<'_>, listing: &Listing) -> Widths {
        let options = renderer.options;
        let mut widths = Widths::default();
        if renderer.names.aligns_quotes() {
            widths.some_quoted =
                listing.rows_as_read().any(|row| renderer.names.is_quoted(row.name_bytes()));
        }
        if options.details.inode || options.details.blocks {
            listing.rows_as_read().for_each(|row| widths.grow_for_numbers(renderer, row));
        }
        if options.layout == Layout::Long {
            widths.grow_for_long(renderer, listing);
        }
        widths
    }

    /// The widths of two listings that are printed as one.
    pub(super) fn and(self, other: Widths) -> Widths {
        let (major, minor) = (self.major.max(other.major), self.minor.max(other.minor));
        let of_devices = if major > 0 { major + 2 + minor } else { 0 };
        Widths {
            inode: self.inode.max(other.inode),
            blocks: self.blocks.max(other.blocks),
            links: self.links.max(other.links),
            owner: self.owner.max(other.owner),
            group: self.group.max(other.group),
            size: self.size.max(other.size).max(of_devices),
            major,
            minor,
            marks: self.marks || other.marks,
            some_quoted: self.some_quoted || other.some_quoted,
            total: self.total + other.total,
        }
    }

    fn grow_for_numbers(&mut self, renderer: &Renderer<'_>, row: Row<'_>) {
        if row.stat_error().is_none() {
            self.inode = self.inode.max(digits(row.inode()));
        }
        if let Some(stat) = row.stat() {
            let columns = renderer.options.details.block_scale.columns(stat.allocated());
            self.blocks = self.blocks.max(columns);
            if renderer.options.layout != Layout::Long {
                self.total += stat.allocated();
            }
        }
    }

    fn grow_for_long(&mut self, renderer: &Renderer<'_>, listing: &Listing) {
        let options = renderer.options;
        let (mut users, mut groups) = (Widest::default(), Widest::default());
        let (mut links, mut largest) = (None, None);
        for row in listing.rows_as_read() {
            self.marks |= row.marks() != Marks::None;
            let Some(stat) = row.stat() else { continue };
            self.total += stat.allocated();
            links = links.max(Some(stat.links()));
            if options.details.owner || options.details.author {
                users.see(stat.user(), |id| renderer.owner_names.user(id));
            }
            if options.details.group {
                groups.see(stat.group(), |id| renderer.owner_names.group(id));
            }
            match row.kind() {
                Kind::Block | Kind::Char => self.grow_for_device(stat),
                // In units that are chosen by size, the largest number is not the widest text.
                _ if options.details.size_scale.is_human() => {
                    self.size = self.size.max(options.details.size_scale.columns(stat.size()));
                }
                _ => largest = largest.max(Some(stat.size())),
            }
        }
        self.links = links.map_or(0, |links| digits(u64::from(links)));
        self.owner = users.columns;
        self.group = groups.columns;
        let columns = largest.map_or(0, |size| options.details.size_scale.columns(size));
        self.size = self.size.max(columns);
    }

    fn grow_for_device(&mut self, stat: &Stat) {
        let (major, minor) = stat.special();
        self.major = self.major.max(digits(u64::from(major)));
        self.minor = self.minor.max(digits(u64::from(minor)));
        self.size = self.size.max(self.major + 2 + self.minor);
    }
}

/// The width of the widest name seen so far.
#[derive(Default)]
struct Widest<'n> {
    recent: RecentNames<'n>,
    columns: usize,
}

impl<'n> Widest<'n> {
    #[inline]
    fn see(&mut self, id: u32, look_up: impl FnOnce(u32) -> Option<&'n [u8]>) {
        let name = self.recent.name(id, look_up);
        self.columns = self.columns.max(name.map_or_else(|| digits(u64::from(id)), <[u8]>::len));
    }
}
