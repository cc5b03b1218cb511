//! What could not be seen, said once for each program.

use std::collections::HashSet;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::proc;
use super::ptrace::Pid;
use super::told::Told;
use super::tracees::Thread;
use crate::{Event, Note, PathId};

/// What was said already, about which program.
#[derive(Default)]
pub(crate) struct Notes {
    said: HashSet<(&'static str, PathId)>,
    /// Whether programs run without the privilege that they would have untraced.
    takes_privilege: bool,
}

impl Told {
    /// Says something about a thread's program.
    pub(crate) fn note(&mut self, id: &'static str, thread: &Thread, text: &str) {
        let program = thread.process.program.get();
        if !self.notes.said.insert((id, program)) {
            return;
        }
        let name = String::from_utf8_lossy(self.paths.bytes(program)).into_owned();
        let text = format!("{name} {text}");
        self.events.push(Event::Note(Note { id: id.to_owned(), process: thread.process.id, text }));
    }

    /// The first program has begun: finds out what tracing takes away from programs.
    pub(crate) fn first_privilege(&mut self, id: Pid) {
        let ours = proc::privilege("self");
        let its = proc::privilege(&id.to_string());
        self.notes.takes_privilege =
            !ours.never_gains && (its.never_gains || !ours.may_trace_privileged);
    }

    /// A program has begun that would have had its file's privilege.
    pub(crate) fn note_privilege(&mut self, id: Pid, thread: &Thread) {
        if !self.notes.takes_privilege {
            return;
        }
        let Ok(file) = std::fs::metadata(format!("/proc/{id}/exe")) else { return };
        let mode = file.permissions().mode();
        let is_setuid = mode & libc::S_ISUID != 0;
        // Without the right to execute, the bit means something else.
        let is_setgid = mode & libc::S_ISGID != 0 && mode & libc::S_IXGRP != 0;
        let own = std::fs::metadata("/proc/self");
        let changes = own.is_ok_and(|own| {
            (is_setuid && own.uid() != file.uid()) || (is_setgid && own.gid() != file.gid())
        });
        if changes || proc::has_capabilities(id) {
            self.note("setuid", thread, "is setuid: being traced, it ran without that privilege");
        }
    }
}
