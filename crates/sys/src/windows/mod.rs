//! Windows: the calls, one small file per subject. The pure parts, which know no call, are compiled
//! for the tests of every system.

pub(crate) mod pattern;
pub(crate) mod record;
pub(crate) mod reparse;
pub(crate) mod wide;

#[cfg(windows)]
mod change;
#[cfg(windows)]
mod console;
#[cfg(windows)]
mod descriptor;
#[cfg(windows)]
mod directory;
#[cfg(windows)]
mod entries;
#[cfg(windows)]
mod errno;
#[cfg(windows)]
mod file;
#[cfg(windows)]
mod filesystem;
#[cfg(windows)]
mod memory;
#[cfg(windows)]
mod nt;
#[cfg(windows)]
mod os_str;
#[cfg(windows)]
mod path;
#[cfg(windows)]
mod process;
#[cfg(windows)]
mod stat;
#[cfg(windows)]
mod users;

#[cfg(windows)]
pub use change::{create, overwrite, remove_directory, remove_file, rename, set_permissions_of};
#[cfg(windows)]
pub use console::{is_terminal, terminal_columns, terminal_rows};
#[cfg(windows)]
pub use descriptor::{AsFile, At, BorrowedFile, CWD, Descriptor, OwnedFile, STDERR, STDIN, STDOUT};
#[cfg(windows)]
pub use directory::{open_dir, open_parent, open_place, read_entries, seek};
#[cfg(windows)]
pub use entries::{Buffer, Entries, RawEntry};
#[cfg(windows)]
pub use file::{
    attribute_names, open, open_at_once, open_path, position, pread_behind, read, read_all,
    read_behind, read_link, read_link_of, read_more, read_until, set_position, sync_data, write,
    write_all,
};
#[cfg(windows)]
pub use filesystem::{
    FileSystem, MOUNT_POINTS_ARE_LINKS, Mount, filesystem, filesystem_id, mount_table,
};
#[cfg(windows)]
pub use memory::{Memory, advise_large_pages};
#[cfg(windows)]
pub use os_str::{OsStrExt, OsStringExt};
#[cfg(windows)]
pub use path::path_of;
#[cfg(windows)]
pub use pattern::matches_pattern;
#[cfg(windows)]
pub use process::{
    HeldSignals, Usage, current_dir, descriptor_limit, die_of_sigpipe, erase_last_line_at_end,
    hold_signals, host_name, interruptible, is_stopped_at_calls, own_number, processor_time,
    processors, set_last_line_shown, usage,
};
#[cfg(windows)]
pub use record::RecordMetadata;
#[cfg(windows)]
pub use stat::{stat, stat_descriptor};
#[cfg(windows)]
pub use users::{NAME_SERVICES, OWNERS_HAVE_NUMBERS, group_id, group_name, user_id, user_name};
