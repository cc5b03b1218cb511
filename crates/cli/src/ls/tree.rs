//! `--tree`: everything below a directory, behind lines that show what it belongs to, and behind
//! the columns of `-l`, `-i` and `-s`.

use std::path::{Path, PathBuf};

use fewer::list::{Listing, Row};
use fewer::{Errno, Error, Kind};

use super::Run;
use super::long::RowWriter;
use super::options::Layout;
use super::renderer::Renderer;
use super::table::Table;
use super::widths::Widths;

/// A directory on the way down to the one that is printed.
struct Level {
    folder: Option<PathBuf>,
    listing: Listing,
    next: usize,
    /// The index behind its last row that is printed.
    end: usize,
}

/// What rows are printed with: the columns have the same widths in all of a tree.
struct TreeWriter<'r> {
    renderer: &'r Renderer<'r>,
    widths: Widths,
    rows: RowWriter<'r>,
}

impl<'r> TreeWriter<'r> {
    fn new(renderer: &'r Renderer<'r>, widths: Widths) -> TreeWriter<'r> {
        // Names are not indented where others have quotes: the lines show where they begin.
        let widths = Widths { some_quoted: false, ..widths };
        TreeWriter { renderer, widths, rows: RowWriter::new(renderer) }
    }

    /// Prints a row: its columns, the lines in front of its name, its name.
    fn push(
        &mut self,
        (listing, row): (&Listing, Row<'_>),
        folder: Option<&Path>,
        above: &[bool],
        out: &mut Vec<u8>,
    ) {
        let table = Table::part(self.renderer, listing, folder, self.widths);
        let is_long = self.renderer.options.layout == Layout::Long;
        let column = match is_long {
            true => table.push_details(row, &mut self.rows, out),
            false => {
                let start = out.len();
                table.push_numbers(row, true, out);
                out.len() - start
            }
        };
        push_lines(above, out);
        let column = column + 4 * above.len();
        match is_long {
            true => table.push_long_name(row, column, out),
            false => table.push_name(row, column, out),
        }
        out.push(self.renderer.options.lines.end);
    }
}

/// Prints the lines in front of a name; for each directory above it whether that, or what leads to
/// the name, is the last one in its directory.
fn push_lines(above: &[bool], out: &mut Vec<u8>) {
    let Some((is_last, above)) = above.split_last() else { return };
    for is_last in above {
        out.extend_from_slice(if *is_last { "    " } else { "│   " }.as_bytes());
    }
    out.extend_from_slice(if *is_last { "└── " } else { "├── " }.as_bytes());
}

impl Run<'_> {
    /// Prints the tree at a path.
    pub(super) fn list_tree(&mut self, path: &Path) {
        let details = &self.options.details;
        if self.options.layout == Layout::Long || details.inode || details.blocks {
            return self.list_tree_in_columns(path);
        }
        let mut lists = self.list(path).kinds().below();
        let top = match lists.next() {
            Some((path, Ok(listing))) => Some(self.level(&path, listing)),
            // A tree of one file.
            Some((_, Err(error))) if error.errno() == Errno::NOTDIR => None,
            Some((_, Err(error))) => return self.complain_of_directory(&error, true),
            None => return,
        };
        self.renderer.names.push_top(path, &mut self.output.bytes);
        self.output.bytes.push(self.options.lines.end);
        let writer = TreeWriter::new(self.renderer, Widths::default());
        self.print_levels(top, writer, |run| {
            let (path, listing) = lists.next()?;
            Some(listing.map(|listing| run.level(&path, listing)))
        });
    }

    /// Prints the tree at a path behind columns. All of it is read before, and kept: the last entry
    /// may be the one that makes a column wider.
    fn list_tree_in_columns(&mut self, path: &Path) {
        let (top, errors) =
            self.list(Path::new("")).operands([path], self.options.selection.operands, false);
        if let Some(error) = errors.first() {
            return self.complain_of_directory(error, true);
        }
        self.complain_of_rows(&top, None);
        let mut widths = Widths::of(self.renderer, &top);
        let mut levels = Vec::new();
        if top.row(0).kind() == Kind::Directory {
            for (path, listing) in self.list(path).kinds().below() {
                levels.push(listing.map(|listing| {
                    widths = widths.and(Widths::of(self.renderer, &listing));
                    self.level(&path, listing)
                }));
            }
        }
        let mut writer = TreeWriter::new(self.renderer, widths);
        writer.push((&top, top.row(0)), None, &[], &mut self.output.bytes);
        let mut levels = levels.into_iter();
        match levels.next() {
            Some(Ok(first)) => self.print_levels(Some(first), writer, |_| levels.next()),
            Some(Err(error)) => self.complain_of_directory(&error, true),
            None => {}
        }
    }

    /// Prints all that is below `top`. `below` gives the listings, in the order of the rows.
    fn print_levels(
        &mut self,
        top: Option<Level>,
        mut writer: TreeWriter<'_>,
        mut below: impl FnMut(&mut Self) -> Option<Result<Level, Error>>,
    ) {
        let mut levels = Vec::from_iter(top);
        let mut above = Vec::new();
        while let (depth, Some(level)) = (levels.len(), levels.last_mut()) {
            if level.next == level.end {
                levels.pop();
                continue;
            }
            level.next += 1;
            let row = level.listing.row(level.next - 1);
            if is_dot(row.name_bytes()) {
                continue;
            }
            above.truncate(depth - 1);
            above.push(level.next == level.end);
            let folder = level.folder.as_deref();
            writer.push((&level.listing, row), folder, &above, &mut self.output.bytes);
            let is_directory = row.kind() == Kind::Directory;
            if !self.output.write_blocks() {
                return;
            }
            match if is_directory { below(self) } else { None } {
                Some(Ok(level)) => levels.push(level),
                Some(Err(error)) => self.complain_of_directory(&error, false),
                None => {}
            }
        }
    }

    fn level(&mut self, path: &Path, listing: Listing) -> Level {
        self.complain_of_rows(&listing, Some(path));
        let folder = self.renderer.names.folder(path);
        let is_shown = |place: &usize| !is_dot(listing.row(*place).name_bytes());
        let end = (0..listing.len()).rev().find(is_shown).map_or(0, |last| last + 1);
        Level { folder, listing, next: 0, end }
    }
}

fn is_dot(name: &[u8]) -> bool {
    matches!(name, b"." | b"..")
}
