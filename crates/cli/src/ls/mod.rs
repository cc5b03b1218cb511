//! `fewer ls`: list directories.
//!
//! Each module uses only modules further down in this table.
//!
//! | module | what is in it |
//! |---|---|
//! | here | reads the directories and works out the exit status |
//! | `store` | addresses of stores: what the flags mean for them |
//! | `below` | all that is below an address, folder by folder |
//! | `level` | what is directly below an address |
//! | `rows` | rows of objects that are kept until they are printed |
//! | `tree` | the layout of `--tree` |
//! | `print` | prints a listing, by several threads if it is large |
//! | `long`, `columns`, `json` | the layouts of rows |
//! | `table`, `widths` | one listing: its rows, and what they have in common |
//! | `renderer` | what rows are printed with, the same for all listings |
//! | `names` | a name: quoted, coloured, as a hyperlink |
//! | `name_filter` | which names are left out |
//! | `options` | what the flags and the environment ask for |
//! | `times`, `owner_names` | times and owners as text |
//! | `output` | collects bytes into blocks and writes them |

#[cfg(feature = "stores")]
mod below;
mod columns;
mod json;
#[cfg(feature = "stores")]
mod level;
mod long;
mod name_filter;
mod names;
mod options;
mod output;
mod owner_names;
mod print;
mod renderer;
#[cfg(feature = "stores")]
mod rows;
#[cfg(feature = "stores")]
mod store;
mod table;
mod times;
mod tree;
mod widths;

use std::path::{Path, PathBuf};
use sys::OsStrExt;

use crate::colors::Label;
use crate::{exit_status, flags, report};
use clap::ArgMatches;
use fewer::list::{By, Listing, Moment, Row};
use fewer::path::push;
use fewer::{Answer, Fields, Kind, Kinds, List};
use options::{Indicators, Layout, Options};
use output::Output;
use renderer::Renderer;
use table::Table;

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    #[cfg(feature = "stores")]
    if let Some(status) = store::run(flags) {
        return status;
    }
    #[cfg(not(feature = "stores"))]
    if let Some(message) = crate::hints::addresses(&flags::paths(flags)) {
        return report::fail(&message);
    }
    let options = match Options::new(flags) {
        Ok(options) => options,
        Err(message) => return report::fail(&message),
    };
    let paths: Vec<PathBuf> = flags::paths(flags);
    let renderer = Renderer::new(&options);
    let mut run = Run::new(&renderer);
    match flags.get_flag("tree") {
        true if paths.is_empty() => run.list_tree(Path::new(".")),
        true => paths.iter().for_each(|path| run.list_tree(path)),
        false => run.list_all(&paths),
    }
    let status = run.finish(paths.len());
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

/// One run of the command.
struct Run<'o> {
    renderer: &'o Renderer<'o>,
    options: &'o Options,
    output: Output,
    /// Whether anything has been listed: then an empty line comes before the next heading.
    started: bool,
    failed: bool,
    failed_operands: usize,
}

