//! Databases that the C library opens and reads anew for every look-up: how often, and with which
//! calls. owner-lookup and host-lookup are made of it.

use fewer::compact;

use super::prelude::*;

/// Programs and databases that are counted one by one.
const MOST: usize = 4096;

/// Look-ups beyond the first, in the files of one kind.
#[derive(Default)]
pub(super) struct Databases {
    wastes: FxHashMap<(PathId, PathId), Waste>,
    /// Looks since the last opening, by process: they belong to the next one.
    looks: FxHashMap<u32, u64>,
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

    /// A descriptor of such a file was closed; `act` is what is done anew.
    pub(super) fn closed(&mut self, session: &DescriptorSession, context: Context, act: Act) {
        if session.origin != DescriptorOrigin::Opened {
            return;
        }
        let looks = self.looks.remove(&context.process.id).unwrap_or_default();
        let key = (context.process.program, session.file);
        let Some(opening) = &session.opening else { return };
        if self.wastes.len() >= MOST && !self.wastes.contains_key(&key) {
            return;
        }
        let waste = self.wastes.entry(key).or_default();
        waste.times += 1;
        if session.repeats == Repeats::Content {
            waste.tally.count(opening, session.calls + session.marks.count + looks);
            waste.tally.spare(act, 1);
        }
    }

    /// A process ended.
    pub(super) fn gone(&mut self, process: u32) {
        self.looks.remove(&process);
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

fn of_program(wastes: &[((PathId, PathId), Waste)], registry: &Registry) -> Opened {
    let mut tally = Tally::default();
    let mut files = Vec::new();
    for ((_, file), waste) in wastes {
        tally.absorb(&waste.tally);
        let (path, times) = (words::path(*file, registry), words::times(waste.times));
        files.push(format!("{path} was opened and read {times}"));
    }
    files.truncate(3);
    let program = wastes.first().map_or(PathId::NONE, |((program, _), _)| *program);
    Opened { program, tally, files: files.join(", ") }
}
