//! Descriptors duplicated, marked and closed around work that needed none of it.

use super::prelude::*;

pub(super) const ID: &str = "descriptor-churn";

/// Processes whose descriptors are watched at once.
const MOST: usize = 1 << 16;
/// So many calls make the descriptors ready for the program that a process starts or becomes: a
/// process that makes no more goes round in no loop.
const READY: u64 = 16;
/// F_GETFL and F_SETFL before a descriptor is offered to an epoll, and behind it.
const MARKS_OF_OFFER: u64 = 4;

/// Calls that moved descriptors, and nothing else.
#[derive(Default)]
pub(crate) struct DescriptorChurn {
    wastes: ByFile,
    /// Descriptors made non-blocking and blocking again, with the questions before.
    toggles: ByFile,
    /// What goes with the offer of a descriptor to an epoll, which Go's runtime does by itself with
    /// each that it opens.
    offered: ByFile,
    /// What each process did so far. A copy that becomes another program had to.
    processes: FxHashMap<u32, ByFile>,
}

impl DescriptorChurn {
    fn waste(&mut self, file: PathId, state: &ProcessState) -> &mut Waste {
        if self.processes.len() >= MOST && !self.processes.contains_key(&state.id) {
            return self.wastes.of(state.program, file);
        }
        self.processes.entry(state.id).or_default().of(state.program, file)
    }

    fn add(&mut self, call: &Call, file: PathId, state: &ProcessState) {
        let waste = self.waste(file, state);
        waste.tally.add(call);
        waste.times += u64::from(is_duplicate(call));
    }
}

impl Rule for DescriptorChurn {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        // All calls on a file that was read before are one waste: reopen. A shell has no other way
        // to write or read a file but to put it where another one stood.
        if session.repeats.is_some()
            || session.patterns.serves.is_some()
            || context.kind(session.file).is_database()
        {
            return;
        }
        let closing = session.kinds.iter().find(|(call, _)| call.name == Name::Close);
        let toggles = &session.patterns.toggles.tally;
        if toggles.count > 1 {
            let waste = self.toggles.of(context.process.program, session.file);
            waste.tally.absorb(toggles);
            waste.tally.absorb(&session.marks);
            waste.times += toggles.count + 1;
        } else if session.patterns.watched && session.marks.count <= MARKS_OF_OFFER {
            let waste = self.offered.of(context.process.program, session.file);
            waste.tally.absorb(&session.marks);
        } else if session.marks.count > 0 {
            self.waste(session.file, context.process).tally.absorb(&session.marks);
        }
        if session.origin == DescriptorOrigin::Duplicated {
            let ends = session.opening.as_deref().into_iter().chain(closing.map(|(call, _)| call));
            for call in ends {
                self.add(call, session.file, context.process);
            }
        }
        // What is opened to be written may be made by that; /dev/null is there, and takes nothing.
        let changes_nothing =
            session.is_read_only() || context.kind(session.file) == FileKind::Null;
        let is_idle = !session.used && session.forks == context.process.forks && changes_nothing;
        if !is_idle || closing.is_none() {
            return;
        }
        // Opened to be duplicated, or to go where the process is already.
        let went = session.kinds.iter().find(|(call, _)| call.name == Name::Fchdir);
        if let Some((call, count)) = went {
            for _ in 0..*count {
                self.add(call, session.file, context.process);
            }
        }
        if session.origin == DescriptorOrigin::Opened && (session.duplicated || went.is_some()) {
            for call in session.opening.as_deref().into_iter().chain(closing.map(|(call, _)| call))
            {
                self.add(call, session.file, context.process);
            }
        }
    }

    fn process_gone(&mut self, context: Context, replaced: bool) {
        let Some(wastes) = self.processes.remove(&context.process.id) else { return };
        if wastes.calls() > READY && !(replaced && context.process.is_copy) {
            self.wastes.absorb(wastes);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.offered.retain_programs(|program| registry.language(program) != Language::Go);
        self.wastes.absorb(std::mem::take(&mut self.offered));
        let moved = self.wastes.nearly_whole(registry);
        let toggled = self.toggles.whole(registry);
        let moved = moved.iter().map(|group| finding(group, registry));
        moved.chain(toggled.iter().map(|group| toggled_finding(group, registry))).collect()
    }
}

fn is_duplicate(call: &Call) -> bool {
    const F_DUPFD: i32 = 0;
    const F_DUPFD_CLOEXEC: i32 = 1030;
    match call.name.class() {
        Class::Duplicate => true,
        Class::Fcntl => matches!(call.int(1), F_DUPFD | F_DUPFD_CLOEXEC),
        _ => false,
    }
}

fn toggled_finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("descriptor", registry), words::times(group.waste.times));
    let verdict = format!("{was} made non-blocking or blocking {times}");
    group.finding(ID, Some("nonblock"), verdict, registry)
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let tally = &group.waste.tally;
    let spared = tally.spared();
    let marks =
        spared.iter().filter(|spared| matches!(spared.act, Act::Call { name: Name::Fcntl, .. }));
    let asked: u64 = marks.map(|spared| spared.count).sum();
    let what = group.subject("file", registry);
    let parts = [(group.waste.times, "to duplicate them"), (asked, "of fcntl")];
    let parts = parts.iter().filter(|(calls, _)| *calls > 0);
    let parts: Vec<_> =
        parts.map(|(calls, what)| format!("{} {what}", figures::count(*calls))).collect();
    let verdict = format!(
        "descriptors of {what} were moved about with {} that read and wrote nothing{}{}",
        words::some(tally.count, "call"),
        if parts.is_empty() { "" } else { ": " },
        parts.join(", "),
    );
    group.finding(ID, None, verdict, registry)
}
