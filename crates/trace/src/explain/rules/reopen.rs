//! The same file opened, read and closed again, with the same content.

use super::prelude::*;

pub(super) const ID: &str = "reopen";

/// Files that shells read again and again, over all processes.
const MOST: usize = 1 << 16;

/// Files read again.
#[derive(Default)]
pub(crate) struct Reopen {
    wastes: ByFile,
    /// Files that a process read again by redirecting them.
    redirected: FxHashSet<(u32, PathId)>,
}

impl Rule for Reopen {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        if session.patterns.serves.is_some() {
            self.redirected(session, context);
        }
        let is_ours = session.repeats == Repeats::Content && !session.has_listed();
        if !is_ours || context.kind(session.file).is_database() {
            return;
        }
        // Another process goes on meanwhile: that it did nothing was not known before.
        if is_of_process(context.registry.path(session.file), context.process.id) {
            return;
        }
        let Some(opening) = &session.opening else { return };
        let waste = self.wastes.of(context.process.program, session.file);
        waste.tally.count(opening, session.calls + session.marks.count);
        session.patterns.looks_before.iter().for_each(|step| waste.tally.add(&step.call));
        if session.moved {
            waste.tally.spare(Act::ReadWhole { file: session.file }, 1);
        } else {
            for (call, count) in &session.kinds {
                waste.tally.spare(Act::of(call), *count);
            }
        }
        waste.times += 1;
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.redirected.retain(|(process, _)| *process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

/// Whether a file is about another process: `/proc/7/stat`.
fn is_of_process(path: &[u8], own: u32) -> bool {
    let Some(rest) = path.strip_prefix(b"/proc/") else { return false };
    let number = rest.split(|byte| *byte == b'/').next().unwrap_or_default();
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse::<u32>().ok());
    number.is_some_and(|number| number != own)
}

impl Reopen {
    /// A shell moves other descriptors out of the way of a file, and back: that goes with reading
    /// it again.
    fn redirected(&mut self, session: &DescriptorSession, context: Context) {
        let key = (context.process.id, session.patterns.serves);
        if session.repeats == Repeats::Content {
            if self.redirected.len() < MOST {
                self.redirected.insert(key);
            }
        } else if self.redirected.contains(&key) {
            let closing = session.kinds.iter().find(|(call, _)| call.name == Name::Close);
            let ends = session.opening.as_deref().into_iter().chain(closing.map(|(call, _)| call));
            let waste = self.wastes.of(context.process.program, session.patterns.serves);
            ends.for_each(|call| waste.tally.add(call));
            waste.tally.absorb(&session.marks);
        }
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let (files, again) = (group.files, group.waste.times);
    let verdict = if group.is_one() {
        let times = words::times(again + 1);
        format!("{path} was opened, read and closed {times} with the same content")
    } else {
        let (files, times) = (group.some("file"), words::times(again + files));
        format!(
            "{files} were opened, read and closed {times} with the same content, {path} the most"
        )
    };
    group.finding(ID, None, verdict, registry)
}
