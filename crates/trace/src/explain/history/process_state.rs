//! A program in a process, from its start to its end: what it looked at, what its descriptors are
//! used for, where it is.

use crate::explain::history::blocks::Blocks;
use crate::explain::history::descriptor_session::{DescriptorOrigin, DescriptorSession, Repeats};
use crate::explain::history::known_answers::{KnownAnswer, KnownAnswers};
use crate::explain::history::outputs::{Moment, Outputs};
use crate::explain::history::polls::Polls;
use crate::explain::history::questions::{Again, Key, Question};
use crate::explain::history::thread_looks::ThreadLooks;
use crate::explain::history::transactions::Transactions;
use crate::{Call, PathId, Registry, StackId, own_frame};
use rustc_hash::{FxHashMap, FxHashSet};

/// Questions of a process that are remembered; further ones count as new.
const MOST_LOOKS: usize = 1 << 21;
/// Descriptors whose sessions are followed.
const MOST_DESCRIPTORS: usize = 1 << 16;
/// Files whose content is known.
const MOST_CONTENTS: usize = 1 << 18;
/// Calls that are kept as examples.
const MOST_SAMPLES: usize = 16;
/// A question is asked again soon if no more calls than this lie between.
const SOON: u64 = 8;
/// A shell saves descriptors from 10 on, and not many.
const FIRST_SAVED: usize = 10;
const MOST_SAVED: usize = 64;
/// Fewer directories that are looked at in turn are no list of places to search.
const FEWEST_PLACES: usize = 3;

/// A program in a process.
#[derive(Debug, Default)]
pub(crate) struct ProcessState {
    /// The process.
    pub(crate) id: u32,
    /// The program.
    pub(crate) program: PathId,
    /// Whether it is a copy of the process that made it, and runs no program of its own.
    pub(crate) is_copy: bool,
    /// The working directory.
    pub(crate) directory: PathId,
    /// Calls so far.
    pub(crate) calls: u64,
    /// Children made so far.
    pub(crate) forks: u32,
    /// Bytes written.
    pub(crate) written: u64,
    /// What it looks at between two sleeps.
    pub(crate) polls: Polls,
    /// Its transactions.
    pub(crate) transactions: Transactions,
    /// What it wrote and closed.
    pub(crate) outputs: Outputs,
    /// When each thread last waited for another process, in calls of the process.
    pub(crate) waited: FxHashMap<u32, u64>,
    /// The first calls that asked again what was asked a few times.
    pub(crate) samples: Vec<Call>,
    /// What was asked before anything else, thread by thread.
    thread_looks: Vec<(u32, ThreadLooks)>,
    sessions: Vec<Option<Box<DescriptorSession>>>,
    looked: KnownAnswers,
    contents: FxHashMap<PathId, u64>,
    listed: FxHashSet<PathId>,
    asked_again: Vec<(Key, Box<Again>, Repetition)>,
    /// Blocks read from files that are not written yet.
    pub(crate) blocks: Blocks,
    just: JustDone,
}

/// What was done just now, and may belong to what comes next.
#[derive(Debug, Default)]
struct JustDone {
    /// The last `fstat`: of what, the answer, when, in calls of the process.
    fstat: (PathId, u64, u64),
    /// The last `getcwd`, and when.
    directory: Option<(Box<Call>, u64)>,
    /// Descriptors that were opened, only moved to this other number, and closed.
    moved: Vec<(i64, Box<DescriptorSession>)>,
}

/// How a question was asked again, which decides the rule that counts it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Repetition {
    /// It is asked all the time.
    Same,
    /// It is asked twice in a row.
    Double,
    /// It is one of the places of a search.
    Search,
}

/// Whether a look repeats an earlier one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Novelty {
    /// It had not been asked before.
    New,
    /// It had been asked, and the answer is the same.
    Again,
    /// It had been asked, and the answer is another one.
    Changed,
}

impl ProcessState {
    /// A program that begins.
    pub(crate) fn new(id: u32, program: PathId, is_copy: bool, directory: PathId) -> ProcessState {
        ProcessState { id, program, is_copy, directory, ..ProcessState::default() }
    }

