//! Turns each call of a process into facts.

mod copies;
mod descriptors;
mod looks;

use super::fact::Fact;
use super::paths::Paths;
use super::process_state::ProcessState;
use super::questions::{is_missing, question};
use super::thread_looks::ThreadLooks;
use crate::{Call, Class, Name, PathId, Registry, Shape};

/// Turns each call of a process into facts.
pub(super) struct FactCollector<'t> {
    pub(super) state: &'t mut ProcessState,
    pub(super) registry: &'t Registry,
    pub(super) paths: &'t Paths,
    pub(super) facts: &'t mut Vec<Fact>,
}

impl FactCollector<'_> {
    /// Takes in a call.
    pub(super) fn see(&mut self, call: &Call) {
        self.state.transactions.see(call, self.paths, self.registry);
        let kind = self.paths.kind(call.file);
        let is_watchable = !is_systems(self.registry.path(call.file));
        if self.state.polls.see(call, kind, is_watchable) {
            self.slept(call.thread);
        }
        if let Some((question, fields)) = question(call, self.registry) {
            return self.path_asked(call, question, fields);
        }
        let is_by_path = matches!(call.name.shape(), Shape::Path(_));
        match call.name.class() {
            Class::Open => self.opened(call),
            Class::Close if call.name == Name::CloseRange => self.closed_many(call),
            Class::Close => {
                if let Some(mut session) = self.state.close(call.int(0)) {
                    session.note(call);
                    self.closed(session);
                }
            }
            Class::Duplicate => self.duplicated(call),
            Class::Fcntl => self.controlled(call),
            Class::Chdir => self.moved(call),
            Class::Execute if is_missing(call) => self.missed(call),
            Class::Wait if is_at_once(call) => {}
            Class::Wait | Class::Receive => self.waits(call),
            Class::Change if is_mkdir_in_vain(call) => self.made_in_vain(call),
            _ if call.name == Name::Getcwd => self.state.note_directory(call),
            _ if call.name == Name::EpollCtl => self.offered_to_epoll(call),
            // Without a path it is about the descriptor.
            Class::Stat if !is_by_path => self.used(call),
            _ => self.used_somehow(call),
        }
    }

    /// The process ends: so do its searches, and what is still open counts as closed.
    pub(super) fn finish(&mut self) {
        for (_, thread_looks) in self.state.take_thread_looks() {
            self.looked(thread_looks);
        }
        for session in self.state.close_all() {
            self.closed(session);
        }
        self.facts.extend(self.state.outputs.end().into_iter().map(Fact::Closed));
    }

    /// A thread has slept: what it looks at next has nothing to do with what it looked at before.
    fn slept(&mut self, thread: u32) {
        let thread_looks = std::mem::take(self.state.thread_looks(thread));
        self.looked(thread_looks);
    }

    /// The searches and the chain of a thread have ended.
    fn looked(&mut self, mut thread_looks: ThreadLooks) {
        for search in thread_looks.end_searches(self.registry) {
            self.searched(search);
        }
        if let Some(chain) = thread_looks.end_chain() {
            self.climbed(chain);
        }
    }

    /// A call changed something about a file.
    fn changed(&mut self, file: PathId) {
        if file.is_some() {
            self.state.forget(file);
        }
    }
}

/// Whether libraries look at it now and then on their own: no program waits for its change.
fn is_systems(path: &[u8]) -> bool {
    const FILES: &[&str] =
        &["/etc/hosts", "/etc/localtime", "/etc/nsswitch.conf", "/etc/resolv.conf"];
    FILES.iter().any(|file| file.as_bytes() == path)
}

/// Whether it asks for events and waits for none, as the loop of an asynchronous runtime does
/// between two tasks.
fn is_at_once(call: &Call) -> bool {
    match call.name {
        Name::Poll => call.int(2) == 0,
        Name::EpollWait | Name::EpollPwait => call.int(3) == 0,
        _ => false,
    }
}

/// Whether a directory is made that is there.
fn is_mkdir_in_vain(call: &Call) -> bool {
    const EEXIST: i32 = 17;
    matches!(call.name, Name::Mkdir | Name::Mkdirat) && call.errno() == Some(EEXIST)
}
