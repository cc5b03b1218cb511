//! `ls -R` of an address: all that is below it comes in one listing, in the order of the keys, and
//! is printed folder by folder.
//!
//! A folder is printed before what is below it, so its rows, which come in between, are awaited:
//! what came meanwhile is kept. Where that would be too much, the rows of the folder are listed by
//! themselves, for a request for each 1,000 of them, and what is below is printed as it comes.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;

use clap::ArgMatches;
use fewer::list::{By, ObjectRows};
use fewer::{Answer, Entry, Filter, Kind};
use sys::{OsStrExt, OsStringExt};

use super::Run;
use super::level::Level;
use super::rows::{Details, Rows};
use crate::report;
use crate::store::{self, Came, Cost, Visitor};

/// So much is kept of folders that wait for their rows.
const KEPT_BYTES: usize = 16 << 20;

/// Prints what is below an address, and says what could not be listed.
pub(super) fn list(run: &mut Run<'_>, flags: &ArgMatches, path: &Path, cost: &mut Cost) {
    let came = match store::is_tree(path) {
        true => list_tree(run, flags, path, cost),
        false => list_bucket(run, flags, path, cost),
    };
    let came = came.unwrap_or_else(|message| {
        run.failed = true;
        report::complain(&message);
        Came::Nothing
    });
    run.failed_operands += usize::from(came == Came::Nothing);
}

/// Price: as that of `walk`, and for each folder of which more than 16 MiB are below, 1 request for
/// each 1,000 of its rows.
fn list_bucket(
    run: &mut Run<'_>,
    flags: &ArgMatches,
    path: &Path,
    cost: &mut Cost,
) -> Result<Came, String> {
    let location = store::location(path)?;
    let address = location.address().into_bytes();
    let list = store::list(flags, &location).sorted(true);
    let mut below = Below::new(run, flags, path, store::folder(&address), false);
    let (outcome, error) = store::visit_bucket(&list, &location, usize::MAX, &mut below, cost);
    if let Some(message) = &error {
        below.complain(message);
    }
    let came = Came::of(outcome.keys, error.is_some());
    below.finish(came, cost);
    Ok(came)
}

/// Price: 1 call, and for each directory 1 for each 1,000 entries.
fn list_tree(
    run: &mut Run<'_>,
    flags: &ArgMatches,
    path: &Path,
    cost: &mut Cost,
) -> Result<Came, String> {
    let address = store::address(path)?;
    let tree = store::tree(flags, &address).sorted(true);
    let front = store::front(&address);
    let mut below = Below::new(run, flags, path, front.as_bytes(), true);
    let came = store::visit_tree(&tree, &address, usize::MAX, &mut below, cost);
    below.finish(came, cost);
    Ok(came)
}

/// A folder whose rows are awaited.
struct Folder {
    /// As it is printed.
    path: PathBuf,
    /// What the addresses of all in it begin with.
    front: Vec<u8>,
    rows: Rows,
    /// The folders in it that are complete, in the order of the keys.
    folders: Vec<Folder>,
    /// Its rows are printed, and those that come are not kept.
    is_printed: bool,
    /// It could not be listed, at least not to its end.
    has_failed: bool,
}

impl Folder {
    fn new(path: PathBuf, front: Vec<u8>) -> Folder {
        let (rows, folders) = (Rows::default(), Vec::new());
        Folder { path, front, rows, folders, is_printed: false, has_failed: false }
    }

    /// The memory that its rows take.
    fn bytes(&self) -> usize {
        size_of::<Folder>() + self.front.len() * 2 + self.rows.bytes()
    }
}

/// A listing under way.
struct Below<'r, 'o> {
    run: &'r mut Run<'o>,
    flags: &'r ArgMatches,
    is_tree: bool,
    filter: Filter,
    /// Knows which names are wanted.
    wanted: ObjectRows,
    /// The folders down to the current one.
    open: Vec<Folder>,
    /// All whose address begins so is left out.
    left_out: Option<Vec<u8>>,
    /// What waits of folders that are complete.
    kept_bytes: usize,
    /// The address of HDFS is that of a file.
    is_file: bool,
    cost_of_rows: Vec<Cost>,
}

