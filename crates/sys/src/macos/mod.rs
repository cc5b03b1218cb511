//! macOS: the calls that other systems lack, one small file per subject.

mod change;
mod directory;
mod layout;
mod path;

pub use change::rename;
pub use directory::read_entries;
pub use path::{path_of, sync_data};
