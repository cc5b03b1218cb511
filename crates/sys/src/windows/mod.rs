//! Windows: the calls, one small file per subject.

mod change;
mod console;
mod descriptor;
mod directory;
mod entries;
mod errno;
mod file;
mod filesystem;
mod information;
mod inherited;
mod link;
mod memory;
mod names;
mod nt;
mod os_str;
mod path;
mod process;
mod program;
mod spawn;
mod stat;
mod users;
mod win32_path;
mod zone;

pub use change::{
    access, access_to_use, create, make_directory, make_file, open_emptied, open_or_make,
    overwrite, set_length, set_permissions, set_permissions_of, set_times,
};
pub use console::{is_terminal, terminal_columns, terminal_rows};
pub use descriptor::{
    AsFile, At, BorrowedFile, CWD, Descriptor, NO_FILE, OwnedFile, RawFile, STDERR, STDIN, STDOUT,
    into_raw_file, is_no_file, raw_file,
};
pub use directory::{open_dir, open_parent, open_place, read_entries, seek};
pub use entries::{Buffer, Entries};
pub use file::{
    attribute_names, open, open_at_once, open_path, position, pread_behind, read, read_all,
    read_behind, read_more, read_until, set_position, sync_data, write, write_all,
};
pub use filesystem::{
    FileSystem, MOUNT_POINTS_ARE_LINKS, Mount, filesystem, filesystem_id, mount_table,
};
pub use link::{make_symlink, read_link, read_link_of};
pub use memory::{Memory, advise_large_pages};
pub use names::{make_hard_link, open_dir_to_empty, remove_directory, remove_file, rename};
pub use os_str::{OsStrExt, OsStringExt};
pub use path::path_of;
pub use process::{
    HeldSignals, KeptErrno, SignalMask, Usage, current_dir, descriptor_limit, die_of,
    die_of_sigpipe, end_with_parent, erase_last_line_at_end, hold_signals, host_name,
    interruptible, is_stopped_at_calls, keep_errno, note_ends, noted_end, open_handles, own_number,
    processor_time, processors, set_last_line_shown, signal_mask, usage,
};
pub use program::{DEFAULT_PATH, program_names, search_directories, variable_key};
pub use spawn::{
    ENVIRONMENT_TAKES_ROOM, LONGEST_ARGUMENT, Process, SCRIPT_SHELL, START_SEARCHES,
    argument_limit, kill, pipe, read_both, start, wait,
};
pub use stat::{stat, stat_descriptor};
pub use users::{NAME_SERVICES, OWNERS_ARE_IN_FILES, group_id, group_name, user_id, user_name};
pub use zone::zone_data;