impl<'r, 'o> Below<'r, 'o> {
    fn new(
        run: &'r mut Run<'o>,
        flags: &'r ArgMatches,
        path: &Path,
        front: &[u8],
        is_tree: bool,
    ) -> Below<'r, 'o> {
        let wanted = run.list(Path::new("")).object_rows();
        // Of a bucket a hidden name may be all that tells of the folder that it is in.
        let hides = is_tree && run.options.selection.hidden == fewer::list::Hidden::Skip;
        Below {
            run,
            flags,
            is_tree,
            filter: Filter::new().skip_hidden(hides),
            wanted,
            open: vec![Folder::new(path.to_owned(), front.to_vec())],
            left_out: None,
            kept_bytes: 0,
            is_file: false,
            cost_of_rows: Vec::new(),
        }
    }

    /// Takes what was found next.
    fn take(&mut self, address: &[u8], entry: &Entry<'_>) {
        if self.left_out.as_deref().is_some_and(|it| address.starts_with(it)) {
            return;
        }
        while self.open.len() > 1 && !address.starts_with(&self.open[self.open.len() - 1].front) {
            self.close();
        }
        let Some(mut from) = self.open.last().map(|folder| folder.front.len()) else { return };
        if self.is_tree && entry.is_dir() {
            let front = [address, b"/"].concat();
            self.enter(&address[from..], front, Details::of(entry, true));
            return;
        }
        while let Some(length) = address[from..].iter().position(|&byte| byte == b'/') {
            let end = from + length + 1;
            if !self.enter(&address[from..end], address[..end].to_vec(), None) {
                return;
            }
            from = end;
        }
        // A key that ends in a slash is the folder itself, which is not in its own listing.
        if from < address.len() {
            self.push(&address[from..], entry.kind(), Details::of(entry, self.is_tree));
        }
    }

    /// Begins a folder in the current one; false if its name is not wanted.
    fn enter(&mut self, name: &[u8], front: Vec<u8>, details: Option<Details>) -> bool {
        if !self.push(name, Kind::Directory, details) {
            self.left_out = Some(front);
            return false;
        }
        let path = if self.is_tree { &front[..front.len() - 1] } else { &front };
        self.open.push(Folder::new(path_of(path), front));
        true
    }

    /// Adds a row to the current folder; false if its name is not wanted.
    fn push(&mut self, name: &[u8], kind: Kind, details: Option<Details>) -> bool {
        if !self.wanted.wants(name) {
            return false;
        }
        if let Some(folder) = self.open.last_mut().filter(|folder| !folder.is_printed) {
            folder.rows.push(name, kind, details);
        }
        true
    }

    /// The current folder is complete: it is printed, or waits for that in which it is.
    fn close(&mut self) {
        let Some(folder) = self.open.pop() else { return };
        match self.open.last_mut().filter(|outer| !outer.is_printed) {
            Some(outer) => {
                self.kept_bytes += folder.bytes();
                outer.folders.push(folder);
                while self.kept_bytes > KEPT_BYTES && self.is_in_order() {
                    self.print_first();
                }
            }
            None => self.print(folder),
        }
    }

    /// Prints a folder, and what is in it, and keeps nothing of them.
    fn print(&mut self, mut folder: Folder) {
        let folders = std::mem::take(&mut folder.folders);
        let names = if folder.is_printed { None } else { self.print_rows(&mut folder) };
        let Some(names) = names.filter(|_| !self.is_in_order()) else {
            return self.print_all(folders);
        };
        let name = |inner: &Folder| {
            let name = &inner.front[folder.front.len()..];
            if self.is_tree { name[..name.len() - 1].to_vec() } else { name.to_vec() }
        };
        let mut folders: HashMap<Vec<u8>, Folder> =
            folders.into_iter().map(|inner| (name(&inner), inner)).collect();
        self.print_all(names.iter().filter_map(|name| folders.remove(name)).collect());
    }

