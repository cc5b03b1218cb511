//! FreeBSD: the calls that other systems lack. It is compiled, and was never run.

mod change;
mod directory;
mod path;

pub use change::rename;
pub use directory::read_entries;
pub use path::{path_of, sync_data};
