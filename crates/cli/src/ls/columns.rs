//! Entries beside each other: in columns, filled downwards or across, and with commas.

use super::table::Table;

/// No column is narrower: a name of one letter and two blanks.
const NARROWEST: usize = 3;
const BETWEEN: usize = 2;

impl Table<'_, '_> {
    /// Prints all entries in columns that are filled downwards.
    pub(super) fn push_columns(&self, out: &mut Vec<u8>) {
        let lengths = self.lengths();
        let entries = lengths.len();
        let widths = self.widths(&lengths, true);
        let lines = entries.div_ceil(widths.len().max(1));
        for line in 0..lines {
            let mut column = 0;
            for (width, place) in widths.iter().zip((line..entries).step_by(lines)) {
                self.push_entry(self.row(place), column, out);
                if place + lines < entries {
                    self.push_gap(column + lengths[place], column + width, out);
                }
                column += width;
            }
            out.push(self.renderer.options.lines.end);
        }
    }

    /// Prints all entries in columns that are filled line by line.
    pub(super) fn push_across(&self, out: &mut Vec<u8>) {
        let lengths = self.lengths();
        let widths = self.widths(&lengths, false);
        for (line, places) in lengths.chunks(widths.len().max(1)).enumerate() {
            let first = line * widths.len();
            let mut column = 0;
            for (at, length) in places.iter().enumerate() {
                self.push_entry(self.row(first + at), column, out);
                if at + 1 < places.len() {
                    self.push_gap(column + length, column + widths[at], out);
                }
                column += widths[at];
            }
            out.push(self.renderer.options.lines.end);
        }
    }

    /// Prints all entries with `between` and a blank between them, and breaks lines as needed.
    pub(super) fn push_separated(&self, between: u8, out: &mut Vec<u8>) {
        let (width, end) = (self.renderer.options.lines.width, self.renderer.options.lines.end);
        let mut column = 0;
        for (place, row) in self.rows().enumerate() {
            let length = if width == 0 { 0 } else { self.columns(row) };
            if place > 0 {
                let fits = width == 0 || column + length + BETWEEN < width;
                column = if fits { column + BETWEEN } else { 0 };
                out.extend_from_slice(&[between, if fits { b' ' } else { end }]);
            }
            self.push_entry(row, column, out);
            column += length;
        }
        out.push(end);
    }

    fn lengths(&self) -> Vec<usize> {
        self.rows().map(|row| self.columns(row)).collect()
    }

    /// The widths of the most columns that fit into a line.
    fn widths(&self, lengths: &[usize], downwards: bool) -> Vec<usize> {
        let line = self.renderer.options.lines.width;
        let most = line.div_ceil(NARROWEST).min(lengths.len()).max(1);
        for columns in (2..=most).rev() {
            if let Some(widths) = fitting(lengths, columns, line, downwards) {
                return widths;
            }
        }
        vec![lengths.iter().copied().max().unwrap_or(0).max(NARROWEST)]
    }

    fn push_gap(&self, mut from: usize, to: usize, out: &mut Vec<u8>) {
        let tab = self.renderer.options.lines.tab;
        while from < to {
            if tab != 0 && to / tab > (from + 1) / tab {
                out.push(b'\t');
                from += tab - from % tab;
            } else {
                out.push(b' ');
                from += 1;
            }
        }
    }
}

/// The widths of so many columns, if they fit into a line.
fn fitting(lengths: &[usize], columns: usize, line: usize, downwards: bool) -> Option<Vec<usize>> {
    let lines = lengths.len().div_ceil(columns);
    let mut widths = vec![NARROWEST; columns];
    let mut sum = columns * NARROWEST;
    for (place, length) in lengths.iter().enumerate() {
        let column = if downwards { place / lines } else { place % columns };
        let width = length + if column + 1 == columns { 0 } else { BETWEEN };
        if widths[column] < width {
            sum += width - widths[column];
            widths[column] = width;
            if sum >= line {
                return None;
            }
        }
    }
    Some(widths)
}