impl<'o> Run<'o> {
    fn new(renderer: &'o Renderer<'o>) -> Run<'o> {
        Run {
            renderer,
            options: renderer.options,
            output: Output::default(),
            started: false,
            failed: false,
            failed_operands: 0,
        }
    }

    fn list_all(&mut self, paths: &[PathBuf]) {
        let here = [PathBuf::from(".")];
        match paths {
            [] if self.options.selection.directory => self.list_operands(&here),
            [] => self.list_directory(&here[0], false),
            paths => self.list_operands(paths),
        }
    }

    /// Lists the operands: files first, then the contents of directories.
    fn list_operands(&mut self, paths: &[PathBuf]) {
        let links = self.options.selection.operands;
        let list = self.list(Path::new(""));
        let (listing, errors) = list.operands(
            paths.iter().map(PathBuf::as_path),
            links,
            !self.options.selection.directory,
        );
        for error in &errors {
            self.failed_operands += 1;
            self.complain(error);
        }
        let is_shown =
            |row: Row<'_>| self.options.selection.directory || row.kind() != Kind::Directory;
        let directories: Vec<PathBuf> =
            listing.rows().filter(|row| !is_shown(*row)).map(|row| row.name().into()).collect();
        let shown = listing.len() - directories.len();
        if shown > 0 {
            self.complain_of_rows(&listing, None);
            let mut table = Table::new(self.renderer, &listing, None, None);
            let names = &self.renderer.names;
            let quoted =
                |error: &fewer::Error| names.is_quoted(error.path().as_os_str().as_bytes());
            table.align_with_quoted(errors.iter().any(quoted));
            table.show_only(is_shown);
            table.print(&mut self.output);
            if !directories.is_empty() && self.options.layout != Layout::Json {
                self.output.bytes.push(b'\n');
            }
        }
        let heading = shown > 0 || paths.len() > 1;
        for directory in directories {
            self.list_directory(&directory, heading);
            if self.output.is_refused() {
                return;
            }
        }
    }

    fn list_directory(&mut self, path: &Path, heading: bool) {
        let list = self.list(path);
        if self.options.selection.recursive {
            let mut is_operand = true;
            for (path, listing) in list.below() {
                match listing {
                    Ok(listing) => self.print(&path, &listing, true),
                    Err(error) => self.complain_of_directory(&error, is_operand),
                }
                is_operand = false;
                if self.output.is_refused() {
                    return;
                }
            }
            return;
        }
        if self.is_printed_as_read() {
            return self.print_as_read(path, &list, heading);
        }
        match list.read() {
            Ok(listing) => self.print(path, &listing, heading),
            Err(error) => self.complain_of_directory(&error, true),
        }
    }

    /// Whether rows can be printed while the directory is still being read: no row depends on
    /// another one, and no metadata is needed that several threads would fetch faster.
    fn is_printed_as_read(&self) -> bool {
        let options = self.options;
        options.layout == Layout::Lines
            && options.order.by == By::Nothing
            && !options.details.blocks
            && !(options.selection.follow || options.details.marks || self.examines_targets())
            && self.stat_needed().0 == Kinds::NONE
    }

    /// Prints a directory while it is read, without keeping its rows in memory.
    fn print_as_read(&mut self, path: &Path, list: &List, heading: bool) {
        let folder = self.renderer.names.folder(path);
        let mut started = false;
        let read = list.visit(|listing| {
            if !started {
                self.push_heading(path, folder.as_deref(), heading);
            }
            started = true;
            self.complain_of_rows(listing, Some(path));
            Table::new(self.renderer, listing, Some(path), folder.as_deref())
                .print(&mut self.output);
            match self.output.write_blocks() {
                true => Answer::Continue,
                false => Answer::Stop,
            }
        });
        match read {
            Err(error) => self.complain_of_directory(&error, !started),
            Ok(()) if !started => self.push_heading(path, folder.as_deref(), heading),
            Ok(()) => {}
        }
    }

    fn push_heading(&mut self, path: &Path, folder: Option<&Path>, heading: bool) {
        if heading && self.options.layout != Layout::Json {
            if self.started {
                self.output.bytes.push(b'\n');
            }
            self.renderer.names.push_heading(path, folder, &mut self.output.bytes);
        }
        self.started = true;
    }

    /// Prints the list of a directory.
    fn print(&mut self, path: &Path, listing: &Listing, heading: bool) {
        let folder = self.renderer.names.folder(path);
        self.push_heading(path, folder.as_deref(), heading);
        self.complain_of_rows(listing, Some(path));
        let mut table = Table::new(self.renderer, listing, Some(path), folder.as_deref());
        if self.options.layout == Layout::Lines
            && self.options.order.by == By::Nothing
            && !self.options.selection.recursive
            && !self.options.details.blocks
        {
            table = table.without_alignment();
        }
        let options = self.options;
        if options.layout == Layout::Long
            || (options.details.blocks && options.layout != Layout::Json)
        {
            table.push_total(&mut self.output.bytes);
        }
        table.print(&mut self.output);
        if let Some(error) = listing.broken_off() {
            self.complain(error);
        }
    }

    /// The listing to make of a directory: which entries, in which order, with which metadata.
    fn list(&self, path: &Path) -> List {
        let options = self.options;
        let mut list = List::new(path)
            .hidden(options.selection.hidden)
            .order(options.order)
            .follow(options.selection.follow)
            .links(options.long)
            .targets(self.examines_targets())
            .marks(options.details.marks);
        let (kinds, fields) = self.stat_needed();
        list = list.stat(kinds, fields);
        let colored = options.names.colors.is_some();
        let addressed = options.names.hyperlink && options.selection.follow;
        if options.selection.recursive
            || colored
            || addressed
            || options.names.indicators != Indicators::None
        {
            list = list.kinds();
        }
        if options.by_width {
            let (quoting, aligned) =
                (self.renderer.names.quoting(), self.renderer.names.aligns_quotes());
            list = list.rank(move |name| quoting.columns(name, aligned) as u64);
        }
        match name_filter::from_options(options) {
            Some(keep) => list.keep(keep),
            None => list,
        }
    }

    /// Whether a row depends on what its link points to.
    fn examines_targets(&self) -> bool {
        let options = self.options;
        let colors = options.names.colors.as_ref().is_some_and(|colors| {
            let as_target = colors.get(Label::Link) == Some(b"target");
            colors.is_colored(Label::Orphan)
                || (as_target && colors.is_colored(Label::Executable))
                || (options.long && colors.is_colored(Label::Missing))
        });
        colors || (options.long && options.names.indicators >= Indicators::Kind)
    }

    /// Which kinds of entries need a `statx`, and which of its fields.
    fn stat_needed(&self) -> (Kinds, Fields) {
        let options = self.options;
        let mut fields = Fields::NONE;
        if options.long {
            let moment = match options.details.moment {
                Moment::Modified => Fields::MODIFIED,
                Moment::Accessed => Fields::ACCESSED,
                Moment::Changed => Fields::CHANGED,
                Moment::Created => Fields::CREATED,
            };
            let size = Fields::SIZE | Fields::ALLOCATED;
            fields = fields | Fields::PERMISSIONS | Fields::LINKS | size | moment;
            // Where the owner costs calls of its own, only the author, who is the same, is worth
            // them.
            if sys::OWNERS_ARE_IN_FILES || options.details.author {
                fields = fields | Fields::OWNER;
            }
            if options.layout == Layout::Json {
                let times = Fields::MODIFIED | Fields::ACCESSED | Fields::CHANGED;
                fields = fields | times | Fields::CREATED | Fields::INODE;
            }
        }
        if options.details.blocks {
            fields = fields | Fields::ALLOCATED;
        }
        if options.details.inode {
            fields = fields | Fields::INODE;
        }
        if fields != Fields::NONE {
            return (Kinds::ALL, fields | Fields::PERMISSIONS | Fields::LINKS);
        }
        (self.kinds_by_mode(), Fields::PERMISSIONS | Fields::LINKS)
    }

    /// Which kinds are printed differently depending on their mode.
    fn kinds_by_mode(&self) -> Kinds {
        let colors = self.options.names.colors.as_ref();
        let depends = |kind| colors.is_some_and(|colors| colors.depend_on_mode(kind));
        let mut kinds = Kinds::NONE;
        if depends(Kind::Directory) {
            kinds = kinds.with(Kind::Directory);
        }
        if depends(Kind::File) || self.options.names.indicators == Indicators::Classify {
            kinds = kinds.with(Kind::File);
        }
        kinds
    }

    /// Reports the entries whose metadata could not be read.
    fn complain_of_rows(&mut self, listing: &Listing, folder: Option<&Path>) {
        for row in listing.failures() {
            let unread = row.link().and_then(|link| link.path.as_ref()?.as_ref().err());
            let failed = row.stat_error().map(|errno| (errno, "access"));
            let failed = failed.or(unread.map(|&errno| (errno, "read symbolic link")));
            if let Some((errno, action)) = failed {
                let folder = folder.unwrap_or(Path::new(""));
                let mut path = folder.as_os_str().as_bytes().to_vec();
                push(&mut path, row.name_bytes());
                self.complain(&fewer::Error::new(errno, action, &path));
            }
        }
    }

    /// Reports a directory that cannot be listed. If it is an operand, it counts as one that
    /// failed.
    fn complain_of_directory(&mut self, error: &fewer::Error, is_operand: bool) {
        self.failed_operands += usize::from(is_operand);
        self.complain(error);
    }

    fn complain(&mut self, error: &fewer::Error) {
        self.failed = true;
        report::complain(error);
    }

    fn finish(mut self, operands: usize) -> u8 {
        self.renderer.names.push_last(&mut self.output.bytes);
        let status = match self.failed {
            true if self.failed_operands >= operands.max(1) => exit_status::FAILED,
            true => exit_status::SOME_FAILED,
            false => exit_status::OK,
        };
        self.output.finish(status)
    }
}
