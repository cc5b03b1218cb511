//! Files that a process wrote and closed, and directories that it made, to know what it does again.

use super::descriptor_session::{DescriptorSession, Repeats};
use crate::{Call, Class, PathId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Files that are remembered.
const MOST: usize = 1 << 16;
/// New files that may yet be renamed.
const MOST_FRESH: usize = 4;

/// Files that a process wrote and closed, directories that it made.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// Files that it appended to, when it opened them last for that, and whether it did so again.
    appended: FxHashMap<PathId, (u64, bool)>,
    /// Files that it wrote from their beginning to their end.
    whole: FxHashMap<PathId, Whole>,
    /// The sessions that wrote such files lately: those may yet take the place of others.
    #[expect(clippy::vec_box, reason = "they are in boxes already")]
    fresh: Vec<Box<DescriptorSession>>,
    /// Files that it opened to lock them.
    locked: FxHashSet<PathId>,
    /// The directory of the file that was replaced last, and that file, if it was a repetition.
    replaced: (PathId, PathId),
    /// Directories that it made in vain, and whether more than once.
    made: FxHashMap<PathId, bool>,
}

/// What others can have seen by now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Calls of the process so far.
    pub(crate) calls: u64,
    /// How many children it has made.
    pub(crate) forks: u32,
    /// When the thread waited last.
    pub(crate) waited: u64,
}

/// A file that was written whole.
#[derive(Clone, Copy, Debug)]
struct Whole {
    when: Moment,
    /// When it was opened for that, in calls of the process.
    opened_at: u64,
    /// Whether it has ever been a repetition.
    again: bool,
}

impl Whole {
    /// Whether nobody was given a chance to read it.
    fn is_unseen(&self, now: Moment) -> bool {
        self.when.forks == now.forks && now.waited <= self.when.calls
    }
}

impl Outputs {
    /// What a session is to do again: append to a file, or write it whole.
    pub(crate) fn repeats(&self, session: &DescriptorSession, now: Moment) -> Repeats {
        let file = session.file;
        let Some(opened_at) = session.opened_at else { return Repeats::Nothing };
        let has_synced = || session.kinds.iter().any(|(call, _)| call.name.class() == Class::Sync);
        // A shell duplicates for each command what it opened once.
        let is_opened_again = |before: u64| before != opened_at;
        if session.appends() && self.appended.get(&file).is_some_and(|it| is_opened_again(it.0)) {
            Repeats::Append(file)
        } else if session.truncates()
            && self
                .whole
                .get(&file)
                .is_some_and(|it| is_opened_again(it.opened_at) && it.is_unseen(now))
        {
            Repeats::Rewrite(file)
        } else if session.is_read_only()
            && (session.moved || session.duplicated)
            && self.whole.get(&file).is_some_and(|whole| whole.again && whole.is_unseen(now))
        {
            // It is read only to be written again; a shell reads through a duplicate.
            Repeats::Rewrite(file)
        } else if file == self.replaced.0 && file.is_some() && !session.moved && has_synced() {
            Repeats::Rewrite(self.replaced.1)
        } else if self.locked.contains(&file) && session.is_brief_lock() {
            Repeats::Lock
        } else {
            Repeats::Nothing
        }
    }

    /// A session has ended. One that wrote a new file is held back, as the file may yet be renamed;
    /// gives back the session that can be judged now.
    pub(crate) fn closed(
        &mut self,
        session: Box<DescriptorSession>,
        now: Moment,
    ) -> Option<Box<DescriptorSession>> {
        if self.locked.len() < MOST && session.is_brief_lock() {
            self.locked.insert(session.file);
        }
        let Some(opened_at) = session.opened_at.filter(|_| session.has_written()) else {
            return Some(session);
        };
        if session.appends() && self.appended.len() < MOST {
            let again = matches!(session.repeats, Repeats::Append(_));
            let appended = self.appended.entry(session.file).or_default();
            *appended = (opened_at, appended.1 || again);
        }
        if !session.truncates() && !session.creates() {
            return Some(session);
        }
        let again = matches!(session.repeats, Repeats::Rewrite(_));
        self.wrote(session.file, Whole { when: now, opened_at, again });
        self.fresh.push(session);
        (self.fresh.len() > MOST_FRESH).then(|| self.fresh.remove(0))
    }

    fn wrote(&mut self, file: PathId, mut whole: Whole) {
        if self.whole.len() < MOST || self.whole.contains_key(&file) {
            whole.again |= self.is_rewritten(file);
            self.whole.insert(file, whole);
        }
    }

    /// A new file may have been changed by its path.
    pub(crate) fn touched(&mut self, call: &Call) {
        if let Some(session) = self.fresh.iter_mut().find(|session| session.file == call.file) {
            session.note(call);
        }
    }

    /// A file takes the place of another one, which lies in `directory`. Gives back the session
    /// that wrote it.
    pub(crate) fn renamed(
        &mut self,
        call: &Call,
        directory: PathId,
        before: Option<Replaced>,
        now: Moment,
    ) -> Option<Box<DescriptorSession>> {
        let place = self.fresh.iter().rposition(|session| session.file == call.file)?;
        let mut session = self.fresh.remove(place);
        let again = before.is_some_and(|before| before.0.is_unseen(now));
        if again {
            session.note(call);
            session.repeats = Repeats::Rewrite(call.second);
            self.replaced = (directory, call.second);
        }
        let was_again = before.is_some_and(|before| before.0.again);
        let opened_at = session.opened_at.unwrap_or_default();
        self.wrote(call.second, Whole { when: now, opened_at, again: again || was_again });
        Some(session)
    }

    /// What is known of a file whose place another one takes.
    pub(crate) fn replaced(&self, file: PathId) -> Option<Replaced> {
        self.whole.get(&file).copied().map(Replaced)
    }

    /// The sessions that were held back.
    #[expect(clippy::vec_box, reason = "they are in boxes already")]
    pub(crate) fn end(&mut self) -> Vec<Box<DescriptorSession>> {
        std::mem::take(&mut self.fresh)
    }

    /// A directory is made that is there.
    pub(crate) fn made_in_vain(&mut self, directory: PathId) {
        if self.made.len() < MOST || self.made.contains_key(&directory) {
            self.made.entry(directory).and_modify(|again| *again = true).or_default();
        }
    }

    /// Whether a directory was made in vain more than once: looks at it belong to that.
    pub(crate) fn is_made_again(&self, directory: PathId) -> bool {
        self.made.get(&directory).is_some_and(|again| *again)
    }

    /// Whether a file was opened again to append to it: looks at it belong to that.
    pub(crate) fn is_appended_again(&self, file: PathId) -> bool {
        self.appended.get(&file).is_some_and(|(_, again)| *again)
    }

    /// Whether a file was written whole again: looks at it belong to that.
    pub(crate) fn is_rewritten(&self, file: PathId) -> bool {
        self.whole.get(&file).is_some_and(|whole| whole.again)
    }

    /// A file was made, moved, removed, changed.
    pub(crate) fn forget(&mut self, file: PathId) {
        self.appended.remove(&file);
        self.whole.remove(&file);
        self.locked.remove(&file);
    }
}

/// A file whose place another one takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced(Whole);
