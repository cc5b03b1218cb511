//! One run of a command on this machine.
//!
//! It runs where its budget says, has nothing to read, and writes into files that have no name any
//! more: what it writes does not depend on who reads it, and does not mix with a report.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use fewer::Errno;

use super::base::Base;
use super::judge::{INTERRUPTED, Measure};
use super::measured::{CallCounter, Measured, Status};
use super::snapshot::Run;
use crate::source::{Ending, Options, Stage, Subject};
use crate::watch::watch;
use crate::{Error, Text};

/// So much of the end of what a command writes to its standard error is kept.
const COMPLAINT: u64 = 2048;

/// Runs commands and watches them.
#[derive(Clone, Debug)]
pub struct TracedRuns {
    /// The directory of the file of budgets.
    directory: PathBuf,
    home: Vec<u8>,
}

impl TracedRuns {
    /// For the budgets of a file in this directory.
    #[must_use]
    pub fn new(directory: &Path) -> TracedRuns {
        let home = std::env::var_os("HOME").unwrap_or_default();
        TracedRuns { directory: directory.into(), home: home.into_vec() }
    }
}

impl Measure for TracedRuns {
    fn measure(&mut self, words: &[Text], run: &Run) -> Result<Measured, Error> {
        let below = run.directory.as_ref().map_or(&b""[..], |directory| &directory.0);
        let directory = self.directory.join(OsStr::from_bytes(below));
        let directory = if directory.as_os_str().is_empty() { ".".into() } else { directory };
        let directory = directory
            .canonicalize()
            .map_err(|error| failed(&error, "enter directory", &directory))?;
        let (output, errors) = (Output::new()?, Output::new()?);
        let streams = [Some("/dev/null".into()), Some(output.path()), Some(errors.path())];
        let stage = Stage { directory: Some(directory.clone()), streams };
        let command = words.iter().map(|word| OsString::from_vec(word.0.to_vec())).collect();
        let mut counter = CallCounter::default();
        let options = Options { all: run.all, stacks: true };
        let (world, ended) =
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
        Ok(Measured { status, complaint: errors.end()?, ..counter.finish(&world, &base) })
    }
}

fn failed(error: &std::io::Error, action: &'static str, path: &Path) -> Error {
    let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
    Error::new(errno, action, path.as_os_str().as_bytes())
}

/// A file that a command writes to.
struct Output(File);

impl Output {
    fn new() -> Result<Output, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fewer-budget-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut options = File::options();
        let options = options.read(true).write(true).create_new(true).mode(0o600);
        let file = options.open(&path).map_err(|error| failed(&error, "make", &path))?;
        fs::remove_file(&path).map_err(|error| failed(&error, "remove", &path))?;
        Ok(Output(file))
    }

    /// Where a child of this process finds it.
    fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    /// What the kernel calls it, without what it says behind a name that is no more.
    fn name(&self) -> Result<Vec<u8>, Error> {
        let path = self.path();
        let name = fs::read_link(&path).map_err(|error| failed(&error, "read link", &path))?;
        let name = name.into_os_string().into_vec();
        Ok(name.strip_suffix(b" (deleted)").unwrap_or(&name).into())
    }

    /// The last bytes in it.
    fn end(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut read = || {
            let length = self.0.metadata()?.len();
            let mut file = &self.0;
            file.seek(SeekFrom::Start(length.saturating_sub(COMPLAINT)))?;
            file.take(COMPLAINT).read_to_end(&mut bytes)
        };
        read().map_err(|error| failed(&error, "read", Path::new("standard error")))?;
        Ok(bytes)
    }
}
