//! What macOS and FreeBSD share and Linux does differently, one small file per subject.

mod access;
mod attributes;
mod change;
mod filesystem;
mod identity;
mod mounts;
mod path;
mod process;
mod stat;

pub use access::access_to_use;
pub use attributes::attribute_names;
pub use change::make_file;
pub use filesystem::{FileSystem, MOUNT_POINTS_ARE_LINKS, filesystem, filesystem_id};
pub use identity::{end_with_parent, own_number};
pub use mounts::{Mount, mount_table};
pub use path::{open_path, open_place};
pub use process::{advise_large_pages, is_stopped_at_calls, processors};
pub use stat::{stat, stat_descriptor};

/// Nothing to remember: only `sh` looks at it, which is not there.
#[macro_export]
macro_rules! remember_what_is_closed {
    () => {};
}
