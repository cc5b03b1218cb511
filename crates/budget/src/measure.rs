//! One run of a command on this machine.
//!
//! It runs where its budget says, has nothing to read, and writes into files that have no name any
//! more: what it writes does not depend on its reader, and does not mix with a report.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use fewer::{Descriptor, Errno};
use sys::{CWD, Fields};

use crate::base::Base;
use crate::command::Run;
use crate::disk::{self, call_on};
use crate::measured::{CallCounter, Measured, Status};
use crate::outcome::{Failure, INTERRUPTED};
use crate::record::Measure;
use trace::explain::Thresholds;
use trace::prove::{self, Experiment, PAIRS};
use trace::source::scratch::{Input, Scratch};
use trace::source::{Ending, Options, Stage, Subject};
use trace::watch::watch;
use trace::{Error, Text};

/// So much of the end of what a command writes to its standard error is kept.
const COMPLAINT: usize = 2048;

/// Runs commands and watches them.
#[derive(Clone, Debug)]
pub struct TracedRuns {
    /// The directory of the file of budgets.
    directory: PathBuf,
    home: Vec<u8>,
    /// Is told what the user should know while remedies are tried.
    say: fn(&str),
}

impl TracedRuns {
    /// For the budgets of a file in this directory.
    #[must_use]
    pub fn new(directory: &Path, say: fn(&str)) -> TracedRuns {
        let home = std::env::var_os("HOME").unwrap_or_default();
        TracedRuns { directory: directory.into(), home: home.into_vec(), say }
    }

    /// The directory that a command runs in.
    fn directory_of(&self, run: &Run) -> Result<PathBuf, Error> {
        let below = run.directory.as_ref().map_or(&b""[..], |directory| &directory.0);
        let directory = self.directory.join(OsStr::from_bytes(below));
        let directory = if directory.as_os_str().is_empty() { ".".into() } else { directory };
        call_on(&directory, "enter directory", disk::real_path)
    }
}

impl Measure for TracedRuns {
    fn measure(&mut self, words: &[Text], run: &Run) -> Result<Measured, Error> {
        let directory = self.directory_of(run)?;
        let (output, errors) = (Output::new()?, Output::new()?);
        let streams = [Some("/dev/null".into()), Some(output.path()), Some(errors.path())];
        let stage = Stage { directory: Some(directory.clone()), streams };
        let command = command(words);
        let mut counter = CallCounter::default();
        let options = Options { all: run.all, stacks: true, ..Options::default() };
        let (registry, ended) =
            watch(&Subject::Staged(command, stage), &options, &mut [&mut counter])?;
        let base = Base::new(directory.as_os_str().as_bytes(), &self.home);
        let base = base.with_outputs([output.name()?, errors.name()?]);
        let name = words.first().map_or(&b""[..], |word| &word.0);
        let status = match ended.ending {
            // Whatever the command made of it: nothing more is to be started.
            _ if ended.interrupted => INTERRUPTED,
            Ending::Exited(status) => Status::Exited(status),
            Ending::Killed(signal) => Status::Killed(signal),
            Ending::Detached => return Err(Error::new(Errno::CANCELED, "watch", name)),
        };
        Ok(Measured { status, complaint: errors.end()?, ..counter.finish(&registry, &base) })
    }

    fn prove(&mut self, run: &Run) -> Result<Vec<String>, Failure> {
        let scratch = Scratch {
            command: command(&run.line.words()),
            directory: Some(self.directory_of(run)?),
            input: Input::Nothing,
            network: false,
            read_only: Vec::new(),
        };
        let options = Options { all: run.all, stacks: true, ..Options::default() };
        let thresholds = &Thresholds::default();
        let experiment = Experiment { scratch, options, thresholds, table: None, pairs: PAIRS };
        let found = experiment.run(&mut |text| (self.say)(text));
        let found = found.map_err(|why| Failure::NotProvable(why.to_string()))?;
        let found = found.ok_or(Failure::Interrupted)?;
        if let Err(why) = &found.proofs {
            return Err(Failure::NotProvable(why.0.clone()));
        }
        Ok(found.proved().map(|proof| prove::gist(proof, &found.findings)).collect())
    }
}

fn command(words: &[Text]) -> Vec<OsString> {
    words.iter().map(|word| OsString::from_vec(word.0.to_vec())).collect()
}

/// A file that a command writes to. It has no name any more, so it is gone when it is closed.
struct Output(Descriptor);

impl Output {
    fn new() -> Result<Output, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fewer-budget-{}-{number}", sys::own_number());
        let path = std::env::temp_dir().join(name);
        let file = call_on(&path, "make", |name| sys::create(CWD, name, 0o600))?;
        call_on(&path, "remove", |name| sys::remove_file(CWD, name))?;
        Ok(Output(file))
    }

    /// Where a child of this process finds it.
    fn path(&self) -> PathBuf {
        disk::link_to(&self.0).into()
    }

    /// What the kernel calls it, without what it says behind a name that is no more.
    fn name(&self) -> Result<Vec<u8>, Error> {
        let name = call_on(&self.path(), "read link", |_| disk::path_of(&self.0))?;
        Ok(name.strip_suffix(b" (deleted)").unwrap_or(&name).into())
    }

    /// The last bytes in it.
    fn end(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        call_on(Path::new("standard error"), "read", |_| {
            let length = sys::stat_descriptor(&self.0, Fields::SIZE)?.size();
            let start = length.saturating_sub(COMPLAINT as u64);
            sys::pread_behind(&self.0, &mut bytes, COMPLAINT, start)
        })?;
        Ok(bytes)
    }
}
