//! From a file, and into it: the event stream as JSON Lines.
//!
//! It is compressed by gzip, so `zcat` shows its text, and every 256 KiB of text are written whole:
//! a recording whose writer was killed is read up to there. A file of the text alone is read as
//! well; earlier versions wrote that.
//!
//! The first line says what it is:
//!
//! ```json
//! {"fewer":"recording","v":1,"version":"0.1.0","machine":"x86_64","command":[{"text":"ls"}]}
//! ```
//!
//! Each further line is an event. Most are calls, `{"c":{"n":"close","t":12345,"a":[3],…}}`, with
//! one letter for each field (`call_json` has the list) and without those that are 0. Names and
//! paths are `{"text": …}`, or `{"bytes": base64}` where they are not UTF-8. The last line is the
//! `end`; where it is missing the recording was cut off, which its reader says in a note.
//!
//! Fields that are not known are passed over, so that later versions can add some; `v` changes when
//! that would give another meaning to what is there.

mod header;
mod lines;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;

use fewer::Lines;

use self::lines::RecordedLines;
use crate::strace::Log;
use crate::{Error, Event};

pub use header::Header;
pub use reader::Reader;
pub use writer::Writer;

/// The events of a file: a recording, or a log of strace; its first line says which.
///
/// # Errors
/// That it cannot be read, or is a recording of a version that is not known here.
pub fn open(
    path: impl AsRef<Path>,
) -> Result<Box<dyn Iterator<Item = Result<Event, Error>>>, Error> {
    let path = path.as_ref();
    events(Lines::open(path)?, path)
}

/// The same from lines of which none has been read yet: of standard input. `path` is what errors
/// call them.
///
/// # Errors
/// As [`open`].
pub fn events<'f>(
    lines: Lines<'f>,
    path: impl AsRef<Path>,
) -> Result<Box<dyn Iterator<Item = Result<Event, Error>> + 'f>, Error> {
    Ok(match RecordedLines::new(lines, path.as_ref())?.into_other() {
        Ok((first, lines)) => Box::new(Log::behind(first, lines, path.as_ref())),
        Err(lines) => Box::new(Reader::behind(*lines)?),
    })
}
