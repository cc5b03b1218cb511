//! The list of the directories that both the system's volume and the data volume have.

use std::sync::OnceLock;

use crate::Firmlink;
use crate::macos_formats::firmlinks::{LIST, parse};
use crate::unix::{CWD, read_all};

/// The directories that are found below `/System/Volumes/Data`, too. None where there is no list.
///
/// Price: one `openat`, one `close`, two `read`; once in a process.
#[must_use]
pub fn firmlinks() -> &'static [Firmlink] {
    const MOST_BYTES: usize = 64 << 10;
    static LINKS: OnceLock<Vec<Firmlink>> = OnceLock::new();
    let read = || read_all(CWD, LIST, MOST_BYTES).map_or_else(|_| Vec::new(), |text| parse(&text));
    LINKS.get_or_init(read)
}
