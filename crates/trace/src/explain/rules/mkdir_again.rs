//! A directory made again that is there, and looked at again though the program has filled it.
//!
//! What makes a directory with its parents (`makedirs`, `mkdir -p`) looks at them before or after,
//! or looks and makes nothing. Its answers change with each file that the program puts there, so
//! they are no repetition for the rules that judge looks alone. A set of the directories that were
//! made would spare all of that.

use super::prelude::*;

pub(super) const ID: &str = "mkdir-again";

const EEXIST: i32 = 17;
/// Directories that are followed.
const MOST: usize = 1 << 16;

/// Directories that a process made, or was told of, and then made or looked at again.
#[derive(Default)]
pub(crate) struct MkdirAgain {
    known: FxHashSet<(u32, PathId)>,
    filled: FxHashMap<(u32, PathId), Filled>,
    wastes: ByFile,
    made: FxHashMap<PathId, u64>,
}

/// A directory that a process put something into, or made in vain.
#[derive(Default)]
struct Filled {
    /// Whether something was put there since the last look.
    lately: bool,
    /// Whether it changed without that: the program watches it.
    by_others: bool,
    /// A change that nothing explains yet: which thread saw it, and when.
    unexplained: Option<(u32, u64)>,
    /// Looks that were answered as the last one, and others.
    same: Tally,
    changed: Tally,
    /// Whether looks are counted as components of a path.
    climbed: bool,
    /// The thread that has just made it in vain, and when: what it asks next is why.
    in_vain: Option<(u32, u64)>,
    /// First looks at it that were made only for that.
    why: Tally,
}

impl Rule for MkdirAgain {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Change | Class::Open)
    }

    fn call(&mut self, call: &Call, context: Context) {
        if !call.file.is_some() {
            return;
        }
        let key = (call.process, call.file);
        let makes = matches!(call.name, Name::Mkdir | Name::Mkdirat);
        if makes && call.errno() == Some(EEXIST) {
            self.made_in_vain(call, context);
        } else if call.name.class() == Class::Change && !(makes && call.succeeded()) {
            self.known.remove(&key);
            self.filled.remove(&key);
        } else if makes && self.known.len() < MOST {
            self.known.insert(key);
        }
        if call.succeeded() && puts_a_name(call) {
            let renamed = call.second.is_some().then_some(call.second);
            for file in [Some(call.file), renamed].into_iter().flatten() {
                if let Some(filled) = self.filled(call.process, context.parent(file)) {
                    filled.put(call, context.process.calls);
                }
            }
        }
    }

    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        let Some(filled) = self.filled.get_mut(&(call.process, call.file)) else { return };
        let asks_why = filled.in_vain.take() == Some((call.thread, context.process.calls - 1));
        if asks_why && asked.novelty == Novelty::New && call.succeeded() {
            filled.why.add(call);
        }
        if !call.succeeded() || asked.question == Question::Link || asked.novelty == Novelty::New {
            return;
        }
        let is_changed = asked.novelty == Novelty::Changed;
        if is_changed && !filled.lately {
            filled.unexplained(call, context.process.calls);
        }
        filled.lately = false;
        if is_changed { &mut filled.changed } else { &mut filled.same }.add(call);
    }

    fn components_asked_again(&mut self, climb: &Climb, _: Context) {
        for call in &climb.again {
            if let Some(filled) = self.filled.get_mut(&(call.process, call.file)) {
                filled.climbed = true;
            }
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        let id = context.process.id;
        self.known.retain(|(process, _)| *process != id);
        let program = context.process.program;
        for ((_, file), filled) in self.filled.extract_if(|(process, _), _| *process == id) {
            if filled.why.count > 0 {
                let waste = self.wastes.of(program, file);
                waste.tally.absorb(&filled.why);
                waste.times += filled.why.count;
            }
            let is_made = context.process.outputs.is_made_again(file);
            let has_changed = filled.changed.count > 0;
            let by_others = filled.by_others || filled.unexplained.is_some();
            if !is_made && (by_others || !has_changed) {
                continue;
            }
            let waste = self.wastes.of(program, file);
            waste.tally.absorb(&filled.changed);
            waste.times += filled.changed.count;
            if !filled.climbed {
                waste.tally.absorb(&filled.same);
                waste.times += filled.same.count;
            }
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        groups.iter().map(|group| finding(group, &self.made, registry)).collect()
    }
}

/// Calls of a process that several threads can make at a time: either may be told of first.
const AT_A_TIME: u64 = 64;

impl Filled {
    /// Something is put there. What another thread has just seen was that.
    fn put(&mut self, call: &Call, now: u64) {
        self.lately = true;
        let is_seen = |(thread, at)| thread != call.thread && now - at <= AT_A_TIME;
        if self.unexplained.is_some_and(is_seen) {
            self.unexplained = None;
        }
    }

    /// A look finds a change that nothing was put there for so far.
    fn unexplained(&mut self, look: &Call, now: u64) {
        match self.unexplained {
            Some((_, at)) => self.by_others |= now - at > AT_A_TIME,
            None => self.unexplained = Some((look.thread, now)),
        }
    }
}

impl MkdirAgain {
    fn made_in_vain(&mut self, call: &Call, context: Context) {
        let key = (call.process, call.file);
        if self.known.contains(&key) {
            let program = context.process.program;
            let waste = self.wastes.of(program, call.file);
            waste.times += 1;
            waste.tally.count(call, 1);
            // A name that is there costs what it costs to ask for it.
            let (name, file) = (Name::Access, call.file);
            waste.tally.spare(Act::Call { name, file, moved: 0, failed: false }, 1);
            *self.made.entry(program).or_default() += 1;
            if let Some(filled) = self.filled(call.process, call.file) {
                filled.in_vain = Some((call.thread, context.process.calls));
            }
        } else if self.known.len() < MOST {
            self.known.insert(key);
        }
        self.filled(call.process, call.file);
        self.filled(call.process, context.parent(call.file));
    }

    fn filled(&mut self, process: u32, directory: PathId) -> Option<&mut Filled> {
        let key = (process, directory);
        let is_known = self.filled.len() < MOST || self.filled.contains_key(&key);
        (directory.is_some() && is_known).then(|| self.filled.entry(key).or_default())
    }
}

/// Whether a call puts a name into a directory.
fn puts_a_name(call: &Call) -> bool {
    const O_CREAT: i32 = 0o100;
    call.open_flags() & O_CREAT != 0 || call.name.class() == Class::Change
}

fn finding(group: &Group, made: &FxHashMap<PathId, u64>, registry: &Registry) -> Finding {
    let made = made.get(&group.program).copied().unwrap_or_default();
    let looks = words::times(group.waste.times - made);
    let was = group.subject_was("directory", registry);
    let verdict = match (made, group.waste.times - made) {
        (0, _) => format!("{was} looked at again {looks} by what had put files there"),
        (_, 0) => format!("{was} made again {}, each time in vain", words::times(made)),
        _ => {
            let times = words::times(made);
            format!("{was} made again {times}, each time in vain, and looked at {looks} for it")
        }
    };
    group.finding(ID, None, verdict, registry)
}
