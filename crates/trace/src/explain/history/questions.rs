//! Looks at paths: what was asked, whether it was asked before, and how it was answered.

use crate::explain::finding::Act;
use crate::explain::tally::Tally;
use crate::{Call, Name, PathId, Registry, StackId};

/// What a call asks about a path.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub(crate) enum Question {
    /// Metadata of what it leads to.
    Stat,
    /// Metadata of itself.
    Lstat,
    /// Whether the file may be accessed.
    Access,
    /// The text of a link.
    Link,
    /// An attempt to open, run or enter it, which found nothing.
    Missing,
}

/// A question, a path, and exactly what was asked for.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Key(u64);

impl Key {
    /// The path.
    pub(crate) fn file(self) -> PathId {
        PathId((self.0 >> 32) as u32)
    }

    /// The question.
    pub(crate) fn question(self) -> Question {
        match self.0 & 7 {
            0 => Question::Stat,
            1 => Question::Lstat,
            2 => Question::Access,
            3 => Question::Link,
            _ => Question::Missing,
        }
    }

    /// The same about the path itself, for what asks about what it leads to.
    pub(crate) fn unfollowed(self) -> Option<Key> {
        let is_followed = self.question() == Question::Stat;
        is_followed.then_some(Key(self.0 | Question::Lstat as u64))
    }

    pub(crate) fn new(file: PathId, question: Question, fields: u32) -> Key {
        let fields = u64::from(fields & 0xff_ffff) << 8;
        Key(u64::from(file.0) << 32 | fields | question as u64)
    }
}

/// The fields of a plain `stat`.
const ALL_FIELDS: u32 = 0xfff;

/// What a call asks about its path argument: which question, which fields. `None` if it
/// asks nothing, or asks about a descriptor.
pub(crate) fn question(call: &Call, registry: &Registry) -> Option<(Question, u32)> {
    let followed = |flags: i32| {
        const AT_SYMLINK_NOFOLLOW: i32 = 0x100;
        if flags & AT_SYMLINK_NOFOLLOW == 0 { Question::Stat } else { Question::Lstat }
    };
    let asked = match call.name {
        Name::Stat => (Question::Stat, fields(call)),
        Name::Lstat => (Question::Lstat, fields(call)),
        Name::Newfstatat => (followed(call.int(3)), fields(call)),
        Name::Statx => (followed(call.int(2)), fields(call)),
        Name::Access => (Question::Access, call.int(1).cast_unsigned()),
        Name::Faccessat | Name::Faccessat2 => (Question::Access, call.int(2).cast_unsigned()),
        Name::Readlink | Name::Readlinkat => (Question::Link, 0),
        _ => return None,
    };
    (call.file.is_some() && !registry.path(call.path).is_empty()).then_some(asked)
}

/// The fields of metadata that a call asks for, as `statx` numbers them.
pub(crate) fn fields(call: &Call) -> u32 {
    match call.name {
        Name::Statx => call.int(3).cast_unsigned() & 0xff_ffff,
        _ => ALL_FIELDS,
    }
}

/// How a look was answered, as one number.
pub(crate) fn answer(call: &Call) -> u64 {
    match call.errno() {
        Some(errno) => !u64::from(errno.unsigned_abs()),
        None => call.answer.max(1),
    }
}

/// Whether nothing was there.
pub(crate) fn is_missing(call: &Call) -> bool {
    const ENOENT: i32 = 2;
    const ENOTDIR: i32 = 20;
    matches!(call.errno(), Some(ENOENT | ENOTDIR))
}

/// A question asked again, with the same answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Again {
    /// How often.
    pub(crate) count: u64,
    /// How often soon after.
    pub(crate) soon: u64,
    /// How often right after a look at the same other path as the time before.
    pub(crate) linked: u64,
    /// How often such a look came right after.
    pub(crate) leading: u64,
    /// The path looked at right before.
    pub(crate) before: PathId,
    /// The stacks of the first few.
    first: [StackId; Again::FEW],
    /// The first few calls.
    act: Option<(Name, bool)>,
    /// All repetitions, once they are more than a few.
    tally: Option<Box<Tally>>,
}

impl Again {
    /// More repetitions than this are reported with their calls.
    pub(crate) const FEW: usize = 3;

    /// Counts a repetition.
    pub(crate) fn add(&mut self, call: &Call) {
        let place = usize::try_from(self.count).unwrap_or(usize::MAX);
        self.count += 1;
        if let Some(first) = self.first.get_mut(place) {
            *first = call.stack;
            self.act.get_or_insert((call.name, !call.succeeded()));
            return;
        }
        let tally = self.tally.get_or_insert_with(|| {
            let mut tally = Box::<Tally>::default();
            for stack in self.first {
                tally.blame(stack, 1);
                tally.spare(Act::of(call), 1);
            }
            tally
        });
        tally.add(call);
    }

    /// All repetitions; without examples if they are few.
    pub(crate) fn tally(&self, file: PathId) -> Tally {
        if let Some(tally) = &self.tally {
            return (**tally).clone();
        }
        let mut tally = Tally::default();
        for stack in self.first.iter().take(usize::try_from(self.count).unwrap_or(Again::FEW)) {
            tally.blame(*stack, 1);
        }
        if let Some((name, failed)) = self.act {
            tally.spare(Act::Call { name, file, moved: 0, failed }, self.count);
        }
        tally
    }
}
