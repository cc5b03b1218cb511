//! Whether it is a terminal, where it stands, what it is: asked of every file that is opened.

use super::prelude::*;

pub(super) const ID: &str = "tty-probe";

/// Files. It is how a language opens them; to leave that way is worth the trouble only for many.
const FEWEST: u64 = 2000;

/// Questions asked of files before their first read, and of one descriptor again and again.
#[derive(Default)]
pub(crate) struct TtyProbe {
    wastes: ByFile,
    again: ByFile,
}

impl Rule for TtyProbe {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let is_ours = session.probes.no_terminal
            && session.origin == DescriptorOrigin::Opened
            && session.is_read_only()
            && !session.repeats.is_some()
            && matches!(
                context.kind(session.file),
                FileKind::File | FileKind::Kernel | FileKind::Nothing
            );
        if is_ours {
            let waste = self.wastes.of(context.process.program, session.file);
            waste.tally.absorb(&session.probes.before_use);
            waste.times += 1;
            if is_mostly_asked(session) {
                waste.tally.absorb(&session.probes.ends);
            }
        }
        let again = &session.probes.terminal_again;
        // Of a file that is read and put back, it is asked before each read.
        if again.count > 0 && !session.repeats.is_some() && !session.is_put_back() {
            let waste = self.again.of(context.process.program, session.file);
            waste.tally.absorb(again);
            waste.times += again.count;
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let opened = self.wastes.whole(registry);
        let again = self.again.whole(registry);
        let opened = opened.iter().filter(|group| group.waste.times >= FEWEST);
        let opened = opened.map(|group| finding(group, registry));
        opened.chain(again.iter().map(|group| asked_again(group, registry))).collect()
    }
}

/// Whether so many of the calls are questions that they are waste by themselves. What reads such a
/// small file in one go need not ask for its end, either.
fn is_mostly_asked(session: &DescriptorSession) -> bool {
    session.probes.before_use.count * 5 >= session.calls * 2
}

fn asked_again(group: &Group, registry: &Registry) -> Finding {
    let verdict = format!(
        "{} asked again {} whether {} terminal, with the same answer",
        group.subject_was("file", registry),
        words::times(group.waste.times),
        if group.is_one() { "it is a" } else { "they are a" },
    );
    group.finding(ID, Some("again"), verdict, registry)
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let tally = &group.waste.tally;
    let verdict = format!(
        "{} were opened {}, and each time asked whether they are terminals, where they stand and \
         what they are: {}",
        group.some("file"),
        words::times(group.waste.times),
        words::some(tally.count, "call")
    );
    group.finding(ID, None, verdict, registry)
}
