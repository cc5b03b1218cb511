//! A descriptor that tells of the end of a child.

use crate::Errno;
use crate::counter::Call;
use crate::unix::{Descriptor, Process, retry};

/// A descriptor that becomes readable when a child has ended: to wait for one of several children,
/// or for a child and a stream. The child must still be waited for.
///
/// Price: one `pidfd_open`; one `close` later.
///
/// # Errors
/// The kernel's number: `ESRCH`, `EMFILE`.
#[doc(alias = "pidfd_open")]
pub fn watch(child: Process) -> Result<Descriptor, Errno> {
    let flags = rustix::process::PidfdFlags::empty();
    retry(Call::PidfdOpen, || rustix::process::pidfd_open(child.pid(), flags)).map(Descriptor::new)
}
