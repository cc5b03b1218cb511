//! `--checkpoint`: what is left of a listing is kept in a file, and a listing goes on from it.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use clap::parser::ValueSource;
use stores::{Checkpoint, KeyRange, List, Listed, Location, Opened};
use sys::{BorrowedFile, OsStrExt, STDOUT};

use crate::flags::store;
use crate::report;
use crate::walk::table::Table;

/// A checkpoint is saved once in this time, and less often if saving takes a tenth of it.
const EVERY: Duration = Duration::from_secs(1);

/// The checkpoint of a listing under way.
pub(super) struct Checkpoints {
    checkpoint: Checkpoint,
    /// What was left when output was last written.
    left: Vec<KeyRange>,
    due: Instant,
    /// Why it could not be saved.
    failed: Option<String>,
    /// What is printed belongs to it; a table has a file of its own in each run.
    output: Option<BorrowedFile<'static>>,
}

impl Checkpoints {
    /// Takes up the checkpoint that the flags name, if they do. From then on the signals that end a
    /// program are noted.
    pub(super) fn open(
        flags: &ArgMatches,
        location: &Location,
        list: &List,
    ) -> Result<Option<Checkpoints>, String> {
        let Some(path) = flags.get_one::<std::ffi::OsString>("checkpoint") else { return Ok(None) };
        let listed = Listed {
            address: location.address(),
            endpoint: list.endpoint().map_err(|error| error.to_string())?,
            flags: words(flags),
        };
        let output = if has_table(flags)? { None } else { Some(STDOUT) };
        let opened = Checkpoint::open(Path::new(path), listed, output);
        let (checkpoint, opened) = opened.map_err(|error| error.to_string())?;
        match opened {
            Opened::CutOff(bytes) => report::complain(&format!(
                "standard output is cut back by {bytes} bytes, which are behind the checkpoint"
            )),
            Opened::MayRepeat => report::complain(
                &"the listing was killed: what it printed behind its checkpoint comes again",
            ),
            Opened::New | Opened::GoesOn => {}
        }
        sys::note_ends();
        let left = checkpoint.left().to_vec();
        let due = Instant::now() + EVERY;
        Ok(Some(Checkpoints { checkpoint, left, due, failed: None, output }))
    }

    /// What is to be listed.
    pub(super) fn left(&self) -> &[KeyRange] {
        &self.left
    }

    /// What was counted before.
    pub(super) fn counts(&self) -> &[u64] {
        self.checkpoint.counts()
    }

    /// Whether it is time to save it.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Notes what is left now that the output was written.
    pub(super) fn written(&mut self, left: Vec<KeyRange>) {
        self.left = left;
    }

    /// Saves what was left when output was last written; returns whether that worked.
    pub(super) fn save(&mut self, counts: [u64; 2], is_final: bool) -> bool {
        let start = Instant::now();
        let saved = self.checkpoint.save(self.left.clone(), &counts, self.output, is_final);
        self.failed = saved.err().map(|error| error.to_string());
        self.due = Instant::now() + EVERY.max(start.elapsed() * 10);
        self.failed.is_none()
    }

    /// Why it could not be saved.
    pub(super) fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// Ends it: the file has what is left, or is gone if nothing is.
    pub(super) fn end(self) -> Result<(), String> {
        match self.failed {
            Some(failed) => Err(failed),
            None if self.left.is_empty() => {
                self.checkpoint.remove().map_err(|error| error.to_string())
            }
            None => Ok(()),
        }
    }
}

/// Whether each run writes a table.
fn has_table(flags: &ArgMatches) -> Result<bool, String> {
    match Table::file(flags) {
        Some(file) if file == "-" => {
            Err("--checkpoint: a table has to be a file, which is whole or not there".to_owned())
        }
        file => Ok(file.is_some()),
    }
}

/// The flags that make it another listing or another output.
fn words(flags: &ArgMatches) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    for flag in flags.ids().map(clap::Id::as_str) {
        let is_said = flags.value_source(flag) == Some(ValueSource::CommandLine);
        if !is_said || store::not_of_the_listing(flag) {
            continue;
        }
        let values = flags.get_raw(flag).filter(|_| !Table::is_flag(flag));
        match values.filter(|values| values.len() > 0) {
            Some(values) => words.extend(
                values.map(|value| [b"--", flag.as_bytes(), b"=", value.as_bytes()].concat()),
            ),
            None => words.push(format!("--{flag}").into_bytes()),
        }
    }
    words.sort();
    words
}
