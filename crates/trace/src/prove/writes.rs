//! What a command writes to.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::source::scratch::without_links;
use crate::watch::EventSink;
use crate::{Call, Class, Event, Name, PathId, Registry};

/// An event sink: remembers what a run changed or made, or tried to.
#[derive(Default)]
pub(super) struct Writes(HashSet<PathId>);

impl EventSink for Writes {
    fn event(&mut self, event: &Event, _registry: &Registry) {
        if let Event::Call(call) = event
            && may_write(call)
        {
            self.0.extend([call.file, call.second]);
        }
    }
}

impl Writes {
    /// The paths; also as they are without links on the way, as far as they are there.
    pub(super) fn paths(&self, registry: &Registry) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for id in self.0.iter().filter(|id| id.is_some()) {
            let path = Path::new(OsStr::from_bytes(registry.path(*id)));
            all.extend(path.parent().and_then(without_links));
            all.push(path.to_owned());
        }
        all
    }
}

/// `W_OK`
const WRITE: i32 = 2;

/// Whether a call may write to its file, or asks whether it could.
fn may_write(call: &Call) -> bool {
    match call.name.class() {
        Class::Open => call.name.opens_for_writing(&call.arguments),
        Class::Access => {
            let mode = call.int(if call.name == Name::Access { 1 } else { 2 });
            mode & WRITE != 0
        }
        Class::Change | Class::Resize | Class::Other => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_no_write() {
        let call = |name, arguments: [u64; 6]| Call { name, arguments, ..Call::default() };
        let (read, write, create) = (4, 2, 0o100);
        assert!(!may_write(&call(Name::Openat, [0; 6])));
        assert!(!may_write(&call(Name::Newfstatat, [0; 6])));
        assert!(!may_write(&call(Name::Faccessat, [0, 0, read, 0, 0, 0])));
        assert!(may_write(&call(Name::Faccessat, [0, 0, write, 0, 0, 0])));
        assert!(may_write(&call(Name::Openat, [0, 0, create, 0, 0, 0])));
        assert!(may_write(&call(Name::Unlink, [0; 6])));
    }
}