    /// Prints folders that waited.
    fn print_all(&mut self, folders: Vec<Folder>) {
        for folder in folders {
            self.kept_bytes -= folder.bytes();
            if self.run.output.write_blocks() {
                self.print(folder);
            }
        }
    }

    /// Prints the rows of a folder; returns the names of the folders among them, in their order.
    fn print_rows(&mut self, folder: &mut Folder) -> Option<Vec<Vec<u8>>> {
        folder.is_printed = true;
        let rows = self.run.list(&folder.path).object_rows();
        let (listing, fits) = std::mem::take(&mut folder.rows).listing(rows);
        if !fits {
            self.run.complain_of_name(&folder.path);
        }
        if !folder.has_failed || !listing.is_empty() {
            self.run.print_rows(&folder.path, &listing, self.is_file, true);
        }
        if self.is_in_order() {
            return None;
        }
        let folders = listing.rows().filter(|row| row.kind() == Kind::Directory);
        Some(folders.map(|row| row.name_bytes().to_vec()).collect())
    }

    /// Whether folders are printed in the order of their keys.
    fn is_in_order(&self) -> bool {
        let options = self.run.options;
        options.order.by == By::Name && !options.order.reversed && !options.by_width
    }

    /// Too much waits: the first folder that waits for its rows has them listed by themselves.
    fn print_first(&mut self) {
        let Some(at) = self.open.iter().position(|folder| !folder.is_printed) else { return };
        let path = match (at, self.is_tree) {
            (0, _) | (_, true) => self.open[at].path.clone(),
            (_, false) => path_of(&self.open[at].front),
        };
        let flags = self.flags;
        // This thread is that of the listing, which goes on.
        let listed = thread::scope(|scope| {
            let read = || {
                let mut cost = Cost::default();
                (Level::read(flags, &path, &mut cost), cost)
            };
            scope.spawn(read).join()
        });
        let Ok((level, cost)) = listed else { return };
        self.cost_of_rows.push(cost);
        let mut folder = std::mem::replace(&mut self.open[at], Folder::new(path, Vec::new()));
        match level.error {
            Some(message) => self.complain(&message),
            None => folder.rows = level.rows,
        }
        self.print_rows(&mut folder);
        let folders = std::mem::take(&mut folder.folders);
        self.open[at] = folder;
        self.print_all(folders);
    }

    fn complain(&mut self, message: &str) {
        self.run.failed = true;
        report::complain(&message);
    }

    /// Prints all that is not printed yet.
    fn finish(mut self, came: Came, cost: &mut Cost) {
        while came != Came::Nothing && !self.open.is_empty() {
            self.close();
        }
        self.cost_of_rows.into_iter().for_each(|more| cost.add(more));
    }
}

impl Visitor for Below<'_, '_> {
    fn filter(&self) -> &Filter {
        &self.filter
    }

    fn entry(&mut self, entry: Entry<'_>, _: Option<&stores::Object<'_>>) -> Answer {
        match entry.depth() {
            0 if self.is_tree && entry.is_dir() => {}
            0 if self.is_tree => {
                self.is_file = true;
                self.push(entry.path_bytes(), entry.kind(), Details::of(&entry, true));
            }
            _ => self.take(entry.path_bytes(), &entry),
        }
        if self.run.output.write_blocks() { Answer::Continue } else { Answer::Stop }
    }

    fn failed(&mut self, address: &[u8], message: &str) {
        self.complain(message);
        let is_it = |folder: &&mut Folder| folder.path.as_os_str().as_bytes() == address;
        if let Some(folder) = self.open.iter_mut().find(is_it) {
            folder.has_failed = true;
        }
    }
}

fn path_of(address: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(address.to_vec()))
}
