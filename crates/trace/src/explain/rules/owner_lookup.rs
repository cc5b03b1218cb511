//! The databases of users and groups opened for every look-up.

use fewer::compact;

use super::prelude::*;

pub(super) const ID: &str = "owner-lookup";

/// Programs and databases that are counted one by one.
const MOST: usize = 4096;

/// Look-ups beyond the first.
#[derive(Default)]
pub(crate) struct OwnerLookup {
    wastes: FxHashMap<(PathId, PathId), Waste>,
    /// Looks since the last opening, by process: they belong to the next one.
    looks: FxHashMap<u32, u64>,
}

impl Rule for OwnerLookup {
    fn path_asked(&mut self, call: &Call, _: PathQuestion, context: Context) {
        if context.kind(call.file) == FileKind::Owners {
            *self.looks.entry(call.process).or_default() += 1;
        }
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        if session.origin != DescriptorOrigin::Opened
            || context.kind(session.file) != FileKind::Owners
        {
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
            waste.tally.spare(Act::LookUpOwner, 1);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.looks.remove(&context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|(_, waste)| waste.tally.count > 0);
        compact::sort_by_key(&mut wastes, |((program, file), waste)| {
            let times = std::cmp::Reverse(waste.times);
            (registry.path(*program), times, registry.path(*file))
        });
        let programs = wastes.chunk_by(|(a, _), (b, _)| a.0 == b.0);
        programs.map(|wastes| finding(wastes, registry)).collect()
    }
}

fn finding(wastes: &[((PathId, PathId), Waste)], registry: &Registry) -> Finding {
    let mut tally = Tally::default();
    let mut opened = Vec::new();
    for ((_, file), waste) in wastes {
        tally.absorb(&waste.tally);
        let (path, times) = (words::path(*file, registry), words::times(waste.times));
        opened.push(format!("{path} was opened and read {times}"));
    }
    opened.truncate(3);
    let verdict = format!("to look up owners, {} anew", opened.join(", "));
    let program = wastes.first().map_or(PathId::NONE, |((program, _), _)| *program);
    Draft { id: ID, case: None, program, tally: &tally, verdict }.finding(registry)
}
