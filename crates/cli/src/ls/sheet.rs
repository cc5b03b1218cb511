//! One listing on its way to be printed: what all its rows have in common.

use std::path::Path;

use fewer::list::{Listing, Row};

use super::names::Beside;
use super::options::Form;
use super::press::Press;
use super::sizes::{digits, push_number};
use super::widths::Widths;

/// A row is fetched from memory while so many before it are set.
const AHEAD: usize = 8;

/// One listing.
pub(super) struct Sheet<'s> {
    pub(super) press: &'s Press<'s>,
    listing: &'s Listing,
    /// The places of the rows that are printed; `None` for all. The others count for widths.
    shown: Option<Vec<usize>>,
    /// The directory that is listed, as it was given.
    pub(super) directory: Option<&'s Path>,
    /// Its canonical path, if names are links.
    folder: Option<&'s Path>,
    pub(super) widths: Widths,
}

impl<'s> Sheet<'s> {
    pub(super) fn new(
        press: &'s Press<'s>,
        listing: &'s Listing,
        directory: Option<&'s Path>,
        folder: Option<&'s Path>,
    ) -> Sheet<'s> {
        let widths = Widths::of(press, listing);
        Sheet { press, listing, shown: None, directory, folder, widths }
    }

    /// Sets names in beside ones with quotes that could not be listed, if there are any.
    pub(super) fn beside_quoted(&mut self, any: bool) {
        self.widths.some_quoted |= any && self.press.names.aligns_quotes();
    }

    /// Prints only some of the rows.
    pub(super) fn show_only(&mut self, wanted: impl Fn(Row<'_>) -> bool) {
        let places = (0..self.listing.len()).filter(|&place| wanted(self.listing.row(place)));
        self.shown = Some(places.collect());
    }

    /// Lets inode numbers stand where they come, for a list that is printed while it is read.
    pub(super) fn without_alignment(mut self) -> Self {
        self.widths.inode = 0;
        self
    }

    /// How many threads it is worth to print with.
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

    /// Has rows fetched from memory that come soon after this place.
    #[inline]
    pub(super) fn expect(&self, place: usize) {
        if self.shown.is_none() {
            self.listing.expect(place + AHEAD);
            self.listing.expect_name(place + AHEAD / 2);
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'s>> {
        (0..self.len()).map(|place| self.row(place))
    }

    /// What the files of the listing take together.
    pub(super) fn push_total(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"total ");
        self.press.options.block_scale.push(self.widths.total, out);
        out.push(self.press.options.end);
    }

    /// Prints inode number and space, name and indicator, beginning in `column`.
    pub(super) fn push_entry(&self, row: Row<'_>, column: usize, out: &mut Vec<u8>) {
        self.press.names.push_normal(out);
        self.push_numbers(row, self.press.options.form != Form::Commas, out);
        let names = &self.press.names;
        names.push(row, self.beside(column), out);
        out.extend(names.indicator(row));
    }

    pub(super) fn beside(&self, column: usize) -> Beside<'_> {
        Beside { some_quoted: self.widths.some_quoted, folder: self.folder, column }
    }

    /// Prints inode number and space, if they are wanted.
    pub(super) fn push_numbers(&self, row: Row<'_>, aligned: bool, out: &mut Vec<u8>) {
        let options = self.press.options;
        if options.inode {
            let width = if aligned { self.widths.inode } else { 0 };
            match row.stat_error() {
                None => push_right(width, row.inode(), out),
                Some(_) => push_unknown(width, out),
            }
            out.push(b' ');
        }
        if options.blocks {
            let width = if aligned { self.widths.blocks } else { 0 };
            match row.stat() {
                Some(stat) => options.block_scale.push_right(width, stat.allocated(), out),
                None => push_unknown(width, out),
            }
            out.push(b' ');
        }
    }

    /// How many columns an entry takes.
    pub(super) fn columns(&self, row: Row<'_>) -> usize {
        let options = self.press.options;
        let aligned = options.form != Form::Commas;
        let mut columns = 0;
        if options.inode {
            let own = || if row.stat_error().is_some() { 1 } else { digits(row.inode()) };
            columns += 1 + if aligned { self.widths.inode } else { own() };
        }
        if options.blocks {
            let own = || match row.stat() {
                Some(stat) => options.block_scale.columns(stat.allocated()),
                None => 1,
            };
            columns += 1 + if aligned { self.widths.blocks } else { own() };
        }
        columns
            + self.press.names.columns(row.name_bytes(), self.widths.some_quoted)
            + usize::from(self.press.names.indicator(row).is_some())
    }
}

/// Prints the blanks before something that takes `columns` of `width`.
#[inline]
pub(super) fn push_blanks(width: usize, columns: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + width.saturating_sub(columns), b' ');
}

/// Prints a number on the right of `width` columns.
#[inline]
pub(super) fn push_right(width: usize, number: u64, out: &mut Vec<u8>) {
    push_blanks(width, digits(number), out);
    push_number(number, out);
}

/// Prints a question mark on the right of `width` columns.
pub(super) fn push_unknown(width: usize, out: &mut Vec<u8>) {
    push_blanks(width, 1, out);
    out.push(b'?');
}
