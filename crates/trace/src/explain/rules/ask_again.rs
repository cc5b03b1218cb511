//! The kernel asked again and again for the time, for random bytes, or who asks.

use fewer::compact;

use super::prelude::*;

pub(super) const ID: &str = "ask-again";

/// Processes whose questions are known.
const MOST: usize = 1 << 16;
/// A copy of a process asks so often to become another program: that goes with starting it.
const OF_COPY: u32 = 8;
/// Random bytes that are worth a call.
const BLOCK: u64 = 4096;

/// Questions that need no call each.
#[derive(Default)]
pub(crate) struct AskAgain {
    /// What was asked, by process, and how often.
    asked: FxHashMap<(u32, Name), u32>,
    /// Random bytes that the last counted call would have brought along, by process.
    random: FxHashMap<u32, u64>,
    wastes: FxHashMap<(PathId, Topic), Tally>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Topic {
    Identity,
    Clock,
    /// How long was computed, without what others did meanwhile.
    Computing,
    Random,
}

impl Rule for AskAgain {
    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Identity | Class::Clock | Class::Random)
    }

    fn call(&mut self, call: &Call, context: Context) {
        if context.process.transactions.has_taken() {
            return;
        }
        let (topic, is_needed) = match call.name.class() {
            Class::Identity => (Topic::Identity, self.is_first(call, context)),
            Class::Clock if is_computing(call) => (Topic::Computing, self.is_first(call, context)),
            Class::Clock => (Topic::Clock, self.is_first(call, context)),
            Class::Random => (Topic::Random, self.is_new_block(call)),
            _ => return,
        };
        let program = context.process.program;
        let has_room = self.wastes.len() < MOST || self.wastes.contains_key(&(program, topic));
        if !is_needed && has_room {
            self.wastes.entry((program, topic)).or_default().add(call);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        let id = context.process.id;
        self.asked.retain(|(process, _), _| *process != id);
        self.random.remove(&id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|((program, topic), _)| !is_runtimes(*program, *topic, registry));
        compact::sort_by_key(&mut wastes, |((program, topic), _)| {
            (registry.path(*program), *topic)
        });
        let finding = |((program, topic), tally): &((PathId, Topic), Tally)| {
            finding(*program, *topic, tally, registry)
        };
        wastes.iter().map(finding).collect()
    }
}

impl AskAgain {
    fn is_first(&mut self, call: &Call, context: Context) -> bool {
        let key = (call.process, call.name);
        if self.asked.len() >= MOST && !self.asked.contains_key(&key) {
            return false;
        }
        let times = self.asked.entry(key).or_default();
        *times = times.saturating_add(1);
        *times <= if context.process.is_copy { OF_COPY } else { 1 }
    }

    /// Whether the bytes would not have been there, had the last call brought a block of them.
    fn is_new_block(&mut self, call: &Call) -> bool {
        let asked = call.arguments[1];
        if self.random.len() >= MOST && !self.random.contains_key(&call.process) {
            return true;
        }
        let left = self.random.entry(call.process).or_default();
        let is_new = asked > *left || !call.succeeded();
        *left = if is_new { BLOCK.saturating_sub(asked) } else { *left - asked };
        is_new
    }
}

/// Whether it asks how long the process or thread has computed.
fn is_computing(call: &Call) -> bool {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    matches!(call.int(0), CLOCK_PROCESS_CPUTIME_ID | CLOCK_THREAD_CPUTIME_ID)
}

/// Whether a runtime measures for itself how long it computes: garbage collectors do.
fn is_runtimes(program: PathId, topic: Topic, registry: &Registry) -> bool {
    let language = registry.language(program);
    let is_native = matches!(language, Language::C | Language::Cpp | Language::Rust);
    topic == Topic::Computing && !is_native
}

fn finding(program: PathId, topic: Topic, tally: &Tally, registry: &Registry) -> Finding {
    let times = words::times(tally.count);
    let (case, verdict) = match topic {
        Topic::Identity => (
            None,
            format!("who the process is was asked {times} more, though that does not change"),
        ),
        Topic::Clock | Topic::Computing => {
            (Some("clock"), format!("the time was asked for by a call {times} more"))
        }
        Topic::Random => (
            Some("random"),
            format!("random bytes were asked for {times} more than blocks of 4 KiB would need"),
        ),
    };
    Draft { id: ID, case, program, tally, verdict }.finding(registry)
}
