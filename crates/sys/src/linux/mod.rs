//! Linux: the calls that other systems lack or make differently, one small file per subject.

mod access;
mod attributes;
mod change;
mod closed;
mod constant_names;
mod copy;
mod directory;
mod entries;
mod fanotify;
mod filesystem;
mod futex;
mod identity;
mod inotify;
mod limits;
mod mounts;
mod pages;
mod path;
mod pidfd;
mod processors;
mod quit_key;
mod rename;
mod sleep;
mod stat;
mod stream;
mod sync;

pub use access::access_to_use;
pub use attributes::{attribute_length, attribute_names};
pub use change::{create_nameless, make_file};
pub use closed::{poll_and_note_what_is_closed, was_closed};
pub use constant_names::{errno_name, errno_number, signal_name, signal_number};
pub use copy::copy_range;
pub use directory::{open_place, read_entries};
pub use entries::Entries;
pub use fanotify::{
    DirectoryHandle, DirectoryKey, FileSystemEvent, FileSystemEvents, directory_handle,
    either_readable, file_system_key, new_file_system_watcher, watch_file_system,
};
pub use filesystem::{
    FileSystem, MOUNT_POINTS_ARE_LINKS, filesystem, filesystem_id, is_changed_elsewhere,
};
pub use futex::{wait_while, wake_one};
pub use identity::{effective_owner, end_with_parent, own_number, own_user, parent_number};
pub use inotify::{
    Happened, WatchEvent, WatchEvents, WatchNumber, Watched, add_watch, new_watcher, remove_watch,
    wait_for_change,
};
pub use limits::{Limit, is_stopped_at_calls, limit, own_file_state, set_limit, set_umask};
pub use mounts::{Mount, mount_table};
pub use pages::advise_large_pages;
pub use path::{open_path, path_of};
pub use pidfd::{has_ended, watch};
pub use processors::processors;
pub use quit_key::QuitKey;
pub use rename::rename;
pub use sleep::sleep;
pub use stat::{stat, stat_descriptor};
pub use stream::{Woken, memory_file, peek_pipe, wait_closed, wait_readable_or_signal};
pub use sync::sync_data;
