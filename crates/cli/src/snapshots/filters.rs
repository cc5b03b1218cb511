//! The filters that a snapshot is made with, as flags, and of a watch.

use std::path::Path;

use clap::ArgMatches;
#[cfg(target_os = "linux")]
use fewer::Watch;
#[cfg(target_os = "linux")]
use fewer::filter::PatternError;
use fewer::snapshot::Snapshot;
use fewer::walk::SnapshotFilters;

/// What the flags say.
pub(super) fn filters(flags: &ArgMatches) -> SnapshotFilters {
    let exclude = flags.get_many::<String>("exclude").into_iter().flatten();
    let exclude: Vec<String> = exclude.cloned().collect();
    // Only `walk` has it.
    let full_path = matches!(flags.try_get_one("full-path"), Ok(Some(true)));
    SnapshotFilters {
        gitignore: flags.get_flag("gitignore"),
        skip_hidden: flags.get_flag("no-hidden"),
        one_file_system: flags.get_flag("one-file-system"),
        // What else may have either case is no filter of this kind.
        ignore_case: flags.get_flag("ignore-case") && !exclude.is_empty(),
        full_path: full_path && !exclude.is_empty(),
        max_depth: flags.get_one("max-depth").copied(),
        exclude,
    }
}

/// Those that a snapshot was made with.
pub(crate) fn of_snapshot(snapshot: &Snapshot, path: &Path) -> Result<SnapshotFilters, String> {
    let filters = SnapshotFilters::of_text(snapshot.options());
    filters.ok_or_else(|| of_another_version(&path.display().to_string()))
}

pub(super) fn of_another_version(snapshot: &str) -> String {
    format!("'{snapshot}' has filters of another version of fewer")
}

/// The watch with these filters.
#[cfg(target_os = "linux")]
pub(crate) fn on_watch(filters: &SnapshotFilters, watch: Watch) -> Result<Watch, PatternError> {
    let watch = watch.filter(filters.filter()?).gitignore(filters.gitignore);
    Ok(watch
        .one_file_system(filters.one_file_system)
        .max_depth(filters.max_depth.unwrap_or(usize::MAX)))
}
