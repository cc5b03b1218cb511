//! The answers that a process knows.

use super::questions::{Again, Key};
use crate::StackId;
use crate::stream::PathTable;

/// What a process knows about a question that it asked.
#[derive(Clone, Debug)]
pub(super) struct KnownAnswer {
    /// The answer.
    pub(super) answer: u64,
    /// When it was last asked, in calls of the process.
    pub(super) latest: u64,
    /// From where it was asked first.
    pub(super) stack: StackId,
    /// Whether the answer has ever changed: the program watches the file.
    pub(super) changed: bool,
    /// The repetitions.
    pub(super) again: Option<Box<Again>>,
}

/// All of them, in the order in which they were first asked: a walk asks about one file after the
/// other, and what it asked just now is near.
#[derive(Debug, Default)]
pub(super) struct KnownAnswers {
    entries: Vec<Entry>,
    /// Of each path one more than the place of the latest question about it; 0 is none.
    places: PathTable<u32>,
}

#[derive(Debug)]
struct Entry {
    key: Key,
    /// The question about the same path before it, as in `places`.
    before: u32,
    answer: KnownAnswer,
}

impl KnownAnswers {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    fn place(&self, key: Key) -> Option<usize> {
        let mut place = *self.places.get(key.file())?;
        while place != 0 {
            let entry = self.entries.get(place as usize - 1)?;
            if entry.key == key {
                return Some(place as usize - 1);
            }
            place = entry.before;
        }
        None
    }

    /// The answer to a question.
    pub(super) fn get(&self, key: Key) -> Option<&KnownAnswer> {
        Some(&self.entries[self.place(key)?].answer)
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut KnownAnswer> {
        let place = self.place(key)?;
        Some(&mut self.entries[place].answer)
    }

    /// Adds the answer to a question that has none yet.
    pub(super) fn add(&mut self, key: Key, answer: KnownAnswer) {
        let place = self.places.of(key.file());
        let before = *place;
        self.entries.push(Entry { key, before, answer });
        *place = u32::try_from(self.entries.len()).unwrap_or(0);
    }

    /// All of them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Key, &mut KnownAnswer)> {
        self.entries.iter_mut().map(|entry| (entry.key, &mut entry.answer))
    }
}

#[cfg(test)]
mod tests {
    use super::super::questions::Question;
    use super::*;
    use crate::PathId;

    #[test]
    fn each_question_about_each_path_has_its_answer() {
        let mut known = KnownAnswers::default();
        let mut keys = Vec::new();
        for file in [7, 1, 5000, u32::MAX] {
            for question in [Question::Stat, Question::Lstat, Question::Access] {
                keys.extend([0xfff, 1].map(|fields| Key::new(PathId(file), question, fields)));
            }
        }
        for (answer, key) in (1..).zip(&keys) {
            assert!(known.get(*key).is_none());
            let stack = StackId::NONE;
            known.add(*key, KnownAnswer { answer, latest: 0, stack, changed: false, again: None });
        }
        known.get_mut(keys[3]).unwrap().answer = 90;
        let answers: Vec<_> = keys.iter().map(|key| known.get(*key).unwrap().answer).collect();
        assert_eq!(answers, [vec![1, 2, 3, 90], (5..=24).collect()].concat());
        assert_eq!(known.iter_mut().map(|(key, _)| key).collect::<Vec<_>>(), keys);
        assert_eq!(known.len(), 24);
        assert!(known.get(Key::new(PathId(8), Question::Stat, 0xfff)).is_none());
    }
}
