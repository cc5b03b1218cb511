//! The checkpoint of a listing: a file that says what is left of it, so that it can go on after the
//! process ended, in whatever way.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Checkpoint`]: opened, saved, removed |
//! | `format` | the JSON in the file |
//! | `written` | how much of the output belongs to it |
//!
//! What is printed stands in the output before a checkpoint says that it is no longer left. If the
//! output is a file, the checkpoint has its length, and what was written behind that is cut off
//! before the listing goes on: so each key is there exactly once, even if the process was killed.
//! Elsewhere, as in a pipe, what came behind the last checkpoint comes again.

mod format;
mod written;

use std::fmt;
use std::path::{Path, PathBuf};

use fewer::present::escaped;
use fewer::{Errno, whole_file};
use sys::{BorrowedFile, OsStrExt};

use crate::plan::KeyRange;
use crate::secret::text_without_secret;
use written::Written;

/// No checkpoint is as large: it has two keys for each request that was under way.
const LIMIT_BYTES: usize = 256 << 20;

/// What is listed. A listing goes on only as the one that it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The address.
    pub address: String,
    /// The server, if it is not Amazon's.
    pub endpoint: Option<String>,
    /// What else makes it another listing or another output, in words: `--size=+1G`.
    pub flags: Vec<Vec<u8>>,
}

/// What is left of a listing, in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    listed: Listed,
    left: Vec<KeyRange>,
    /// Whatever was counted of what is no longer left.
    counts: Vec<u64>,
    /// Where the output ends, if it is a file.
    written: Option<Written>,
    /// Nothing was written to the output behind this checkpoint.
    is_final: bool,
    path: PathBuf,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointError {
    /// An action on the file, or on standard output, failed.
    Failed(fewer::Error),
    /// The file is no checkpoint: what is wrong with it.
    Defect(PathBuf, String),
    /// The file is a checkpoint of something else: of what, and what was expected.
    Other(PathBuf, String, String),
    /// The output has less than was written to it.
    Shorter(PathBuf, u64, u64),
}

/// What is to be known about a checkpoint that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// There was none: the listing begins.
    New,
    /// The listing goes on behind all that was written.
    GoesOn,
    /// The listing goes on. It had been killed, and so many bytes were cut off the output.
    CutOff(u64),
    /// The listing goes on. It had been killed, and the output is no file, or another one: keys may
    /// come again.
    MayRepeat,
}

impl Checkpoint {
    /// Takes up the checkpoint at a path, or begins one there if there is none. What is written to
    /// `output` from now on must belong to the listing. Without an output each run has one of its
    /// own, which is whole before the checkpoint says so.
    ///
    /// Price: no request. The file is read and written; `statx` and `lseek` of the output, and an
    /// `ftruncate` if it is cut off.
    ///
    /// # Errors
    /// A file that cannot be read or written, or is no checkpoint of this listing. Then neither it
    /// nor the output is changed.
    pub fn open(
        path: &Path,
        listed: Listed,
        output: Option<BorrowedFile<'_>>,
    ) -> Result<(Checkpoint, Opened), CheckpointError> {
        let found = read(path)?;
        let now = output.and_then(Written::to);
        let Some(bytes) = found else {
            let mut new = Checkpoint {
                listed,
                left: vec![KeyRange::ALL],
                counts: Vec::new(),
                written: now,
                is_final: false,
                path: path.to_owned(),
            };
            new.write()?;
            new.go_to_end(output)?;
            return Ok((new, Opened::New));
        };
        let mut checkpoint = Checkpoint::parse(path, &bytes)
            .map_err(|defect| CheckpointError::Defect(path.to_owned(), defect))?;
        checkpoint.is_of(&listed)?;
        let opened = match output {
            Some(_) => checkpoint.meets(now)?,
            None => Opened::GoesOn,
        };
        if let (Opened::CutOff(_), Some(output)) = (&opened, output) {
            let bytes = checkpoint.written.map_or(0, |written| written.bytes);
            sys::set_length(output, bytes).map_err(|errno| failed("cut off", errno, OUTPUT))?;
        } else {
            checkpoint.written = now;
        }
        checkpoint.is_final = false;
        checkpoint.write()?;
        checkpoint.go_to_end(output)?;
        Ok((checkpoint, opened))
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> &[KeyRange] {
        &self.left
    }

    /// What was counted when it was saved: what [`Checkpoint::save`] was given.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Saves what is left. All that belongs to the rest must have been written to `output`. If
    /// `is_final`, nothing else will be, and was.
    ///
    /// Price: `statx` and `fdatasync` of the output if it is a file, and what
    /// [`whole_file::write`] takes.
    ///
    /// # Errors
    /// The kernel's number; the file is as it was.
    pub fn save(
        &mut self,
        left: Vec<KeyRange>,
        counts: &[u64],
        output: Option<BorrowedFile<'_>>,
        is_final: bool,
    ) -> Result<(), CheckpointError> {
        self.left = left;
        self.counts = counts.to_vec();
        self.is_final = is_final;
        self.written = output.and_then(Written::to);
        if let (Some(_), Some(output)) = (self.written, output) {
            whole_file::to_disk(output).map_err(|errno| failed("write to", errno, OUTPUT))?;
        }
        self.write()
    }

    /// Nothing is left: the file is removed.
    ///
    /// Price: what [`whole_file::remove`] takes.
    ///
    /// # Errors
    /// The kernel's number; `ENOENT` is none.
    pub fn remove(self) -> Result<(), CheckpointError> {
        match whole_file::remove(&self.path) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(failed("remove", errno, self.path.as_os_str().as_bytes())),
        }
    }

