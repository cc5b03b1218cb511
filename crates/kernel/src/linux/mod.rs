//! Linux: the calls, one small file per subject.

mod block;
mod change;
mod descriptor;
mod directory;
mod entries;
mod file;
mod filesystem;
mod mounts;
mod pattern;
mod process;
mod spawn;
mod stat;
mod users;

pub use block::{advise_large_pages, position, pread_behind, read_behind, set_position};
pub use change::{
    create, make_directory, make_hard_link, make_symlink, remove_directory, remove_file,
    set_permissions,
};
pub use descriptor::{At, CWD, Descriptor, STDERR, STDIN, STDOUT};
pub use directory::{open_dir, open_parent, open_place, read_entries, seek};
pub use entries::{Buffer, Entries, RawEntry};
pub use file::{
    attribute_names, open, read, read_all, read_link, read_link_of, read_until, write, write_all,
};
pub use filesystem::{FileSystem, filesystem};
pub use mounts::{Mount, mount_table};
pub use pattern::matches_pattern;
pub use process::{
    HeldSignals, KeptErrno, current_dir, descriptor_limit, die_of_sigpipe, hold_signals, host_name,
    is_terminal, keep_errno, processors, terminal_columns,
};
pub use rustix::io::Errno;
pub use spawn::{Process, Start, Stream, kill, pipe, start, wait, wait_for_either};
pub use stat::{Fields, Kind, Stat, Time, stat, stat_descriptor};
pub use users::{NAME_SERVICES, group_id, group_name, user_id, user_name};

use std::cell::Cell;

use crate::counter::{Call, count};

thread_local! {
    static INTERRUPTIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, in which a call of this thread that a signal interrupts fails with `EINTR`: for
/// languages that have their own idea of what a signal means, and must get a word in while a FIFO
/// is waited for. Whoever uses it makes the call again when nothing came of the signal.
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

/// The one retry policy: a call that a signal interrupted is made again, and counted again, unless
/// the thread asked for the [opposite](interruptible).
#[inline]
fn retry<T>(call: Call, mut f: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        count(call);
        match f() {
            Err(Errno::INTR) if !INTERRUPTIBLE.get() => {}
            done => return done,
        }
    }
}
