//! The snapshot that a walk begins with, and the one that it writes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sys::OsStrExt;

use clap::ArgMatches;
use fewer::snapshot::{Defect, Level, Snapshot, SnapshotError};
use fewer::walk::{Recording, Since};
use fewer::{Errno, Walk};

use super::filters;
use crate::{exit_status, flags, report};

/// The snapshot that a walk begins with, and the one that it writes.
pub(crate) struct SnapshotFile {
    path: PathBuf,
    pub(super) since: Option<Arc<Since>>,
    pub(super) recording: Option<Arc<Recording>>,
}

impl SnapshotFile {
    /// After the flags `--since` and `--update` of `walk`. A file that cannot be used is reported:
    /// then everything is read. `None` if there is no snapshot.
    pub(crate) fn from_flags(flags: &ArgMatches) -> Result<Option<SnapshotFile>, String> {
        let Some(path) = flags.get_one::<OsString>("since") else { return Ok(None) };
        let update = flags.get_flag("update");
        let snapshot = match Snapshot::read(path) {
            Ok(snapshot) => Some(snapshot),
            Err(error @ SnapshotError::Defect(Defect::NotASnapshot, _)) if update => {
                return Err(format!("{error}; it is not overwritten"));
            }
            Err(error) => {
                if !update || error.errno() != Errno::NOENT {
                    report::complain(&format!("{error}; everything is read"));
                }
                None
            }
        };
        if let Some(snapshot) = &snapshot {
            say_what_is_not_in(snapshot, path.as_ref(), &flags::paths(flags));
        }
        let level = snapshot.as_ref().map_or(Level::Names, Snapshot::level);
        let file = SnapshotFile::new(path.into(), snapshot);
        let filters = filters(flags).to_text();
        Ok(Some(if update { file.recording(level, &filters) } else { file }))
    }

    /// The snapshot in a file as it is now, if there is one.
    pub(super) fn new(path: PathBuf, snapshot: Option<Snapshot>) -> SnapshotFile {
        let since = snapshot.map(|snapshot| Arc::new(Since::new(Arc::new(snapshot))));
        SnapshotFile { path, since, recording: None }
    }

    /// The walk is written down.
    pub(super) fn recording(mut self, level: Level, filters: &[u8]) -> SnapshotFile {
        self.recording = Some(Arc::new(Recording::new(level).options(filters)));
        self
    }

    /// The walk with both.
    pub(crate) fn on(&self, mut walk: Walk) -> Walk {
        if let Some(since) = &self.since {
            walk = walk.since(since);
        }
        if let Some(recording) = &self.recording {
            walk = walk.record(recording);
        }
        walk
    }

    /// Once the walk is over: says what had to be read though it is known, and writes what was
    /// written down. Returns the exit status.
    pub(crate) fn finish(&self) -> u8 {
        self.say_what_is_not_proven();
        match self.recorded() {
            Ok(snapshot) => snapshot.map_or(exit_status::OK, |snapshot| self.write(&snapshot)),
            Err(message) => {
                report::complain(&message);
                exit_status::SOME_FAILED
            }
        }
    }

    /// What was written down.
    pub(super) fn recorded(&self) -> Result<Option<Snapshot>, String> {
        let made = self.recording.as_ref().map(|recording| recording.finish()).transpose();
        made.map_err(|defect| format!("cannot make snapshot '{}': {defect}", self.path.display()))
    }

    /// Writes the new snapshot, if it is another one than before. Returns the exit status.
    pub(super) fn write(&self, snapshot: &Snapshot) -> u8 {
        let before = self.since.as_ref().map(|since| since.snapshot().as_bytes());
        if before == Some(snapshot.as_bytes()) {
            return exit_status::OK;
        }
        match snapshot.write(&self.path) {
            Ok(()) => exit_status::OK,
            Err(error) => {
                report::complain(&error);
                exit_status::SOME_FAILED
            }
        }
    }

    pub(super) fn say_what_is_not_proven(&self) {
        let unproven = self.since.as_ref().map_or(0, |since| since.unproven());
        if unproven > 0 {
            report::complain(&format!(
                "{unproven} directories of the snapshot were read all the same: their file system \
                 may change without a trace"
            ));
        }
    }
}

/// Says which directories are read as if there were no snapshot: those that it has by another path,
/// or not at all.
fn say_what_is_not_in(snapshot: &Snapshot, file: &Path, roots: &[PathBuf]) {
    let is_known =
        |root: &PathBuf| snapshot.roots().any(|known| known.path == root.as_os_str().as_bytes());
    let escaped = |path: &Path| fewer::present::escaped(path.as_os_str().as_bytes());
    for root in roots.iter().filter(|root| !is_known(root)) {
        let (file, root) = (escaped(file), escaped(root));
        report::complain(&format!(
            "snapshot '{file}' is not of '{root}'; everything in it is read"
        ));
    }
}
