//! What is done with descriptors, and with the working directory.

use super::FactCollector;
use crate::content_hash;
use crate::explain::history::descriptor_session::{DescriptorOrigin, DescriptorSession, Repeats};
use crate::explain::history::fact::{DirectoryMove, Fact};
use crate::explain::history::paths::FileKind;
use crate::explain::history::patterns::bytes;
use crate::explain::history::questions::{Key, Question, is_missing};
use crate::{Call, Class, Name, PathId, Shape};
use fewer::path::base_name;

impl FactCollector<'_> {
    pub(super) fn opened(&mut self, call: &Call) {
        self.used_as_directory(call);
        if is_missing(call) {
            return self.missed(call);
        }
        let missing = Key::new(call.file, Question::Missing, 0xfff);
        self.found(call.thread, missing);
        if !call.succeeded() {
            return;
        }
        if self.state.knows(missing) {
            self.state.look(missing, 1, call.stack, self.registry);
        }
        let now = self.state.calls;
        let looks = self.state.thread_looks(call.thread).take_before(call.file, now);
        self.made(call, DescriptorOrigin::Opened, call.open_flags());
        if let Ok(descriptor) = i32::try_from(call.result)
            && let Some(session) = self.state.session(descriptor, call.file)
        {
            session.patterns.looks_before = looks;
        }
    }

    /// The looks before an opening go with the session, if that repeats something. Else they were
    /// made again for themselves.
    fn judge_before(&mut self, session: &mut DescriptorSession) {
        if !matches!(session.repeats, Repeats::Nothing | Repeats::Poll) {
            return;
        }
        for step in session.patterns.looks_before.drain(..) {
            if !self.is_polled(step.key) {
                self.state.count(step.key, &step.call, step.at, step.before);
            }
        }
    }

    /// A descriptor that was only moved to this one goes with it, if that reads a file again.
    fn judge_moved(&mut self, session: &mut DescriptorSession) {
        let moved = session.opening.as_deref().filter(|_| session.opened_at.is_some());
        let moved = moved.and_then(|call| self.state.take_moved(call.result));
        let Some(mut moved) = moved else { return };
        if session.repeats == Repeats::Content {
            session.absorb(&moved);
        } else {
            self.judge_before(&mut moved);
            self.facts.push(Fact::Closed(moved));
        }
    }

    /// A call made the descriptor that it gave back.
    fn made(&mut self, call: &Call, origin: DescriptorOrigin, flags: i32) {
        let mut session = DescriptorSession::new(call.file, origin, flags);
        session.forks = self.state.forks;
        session.opening = Some(Box::new(call.clone()));
        session.opened_at = (origin == DescriptorOrigin::Opened).then_some(self.state.calls);
        session.note(call);
        if let Some(asked) = self.directory_of(call) {
            session.note(&asked);
        }
        if let Some(lost) = self.state.replace(call.result, session) {
            self.closed(lost);
        }
    }

    /// The `getcwd` by which PHP makes a whole path of a relative name right before it opens it.
    fn directory_of(&mut self, opening: &Call) -> Option<Box<Call>> {
        let asked = self.state.take_directory(opening)?;
        // Languages are known only at the end.
        let is_php = base_name(self.registry.path(self.state.program)).starts_with(b"php");
        (is_php && opening.name.class() == Class::Open).then_some(asked)
    }

    pub(super) fn duplicated(&mut self, call: &Call) {
        if !call.succeeded() || call.result == i64::from(call.int(0)) {
            return;
        }
        let mut flags = 0;
        let mut opened_at = None;
        // Of a descriptor that was moved aside and now goes back.
        let mut moved_back = Repeats::Nothing;
        let replaces = call.name.class() == Class::Duplicate;
        let is_redirection = replaces
            && self.state.is_saved(call.result)
            && self.paths.kind(call.file) == FileKind::File;
        let mut serves = PathId::NONE;
        if let Some(session) = self.state.session(call.int(0), call.file) {
            session.duplicated = true;
            flags = session.flags;
            opened_at = session.opened_at;
            moved_back = session.repeats;
            if opened_at.is_some() && is_redirection {
                session.patterns.serves = call.file;
            }
            serves = if replaces { session.patterns.serves } else { PathId::NONE };
        }
        let repeats = self.state.writes_again(call.int(0), call.thread);
        if repeats.is_some() || opened_at.is_some() && is_redirection {
            self.state.saved(call.result, repeats, serves);
        }
        self.made(call, DescriptorOrigin::Duplicated, flags);
        if let Ok(new) = i32::try_from(call.result)
            && let Some(session) = self.state.session(new, call.file)
        {
            session.opened_at = opened_at;
            session.repeats = moved_back;
            session.patterns.serves = serves;
        }
    }

    pub(super) fn controlled(&mut self, call: &Call) {
        const F_DUPFD: i32 = 0;
        const F_SETFL: i32 = 4;
        // F_SETLK, F_SETLKW; the same for locks that belong to the open file.
        const LOCKS: [i32; 4] = [6, 7, 37, 38];
        const F_DUPFD_CLOEXEC: i32 = 1030;
        let kind = self.paths.kind(call.file);
        let command = call.int(1);
        match command {
            F_DUPFD | F_DUPFD_CLOEXEC => self.duplicated(call),
            // On a file there is nothing to wait for: O_NONBLOCK is as idle a mark as the others.
            flag if flag < F_SETFL || flag == F_SETFL && kind == FileKind::File => {
                if let Some(session) = self.state.session(call.int(0), call.file)
                    && call.succeeded()
                {
                    session.marks.add(call);
                }
            }
            _ => {
                if let Some(session) = self.state.session(call.int(0), call.file) {
                    session.note(call);
                    session.used = true;
                    if command == F_SETFL {
                        session.patterns.toggles.add(call);
                    } else if LOCKS.contains(&command) && call.succeeded() {
                        session.patterns.locks.add(call);
                    }
                }
            }
        }
    }

    pub(super) fn closed_many(&mut self, call: &Call) {
        const MOST: i32 = 1 << 16;
        const CLOSE_RANGE_CLOEXEC: i32 = 4;
        if call.int(2) & CLOSE_RANGE_CLOEXEC != 0 {
            return;
        }
        let last = if call.int(1) < 0 { MOST } else { call.int(1).min(MOST) };
        for descriptor in call.int(0).max(0)..=last {
            if let Some(session) = self.state.close(descriptor) {
                self.closed(session);
            }
        }
    }

    /// A descriptor's session is over.
    pub(super) fn closed(&mut self, session: Box<DescriptorSession>) {
        let Some(mut session) = self.state.keep_moved(session) else { return };
        session.patterns.seeks.end();
        let readable = session.opened_at.is_some() && session.is_read_only();
        let read = session.moved || session.has_listed() || session.probes.first != 0;
        if readable && read && session.used {
            // What was listed says more than when the directory was changed.
            let knows_entries = session.has_listed() && session.content != 0;
            let is_kernels = self.paths.kind(session.file) == FileKind::Kernel;
            let metadata = if is_kernels || knows_entries { 0 } else { session.probes.first };
            let bytes = session.bytes_read + session.listing.bytes;
            let content = content_hash::of(
                &[metadata, session.content, bytes].map(u64::to_be_bytes).concat(),
            );
            let known = (metadata | session.content) != 0;
            if known && self.state.content(session.file, content) {
                session.repeats = Repeats::Content;
            }
        }
        self.judge_moved(&mut session);
        if self.paths.kind(session.file) != FileKind::File {
            self.judge_before(&mut session);
            return self.facts.push(Fact::Closed(session));
        }
        let thread = session.opening.as_deref().map_or(0, |call| call.thread);
        let now = self.state.moment(thread);
        if session.is_read_only() && self.state.polls.is_polled(session.file) {
            session.repeats = Repeats::Poll;
        }
        if !session.repeats.is_some() {
            session.repeats = self.state.outputs.repeats(&session, now);
        }
        self.judge_before(&mut session);
        self.facts.extend(self.state.outputs.closed(session, now).map(Fact::Closed));
    }

    pub(super) fn moved(&mut self, call: &Call) {
        let is_here = call.file == self.state.directory;
        if let (Name::Fchdir, Some(session)) =
            (call.name, self.state.session(call.int(0), call.file))
        {
            session.note(call);
            session.used |= !is_here;
        }
        if is_missing(call) {
            return self.missed(call);
        }
        if call.succeeded() {
            let (from, now) = (self.state.directory, self.state.calls);
            let looks = self.state.thread_looks(call.thread);
            let way = looks.take_way_to(call.file, now, self.registry);
            self.facts.push(Fact::Moved(DirectoryMove { from, way }));
            self.state.directory = call.file;
        }
    }

    /// Metadata of a descriptor.
    pub(super) fn used(&mut self, call: &Call) {
        if call.succeeded() && call.name != Name::Statx {
            self.state.fstat(call.file, call.answer);
        }
        if let Some(session) = self.session(call) {
            session.note(call);
            session.metadata(call);
        }
    }

    fn session(&mut self, call: &Call) -> Option<&mut DescriptorSession> {
        let descriptor = call.int(0);
        let stale = self.state.session(descriptor, call.file).is_some_and(|session| {
            session.file != call.file && session.file.is_some() && call.file.is_some()
        });
        // A log names what a descriptor leads to, an opening what was asked for: the same file.
        if stale
            && self.state.session(descriptor, call.file)?.origin != DescriptorOrigin::Opened
            && let Some(lost) = self.state.close(descriptor)
        {
            self.closed(lost);
        }
        self.state.session(descriptor, call.file)
    }

    /// A directory's descriptor is used to look something up.
    pub(super) fn used_as_directory(&mut self, call: &Call) {
        if let Shape::At(directory, _) | Shape::Ats(directory, ..) = call.name.shape()
            && let descriptor @ 0.. = call.int(directory)
            && let Some(session) = self.state.session(descriptor, PathId::NONE)
        {
            session.used = true;
        }
    }

    /// The thread waits for another process.
    pub(super) fn waits(&mut self, call: &Call) {
        const MOST_THREADS: usize = 4096;
        if self.state.waited.len() >= MOST_THREADS {
            self.state.waited.clear();
        }
        self.state.waited.insert(call.thread, self.state.calls);
    }

    /// A runtime tries to have a descriptor watched for events, as Go does with each that it opens:
    /// a file cannot be.
    pub(super) fn offered_to_epoll(&mut self, call: &Call) {
        const EPOLL_CTL_ADD: i32 = 1;
        const EPERM: i32 = 1;
        if call.int(1) != EPOLL_CTL_ADD {
            return;
        }
        if let Some(session) = self.state.session(call.int(2), PathId::NONE) {
            session.patterns.watched = true;
            if call.errno() == Some(EPERM) {
                session.note(call);
            }
        }
    }

    /// A directory is made that is there. What was known of it stays true.
    pub(super) fn made_in_vain(&mut self, call: &Call) {
        self.used_as_directory(call);
        // The looks before it are no way down a path.
        if let Some(chain) = self.state.thread_looks(call.thread).end_chain() {
            self.climbed(chain);
        }
        let above = self.paths.parent(call.file, self.registry);
        for directory in [call.file, above] {
            if directory.is_some() {
                self.state.outputs.made_in_vain(directory);
            }
        }
    }

    /// Any other call.
    pub(super) fn used_somehow(&mut self, call: &Call) {
        let now = self.state.calls;
        let waited = self.state.waited.get(&call.thread).copied().unwrap_or_default();
        match call.name.shape() {
            Shape::Descriptor(0) => {}
            Shape::Descriptor(place) => return self.used_both(call, &[place]),
            Shape::Descriptors(first, second) => return self.used_both(call, &[first, second]),
            Shape::Path(_) | Shape::At(..) => {
                self.used_as_directory(call);
                self.state.outputs.touched(call);
                return self.changed(call.file);
            }
            Shape::Paths(..) | Shape::Ats(..) => return self.renamed(call),
            Shape::Nothing | Shape::Unwatched => return,
        }
        if matches!(call.name, Name::Write | Name::Writev | Name::Pwrite64 | Name::Sendto) {
            self.state.written += bytes(call);
        }
        let kind = self.paths.kind(call.file);
        if call.name == Name::Read
            && matches!(kind, FileKind::Pipe | FileKind::Socket | FileKind::Terminal)
        {
            self.waits(call);
        }
        self.copied(call);
        let Some(session) = self.session(call) else { return };
        session.note(call);
        match call.name {
            Name::Read | Name::Readv => session.read(call),
            Name::Lseek => session.seek(call),
            Name::Ioctl => session.control(call),
            Name::Write | Name::Writev => session.write(call, now, waited),
            Name::Fsync | Name::Fdatasync => {
                session.used = true;
                if let Some(writes) = &mut session.writes {
                    writes.syncs += 1;
                }
            }
            Name::Getdents64 | Name::Getdents => {
                if session.list(call) {
                    self.state.list(call.file);
                }
            }
            _ => {
                session.used = true;
                session.moved |= call.name != Name::Fadvise64;
                if call.name == Name::Flock && call.succeeded() {
                    session.patterns.locks.add(call);
                }
            }
        }
    }

    /// A file has two names, or another one.
    fn renamed(&mut self, call: &Call) {
        self.used_as_directory(call);
        let before = self.state.outputs.replaced(call.second);
        self.changed(call.file);
        self.changed(call.second);
        let is_known = call.file.is_some() && call.second.is_some();
        if is_known && call.succeeded() && is_rename(call) {
            let directory = self.paths.parent(call.second, self.registry);
            let now = self.state.moment(call.thread);
            let session = self.state.outputs.renamed(call, directory, before, now);
            self.facts.extend(session.map(Fact::Closed));
        }
    }

    /// Something flows between two descriptors, or one is mapped.
    fn used_both(&mut self, call: &Call, places: &[usize]) {
        for place in places {
            if let Some(session) = self.state.session(call.int(*place), PathId::NONE) {
                if call.name == Name::Mmap {
                    session.map(call);
                } else {
                    session.pass();
                }
                session.used = true;
                session.moved = true;
                session.probes.latest = 0;
            }
        }
    }
}

fn is_rename(call: &Call) -> bool {
    matches!(call.name, Name::Rename | Name::Renameat | Name::Renameat2)
}
