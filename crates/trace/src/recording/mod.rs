//! From a file, and into it: the event stream as JSON Lines.
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
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;

use fewer::Lines;
use fewer::lines::Check;

use crate::strace::{LONGEST_LINE_BYTES, Log};
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
    let mut lines = lines.check(Check::Nothing).longest_bytes(LONGEST_LINE_BYTES);
    let first = lines.next()?.map(|line| line.bytes().to_vec());
    Ok(match first.as_deref().is_some_and(Header::is_in) {
        true => Box::new(Reader::behind(first.as_deref(), lines, path.as_ref())?),
        false => Box::new(Log::behind(first, lines, path.as_ref())),
    })
}
