//! Addresses of stores: `fewer size s3://bucket/prefix`, `hdfs://namenode/path`.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::disk_usage::Row;
use fewer::{Answer, Entry, Fields, Filter};
use sys::OsStrExt;

use super::folders::Folders;
use super::print::Style;
use super::{depth, filter, print_rows};
use crate::flags::store::about_files;
use crate::progress::Progress;
use crate::report;
use crate::store::{self, Came, Cost, Visitor};

/// Measures what is in stores; `None` if the paths are no addresses.
pub(super) fn run(flags: &ArgMatches) -> Option<u8> {
    let status = store::addresses(flags)?.and_then(|paths| measure(flags, &paths));
    Some(status.unwrap_or_else(|message| report::fail(&message)))
}

fn measure(flags: &ArgMatches, paths: &[PathBuf]) -> Result<u8, String> {
    if let Some(flag) = about_files(flags) {
        return Err(store::is_about_files(&format!("--{flag}")));
    }
    store::refuse_flags(flags, paths)?;
    let style = Style::from_flags(flags)?;
    let mut size = Size {
        flags,
        filter: filter(flags).map_err(|error| error.to_string())?,
        progress: Progress::before_results().unless_unwanted(flags),
        counted: Vec::new(),
    };
    let (mut rows, mut cost, mut came) = (Vec::new(), Cost::default(), Vec::new());
    for path in paths {
        let added = match store::is_tree(path) {
            true => size.add_tree(path, &mut rows, &mut cost),
            false => size.add_bucket(path, &mut rows, &mut cost),
        };
        came.push(added.unwrap_or_else(|message| {
            size.complain(&message);
            Came::Nothing
        }));
    }
    size.progress.clear();
    let printed = print_rows(rows, flags, &style);
    if flags.get_flag("calls") {
        cost.print(flags.get_flag("json"));
    }
    Ok(Came::status(&came).max(printed))
}

/// What is measured, and what was so far.
struct Size<'f> {
    flags: &'f ArgMatches,
    filter: Filter,
    progress: Progress,
    /// What the addresses of all that was counted begin with.
    counted: Vec<Vec<u8>>,
}

impl Size<'_> {
    /// Adds the rows of a bucket or prefix.
    fn add_bucket(
        &mut self,
        path: &Path,
        rows: &mut Vec<Row>,
        cost: &mut Cost,
    ) -> Result<Came, String> {
        let location = store::location(path)?;
        let address = location.address().into_bytes();
        if self.is_counted(&address) {
            return Ok(Came::All);
        }
        let root = store::folder(&address).to_vec();
        let list = store::list(self.flags, &location);
        let mut sums = Sums::new(self, &root, &root, b"");
        let (outcome, error) = store::visit_bucket(&list, &location, usize::MAX, &mut sums, cost);
        let came = Came::of(outcome.keys, error.is_some() || outcome.unlisted > 0);
        if came != Came::Nothing {
            rows.extend(sums.folders.into_rows(path.as_os_str().as_bytes(), &root));
            self.counted.push(address);
        }
        error.into_iter().for_each(|message| self.complain(&message));
        Ok(came)
    }

    /// Adds the rows of a tree of HDFS.
    fn add_tree(
        &mut self,
        path: &Path,
        rows: &mut Vec<Row>,
        cost: &mut Cost,
    ) -> Result<Came, String> {
        let address = store::address(path)?;
        let slash = if address.path() == "/" { "" } else { "/" };
        let root = format!("hdfs://{}{}{slash}", address.authority(), address.path());
        if self.is_counted(root.as_bytes()) {
            return Ok(Came::All);
        }
        let front = store::front(&address);
        let tree = store::tree(self.flags, &address);
        let mut sums = Sums::new(self, front.as_bytes(), root.as_bytes(), b"/");
        let came = store::visit_tree(&tree, &address, usize::MAX, &mut sums, cost);
        if came != Came::Nothing {
            rows.extend(sums.folders.into_rows(address.as_str().as_bytes(), front.as_bytes()));
            self.counted.push(root.into_bytes());
        }
        Ok(came)
    }

    /// Whether something was counted below an earlier address.
    fn is_counted(&self, address: &[u8]) -> bool {
        self.counted.iter().any(|counted| address.starts_with(counted))
    }

    fn complain(&self, message: &str) {
        self.progress.clear();
        report::complain(&message);
    }
}

/// The sums of one address.
struct Sums<'s> {
    size: &'s Size<'s>,
    folders: Folders,
    /// What stands in front of a path below the address, and how long that is in an entry's.
    front: &'s [u8],
    front_length: usize,
    /// What stands behind the path of a directory.
    slash: &'s [u8],
    unreported: (usize, usize),
}

impl<'s> Sums<'s> {
    fn new(size: &'s Size<'s>, written: &[u8], front: &'s [u8], slash: &'s [u8]) -> Sums<'s> {
        let files = size.flags.get_flag("all");
        Sums {
            size,
            folders: Folders::new(depth(size.flags), files, slash.is_empty()),
            front,
            front_length: written.len(),
            slash,
            unreported: (0, 0),
        }
    }

    fn is_counted(&self, path: &[u8]) -> bool {
        !self.size.counted.is_empty()
            && self.size.is_counted(&[self.front, path, self.slash].concat())
    }

    fn report(&mut self, is_directory: bool) {
        self.unreported.0 += 1;
        self.unreported.1 += usize::from(is_directory);
        if self.unreported.0 >= Progress::EVERY {
            let (entries, directories) = std::mem::take(&mut self.unreported);
            self.size.progress.add_tree(entries, directories);
        }
    }
}

impl Visitor for Sums<'_> {
    fn filter(&self) -> &Filter {
        &self.size.filter
    }

    fn entry(&mut self, entry: Entry<'_>, _: Option<&stores::Object<'_>>) -> Answer {
        let path = entry.path_bytes().get(self.front_length..).unwrap_or_default();
        if !self.is_counted(path) {
            let size = entry.stat(Fields::SIZE).map_or(0, |stat| stat.size());
            self.folders.add(path, entry.depth(), entry.kind(), size);
        }
        self.report(entry.is_dir());
        Answer::Continue
    }

    fn failed(&mut self, _: &[u8], message: &str) {
        self.size.complain(message);
    }
}
