//! `fewer snapshot`: make one.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use fewer::snapshot::Level;
use fewer::{Action, Answer, Walk};

use super::{SnapshotFile, filters};
use crate::progress::Progress;
use crate::{exit_status, flags, report};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = make(flags).unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(false);
    }
    status
}

fn make(flags: &ArgMatches) -> Result<u8, String> {
    #[cfg(feature = "stores")]
    if crate::store::addresses(flags).is_some() {
        return Err(
            "of an address, `fewer walk --since FILE --update ADDRESS` makes one".to_owned()
        );
    }
    let level = if flags.get_flag("stat") { Level::Stat } else { Level::Names };
    let filters = filters(flags);
    let path = flags.get_one::<OsString>("output").map(PathBuf::from).unwrap_or_default();
    let file = SnapshotFile::new(path, None).recording(level, &filters.to_text());
    let roots = flags::paths(flags);
    let walk = roots.iter().skip(1).fold(Walk::new(&roots[0]), Walk::add_root);
    let walk = filters.on(walk).map_err(|error| error.to_string())?;
    let status = record(&file, walk, &roots, flags);
    // Where nothing was found, a snapshot that is there already is left alone.
    Ok(if status == exit_status::FAILED { status } else { status.max(file.finish()) })
}

/// Walks for the sake of what is written down. Errors are reported. Returns the exit status.
pub(super) fn record(file: &SnapshotFile, walk: Walk, roots: &[PathBuf], flags: &ArgMatches) -> u8 {
    let progress = Progress::before_results().unless_unwanted(flags);
    // Entries are looked at for no more than the progress.
    let walk = file.on(walk).errors_only(!progress.may_be_shown());
    let found = flags::threads::walk_with(walk, flags).fold(Found::default, |found, item| {
        match item {
            Ok(entry) => found.count(entry.is_dir(), &progress),
            Err(error) => {
                let is_root =
                    error.action() == Action::ACCESS && roots.iter().any(|r| r == error.path());
                found.failed_roots += usize::from(is_root);
                found.failures += 1;
                progress.clear();
                report::complain(&error);
            }
        }
        Answer::Continue
    });
    progress.clear();
    let sum = |count: fn(&Found) -> usize| found.iter().map(count).sum::<usize>();
    match sum(|it| it.failures) {
        0 => exit_status::OK,
        _ if sum(|it| it.failed_roots) >= roots.len() => exit_status::FAILED,
        _ => exit_status::SOME_FAILED,
    }
}

/// What one worker came upon.
#[derive(Default)]
struct Found {
    failures: usize,
    failed_roots: usize,
    /// Entries that the progress does not count yet, and the directories among them.
    unreported: (usize, usize),
}

impl Found {
    fn count(&mut self, is_directory: bool, progress: &Progress) {
        self.unreported.0 += 1;
        self.unreported.1 += usize::from(is_directory);
        if self.unreported.0 == Progress::EVERY {
            let (entries, directories) = std::mem::take(&mut self.unreported);
            progress.add_tree(entries, directories);
        }
    }
}