    fn write(&mut self) -> Result<(), CheckpointError> {
        let path = self.path.as_os_str().as_bytes();
        whole_file::write(&self.path, &self.to_json())
            .map_err(|errno| failed("write checkpoint", errno, path))
    }

    /// Whatever was before the end of the output stays.
    fn go_to_end(&self, output: Option<BorrowedFile<'_>>) -> Result<(), CheckpointError> {
        let (Some(written), Some(output)) = (self.written, output) else { return Ok(()) };
        sys::set_position(output, written.bytes)
            .map_err(|errno| failed("go to the end of", errno, OUTPUT))
    }

    fn is_of(&self, listed: &Listed) -> Result<(), CheckpointError> {
        let other =
            |was: String, is: String| Err(CheckpointError::Other(self.path.clone(), was, is));
        if self.listed.address != listed.address {
            return other(self.listed.address.clone(), listed.address.clone());
        }
        if self.listed.endpoint != listed.endpoint {
            let server = |endpoint: &Option<String>| match endpoint {
                Some(endpoint) => format!("the server {}", text_without_secret(endpoint)),
                None => "Amazon's server".to_owned(),
            };
            return other(server(&self.listed.endpoint), server(&listed.endpoint));
        }
        let described = |flags: &[Vec<u8>], others: &[Vec<u8>]| {
            let only_here = flags.iter().filter(|flag| !others.contains(flag));
            let only_here: Vec<_> =
                only_here.map(|flag| String::from_utf8_lossy(flag).into_owned()).collect();
            match only_here.is_empty() {
                true => "none of these flags".to_owned(),
                false => only_here.join(" "),
            }
        };
        let (was, is) = (&self.listed.flags, &listed.flags);
        if was != is {
            return other(described(was, is), described(is, was));
        }
        Ok(())
    }

    /// What the output, as it is now, means for what was written.
    fn meets(&self, now: Option<Written>) -> Result<Opened, CheckpointError> {
        let same = match (self.written, now) {
            (Some(before), Some(now)) if before.is_in_file_of(&now) => Some((before, now)),
            _ => None,
        };
        match same {
            Some((before, now)) if now.bytes < before.bytes => {
                Err(CheckpointError::Shorter(self.path.clone(), now.bytes, before.bytes))
            }
            _ if self.is_final => Ok(Opened::GoesOn),
            Some((before, now)) if now.bytes > before.bytes => {
                Ok(Opened::CutOff(now.bytes - before.bytes))
            }
            Some(_) => Ok(Opened::GoesOn),
            None => Ok(Opened::MayRepeat),
        }
    }
}

const OUTPUT: &[u8] = b"standard output";

fn failed(action: &'static str, errno: Errno, path: &[u8]) -> CheckpointError {
    CheckpointError::Failed(fewer::Error::new(errno, action, path))
}

/// Reads a checkpoint; `None` if there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, CheckpointError> {
    let bytes = path.as_os_str().as_bytes();
    match whole_file::read(path, LIMIT_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(failed("read checkpoint", errno, bytes)),
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| escaped(path.as_os_str().as_bytes());
        match self {
            CheckpointError::Failed(error) => error.fmt(f),
            CheckpointError::Defect(path, defect) => {
                write!(f, "'{}' is no checkpoint: {defect}", name(path))
            }
            CheckpointError::Other(path, was, is) => {
                let (was, is) = (escaped(was.as_bytes()), escaped(is.as_bytes()));
                write!(f, "'{}' is the checkpoint of another listing: ", name(path))?;
                write!(f, "it has {was}, this has {is}")
            }
            CheckpointError::Shorter(path, now, before) => write!(
                f,
                "standard output has {now} bytes, but had {before} when checkpoint '{}' was \
                 written: append to it with >>, or remove the checkpoint to begin anew",
                name(path)
            ),
        }
    }
}

impl std::error::Error for CheckpointError {}

#[cfg(test)]
mod tests;
