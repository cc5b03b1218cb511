//! What each process has done so far, as far as more than one rule asks for it: what it looked at
//! and what it was told, what becomes of its descriptors, where it is. It turns calls into facts;
//! rules judge them.

mod life;
mod looks;
pub(crate) mod paths;
mod round;
mod trail;

pub(crate) use life::{Business, Life, Novelty};
pub(crate) use looks::{Key, Question, fields, is_missing};
pub(crate) use paths::Kind;
pub(crate) use round::{Origin, Reads, Round, bytes};

use crate::quick::{self, Map};
use looks::{answer, question};
use paths::Paths;
use trail::{Chain, Miss, Search, Step};

use crate::{Call, Class, Name, PathId, Process, Shape, World};

/// Something that has come out.
#[derive(Debug)]
pub(crate) enum Fact {
    /// The call at hand asked about a path.
    Asked(Asked),
    /// One component of a path after the other was asked about, these for at least the second
    /// time.
    Climbed(Vec<Call>),
    /// One name was looked for in several places, and these had it not.
    Searched(Vec<Call>),
    /// A descriptor was closed.
    Closed(Box<Round>),
    /// The call at hand changed the working directory, or meant to.
    Moved {
        /// Where from.
        from: PathId,
    },
}

/// A question about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// Which.
    pub(crate) question: Question,
    /// Whether it was asked before.
    pub(crate) novelty: Novelty,
    /// The directory that the path is an entry of, if that was listed before.
    pub(crate) entry_of: PathId,
    /// Whether `fstat` has just told the same.
    pub(crate) told_just_now: bool,
}

/// What happened so far.
#[derive(Debug, Default)]
pub(crate) struct History {
    lives: Map<u32, Life>,
    paths: Paths,
    facts: Vec<Fact>,
}

/// What a rule can see while it judges.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'h> {
    /// The names of things.
    pub(crate) world: &'h World,
    /// The process.
    pub(crate) life: &'h Life,
    paths: &'h Paths,
}

impl Scene<'_> {
    /// What a path names.
    pub(crate) fn kind(&self, path: PathId) -> Kind {
        self.paths.kind(path)
    }

    /// The directory that a path lies in, as far as it is known.
    pub(crate) fn parent(&self, path: PathId) -> PathId {
        self.paths.parent(path, self.world)
    }
}

impl History {
    /// Takes in a path.
    pub(crate) fn path(&mut self, id: PathId, world: &World) {
        self.paths.take(id, world);
    }

    /// What a rule can see of a process.
    pub(crate) fn scene<'h>(&'h self, life: &'h Life, world: &'h World) -> Scene<'h> {
        Scene { world, life, paths: &self.paths }
    }

    /// A process.
    pub(crate) fn life(&self, process: u32) -> Option<&Life> {
        self.lives.get(&process)
    }

    /// A process begins, or becomes another program. Gives back the life that this ends.
    pub(crate) fn begin(&mut self, process: &Process) -> Option<Life> {
        let before = self.lives.remove(&process.id);
        let mut directory = process.directory;
        if let Some(parent) = self.lives.get_mut(&process.parent).filter(|_| before.is_none()) {
            parent.forks += 1;
            if !directory.is_some() {
                directory = parent.directory;
            }
        }
        let is_copy = before.is_none()
            && self.lives.get(&process.parent).is_some_and(|p| p.program == process.program);
        let (id, program) = (process.id, process.program);
        let life = Life::new(id, program, is_copy, directory);
        self.lives.insert(process.id, life);
        before
    }

    /// A process ends.
    pub(crate) fn end(&mut self, process: u32) -> Option<Life> {
        self.lives.remove(&process)
    }

    /// All processes that are left, in the order of their numbers.
    pub(crate) fn end_all(&mut self) -> Vec<Life> {
        let mut lives: Vec<Life> = std::mem::take(&mut self.lives).into_values().collect();
        lives.sort_by_key(|life| life.id);
        lives
    }

    /// Looks at a call; `facts` has what came out.
    pub(crate) fn see(&mut self, call: &Call, world: &World) {
        let life = self.lives.entry(call.process).or_insert_with(|| {
            let program = world.process(call.process).map(|process| process.program);
            let directory = world.process(call.process).map(|process| process.directory);
            let (program, directory) = (program.unwrap_or_default(), directory.unwrap_or_default());
            Life::new(call.process, program, false, directory)
        });
        life.calls += 1;
        let mut teller = Teller { life, world, paths: &self.paths, facts: &mut self.facts };
        teller.see(call);
    }

    /// What has come out.
    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Gives an emptied list back, to be used again.
    pub(crate) fn reuse(&mut self, facts: Vec<Fact>) {
        self.facts = facts;
    }

    /// Brings a life to its end: what is still open counts as closed.
    pub(crate) fn settle(&mut self, life: &mut Life, world: &World) {
        let trails = life.take_trails();
        let mut teller = Teller { life, world, paths: &self.paths, facts: &mut self.facts };
        for (_, mut trail) in trails {
            for search in trail.end_searches(world) {
                teller.searched(search);
            }
            if let Some(chain) = trail.end_chain() {
                teller.climbed(chain);
            }
        }
        for round in teller.life.close_all() {
            teller.closed(round);
        }
        life.settle();
    }
}

