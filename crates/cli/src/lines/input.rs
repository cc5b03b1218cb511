//! A file or the standard input, opened as the flags say.

use std::path::PathBuf;
use sys::OsStrExt;

use super::Stop;
use super::object::Object;
use crate::flags;
use clap::ArgMatches;
use fewer::lines::{Check, End};
use fewer::{Errno, Fields, LineError, Lines, Scope, Stat};

/// What a line is.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) end: End,
    pub(super) crlf: bool,
    pub(super) check: Check,
}

impl Format {
    pub(super) fn from_flags(flags: &ArgMatches) -> Format {
        let end = if flags.get_flag("null") { End::Nul } else { End::Newline };
        let check = if flags.get_flag("invalid") { Check::Utf8 } else { Check::Nothing };
        Format { end, crlf: flags.get_flag("crlf"), check }
    }

    pub(super) fn asks_for_totals(self, flags: &ArgMatches) -> bool {
        flags.get_flag("count") || flags.get_flag("longest")
    }
}

/// A path or an address; no path for the standard input if none was given.
pub(super) struct Input {
    path: Option<PathBuf>,
    object: Option<Object>,
}

impl Input {
    /// The inputs of the command line.
    pub(super) fn all(flags: &ArgMatches) -> Vec<Input> {
        let of_path = |path: PathBuf| Input {
            object: Object::of_address(path.as_os_str().as_bytes(), flags),
            path: Some(path),
        };
        let inputs: Vec<Input> = flags::paths(flags).into_iter().map(of_path).collect();
        if inputs.is_empty() { vec![Input { path: None, object: None }] } else { inputs }
    }

    /// The path as the user spelled it; `-` for the standard input, even if no path was given.
    pub(super) fn name(&self) -> &[u8] {
        self.path.as_ref().map_or(b"-", |path| path.as_os_str().as_bytes())
    }

    pub(super) fn has_name(&self) -> bool {
        self.path.is_some()
    }

    fn file(&self) -> Option<&PathBuf> {
        self.path.as_ref().filter(|path| path.as_os_str() != "-" && self.object.is_none())
    }

    pub(super) fn object(&self) -> Option<&Object> {
        self.object.as_ref()
    }

    /// Price: one `openat` for a file.
    pub(super) fn open(&self, format: Format) -> Result<Lines<'static>, Stop> {
        let lines = match &self.object {
            Some(object) => object.open()?,
            None => self.file().map_or_else(|| Ok(Lines::stdin()), Lines::open)?,
        };
        Ok(lines.ends_with(format.end).crlf(format.crlf).check(format.check))
    }

    /// Ends what [`open`](Input::open) began: an error if not all came that there is.
    pub(super) fn close(&self) -> Result<(), Stop> {
        Ok(self.object.as_ref().map_or(Ok(()), Object::close)?)
    }

    /// Whether it has a name of its own.
    pub(super) fn is_file(&self) -> bool {
        self.file().is_some()
    }

    /// The metadata that identifies the file.
    ///
    /// Price: one `statx`.
    pub(super) fn identity(&self, fields: Fields) -> Result<Stat, Errno> {
        match self.file() {
            None if self.object.is_some() => Err(Errno::OPNOTSUPP),
            None => sys::stat_descriptor(sys::STDIN, fields),
            Some(path) => Scope::start().stat_target(path, fields).map_err(|error| error.errno()),
        }
    }

    /// Price: one `statx`; for a file or the standard input.
    pub(super) fn stat(&self) -> Result<Stat, LineError> {
        match self.file() {
            None => Lines::stdin().stat(),
            Some(path) => {
                let fields = Fields::KIND | Fields::SIZE;
                Scope::start().stat_target(path, fields).map_err(LineError::from)
            }
        }
    }
}
