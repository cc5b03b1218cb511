//! Linux: the calls that other systems lack or make differently, one small file per subject.

mod access;
mod attributes;
mod closed;
mod constant_names;
mod directory;
mod entries;
mod fanotify;
mod filesystem;
mod futex;
mod identity;
mod inotify;
mod mounts;
mod pages;
mod path;
mod quit_key;
mod stat;

pub use access::{Access, access_to_use};
pub use attributes::{attribute_length, attribute_names};
pub use closed::{poll_and_note_what_is_closed, was_closed};
pub use constant_names::{errno_name, errno_number, signal_name, signal_number};
pub use directory::{open_dir, open_parent, open_place, read_entries, seek};
pub use entries::{Buffer, Entries, RecordMetadata};
pub use fanotify::{
    DirectoryHandle, DirectoryKey, FileSystemEvent, FileSystemEvents, directory_handle,
    either_readable, file_system_key, new_file_system_watcher, watch_file_system,
};
pub use filesystem::{
    FileSystem, MOUNT_POINTS_ARE_LINKS, filesystem, filesystem_id, is_changed_elsewhere,
};
pub use futex::{wait_while, wake_one};
pub use identity::{effective_owner, own_number, own_user, parent_number};
pub use inotify::{
    Happened, WatchEvent, WatchEvents, WatchNumber, Watched, add_watch, new_watcher, remove_watch,
    wait_for_change,
};
pub use mounts::{Mount, mount_table};
pub use pages::advise_large_pages;
pub use path::{open_path, path_of};
pub use quit_key::QuitKey;
pub use stat::{stat, stat_descriptor};