    /// Notes a look. If it is a repetition, the caller counts it by `count`, once it is known which
    /// rule it belongs to.
    ///
    /// What a library has just asked before it called the program back is new to the program.
    pub(crate) fn look(
        &mut self,
        key: Key,
        answer: u64,
        stack: StackId,
        registry: &Registry,
    ) -> Novelty {
        let now = self.calls;
        let known = self.looked.len() < MOST_LOOKS;
        let calls_back = |before: StackId| own_frame::calls_back(registry, before, stack);
        match self.looked.get_mut(key) {
            Some(looked) if looked.answer == answer => {
                let is_first = looked.again.is_none() && looked.stack != stack;
                if is_first && now.saturating_sub(looked.latest) <= SOON && calls_back(looked.stack)
                {
                    (looked.stack, looked.latest) = (stack, now);
                    return Novelty::New;
                }
                Novelty::Again
            }
            Some(looked) => {
                looked.answer = answer;
                looked.latest = now;
                looked.changed = true;
                Novelty::Changed
            }
            None => {
                let itself = self.unfollowed(key, answer);
                let itself = itself.filter(|(_, before)| !calls_back(*before));
                let latest = itself.map_or(now, |(latest, _)| latest);
                if known {
                    let looked = KnownAnswer { answer, latest, stack, changed: false, again: None };
                    self.looked.add(key, looked);
                }
                if itself.is_some() { Novelty::Again } else { Novelty::New }
            }
        }
    }

    /// When and from where a path itself was looked at, with the answer that is given now for what
    /// it leads to, if that was just now: then it is no link, and the answer was known.
    fn unfollowed(&self, key: Key, answer: u64) -> Option<(u64, StackId)> {
        let itself = self.looked.get(key.unfollowed()?)?;
        // Below 2 nothing is known of the answer.
        let is_same = answer > 1 && itself.answer == answer && !itself.changed;
        (is_same && self.calls.saturating_sub(itself.latest) <= SOON)
            .then_some((itself.latest, itself.stack))
    }

    /// Counts a question that was asked again, right after a look at `before`.
    pub(crate) fn count(&mut self, key: Key, call: &Call, at: u64, before: Option<Key>) {
        let Some(looked) = self.looked.get_mut(key) else { return };
        let soon = at.saturating_sub(looked.latest) <= SOON;
        looked.latest = at;
        let again = looked.again.get_or_insert_default();
        again.soon += u64::from(soon);
        again.add(call);
        if again.count <= Again::FEW as u64 && self.samples.len() < MOST_SAMPLES {
            self.samples.push(call.clone());
        }
        let file = before.map_or(PathId::NONE, Key::file);
        let linked = file.is_some() && file != key.file() && again.before == file;
        again.before = file;
        again.linked += u64::from(linked);
        if let Some(Some(leader)) =
            before.filter(|_| linked).map(|before| self.looked.get_mut(before))
        {
            leader.again.get_or_insert_default().leading += 1;
        }
    }

    /// A file was made, moved, removed, changed: what was known of it is not true any more.
    pub(crate) fn forget(&mut self, file: PathId) {
        for question in [Question::Stat, Question::Lstat, Question::Access, Question::Missing] {
            if let Some(looked) = self.looked.get_mut(Key::new(file, question, 0xfff)) {
                looked.answer = 0;
                looked.changed = true;
            }
        }
        self.contents.remove(&file);
        self.outputs.forget(file);
    }

    /// Whether the answer to this question is known.
    pub(crate) fn knows(&self, key: Key) -> bool {
        self.looked.get(key).is_some()
    }

    /// The questions that were asked again in this way; known once the process has ended.
    pub(crate) fn asked_again(&self, how: Repetition) -> impl Iterator<Item = (Key, &Again)> {
        let asked = self.asked_again.iter().filter(move |(_, _, repetition)| *repetition == how);
        asked.map(|(key, again, _)| (*key, &**again))
    }

    fn repetition(&self, key: Key, again: &Again, has_places: bool) -> Repetition {
        if has_places && self.is_place(key, again) {
            Repetition::Search
        } else if again.count <= Again::FEW as u64 && again.soon == again.count {
            Repetition::Double
        } else {
            Repetition::Same
        }
    }

    /// Whether it is a directory that was listed, and is looked at in turn with others.
    fn is_place(&self, key: Key, again: &Again) -> bool {
        self.listed.contains(&key.file()) && 2 * (again.linked.max(again.leading)) >= again.count
    }

