//! Waiting without waiting: asked whether something is there, again and again, and nothing was.

use super::prelude::*;
use crate::explain::caller;

pub(super) const ID: &str = "busy-poll";

/// Threads that are followed.
const MOST: usize = 1 << 16;
/// A wait that gives up sooner than this, in nanoseconds, is no wait.
const SOON: u64 = 20_000_000;
/// A loop for events looks for them between two tasks. More often than this in a row it is idle.
const MANY: u64 = 2000;
/// Such loops, by their files.
const LOOPS: [&str; 5] = ["/asyncio/", "/eventlet/", "/gevent/", "/trio/", "/twisted/"];
/// Calls that moved nothing between two empty waits, at most.
const NEAR: u32 = 2;

/// Waits and reads that found nothing, one behind the other.
#[derive(Default)]
pub(crate) struct BusyPoll {
    threads: FxHashMap<u32, Empty>,
    wastes: ByFile,
}

/// The last time that a thread found nothing.
struct Empty {
    process: u32,
    /// On which descriptor; waits for several are told apart by their kind.
    what: (Name, i32),
    call: Option<Box<Call>>,
    /// Calls since then.
    since: u32,
}

impl Rule for BusyPoll {
    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        if !is_empty(call) {
            self.other(call);
            return;
        }
        let what = match call.name.shape() {
            Shape::Descriptor(_) => (call.name, call.int(0)),
            _ => (call.name, -1),
        };
        let program = context.process.program;
        let known = self.threads.get_mut(&call.thread);
        if let Some(empty) = known.filter(|it| it.what == what && it.process == call.process) {
            let waste = self.wastes.of(program, call.file);
            // The first of a row is known to be one of a row only now.
            if let Some(first) = empty.call.take() {
                waste.add(&first);
            }
            waste.add(call);
            empty.since = 0;
        } else if self.threads.len() < MOST || self.threads.contains_key(&call.thread) {
            let first = Some(Box::new(call.clone()));
            self.threads
                .insert(call.thread, Empty { process: call.process, what, call: first, since: 0 });
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.threads.retain(|_, empty| empty.process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        // Their schedulers look for events between two tasks.
        let is_loop = |program| matches!(registry.language(program), Language::Go | Language::Node);
        let groups = self.wastes.whole(registry);
        let ours = groups.iter().filter(|group| {
            !is_loop(group.program)
                && (group.waste.times > MANY || !is_of_loop(&group.waste.tally, registry))
        });
        ours.map(|group| finding(group, registry)).collect()
    }
}

impl BusyPoll {
    /// A call that did not find nothing.
    fn other(&mut self, call: &Call) {
        if self.threads.is_empty() {
            return;
        }
        let class = call.name.class();
        let Some(empty) = self.threads.get_mut(&call.thread) else { return };
        empty.since += 1;
        let is_aside = matches!(class, Class::Identity | Class::Clock | Class::Random);
        let moves = class.moves_bytes() && call.succeeded()
            || matches!(class, Class::Wait | Class::Stat | Class::Access | Class::Open);
        if moves || !is_aside && empty.since > NEAR {
            self.threads.remove(&call.thread);
        }
    }
}

/// Whether a library's loop for events made most of the calls.
fn is_of_loop(tally: &Tally, registry: &Registry) -> bool {
    caller::locations(tally, registry).any(|it| LOOPS.iter().any(|part| it.file.contains(part)))
}

/// Whether a call was to find something, and did not wait for it.
fn is_empty(call: &Call) -> bool {
    const EAGAIN: i32 = 11;
    match call.name {
        // Without descriptors it is a sleep.
        Name::Select | Name::Pselect6 if call.arguments[0] == 0 => false,
        Name::Poll | Name::Ppoll if call.arguments[1] == 0 => false,
        Name::Poll => call.result == 0 && is_soon(i64::from(call.int(2))),
        Name::EpollWait | Name::EpollPwait => call.result == 0 && is_soon(i64::from(call.int(3))),
        Name::Select | Name::Pselect6 | Name::Ppoll | Name::EpollPwait2 => {
            call.result == 0 && call.spent < SOON
        }
        _ if matches!(call.name.class(), Class::Read | Class::Receive | Class::Wait) => {
            call.errno() == Some(EAGAIN)
        }
        _ => false,
    }
}

/// Whether so many milliseconds are hardly a wait.
fn is_soon(milliseconds: i64) -> bool {
    const MILLISECOND: i64 = 1_000_000;
    (0..SOON.cast_signed()).contains(&(milliseconds * MILLISECOND))
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let times = words::times(group.waste.times);
    let where_to = match group.is_one() && group.file.is_some() {
        true => format!(" in {}", words::path(group.file, registry)),
        false => String::new(),
    };
    let verdict = format!("{times} the program looked for something{where_to} and found nothing");
    group.finding(ID, None, verdict, registry)
}
