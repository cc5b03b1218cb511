//! What Linux and other Unix systems share: the calls, one small file per subject.

mod block;
mod broken_pipe;
mod change;
mod characters;
mod child;
#[cfg(target_os = "linux")]
mod clone;
mod copy;
mod descriptor;
mod directory;
mod file;
mod launch;
mod memory;
#[cfg(not(target_os = "macos"))]
mod name_block;
#[cfg(target_os = "linux")]
mod newer;
mod pattern;
mod process;
mod program;
mod regex;
mod rename;
mod signals;
mod spawn;
mod stream;
mod usage;
mod users;
mod zone;

pub use block::{position, pread_behind, read_behind, set_length, set_position};
pub use broken_pipe::{signal_and_note_what_pipes_do, was_pipe_ignored};
pub use change::{
    create, make_directory, make_hard_link, make_symlink, open_emptied, open_or_make, overwrite,
    remove_directory, remove_file, set_permissions, set_times,
};
pub use characters::{CharacterClass, character_is, to_lower, to_upper};
pub use child::{Forked, Program, fork, replace, start_program, wait_for_any};
pub use copy::{set_owner_of, set_permissions_of, set_times_of};
pub use descriptor::{
    AsFile, At, BorrowedFile, CWD, Descriptor, NO_FILE, OwnedFile, RawFile, STDERR, STDIN, STDOUT,
    into_raw_file, is_no_file, raw_file,
};
#[cfg(not(target_os = "macos"))]
pub use directory::seek;
pub use directory::{open_dir, open_dir_to_empty, open_parent};
pub use file::{
    access, open, open_at_once, read, read_all, read_link, read_link_of, read_more, read_until,
    write, write_all,
};
pub use launch::Process;
pub use memory::{Memory, exit_at_once, when_memory_is_out};
#[cfg(not(target_os = "macos"))]
pub use name_block::{Buffer, RecordMetadata};
#[cfg(target_os = "linux")]
pub(crate) use newer::Newer;
pub use pattern::matches_pattern;
pub use process::{
    ENVIRONMENT_TAKES_ROOM, HeldSignals, KeptErrno, LONGEST_ARGUMENT, SignalMask, argument_limit,
    current_dir, descriptor_limit, die_of, die_of_sigpipe, hold_signals, host_name, is_terminal,
    keep_errno, processor_time, signal_mask, terminal_columns, terminal_rows,
};
pub use program::{
    DEFAULT_PATH, SCRIPT_SHELL, START_SEARCHES, is_separator, last_name, program_names,
    root_length, search_directories, variable_key,
};
pub use regex::{Range, Regex};
pub(crate) use rename::rename_over;
#[cfg(not(target_os = "macos"))]
pub(crate) use rename::rename_to_new;
pub use signals::{
    Action, any_pending, erase_last_line_at_end, note_ends, noted_end, pending, put_back_pending,
    send, set_last_line_shown, set_signal, signal_action, take_pending,
};
pub use spawn::{duplicate, kill, pipe, read_both, start, wait};
pub use std::os::unix::ffi::{OsStrExt, OsStringExt};
#[cfg(target_os = "linux")]
pub(crate) use stream::timespec;
pub use stream::{
    How, adopt, close_on_run, discard, duplicate_from, move_back, null_over, open_how, peek_socket,
    put_over, wait_any_readable, wait_readable, waiting_bytes,
};
#[cfg(target_os = "linux")]
pub(crate) use usage::resource_usage;
pub use usage::{Times, Usage, times, usage};
pub use users::{
    NAME_SERVICES, OWNERS_ARE_IN_FILES, group_id, group_name, home_directory, user_id, user_name,
};
pub use zone::zone_data;

use std::cell::Cell;

use crate::Errno;
use crate::counter::{Call, count};

thread_local! {
    static INTERRUPTIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`. While it runs, a call of this thread that a signal interrupts fails with `EINTR`: for
/// languages that handle signals themselves and must get control while a call waits for a FIFO. The
/// caller makes the call again if the signal did not end anything.
pub fn interruptible<T>(f: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            INTERRUPTIBLE.set(self.0);
        }
    }
    let _before = Before(INTERRUPTIBLE.replace(true));
    f()
}

/// The only retry policy: a call that a signal interrupted is made again, and counted again, unless
/// the thread is [`interruptible`].
#[inline]
pub(crate) fn retry<T, E: Into<Errno>>(
    call: Call,
    mut f: impl FnMut() -> Result<T, E>,
) -> Result<T, Errno> {
    loop {
        count(call);
        match f().map_err(E::into) {
            Err(Errno::INTR) if !INTERRUPTIBLE.get() => {}
            done => return done,
        }
    }
}

/// The `errno` of the call that has just failed on this thread.
pub(crate) fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// Permission bits as rustix takes them; only the lowest twelve count.
fn mode_of(bits: u32) -> rustix::fs::Mode {
    // The type has 16 bits on some systems.
    rustix::fs::Mode::from_bits_retain((bits & 0o7777) as _)
}