    /// Computes what is known only at the end of the process: what was asked again, without
    /// questions whose answer changed (a program that asks them watches on purpose), nor those that
    /// are polled.
    pub(crate) fn finish(&mut self) {
        let asked = self.looked.iter_mut().filter(|(_, looked)| !looked.changed);
        let mut asked: Vec<_> =
            asked.filter_map(|(key, looked)| Some((key, looked.again.take()?))).collect();
        let places = asked.iter().filter(|(key, again)| self.is_place(*key, again));
        let has_places = places.count() >= FEWEST_PLACES;
        asked.retain(|(key, again)| again.count > 0 && !self.polls.is_polled(key.file()));
        let with_repetition = asked.into_iter().map(|(key, again)| {
            let repetition = self.repetition(key, &again, has_places);
            (key, again, repetition)
        });
        self.asked_again = with_repetition.collect();
    }

    /// What a thread has just looked at.
    pub(crate) fn thread_looks(&mut self, thread: u32) -> &mut ThreadLooks {
        let place = match self.thread_looks.iter().position(|(id, _)| *id == thread) {
            Some(place) => place,
            None => {
                const MOST_THREADS: usize = 256;
                if self.thread_looks.len() >= MOST_THREADS {
                    self.thread_looks.remove(0);
                }
                self.thread_looks.push((thread, ThreadLooks::default()));
                self.thread_looks.len() - 1
            }
        };
        &mut self.thread_looks[place].1
    }

    /// The looks of all threads.
    pub(crate) fn take_thread_looks(&mut self) -> Vec<(u32, ThreadLooks)> {
        std::mem::take(&mut self.thread_looks)
    }

    /// The session of a descriptor, begun if need be.
    pub(crate) fn session(
        &mut self,
        descriptor: i32,
        file: PathId,
    ) -> Option<&mut DescriptorSession> {
        let place = usize::try_from(descriptor).ok().filter(|place| *place < MOST_DESCRIPTORS)?;
        if self.sessions.len() <= place {
            self.sessions.resize_with(place + 1, || None);
        }
        let forks = self.forks;
        let session = self.sessions[place].get_or_insert_with(|| {
            let mut session = DescriptorSession::new(file, DescriptorOrigin::Before, 0);
            session.forks = forks;
            Box::new(session)
        });
        // What only handed the descriptor to an epoll did not say what it stands for.
        if !session.file.is_some() {
            session.file = file;
        }
        Some(session)
    }

    /// What a descriptor is to write again that was written before.
    pub(crate) fn writes_again(&self, descriptor: i32, thread: u32) -> Repeats {
        let place = usize::try_from(descriptor).unwrap_or(usize::MAX);
        let session = self.sessions.get(place).and_then(Option::as_deref);
        let now = self.moment(thread);
        session.map_or(Repeats::Nothing, |session| self.outputs.repeats(session, now))
    }

    /// What others can have seen by now.
    pub(crate) fn moment(&self, thread: u32) -> Moment {
        let waited = self.waited.get(&thread).copied().unwrap_or_default();
        Moment { calls: self.calls, forks: self.forks, waited }
    }

    /// Marks the duplicates of a descriptor that keep what it stood for, while it stands for a file
    /// that is written again, or that something is redirected to: a shell saves its output so.
    pub(crate) fn saved(&mut self, descriptor: i64, repeats: Repeats, serves: PathId) {
        for session in self.sessions.iter_mut().take(MOST_SAVED).flatten() {
            if session.is_duplicate_of(descriptor) {
                session.repeats = repeats;
                session.patterns.serves = serves;
            }
        }
    }

    /// Whether a shell has moved what a descriptor stood for out of the way.
    pub(crate) fn is_saved(&self, descriptor: i64) -> bool {
        let aside = self.sessions.iter().take(MOST_SAVED).skip(FIRST_SAVED).flatten();
        aside.into_iter().any(|session| session.is_duplicate_of(descriptor))
    }

