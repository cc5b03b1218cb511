//! `fewer changes`: what changed since a snapshot was made.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use clap::ArgMatches;
use fewer::snapshot::{Changes, Level, Snapshot};

use super::make::record;
use super::{Filters, SnapshotFile};
use crate::change_printer::ChangePrinter;
use crate::{flags, report};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = changes(flags).unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn changes(flags: &ArgMatches) -> Result<u8, String> {
    let path = flags.get_one::<OsString>("snapshot").map(PathBuf::from).unwrap_or_default();
    let before = Snapshot::read(&path).map_err(|error| error.to_string())?;
    let (level, stat, update) = (before.level(), flags.get_flag("stat"), flags.get_flag("update"));
    if stat && level == Level::Names {
        return Err(format!("'{}' has names only: make it with --stat", path.display()));
    }
    let filters = Filters::of_snapshot(&before, &path)?;
    let roots = roots(&before, flags)?;
    if update && roots.len() < before.roots().len() {
        return Err("--update takes all directories of the snapshot".to_owned());
    }
    let level = if stat || update { level } else { Level::Names };
    let file = SnapshotFile::new(path, Some(before)).recording(level, &filters.to_text());
    let status = record(&file, &filters, &roots, flags)?;
    file.say_what_is_not_proven();
    let (Some(since), Some(recording)) = (&file.since, &file.recording) else { return Ok(status) };
    let left_out: HashSet<Vec<u8>> = recording.left_out().into_iter().collect();
    let Some(after) = file.recorded()? else { return Ok(status) };
    let found = Changes::between(since.snapshot(), &after).map_err(|defect| defect.to_string())?;
    let printer = ChangePrinter::from_flags(flags);
    let mut out = Vec::new();
    let is_wanted = |path: &[u8]| !left_out.contains(path) && is_below(path, &roots);
    for change in found.filter_map(|change| change.filtered(is_wanted)) {
        printer.print(&change, &mut out);
    }
    let status = status.max(report::print(&out));
    Ok(if update { status.max(file.write(&after)) } else { status })
}

/// The roots that the flags name, or all of the snapshot.
pub(crate) fn roots(snapshot: &Snapshot, flags: &ArgMatches) -> Result<Vec<PathBuf>, String> {
    let all = snapshot.roots().map(|root| PathBuf::from(OsString::from_vec(root.path.to_vec())));
    let all: Vec<PathBuf> = all.collect();
    let given = flags::paths(flags);
    match given.iter().find(|root| !all.contains(root)) {
        Some(root) => {
            let names: Vec<_> = all.iter().map(|root| format!("'{}'", root.display())).collect();
            let (root, names) = (root.display(), names.join(", "));
            Err(format!("the snapshot is not of '{root}', but of {names}"))
        }
        None => Ok(if given.is_empty() { all } else { given }),
    }
}

/// Whether a path is that of a root, or one below it.
fn is_below(path: &[u8], roots: &[PathBuf]) -> bool {
    roots.iter().any(|root| {
        let root = root.as_os_str().as_bytes();
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || root.ends_with(b"/"))
    })
}
