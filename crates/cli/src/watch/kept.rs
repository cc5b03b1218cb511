//! The snapshot that a watch begins with, and keeps as new as what it told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use fewer::Watch;
use fewer::snapshot::{Level, Snapshot};

use crate::snapshots::{of_snapshot, on_watch, roots};
use crate::{exit_status, report};

/// The snapshot that a watch begins with.
pub(super) struct KeptSnapshot {
    path: PathBuf,
    /// As the file has it.
    snapshot: Arc<Snapshot>,
    /// Whether it is written anew.
    pub(super) updates: bool,
    every: Duration,
    /// When it is to be written next, if anything was told since.
    due: Option<Instant>,
}

impl KeptSnapshot {
    /// After the flags `--since`, `--update` and `--update-every`.
    pub(super) fn from_flags(flags: &ArgMatches) -> Result<Option<KeptSnapshot>, String> {
        let Some(path) = flags.get_one::<OsString>("since").map(PathBuf::from) else {
            return Ok(None);
        };
        let snapshot = Snapshot::read(&path).map_err(|error| error.to_string())?;
        let updates = flags.get_flag("update");
        if updates && snapshot.level() == Level::Stat {
            let path = path.display();
            return Err(format!("'{path}' has sizes and times: --update takes one without --stat"));
        }
        let every = flags.get_one("update-every").copied().unwrap_or_default();
        let snapshot = Arc::new(snapshot);
        Ok(Some(KeptSnapshot { path, snapshot, updates, every, due: None }))
    }

    /// The watch that goes on from it, with its directories and filters.
    pub(super) fn watch(&self, flags: &ArgMatches) -> Result<Watch, String> {
        let filters = of_snapshot(&self.snapshot, &self.path)?;
        let roots = roots(&self.snapshot, flags)?;
        let Some((first, others)) = roots.split_first() else {
            return Err(format!("'{}' has no directories", self.path.display()));
        };
        let watch = others.iter().fold(Watch::new(first), Watch::add_root);
        let watch = on_watch(&filters, watch).map_err(|error| error.to_string())?;
        Ok(watch.since(&self.snapshot))
    }

    /// Something was told that the file does not have.
    pub(super) fn has_changed(&mut self) {
        if self.updates && self.due.is_none() {
            self.due = Some(Instant::now() + self.every);
        }
    }

    /// How long until it is to be written.
    pub(super) fn due_in(&self) -> Option<Duration> {
        self.due.map(|due| due.saturating_duration_since(Instant::now()))
    }

    /// Writes the new one, if it is another than the one in the file. Returns the exit status.
    pub(super) fn write(&mut self, snapshot: Option<Snapshot>) -> u8 {
        self.due = None;
        let path = self.path.display();
        let Some(snapshot) = snapshot else {
            report::complain(&format!("snapshot '{path}' is not written: not all is watched"));
            return exit_status::SOME_FAILED;
        };
        if snapshot.as_bytes() == self.snapshot.as_bytes() {
            return exit_status::OK;
        }
        if let Err(error) = snapshot.write(&self.path) {
            report::complain(&error);
            return exit_status::SOME_FAILED;
        }
        self.snapshot = Arc::new(snapshot);
        exit_status::OK
    }
}
