//! A descriptor that tells of the end of a child, and what is asked where there is none.

use crate::Errno;
use crate::counter::Call;
use crate::unix::{Descriptor, Newer, Process, retry};

/// A descriptor that becomes readable when a child has ended: to wait for one of several children,
/// or for a child and a stream. The child must still be waited for. `None` where there are no such
/// descriptors, as before Linux 5.3: [`has_ended`] is to be asked now and then.
///
/// Price: one `pidfd_open`; one `close` later. None where it was refused before.
///
/// # Errors
/// The kernel's number: `ESRCH`, `EMFILE`.
#[doc(alias = "pidfd_open")]
pub fn watch(child: Process) -> Result<Option<Descriptor>, Errno> {
    static PIDFD_OPEN: Newer = Newer::new();
    let flags = rustix::process::PidfdFlags::empty();
    let newer = || retry(Call::PidfdOpen, || rustix::process::pidfd_open(child.pid(), flags));
    PIDFD_OPEN.or(|| newer().map(|file| Some(Descriptor::new(file))), || Ok(None))
}

/// Whether a child has ended. It must still be waited for.
///
/// Price: one `waitid`.
///
/// # Errors
/// The kernel's number: `ECHILD`.
#[doc(alias = "waitid")]
pub fn has_ended(child: Process) -> Result<bool, Errno> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let ended = retry(Call::Waitid, || waitid(WaitId::Pid(child.pid()), options))?;
    Ok(ended.is_some())
}
