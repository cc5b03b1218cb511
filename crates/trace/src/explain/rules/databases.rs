//! Databases that the C library opens and reads anew for every look-up, and servers that it asks:
//! how often, and with which calls. owner-lookup and host-lookup are made of it.

use fewer::compact;

use super::name_servers::{Exchange, NameServers};
use super::prelude::*;

/// Programs and databases that are counted one by one.
const MOST: usize = 4096;

/// Look-ups beyond the first, in the files of one kind.
#[derive(Default)]
pub(super) struct Databases {
    wastes: FxHashMap<(PathId, PathId), Waste>,
    /// Looks since the last opening, by process: they belong to the next one.
    looks: FxHashMap<u32, u64>,
    /// What was read by the look-up that a process is at: it is waste unless a server is asked
    /// something new then.
    reads: FxHashMap<u32, Vec<ReadAgain>>,
    servers: NameServers,
}

/// A database that was opened and read with the content that was known.
struct ReadAgain {
    /// The program and the database.
    key: (PathId, PathId),
    opening: Box<Call>,
    calls: u64,
    act: Act,
}

/// What a program opened and read anew.
pub(super) struct Opened {
    /// The program.
    pub(super) program: PathId,
    /// All calls of it.
    pub(super) tally: Tally,
    /// The files, in words: "`/etc/passwd` was opened and read 20 times".
    pub(super) files: String,
}

impl Databases {
    /// A look at a file that such a look-up goes through.
    pub(super) fn looked(&mut self, call: &Call) {
        *self.looks.entry(call.process).or_default() += 1;
    }

    /// A call was made, perhaps to a server whose address is of this kind.
    pub(super) fn call(&mut self, call: &Call, context: Context, kind: FileKind) {
        if let Some(exchange) = self.servers.see(call, context, kind) {
            self.answered(&exchange, context);
        }
    }

    /// What was said through a socket is at an end.
    fn answered(&mut self, exchange: &Exchange, context: Context) {
        let key = (context.process.program, exchange.server);
        let Some(waste) = entry(&mut self.wastes, key) else { return };
        waste.times += exchange.asked;
        if exchange.asked > 0 && exchange.again == 0 {
            // Another name: its look-up needs the files.
            self.reads.remove(&context.process.id);
            self.looks.remove(&context.process.id);
            return;
        }
        let calls = exchange.calls * exchange.again / exchange.asked.max(1);
        if calls > 0 {
            let looks = self.looks.remove(&context.process.id).unwrap_or_default();
            waste.tally.count(&exchange.opening, calls + looks);
            waste.tally.spare(Act::of(&exchange.opening), calls);
        }
        if exchange.asked > 0 && exchange.again == exchange.asked {
            self.read(context.process.id);
        }
    }

    /// A descriptor of such a file was closed; `act` is what is done anew.
    pub(super) fn closed(&mut self, session: &DescriptorSession, context: Context, act: Act) {
        if session.origin != DescriptorOrigin::Opened {
            return;
        }
        let process = context.process.id;
        let looks = self.looks.remove(&process).unwrap_or_default();
        let key = (context.process.program, session.file);
        let Some(opening) = &session.opening else { return };
        let Some(waste) = entry(&mut self.wastes, key) else { return };
        waste.times += 1;
        if self.reads.get(&process).is_some_and(|reads| reads.iter().any(|it| it.key == key)) {
            self.read(process);
        }
        if session.repeats == Repeats::Content {
            let (opening, calls) = (opening.clone(), session.calls + session.marks.count + looks);
            let again = ReadAgain { key, opening, calls, act };
            self.reads.entry(process).or_default().push(again);
        }
    }

    /// The files of a look-up were read in vain.
    fn read(&mut self, process: u32) {
        for again in self.reads.remove(&process).unwrap_or_default() {
            if let Some(waste) = entry(&mut self.wastes, again.key) {
                waste.tally.count(&again.opening, again.calls);
                waste.tally.spare(again.act, 1);
            }
        }
    }

    /// A look-up of another kind began.
    pub(super) fn other(&mut self, process: u32) {
        self.looks.remove(&process);
    }

    /// A process ended.
    pub(super) fn gone(&mut self, context: Context) {
        self.looks.remove(&context.process.id);
        for exchange in self.servers.gone(context.process.id) {
            self.answered(&exchange, context);
        }
        self.read(context.process.id);
    }

    /// What each program opened and read anew.
    pub(super) fn opened(&mut self, registry: &Registry) -> Vec<Opened> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|(_, waste)| waste.tally.count > 0);
        compact::sort_by_key(&mut wastes, |((program, file), waste)| {
            let times = std::cmp::Reverse(waste.times);
            (registry.path(*program), times, registry.path(*file))
        });
        let programs = wastes.chunk_by(|(a, _), (b, _)| a.0 == b.0);
        programs.map(|wastes| of_program(wastes, registry)).collect()
    }
}

/// What was wasted on a database or a server by a program; `None` beyond the limit.
fn entry(
    wastes: &mut FxHashMap<(PathId, PathId), Waste>,
    key: (PathId, PathId),
) -> Option<&mut Waste> {
    let has_room = wastes.len() < MOST || wastes.contains_key(&key);
    has_room.then(|| wastes.entry(key).or_default())
}

fn of_program(wastes: &[((PathId, PathId), Waste)], registry: &Registry) -> Opened {
    let mut tally = Tally::default();
    let mut files = Vec::new();
    for ((_, file), waste) in wastes {
        tally.absorb(&waste.tally);
        let (path, times) = (words::path(*file, registry), words::times(waste.times));
        // Servers are known by an address, or by a path at which nothing was opened.
        let is_server =
            waste.tally.examples().iter().any(|call| call.name.shape() == Shape::Descriptor(0));
        let done = if is_server { "was asked" } else { "was opened and read" };
        files.push(format!("{path} {done} {times}"));
    }
    files.truncate(3);
    let program = wastes.first().map_or(PathId::NONE, |((program, _), _)| *program);
    Opened { program, tally, files: files.join(", ") }
}
