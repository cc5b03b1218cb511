//! What each process has done so far, as far as more than one rule needs it: its questions and
//! their answers, its descriptors, its working directory. Turns calls into facts; rules judge them.

mod descriptor_session;
pub(crate) mod paths;
mod process_state;
mod questions;
mod thread_looks;

pub(crate) use descriptor_session::{DescriptorOrigin, DescriptorSession, Reads, bytes};
pub(crate) use paths::FileKind;
pub(crate) use process_state::{Novelty, ProcessState, Repetition};
pub(crate) use questions::{Key, Question, fields, is_missing};

use crate::quick::{self, Map};
use paths::Paths;
use questions::{answer, question};
use thread_looks::{Chain, Miss, Search, Step};

use crate::{Call, Class, Name, PathId, Process, Registry, Shape};

/// A fact about a process.
#[derive(Debug)]
pub(crate) enum Fact {
    /// The call at hand asked about a path.
    Asked(PathQuestion),
    /// The components of a path were asked about one after the other. These calls asked for at
    /// least the second time.
    Climbed(Vec<Call>),
    /// One name was looked for in several places. These calls did not find it.
    Searched(Vec<Call>),
    /// A descriptor was closed.
    Closed(Box<DescriptorSession>),
    /// The call at hand set the working directory.
    Moved {
        /// The working directory before.
        from: PathId,
    },
}

/// A question about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathQuestion {
    /// What was asked.
    pub(crate) question: Question,
    /// Whether it was asked before.
    pub(crate) novelty: Novelty,
    /// The directory that the path is an entry of, if that was listed before.
    pub(crate) entry_of: PathId,
    /// Whether `fstat` has just given the same answer.
    pub(crate) answered_by_fstat: bool,
}

/// What happened so far.
#[derive(Debug, Default)]
pub(crate) struct History {
    processes: Map<u32, ProcessState>,
    paths: Paths,
    facts: Vec<Fact>,
}

/// What a rule can see while it judges.
#[derive(Clone, Copy)]
pub(crate) struct Context<'h> {
    /// What the numbers in calls stand for.
    pub(crate) registry: &'h Registry,
    /// The process.
    pub(crate) process: &'h ProcessState,
    paths: &'h Paths,
}

impl Context<'_> {
    /// What a path names.
    pub(crate) fn kind(&self, path: PathId) -> FileKind {
        self.paths.kind(path)
    }

    /// The directory that a path lies in, as far as it is known.
    pub(crate) fn parent(&self, path: PathId) -> PathId {
        self.paths.parent(path, self.registry)
    }
}

impl History {
    /// Takes in a path.
    pub(crate) fn path(&mut self, id: PathId, registry: &Registry) {
        self.paths.take(id, registry);
    }

    /// What a rule can see of a process.
    pub(crate) fn context<'h>(
        &'h self,
        state: &'h ProcessState,
        registry: &'h Registry,
    ) -> Context<'h> {
        Context { registry, process: state, paths: &self.paths }
    }

    /// A process.
    pub(crate) fn process(&self, process: u32) -> Option<&ProcessState> {
        self.processes.get(&process)
    }

    /// A process begins, or becomes another program. Gives back the state that this ends.
    pub(crate) fn begin(&mut self, process: &Process) -> Option<ProcessState> {
        let before = self.processes.remove(&process.id);
        let mut directory = process.directory;
        if let Some(parent) = self.processes.get_mut(&process.parent).filter(|_| before.is_none()) {
            parent.forks += 1;
            if !directory.is_some() {
                directory = parent.directory;
            }
        }
        let is_copy = before.is_none()
            && self.processes.get(&process.parent).is_some_and(|p| p.program == process.program);
        let (id, program) = (process.id, process.program);
        let state = ProcessState::new(id, program, is_copy, directory);
        self.processes.insert(process.id, state);
        before
    }

    /// A process ends.
    pub(crate) fn end(&mut self, process: u32) -> Option<ProcessState> {
        self.processes.remove(&process)
    }

    /// All processes that are left, in the order of their numbers.
    pub(crate) fn end_all(&mut self) -> Vec<ProcessState> {
        let mut processes: Vec<ProcessState> =
            std::mem::take(&mut self.processes).into_values().collect();
        processes.sort_by_key(|state| state.id);
        processes
    }

    /// Takes in a call; its facts are in `facts`.
    pub(crate) fn see(&mut self, call: &Call, registry: &Registry) {
        let state = self.processes.entry(call.process).or_insert_with(|| {
            let program = registry.process(call.process).map(|process| process.program);
            let directory = registry.process(call.process).map(|process| process.directory);
            let (program, directory) = (program.unwrap_or_default(), directory.unwrap_or_default());
            ProcessState::new(call.process, program, false, directory)
        });
        state.calls += 1;
        let mut collector =
            FactCollector { state, registry, paths: &self.paths, facts: &mut self.facts };
        collector.see(call);
    }

    /// The facts about the last call.
    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Gives an emptied list back, to be used again.
    pub(crate) fn reuse(&mut self, facts: Vec<Fact>) {
        self.facts = facts;
    }

    /// Ends a process: what is still open counts as closed.
    pub(crate) fn finish(&mut self, state: &mut ProcessState, registry: &Registry) {
        let thread_looks = state.take_thread_looks();
        let mut collector =
            FactCollector { state, registry, paths: &self.paths, facts: &mut self.facts };
        for (_, mut thread_looks) in thread_looks {
            for search in thread_looks.end_searches(registry) {
                collector.searched(search);
            }
            if let Some(chain) = thread_looks.end_chain() {
                collector.climbed(chain);
            }
        }
        for session in collector.state.close_all() {
            collector.closed(session);
        }
        state.finish();
    }
}

