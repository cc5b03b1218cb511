//! `fewer changes`: what changed since a snapshot was made.

use std::ffi::OsString;
use std::path::PathBuf;
use sys::OsStringExt;

use clap::ArgMatches;
use fewer::snapshot::{Changes, Level, Snapshot};

use super::SnapshotFile;
use super::filters::of_another_version;
use super::make::record;
use crate::change_printer::ChangePrinter;
use crate::{exit_status, flags, report};

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
    let roots = roots(&before, flags)?;
    let level = if stat || update { level } else { Level::Names };
    let (options, name) = (before.options().to_vec(), path.display().to_string());
    let file = SnapshotFile::new(path, Some(before)).recording(level, &options);
    let (Some(since), Some(recording)) = (&file.since, &file.recording) else {
        return Ok(exit_status::OK);
    };
    let walk = since.walk(&roots).ok_or_else(|| of_another_version(&name))?;
    let status = record(&file, walk, &roots, flags);
    file.say_what_is_not_proven();
    let wanted = recording.wanted();
    let Some(after) = file.recorded()? else { return Ok(status) };
    let found = Changes::between(since.snapshot(), &after).map_err(|defect| defect.to_string())?;
    let printer = ChangePrinter::from_flags(flags);
    let mut out = Vec::new();
    for change in found.filter_map(|change| wanted.change(change)) {
        printer.print(&change, &mut out);
    }
    let status = status.max(report::print(&out));
    Ok(if update { status.max(file.write(&after)) } else { status })
}

/// The roots that the flags name, or all of the snapshot: all, if it is to be written anew.
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
        None if given.is_empty() => Ok(all),
        None if flags.get_flag("update") && given.len() < all.len() => {
            Err("--update takes all directories of the snapshot".to_owned())
        }
        None => Ok(given),
    }
}
