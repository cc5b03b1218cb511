//! The list of the directories that both the system's volume and the data volume have.

use crate::Firmlink;
use crate::macos_formats::firmlinks::{LIST, parse};
use crate::unix::{CWD, read_all};

/// The directories that are found below `/System/Volumes/Data`, too. None where there is no list.
///
/// Price: one `openat`, one `close`, and a `read` until the end of a short file.
#[must_use]
pub fn firmlinks() -> Vec<Firmlink> {
    const MOST_BYTES: usize = 64 << 10;
    read_all(CWD, LIST, MOST_BYTES).map_or_else(|_| Vec::new(), |text| parse(&text))
}
