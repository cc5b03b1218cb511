//! How wide the columns of a listing are, and what else it takes all rows to know: in one pass, in
//! the order in which they lie in memory.

use fewer::list::{Listing, Marks, Row};
use fewer::{Kind, Stat};

use super::options::Form;
use super::people::Lately;
use super::press::Press;
use super::sizes::digits;

/// What all rows have in common. Rows that did not answer do not count.
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
    /// Whether any entry has a mark behind its mode.
    pub(super) marks: bool,
    /// Whether any name has quotes around it, so that the others are set in.
    pub(super) some_quoted: bool,
    /// The bytes that all files take together.
    pub(super) total: u64,
}

impl Widths {
    pub(super) fn of(press: &Press<'_>, listing: &Listing) -> Widths {
        let options = press.options;
        let mut widths = Widths::default();
        if press.names.aligns_quotes() {
            widths.some_quoted =
                listing.rows_as_read().any(|row| press.names.is_quoted(row.name_bytes()));
        }
        if options.inode || options.blocks {
            listing.rows_as_read().for_each(|row| widths.grow_for_numbers(press, row));
        }
        if options.form == Form::Long {
            widths.grow_for_long(press, listing);
        }
        widths
    }

    fn grow_for_numbers(&mut self, press: &Press<'_>, row: Row<'_>) {
        if row.stat_error().is_none() {
            self.inode = self.inode.max(digits(row.inode()));
        }
        if let Some(stat) = row.stat() {
            let columns = press.options.block_scale.columns(stat.allocated());
            self.blocks = self.blocks.max(columns);
            if press.options.form != Form::Long {
                self.total += stat.allocated();
            }
        }
    }

    fn grow_for_long(&mut self, press: &Press<'_>, listing: &Listing) {
        let options = press.options;
        let (mut users, mut groups) = (Widest::default(), Widest::default());
        let (mut links, mut largest) = (None, None);
        for row in listing.rows_as_read() {
            self.marks |= row.marks() != Marks::None;
            let Some(stat) = row.stat() else { continue };
            self.total += stat.allocated();
            links = links.max(Some(stat.links()));
            if options.owner || options.author {
                users.see(stat.user(), |id| press.people.user(id));
            }
            if options.group {
                groups.see(stat.group(), |id| press.people.group(id));
            }
            match row.kind() {
                Kind::Block | Kind::Char => self.grow_for_device(stat),
                // In units that are chosen by size, the largest number is not the widest text.
                _ if options.size_scale.is_human() => {
                    self.size = self.size.max(options.size_scale.columns(stat.size()));
                }
                _ => largest = largest.max(Some(stat.size())),
            }
        }
        self.links = links.map_or(0, |links| digits(u64::from(links)));
        self.owner = users.columns;
        self.group = groups.columns;
        let columns = largest.map_or(0, |size| options.size_scale.columns(size));
        self.size = self.size.max(columns);
    }

    fn grow_for_device(&mut self, stat: &Stat) {
        let (major, minor) = stat.special();
        self.major = self.major.max(digits(u64::from(major)));
        self.minor = self.minor.max(digits(u64::from(minor)));
        self.size = self.size.max(self.major + 2 + self.minor);
    }
}

/// The widest name of those seen.
#[derive(Default)]
struct Widest<'n> {
    lately: Lately<'n>,
    columns: usize,
}

impl<'n> Widest<'n> {
    #[inline]
    fn see(&mut self, id: u32, look_up: impl FnOnce(u32) -> Option<&'n [u8]>) {
        let name = self.lately.name(id, look_up);
        self.columns = self.columns.max(name.map_or_else(|| digits(u64::from(id)), <[u8]>::len));
    }
}
