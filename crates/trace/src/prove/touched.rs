//! What a command writes to, and whether it speaks to others.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::source::scratch::{Scratch, without_links};
use crate::watch::EventSink;
use crate::{Call, Class, Event, Name, PathId, Registry, Shape};

/// An event sink: remembers what a run does.
#[derive(Default)]
pub(super) struct Touched {
    /// What was changed or made, or tried to.
    written: FxHashSet<PathId>,
    /// Whether anything was sent to a socket that others may have.
    speaks: bool,
}

impl EventSink for Touched {
    fn event(&mut self, event: &Event, _registry: &Registry) {
        let Event::Call(call) = event else { return };
        self.speaks |= speaks(call);
        if may_write(call) {
            self.written.extend([call.file, call.second]);
        }
    }
}

impl Touched {
    /// Directories that need not be copied for the command: it does nothing in them that others
    /// could notice.
    pub(super) fn only_looked_at(&self, scratch: &Scratch, registry: &Registry) -> Vec<PathBuf> {
        if self.speaks {
            return Vec::new();
        }
        let path = |id: &PathId| Path::new(OsStr::from_bytes(registry.path(*id)));
        let mut written = Vec::new();
        for path in self.written.iter().map(path) {
            written.extend(path.parent().and_then(without_links));
            written.push(path.to_owned());
        }
        scratch.untouched(&|directory| written.iter().any(|path| path.starts_with(directory)))
    }
}

/// `W_OK`
const WRITE: i32 = 2;

/// `F_SETLK`, `F_SETLKW`, `F_OFD_SETLK`, `F_OFD_SETLKW`, `F_SETLEASE`, `F_NOTIFY`
const SEEN_BY_OTHERS: [i32; 6] = [6, 7, 37, 38, 1024, 1026];

/// Whether a call may write to its file or lock it, or asks whether it could.
fn may_write(call: &Call) -> bool {
    match call.name.class() {
        Class::Open => call.name.opens_for_writing(&call.arguments),
        Class::Access => {
            let mode = call.int(if call.name == Name::Access { 1 } else { 2 });
            mode & WRITE != 0
        }
        Class::Change | Class::Resize | Class::Lock => true,
        Class::Fcntl => SEEN_BY_OTHERS.contains(&call.int(1)),
        Class::Other => !matches!(call.name.shape(), Shape::Descriptor(_)),
        _ => false,
    }
}

/// Whether a call may reach another program by a socket.
fn speaks(call: &Call) -> bool {
    let others = matches!(call.name, Name::Connect | Name::Sendmmsg | Name::IoUringSetup);
    others || call.name.class() == Class::Send
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: Name, arguments: [u64; 6]) -> Call {
        Call { name, arguments, ..Call::default() }
    }

    #[test]
    fn a_look_is_no_write() {
        let (read, write, create) = (4, 2, 0o100);
        assert!(!may_write(&call(Name::Openat, [0; 6])));
        assert!(!may_write(&call(Name::Newfstatat, [0; 6])));
        assert!(!may_write(&call(Name::Faccessat, [0, 0, read, 0, 0, 0])));
        assert!(may_write(&call(Name::Faccessat, [0, 0, write, 0, 0, 0])));
        assert!(may_write(&call(Name::Openat, [0, 0, create, 0, 0, 0])));
        assert!(may_write(&call(Name::Unlink, [0; 6])));
        assert!(may_write(&call(Name::Flock, [0; 6])));
        let fcntl = |command| may_write(&call(Name::Fcntl, [3, command, 0, 0, 0, 0]));
        assert!(fcntl(6) && fcntl(38) && !fcntl(1));
    }

    #[test]
    fn whoever_sends_may_reach_others() {
        for name in [Name::Connect, Name::Sendto, Name::Sendmsg, Name::Sendmmsg] {
            assert!(speaks(&call(name, [0; 6])), "{name}");
        }
        assert!(!speaks(&call(Name::Write, [0; 6])) && !speaks(&call(Name::Socket, [0; 6])));
    }
}