/// Tells facts.
struct Teller<'t> {
    life: &'t mut Life,
    world: &'t World,
    paths: &'t Paths,
    facts: &'t mut Vec<Fact>,
}

impl Teller<'_> {
    fn see(&mut self, call: &Call) {
        if let Some((question, fields)) = question(call, self.world) {
            return self.asked(call, question, fields);
        }
        let is_by_path = matches!(call.name.shape(), Shape::Path(_));
        match call.name.class() {
            Class::Open => self.opened(call),
            Class::Close if call.name == Name::CloseRange => self.closed_many(call),
            Class::Close => {
                if let Some(mut round) = self.life.close(call.int(0)) {
                    round.note(call);
                    self.closed(round);
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
        let world = self.world;
        let key = Key::new(call.file, question, fields);
        if is_missing(call) {
            let novelty = if self.life.knows(key) { Novelty::Again } else { Novelty::New };
            let entry_of = PathId::NONE;
            self.facts.push(Fact::Asked(Asked {
                question,
                novelty,
                entry_of,
                told_just_now: false,
            }));
            return self.missed_as(call, key);
        }
        self.found(call.thread, key);
        let novelty = self.life.look(key, answer(call));
        let entry_of = match self.paths.parent(call.file, world) {
            parent if parent.is_some() && self.life.has_listed(parent) => parent,
            _ => PathId::NONE,
        };
        let told_just_now = novelty == Novelty::New
            && call.name != Name::Statx
            && self.life.has_just_been_told(call.file, call.answer);
        self.facts.push(Fact::Asked(Asked { question, novelty, entry_of, told_just_now }));
        let again = (novelty == Novelty::Again).then(|| Box::new(call.clone()));
        let step = Step { key, again, at: self.life.calls, before: None };
        if let Some(chain) = self.life.trail(call.thread).step(step, world) {
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
                self.life.count(step.key, &call, step.at, step.before);
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
        let world = self.world;
        let miss = Miss { key, call: Box::new(call.clone()), at: self.life.calls };
        for search in self.life.trail(call.thread).miss(miss, world) {
            self.searched(search);
        }
    }

    /// Something is there: whoever looked for it has found it.
    fn found(&mut self, thread: u32, key: Key) {
        let world = self.world;
        if let Some(search) = self.life.trail(thread).found(key, world) {
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
                    if self.life.look(miss.key, answer(&miss.call)) == Novelty::Again {
                        self.life.count(miss.key, &miss.call, miss.at, None);
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
        if self.life.knows(missing) {
            self.life.look(missing, 1);
        }
        let flags = match call.name {
            Name::Open => call.int(1),
            Name::Openat => call.int(2),
            // openat2 has its flags in memory; creat means these.
            Name::Openat2 => 0,
            _ => 0o1101,
        };
        self.made(call, Origin::Opened, flags);
    }

    /// A call made the descriptor that it gave back.
    fn made(&mut self, call: &Call, origin: Origin, flags: i32) {
        let mut round = Round::new(call.file, origin, flags);
        round.forks = self.life.forks;
        round.opening = Some(Box::new(call.clone()));
        round.note(call);
        if let Some(lost) = self.life.replace(call.result, round) {
            self.closed(lost);
        }
    }

    fn duplicated(&mut self, call: &Call) {
        if !call.succeeded() || call.result == i64::from(call.int(0)) {
            return;
        }
        let mut flags = 0;
        let mut of_opened = false;
        if let Some(round) = self.life.round(call.int(0), call.file) {
            round.duplicated = true;
            flags = round.flags;
            of_opened = round.origin == Origin::Opened || round.of_opened;
        }
        self.made(call, Origin::Duplicated, flags);
        if let Ok(new) = i32::try_from(call.result)
            && let Some(round) = self.life.round(new, call.file)
        {
            round.of_opened = of_opened;
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
            flag if flag < F_SETFL || flag == F_SETFL && kind == Kind::File => {
                if let Some(round) = self.life.round(call.int(0), call.file)
                    && call.succeeded()
                {
                    round.marks.add(call);
                }
            }
            _ => {
                if let Some(round) = self.life.round(call.int(0), call.file) {
                    round.note(call);
                    round.used = true;
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
            if let Some(round) = self.life.close(descriptor) {
                self.closed(round);
            }
        }
    }

    /// A descriptor's life is over.
    fn closed(&mut self, mut round: Box<Round>) {
        let is_opened = round.origin == Origin::Opened || round.of_opened;
        let readable = is_opened && round.is_read_only();
        let read = round.moved || round.listing.calls > 0 || round.metadata != 0;
        if readable && read && round.used {
            let told = if self.paths.kind(round.file) == Kind::Kernel { 0 } else { round.metadata };
            let content =
                quick::of(&[told, round.content, round.bytes_read].map(u64::to_be_bytes).concat());
            let known = (told | round.content) != 0;
            round.again = known && self.life.content(round.file, content);
        }
        self.facts.push(Fact::Closed(round));
    }

    fn moved(&mut self, call: &Call) {
        let is_here = call.file == self.life.directory;
        if let (Name::Fchdir, Some(round)) = (call.name, self.life.round(call.int(0), call.file)) {
            round.note(call);
            round.used |= !is_here;
        }
        if is_missing(call) {
            return self.missed(call);
        }
        if call.succeeded() {
            self.facts.push(Fact::Moved { from: self.life.directory });
            self.life.directory = call.file;
        }
    }

    /// Metadata of a descriptor.
    fn used(&mut self, call: &Call) {
        if call.succeeded() && call.name != Name::Statx {
            self.life.fstat(call.file, call.answer);
        }
        if let Some(round) = self.round(call) {
            round.note(call);
            round.metadata(call);
        }
    }

    fn round(&mut self, call: &Call) -> Option<&mut Round> {
        let descriptor = call.int(0);
        let stale = self.life.round(descriptor, call.file).is_some_and(|round| {
            round.file != call.file && round.file.is_some() && call.file.is_some()
        });
        // A log names what a descriptor leads to, an opening what was asked for: the same file.
        if stale
            && self.life.round(descriptor, call.file)?.origin != Origin::Opened
            && let Some(lost) = self.life.close(descriptor)
        {
            self.closed(lost);
        }
        self.life.round(descriptor, call.file)
    }

    /// A directory's descriptor is used to look something up.
    fn used_as_directory(&mut self, call: &Call) {
        if let Shape::At(directory, _) | Shape::Ats(directory, ..) = call.name.shape()
            && let descriptor @ 0.. = call.int(directory)
            && let Some(round) = self.life.round(descriptor, PathId::NONE)
        {
            round.used = true;
        }
    }

    /// The thread waits for somebody else.
    fn waits(&mut self, call: &Call) {
        const MOST_THREADS: usize = 4096;
        if self.life.waited.len() >= MOST_THREADS {
            self.life.waited.clear();
        }
        self.life.waited.insert(call.thread, self.life.calls);
    }

    /// Any other call.
    fn used_somehow(&mut self, call: &Call) {
        let now = self.life.calls;
        let waited = self.life.waited.get(&call.thread).copied().unwrap_or_default();
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
            self.life.written += bytes(call);
        }
        let kind = self.paths.kind(call.file);
        if call.name == Name::Read && matches!(kind, Kind::Pipe | Kind::Socket | Kind::Terminal) {
            self.waits(call);
        }
        let Some(round) = self.round(call) else { return };
        round.note(call);
        match call.name {
            Name::Read | Name::Readv => round.read(call),
            Name::Lseek => round.seek(call),
            Name::Ioctl => round.control(call),
            Name::Write | Name::Writev => round.write(call, now, waited),
            Name::Fsync | Name::Fdatasync => {
                round.used = true;
                if let Some(writes) = &mut round.writes {
                    writes.syncs += 1;
                }
            }
            Name::Getdents64 | Name::Getdents => {
                if round.list(call) {
                    self.life.list(call.file);
                }
            }
            _ => {
                round.used = true;
                round.moved |= call.name != Name::Fadvise64;
            }
        }
    }

    /// Something flows between two descriptors, or one is mapped.
    fn used_both(&mut self, call: &Call, first: usize, second: usize) {
        for place in [first, second] {
            if let Some(round) = self.life.round(call.int(place), PathId::NONE) {
                round.used = true;
                round.moved = true;
                round.fstat = 0;
            }
        }
    }

    /// A call changed something about a file.
    fn changed(&mut self, file: PathId) {
        if file.is_some() {
            self.life.forget(file);
        }
    }
}
