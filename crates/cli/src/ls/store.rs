//! Addresses of stores: `fewer ls s3://bucket/folder/`, `hdfs://namenode/path`.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;
use fewer::list::{Listing, Moment};
use fewer::{Answer, Entry, Filter};
use sys::OsStrExt;

use super::options::{Indicators, Options};
use super::renderer::Renderer;
use super::rows::{Details, Rows};
use super::table::Table;
use super::{Run, below};
use crate::report;
use crate::store::{self, Came, Cost, Visitor};

/// Flags that a store has no answer to, and how they are written.
const ABOUT_FILES: &[(&str, &str)] = &[
    ("directory", "--directory"),
    ("dereference", "--dereference"),
    ("dereference-command-line", "--dereference-command-line"),
    ("dereference-command-line-symlink-to-dir", "--dereference-command-line-symlink-to-dir"),
    ("inode", "--inode"),
    ("size", "--size"),
    ("numeric-uid-gid", "--numeric-uid-gid"),
    ("author", "--author"),
    ("kibibytes", "--kibibytes"),
    ("marks", "--marks"),
    ("hyperlink", "--hyperlink"),
];

/// Lists what is in stores; `None` if the paths are no addresses.
pub(super) fn run(flags: &ArgMatches) -> Option<u8> {
    let status = store::addresses(flags)?.and_then(|paths| list(flags, &paths));
    Some(status.unwrap_or_else(|message| report::fail(&message)))
}

fn list(flags: &ArgMatches, paths: &[PathBuf]) -> Result<u8, String> {
    store::refuse_flags(flags, paths)?;
    let options = options(flags, paths)?;
    let renderer = Renderer::new(&options);
    let mut run = Run::new(&renderer);
    let mut cost = Cost::default();
    for path in paths {
        if options.selection.recursive {
            below::list(&mut run, flags, path, &mut cost);
        } else {
            let level = Level::read(flags, path, &mut cost);
            run.print_level(path, level, paths.len() > 1);
        }
        if run.output.is_refused() {
            break;
        }
    }
    let status = run.finish(paths.len());
    if flags.get_flag("calls") {
        cost.print(flags.get_flag("json"));
    }
    Ok(status)
}

/// What the flags ask for, without what these stores do not tell.
fn options(flags: &ArgMatches, paths: &[PathBuf]) -> Result<Options, String> {
    let is_there = |id: &str| flags.value_source(id) == Some(ValueSource::CommandLine);
    if let Some((_, flag)) = ABOUT_FILES.iter().find(|(id, _)| is_there(id)) {
        return Err(store::is_about_files(flag));
    }
    if is_there("tree") {
        return Err("--tree: all that is below an address is listed by -R and by fewer walk".into());
    }
    let mut options = Options::new(flags)?;
    if options.details.moment != Moment::Modified {
        return Err("--time: of an object a store tells when it was last changed only".to_owned());
    }
    let are_trees = paths.iter().all(|path| store::is_tree(path));
    options.details.known = store::fields(are_trees);
    (options.details.owner, options.details.group) = (false, false);
    if !are_trees {
        // The names of folders end in a slash, and objects are not executed.
        options.names.indicators = Indicators::None;
    }
    Ok(options)
}

/// What is directly below an address.
pub(super) struct Level {
    pub(super) rows: Rows,
    /// The address of HDFS is that of a file, which is the only row.
    is_file: bool,
    came: Came,
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
    fn print_level(&mut self, path: &Path, level: Level, heading: bool) {
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
        report::complain(&format!("'{}': a name is too long", folder.display()));
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
