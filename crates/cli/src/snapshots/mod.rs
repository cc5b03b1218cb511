//! What a walk found, kept in a file.
//!
//! | module | what is in it |
//! |---|---|
//! | `file` | the snapshot that a walk begins with, and the one that it writes |
//! | `filters` | the filters that a snapshot is made with, as flags, and of a watch |
//! | `make` | `fewer snapshot`: make one |
//! | `changes` | `fewer changes`: what changed since |

mod changes;
mod file;
mod filters;
mod make;

pub(crate) use changes::{roots, run as changes};
pub(crate) use file::SnapshotFile;
use filters::filters;
pub(crate) use filters::of_snapshot;
#[cfg(target_os = "linux")]
pub(crate) use filters::on_watch;
pub(crate) use make::run as snapshot;