/// Turns each call of a process into facts.
struct FactCollector<'t> {
    state: &'t mut ProcessState,
    registry: &'t Registry,
    paths: &'t Paths,
    facts: &'t mut Vec<Fact>,
}

impl FactCollector<'_> {
    fn see(&mut self, call: &Call) {
        if let Some((question, fields)) = question(call, self.registry) {
            return self.asked(call, question, fields);
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
            Class::Wait | Class::Receive => self.waits(call),
            // Without a path it is about the descriptor.
            Class::Stat if !is_by_path => self.used(call),
            _ => self.used_somehow(call),
        }
    }

    /// A look at a path.
    fn asked(&mut self, call: &Call, question: Question, fields: u32) {
        self.used_as_directory(call);
        let registry = self.registry;
        let key = Key::new(call.file, question, fields);
        if is_missing(call) {
            let novelty = if self.state.knows(key) { Novelty::Again } else { Novelty::New };
            let entry_of = PathId::NONE;
            self.facts.push(Fact::Asked(PathQuestion {
                question,
                novelty,
                entry_of,
                answered_by_fstat: false,
            }));
            return self.missed_as(call, key);
        }
        self.found(call.thread, key);
        let novelty = self.state.look(key, answer(call));
        let entry_of = match self.paths.parent(call.file, registry) {
            parent if parent.is_some() && self.state.has_listed(parent) => parent,
            _ => PathId::NONE,
        };
        let answered_by_fstat = novelty == Novelty::New
            && call.name != Name::Statx
            && self.state.has_just_answered(call.file, call.answer);
        self.facts.push(Fact::Asked(PathQuestion {
            question,
            novelty,
            entry_of,
            answered_by_fstat,
        }));
        let again = (novelty == Novelty::Again).then(|| Box::new(call.clone()));
        let step = Step { key, again, at: self.state.calls, before: None };
        if let Some(chain) = self.state.thread_looks(call.thread).step(step, registry) {
            self.climbed(chain);
        }
    }

    fn climbed(&mut self, chain: Chain) {
        let (steps, is_climb) = match chain {
            Chain::Components(steps) => (steps, true),
            Chain::Loose(steps) => (steps, false),
        };
        let mut climbed = Vec::new();
        for step in steps {
            let Some(call) = step.again else { continue };
            if is_climb || step.key.question() == Question::Link {
                climbed.push(*call);
            } else {
                self.state.count(step.key, &call, step.at, step.before);
            }
        }
        if !climbed.is_empty() {
            self.facts.push(Fact::Climbed(climbed));
        }
    }

    fn missed(&mut self, call: &Call) {
        self.missed_as(call, Key::new(call.file, Question::Missing, 0xfff));
    }

    fn missed_as(&mut self, call: &Call, key: Key) {
        if !call.file.is_some() {
            return;
        }
        let registry = self.registry;
        let miss = Miss { key, call: Box::new(call.clone()), at: self.state.calls };
        for search in self.state.thread_looks(call.thread).miss(miss, registry) {
            self.searched(search);
        }
    }

    /// Something is there: a search for it ends.
    fn found(&mut self, thread: u32, key: Key) {
        let registry = self.registry;
        if let Some(search) = self.state.thread_looks(thread).found(key, registry) {
            self.searched(search);
        }
    }

    fn searched(&mut self, search: Search) {
        match search {
            Search::Places(misses) => {
                let calls = misses.into_iter().map(|miss| *miss.call).collect();
                self.facts.push(Fact::Searched(calls));
            }
            Search::Loose(misses) => {
                for miss in misses {
                    if self.state.look(miss.key, answer(&miss.call)) == Novelty::Again {
                        self.state.count(miss.key, &miss.call, miss.at, None);
                    }
                }
            }
        }
    }

    fn opened(&mut self, call: &Call) {
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
            self.state.look(missing, 1);
        }
        let flags = match call.name {
            Name::Open => call.int(1),
            Name::Openat => call.int(2),
            // openat2 has its flags in memory; creat means these.
            Name::Openat2 => 0,
            _ => 0o1101,
        };
        self.made(call, DescriptorOrigin::Opened, flags);
    }

    /// A call made the descriptor that it gave back.
    fn made(&mut self, call: &Call, origin: DescriptorOrigin, flags: i32) {
        let mut session = DescriptorSession::new(call.file, origin, flags);
        session.forks = self.state.forks;
        session.opening = Some(Box::new(call.clone()));
        session.note(call);
        if let Some(lost) = self.state.replace(call.result, session) {
            self.closed(lost);
        }
    }

    fn duplicated(&mut self, call: &Call) {
        if !call.succeeded() || call.result == i64::from(call.int(0)) {
            return;
        }
        let mut flags = 0;
        let mut of_opened = false;
        if let Some(session) = self.state.session(call.int(0), call.file) {
            session.duplicated = true;
            flags = session.flags;
            of_opened = session.origin == DescriptorOrigin::Opened || session.of_opened;
        }
        self.made(call, DescriptorOrigin::Duplicated, flags);
        if let Ok(new) = i32::try_from(call.result)
            && let Some(session) = self.state.session(new, call.file)
        {
            session.of_opened = of_opened;
        }
    }

    fn controlled(&mut self, call: &Call) {
        const F_DUPFD: i32 = 0;
        const F_SETFL: i32 = 4;
        const F_DUPFD_CLOEXEC: i32 = 1030;
        let kind = self.paths.kind(call.file);
        match call.int(1) {
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
                }
            }
        }
    }

    fn closed_many(&mut self, call: &Call) {
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
    fn closed(&mut self, mut session: Box<DescriptorSession>) {
        let is_opened = session.origin == DescriptorOrigin::Opened || session.of_opened;
        let readable = is_opened && session.is_read_only();
        let read = session.moved || session.listing.calls > 0 || session.probes.first != 0;
        if readable && read && session.used {
            let metadata = if self.paths.kind(session.file) == FileKind::Kernel {
                0
            } else {
                session.probes.first
            };
            let content = quick::of(
                &[metadata, session.content, session.bytes_read].map(u64::to_be_bytes).concat(),
            );
            let known = (metadata | session.content) != 0;
            session.again = known && self.state.content(session.file, content);
        }
        self.facts.push(Fact::Closed(session));
    }

    fn moved(&mut self, call: &Call) {
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
            self.facts.push(Fact::Moved { from: self.state.directory });
            self.state.directory = call.file;
        }
    }

    /// Metadata of a descriptor.
    fn used(&mut self, call: &Call) {
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
    fn used_as_directory(&mut self, call: &Call) {
        if let Shape::At(directory, _) | Shape::Ats(directory, ..) = call.name.shape()
            && let descriptor @ 0.. = call.int(directory)
            && let Some(session) = self.state.session(descriptor, PathId::NONE)
        {
            session.used = true;
        }
    }

    /// The thread waits for another process.
    fn waits(&mut self, call: &Call) {
        const MOST_THREADS: usize = 4096;
        if self.state.waited.len() >= MOST_THREADS {
            self.state.waited.clear();
        }
        self.state.waited.insert(call.thread, self.state.calls);
    }

    /// Any other call.
    fn used_somehow(&mut self, call: &Call) {
        let now = self.state.calls;
        let waited = self.state.waited.get(&call.thread).copied().unwrap_or_default();
        match call.name.shape() {
            Shape::Descriptor(0) => {}
            Shape::Descriptor(place) => return self.used_both(call, place, place),
            Shape::Descriptors(first, second) => return self.used_both(call, first, second),
            Shape::Path(_) => return self.changed(call.file),
            Shape::At(..) => {
                self.used_as_directory(call);
                return self.changed(call.file);
            }
            Shape::Paths(..) | Shape::Ats(..) => {
                self.used_as_directory(call);
                self.changed(call.file);
                return self.changed(call.second);
            }
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
            }
        }
    }

    /// Something flows between two descriptors, or one is mapped.
    fn used_both(&mut self, call: &Call, first: usize, second: usize) {
        for place in [first, second] {
            if let Some(session) = self.state.session(call.int(place), PathId::NONE) {
                session.used = true;
                session.moved = true;
                session.probes.latest = 0;
            }
        }
    }

    /// A call changed something about a file.
    fn changed(&mut self, file: PathId) {
        if file.is_some() {
            self.state.forget(file);
        }
    }
}
