//! `--tree`: everything below a directory, behind lines that show what it belongs to.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fewer::list::Listing;
use fewer::{Errno, Kind};

use super::Run;
use super::names::NameContext;

/// A directory on the way down to the one that is printed.
struct Level {
    folder: Option<PathBuf>,
    listing: Listing,
    next: usize,
    /// The index behind its last row that is printed.
    end: usize,
}

impl Run<'_> {
    /// Prints the tree at a path.
    pub(super) fn list_tree(&mut self, path: &Path) {
        let mut lists = self.list(path).kinds().below();
        let top = match lists.next() {
            Some((_, Ok(listing))) => Some(listing),
            // A tree of one file.
            Some((_, Err(error))) if error.errno() == Errno::NOTDIR => None,
            Some((_, Err(error))) => return self.complain_of_directory(&error, true),
            None => return,
        };
        self.renderer.names.push_top(path, &mut self.output.bytes);
        self.output.bytes.push(self.options.lines.end);
        let mut levels: Vec<Level> = Vec::new();
        levels.extend(top.map(|listing| self.level(path.to_owned(), listing)));
        while let Some(level) = levels.last_mut() {
            if level.next == level.end {
                levels.pop();
                continue;
            }
            level.next += 1;
            let (is_directory, name) = {
                let row = level.listing.row(level.next - 1);
                (row.kind() == Kind::Directory, row.name().to_owned())
            };
            if is_dot(name.as_bytes()) {
                continue;
            }
            self.push_row(&levels);
            if !self.output.write_blocks() {
                return;
            }
            // The lists come in the order of the rows.
            let below = if is_directory { lists.next() } else { None };
            match below {
                Some((path, Ok(listing))) => levels.push(self.level(path, listing)),
                Some((_, Err(error))) => self.complain_of_directory(&error, false),
                None => {}
            }
        }
    }

    fn level(&mut self, path: PathBuf, listing: Listing) -> Level {
        self.complain_of_rows(&listing, Some(&path));
        let folder = self.renderer.names.folder(&path);
        let is_shown = |place: &usize| !is_dot(listing.row(*place).name_bytes());
        let end = (0..listing.len()).rev().find(is_shown).map_or(0, |last| last + 1);
        Level { folder, listing, next: 0, end }
    }

    /// Prints the row that the last level has come to.
    fn push_row(&mut self, levels: &[Level]) {
        let Some((level, above)) = levels.split_last() else { return };
        let out = &mut self.output.bytes;
        for level in above {
            let line = if level.next == level.end { "    " } else { "│   " };
            out.extend_from_slice(line.as_bytes());
        }
        let branch = if level.next == level.end { "└── " } else { "├── " };
        out.extend_from_slice(branch.as_bytes());
        let row = level.listing.row(level.next - 1);
        let context = NameContext {
            some_quoted: false,
            folder: level.folder.as_deref(),
            column: 4 * levels.len(),
        };
        self.renderer.names.push(row, context, out);
        out.extend(self.renderer.names.indicator(row));
        out.push(self.options.lines.end);
    }
}

fn is_dot(name: &[u8]) -> bool {
    matches!(name, b"." | b"..")
}
