//! One listing as it is printed: its rows, and what they have in common.

use std::path::Path;

use fewer::list::{Listing, Row};
use fewer::present::prefetch;

use super::names::NameContext;
use super::options::Layout;
use super::renderer::Renderer;
use super::widths::Widths;
use fewer::present::align::{digits, push_right, push_unknown};

/// One listing, and how its rows are printed.
pub(super) struct Table<'r, 's> {
    pub(super) renderer: &'r Renderer<'r>,
    listing: &'s Listing,
    /// The indices of the rows that are printed; `None` for all. The widths are those of all rows.
    shown: Option<Vec<usize>>,
    /// The directory that is listed, as the user spelled it.
    pub(super) directory: Option<&'s Path>,
    /// Its canonical path, if names are links.
    folder: Option<&'s Path>,
    pub(super) widths: Widths,
}

impl<'r, 's> Table<'r, 's> {
    pub(super) fn new(
        renderer: &'r Renderer<'r>,
        listing: &'s Listing,
        directory: Option<&'s Path>,
        folder: Option<&'s Path>,
    ) -> Table<'r, 's> {
        let widths = Widths::of(renderer, listing);
        Table { renderer, listing, shown: None, directory, folder, widths }
    }

    /// A listing that is part of something larger, whose widths it has.
    pub(super) fn part(
        renderer: &'r Renderer<'r>,
        listing: &'s Listing,
        folder: Option<&'s Path>,
        widths: Widths,
    ) -> Table<'r, 's> {
        Table { renderer, listing, shown: None, directory: None, folder, widths }
    }

    /// Indents names without quotes also if an operand that cannot be listed (`any`) has quotes.
    pub(super) fn align_with_quoted(&mut self, any: bool) {
        self.widths.some_quoted |= any && self.renderer.names.aligns_quotes();
    }

    /// Prints only some of the rows.
    pub(super) fn show_only(&mut self, wanted: impl Fn(Row<'_>) -> bool) {
        let places = (0..self.listing.len()).filter(|&place| wanted(self.listing.row(place)));
        self.shown = Some(places.collect());
    }

    /// Does not align inode numbers: for a listing that is printed while it is read, whose widest
    /// number is not known yet.
    pub(super) fn without_alignment(mut self) -> Self {
        self.widths.inode = 0;
        self
    }

    /// With how many threads it is worthwhile to print.
    pub(super) fn threads(&self) -> usize {
        self.listing.threads()
    }

    pub(super) fn len(&self) -> usize {
        self.shown.as_ref().map_or(self.listing.len(), Vec::len)
    }

    #[inline]
    pub(super) fn row(&self, place: usize) -> Row<'s> {
        self.listing.row(self.shown.as_ref().map_or(place, |shown| shown[place]))
    }

    /// Prefetches rows that are printed soon after the row at `place`.
    #[inline]
    pub(super) fn prefetch(&self, place: usize) {
        if self.shown.is_none() {
            prefetch(self.listing, place);
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'s>> {
        (0..self.len()).map(|place| self.row(place))
    }

    /// Prints the space that the files of the listing take together.
    pub(super) fn push_total(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"total ");
        self.renderer.options.details.block_scale.push(self.widths.total, out);
        out.push(self.renderer.options.lines.end);
    }

    /// Prints inode number and space, name and indicator, beginning in `column`.
    #[inline(always)]
    pub(super) fn push_entry(&self, row: Row<'_>, column: usize, out: &mut Vec<u8>) {
        self.renderer.names.push_normal(out);
        self.push_numbers(row, self.renderer.options.layout != Layout::Commas, out);
        self.push_name(row, column, out);
    }

    /// Prints the name, which begins in `column`, and its indicator.
    pub(super) fn push_name(&self, row: Row<'_>, column: usize, out: &mut Vec<u8>) {
        let names = &self.renderer.names;
        names.push(row, self.context(column), out);
        if let Some(indicator) = names.indicator(row) {
            out.push(indicator);
        }
    }

    pub(super) fn context(&self, column: usize) -> NameContext<'_> {
        NameContext { some_quoted: self.widths.some_quoted, folder: self.folder, column }
    }

    /// Prints inode number and space, if they are wanted.
    pub(super) fn push_numbers(&self, row: Row<'_>, aligned: bool, out: &mut Vec<u8>) {
        let options = self.renderer.options;
        if options.details.inode {
            let width = if aligned { self.widths.inode } else { 0 };
            match row.stat_error() {
                None => push_right(width, row.inode(), out),
                Some(_) => push_unknown(width, out),
            }
            out.push(b' ');
        }
        if options.details.blocks {
            let width = if aligned { self.widths.blocks } else { 0 };
            match row.stat() {
                Some(stat) => options.details.block_scale.push_right(width, stat.allocated(), out),
                None => push_unknown(width, out),
            }
            out.push(b' ');
        }
    }

    /// How many columns an entry takes.
    pub(super) fn columns(&self, row: Row<'_>) -> usize {
        let options = self.renderer.options;
        let aligned = options.layout != Layout::Commas;
        let mut columns = 0;
        if options.details.inode {
            let columns_of_row =
                || if row.stat_error().is_some() { 1 } else { digits(row.inode()) };
            columns += 1 + if aligned { self.widths.inode } else { columns_of_row() };
        }
        if options.details.blocks {
            let columns_of_row = || match row.stat() {
                Some(stat) => options.details.block_scale.columns(stat.allocated()),
                None => 1,
            };
            columns += 1 + if aligned { self.widths.blocks } else { columns_of_row() };
        }
        columns
            + self.renderer.names.columns(row.name_bytes(), self.widths.some_quoted)
            + usize::from(self.renderer.names.indicator(row).is_some())
    }
}
