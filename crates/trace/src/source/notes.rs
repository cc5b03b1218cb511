//! What could not be seen, said once for each program.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rustc_hash::FxHashSet;

use super::paths::Paths;
use super::proc;
use super::ptrace::Pid;
use crate::{Event, Note, PathId};

/// What was said already, about which program.
#[derive(Default)]
pub(crate) struct Notes {
    said: FxHashSet<(&'static str, PathId)>,
    /// Whether programs run without the privilege that they would have untraced.
    takes_privilege: bool,
}

impl Notes {
    /// Adds a note about a program, and a process that runs it, to `events`, unless it was said of
    /// that program before.
    pub(crate) fn note(
        &mut self,
        id: &'static str,
        (program, process): (PathId, u32),
        text: &str,
        paths: &Paths,
        events: &mut Vec<Event>,
    ) {
        if !self.said.insert((id, program)) {
            return;
        }
        let name = String::from_utf8_lossy(paths.bytes(program)).into_owned();
        let text = format!("{name} {text}");
        events.push(Event::Note(Note { id: id.to_owned(), process, text }));
    }

    /// Finds out which privilege tracing takes away from programs. To be called when the first
    /// program has begun.
    pub(crate) fn first_privilege(&mut self, id: Pid) {
        let ours = proc::privilege("self");
        let its = proc::privilege(&id.to_string());
        self.takes_privilege = !ours.never_gains && (its.never_gains || !ours.may_trace_privileged);
    }

    /// Whether a program that has begun lacks the privilege that its file gives it untraced.
    pub(crate) fn lacks_privilege(&self, id: Pid) -> bool {
        if !self.takes_privilege {
            return false;
        }
        let Ok(file) = std::fs::metadata(format!("/proc/{id}/exe")) else { return false };
        let mode = file.permissions().mode();
        let is_setuid = mode & libc::S_ISUID != 0;
        // Without the right to execute, the bit means something else.
        let is_setgid = mode & libc::S_ISGID != 0 && mode & libc::S_IXGRP != 0;
        let own = std::fs::metadata("/proc/self");
        let changes = own.is_ok_and(|own| {
            (is_setuid && own.uid() != file.uid()) || (is_setgid && own.gid() != file.gid())
        });
        changes || proc::has_capabilities(id)
    }
}