    /// Keeps a session that ended, if all that was done was to open a file that was read before,
    /// and to move it to a number that shells have for their own: what it is part of is known when
    /// the other one ends. Else gives it back.
    pub(crate) fn keep_moved(
        &mut self,
        session: Box<DescriptorSession>,
    ) -> Option<Box<DescriptorSession>> {
        // The opening and the end.
        let is_only_moved = session.origin == DescriptorOrigin::Opened
            && session.duplicated
            && !session.used
            && session.calls == 2
            && session.is_read_only()
            && self.contents.contains_key(&session.file);
        if !is_only_moved || self.just.moved.len() == MOST_SAVED {
            return Some(session);
        }
        let opened = session.opening.as_deref().map_or(-1, |call| call.result);
        let aside = self.sessions.iter().take(MOST_SAVED).skip(FIRST_SAVED);
        let aside = aside.filter_map(Option::as_deref);
        // Others were moved from there before: the latest one.
        let is_moved = |it: &&DescriptorSession| {
            it.opened_at.is_some() && it.file == session.file && it.is_duplicate_of(opened)
        };
        let moved =
            aside.filter(is_moved).max_by_key(|it| it.opening.as_deref().map(|it| it.start));
        let Some(to) = moved.and_then(|it| it.opening.as_deref()) else {
            return Some(session);
        };
        self.just.moved.push((to.result, session));
        None
    }

    /// What was kept because it was moved to this number.
    pub(crate) fn take_moved(&mut self, descriptor: i64) -> Option<Box<DescriptorSession>> {
        let place = self.just.moved.iter().position(|(to, _)| *to == descriptor)?;
        Some(self.just.moved.remove(place).1)
    }

    /// Begins a new session of a descriptor, and gives back the old one.
    pub(crate) fn replace(
        &mut self,
        descriptor: i64,
        session: DescriptorSession,
    ) -> Option<Box<DescriptorSession>> {
        let place = usize::try_from(descriptor).ok().filter(|place| *place < MOST_DESCRIPTORS)?;
        if self.sessions.len() <= place {
            self.sessions.resize_with(place + 1, || None);
        }
        self.sessions[place].replace(Box::new(session))
    }

    /// Ends the session of a descriptor.
    pub(crate) fn close(&mut self, descriptor: i32) -> Option<Box<DescriptorSession>> {
        self.sessions.get_mut(usize::try_from(descriptor).ok()?)?.take()
    }

    /// Ends all of them.
    #[expect(clippy::vec_box, reason = "they are in boxes already")]
    pub(crate) fn close_all(&mut self) -> Vec<Box<DescriptorSession>> {
        std::mem::take(&mut self.sessions).into_iter().flatten().collect()
    }

    /// Notes the content of what was opened and read; whether it is what it was the last time.
    pub(crate) fn content(&mut self, file: PathId, content: u64) -> bool {
        match self.contents.insert(file, content) {
            Some(before) => before == content,
            None if self.contents.len() > MOST_CONTENTS => {
                self.contents.remove(&file);
                false
            }
            None => false,
        }
    }

    /// Notes that a directory is listed.
    pub(crate) fn list(&mut self, directory: PathId) {
        if self.listed.len() < MOST_LOOKS {
            self.listed.insert(directory);
        }
    }

    /// Whether a directory was listed.
    pub(crate) fn has_listed(&self, directory: PathId) -> bool {
        self.listed.contains(&directory)
    }

    /// Whether a descriptor stands for a file that this process opened.
    pub(crate) fn has_opened(&self, descriptor: i32) -> bool {
        let place = usize::try_from(descriptor).ok();
        let session = place.and_then(|place| self.sessions.get(place)?.as_deref());
        session.is_some_and(|it| it.opened_at.is_some())
    }

    /// Notes a `getcwd`.
    pub(crate) fn note_directory(&mut self, call: &Call) {
        self.just.directory = Some((Box::new(call.clone()), self.calls));
    }

    /// The `getcwd` that the same thread made right before this call, once.
    pub(crate) fn take_directory(&mut self, call: &Call) -> Option<Box<Call>> {
        let (asked, at) = self.just.directory.take()?;
        (asked.thread == call.thread && at + 1 == self.calls).then_some(asked)
    }

    /// Notes an `fstat`.
    pub(crate) fn fstat(&mut self, file: PathId, answer: u64) {
        self.just.fstat = (file, answer, self.calls);
    }

    /// Whether `fstat` has just given the same answer.
    pub(crate) fn has_just_answered(&self, file: PathId, answer: u64) -> bool {
        const JUST: u64 = 4;
        let (other, before, when) = self.just.fstat;
        file == other && answer == before && answer != 0 && self.calls - when <= JUST
    }
}
