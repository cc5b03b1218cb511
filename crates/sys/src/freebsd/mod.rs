//! FreeBSD: the calls that other systems lack. It is compiled, and was never run.

mod change;
mod directory;
mod entries;
mod path;

pub use change::rename;
pub use directory::read_entries;
pub use entries::Entries;
pub use path::{path_of, sync_data};
