//! What is directly below an address: objects and folders, or the entries of a directory of HDFS.

use std::path::Path;

use clap::ArgMatches;
use fewer::list::Listing;
use fewer::{Answer, Entry, Filter};
use sys::OsStrExt;

use super::Run;
use super::rows::{Details, Rows};
use super::table::Table;
use crate::report;
use crate::store::{self, Came, Cost, Visitor};

/// What is directly below an address.
pub(super) struct Level {
    pub(super) rows: Rows,
    /// The address of HDFS is that of a file, which is the only row.
    pub(super) is_file: bool,
    pub(super) came: Came,
    pub(super) error: Option<String>,
}

impl Level {
    /// Price: one request for each 1,000 objects and folders, or 5,000 of Azure's; for HDFS one
    /// call, and one for each 1,000 entries of a directory.
    pub(super) fn read(flags: &ArgMatches, path: &Path, cost: &mut Cost) -> Level {
        let mut reader = Reader {
            rows: Rows::default(),
            filter: Filter::new(),
            front: 0,
            path,
            is_file: false,
            failed: None,
        };
        let read = match store::is_tree(path) {
            true => reader.read_tree(flags, cost),
            false => reader.read_bucket(flags, cost),
        };
        let (came, error) = match read {
            Ok(came) => (came, reader.failed),
            Err(message) => (Came::Nothing, Some(message)),
        };
        Level { rows: reader.rows, is_file: reader.is_file, came, error }
    }
}

/// Takes the rows of one level.
struct Reader<'p> {
    rows: Rows,
    filter: Filter,
    /// How much of an entry's address stands in front of its name.
    front: usize,
    path: &'p Path,
    is_file: bool,
    failed: Option<String>,
}

impl Reader<'_> {
    fn read_bucket(&mut self, flags: &ArgMatches, cost: &mut Cost) -> Result<Came, String> {
        let location = store::location(self.path)?;
        self.front = store::folder(location.address().as_bytes()).len();
        let list = store::list(flags, &location);
        let (outcome, error) = store::visit_bucket(&list, &location, 1, self, cost);
        self.failed = error.or(self.failed.take());
        Ok(Came::of(outcome.keys, self.failed.is_some()))
    }

    fn read_tree(&mut self, flags: &ArgMatches, cost: &mut Cost) -> Result<Came, String> {
        let address = store::address(self.path)?;
        self.front = store::front(&address).len();
        Ok(store::visit_tree(&store::tree(flags, &address), &address, 1, self, cost))
    }
}

impl Visitor for Reader<'_> {
    fn filter(&self) -> &Filter {
        &self.filter
    }

    fn entry(&mut self, entry: Entry<'_>, object: Option<&stores::Object<'_>>) -> Answer {
        let is_folder = object.is_some_and(|object| object.is_common_prefix);
        let details = if is_folder { None } else { Details::of(&entry, object.is_none()) };
        if entry.depth() > 0 {
            let name = entry.path_bytes().get(self.front..).unwrap_or_default();
            self.rows.push(name, entry.kind(), details);
        } else if !entry.is_dir() {
            self.is_file = true;
            self.rows.push(self.path.as_os_str().as_bytes(), entry.kind(), details);
        }
        // Otherwise the address itself: as on a disk a directory is not in its own listing.
        Answer::Continue
    }

    fn failed(&mut self, _: &[u8], message: &str) {
        self.failed = Some(message.to_owned());
    }
}

impl Run<'_> {
    pub(super) fn print_level(&mut self, path: &Path, level: Level, heading: bool) {
        if level.came != Came::Nothing {
            let (listing, fits) = level.rows.listing(self.list(path).object_rows());
            self.print_rows(path, &listing, level.is_file, heading);
            if !fits {
                self.complain_of_name(path);
            }
        }
        if let Some(message) = level.error {
            self.failed = true;
            self.failed_operands += usize::from(level.came == Came::Nothing);
            report::complain(&message);
        }
    }

    /// A name in this folder is longer than any row can have.
    pub(super) fn complain_of_name(&mut self, folder: &Path) {
        self.failed = true;
        let name = store::shown(folder);
        report::complain(&format!("'{name}': a name is too long"));
    }

    /// Prints rows of what is directly below an address, or that of a file alone.
    pub(super) fn print_rows(
        &mut self,
        path: &Path,
        listing: &Listing,
        is_file: bool,
        heading: bool,
    ) {
        self.push_heading(path, None, heading && !is_file);
        let directory = Some(path).filter(|_| !is_file);
        Table::new(self.renderer, listing, directory, None).print(&mut self.output);
    }
}
