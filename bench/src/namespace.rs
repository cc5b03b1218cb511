//! A mount namespace of our own: what is mounted in it, nobody else sees, and it ends with the last
//! process inside.

use std::io;

use rustix::mount::{MountPropagationFlags, mount_change};

/// Moves this thread, and what it starts from here on, into a new one. Needs root.
pub(crate) fn enter() -> Result<(), String> {
    // SAFETY: no memory is involved; the flag is one that unshare knows.
    if unsafe { libc::unshare(libc::CLONE_NEWNS) } != 0 {
        return Err(format!("unshare: {}", io::Error::last_os_error()));
    }
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|error| format!("mount: {error}"))
}
