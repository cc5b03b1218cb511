//! macOS: the calls that other systems lack, one small file per subject.

mod change;
mod directory;
mod entries;
mod fetching;
mod firmlinks;
mod layout;
mod path;

pub use crate::macos_formats::metadata::RecordMetadata;
pub use change::rename;
pub use directory::{read_entries, seek};
pub use entries::{Buffer, Entries};
pub use fetching::without_fetching;
pub use firmlinks::firmlinks;
pub use path::{path_of, sync_data};
