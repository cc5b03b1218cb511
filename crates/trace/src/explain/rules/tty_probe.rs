//! Whether it is a terminal, where it stands, what it is: asked of every file that is opened.

use super::prelude::*;

pub(super) const ID: &str = "tty-probe";

/// Descriptors that are counted one by one.
const MOST: usize = 1 << 16;
/// Files. It is how a language opens them; to leave that way is worth the trouble only for many.
const FEWEST: u64 = 2000;
/// The request that `isatty` makes.
const TCGETS: i32 = 0x5401;

/// Questions asked of files before their first read, and of one descriptor again and again.
#[derive(Default)]
pub(crate) struct TtyProbe {
    wastes: ByFile,
    again: ByFile,
    /// What each descriptor of a process was asked already, and answered.
    asked: FxHashMap<(u32, i32), (PathId, i64)>,
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
        }
    }

    fn call(&mut self, call: &Call, context: Context) {
        let key = (call.process, call.int(0));
        if call.name != Name::Ioctl {
            let is_other = matches!(call.name, Name::Close | Name::Dup2 | Name::Dup3);
            if is_other && !self.asked.is_empty() {
                let gone = if call.name == Name::Close { call.int(0) } else { call.int(1) };
                self.asked.remove(&(call.process, gone));
            }
            return;
        }
        if call.int(1) != TCGETS || !self.asked.contains_key(&key) && self.asked.len() >= MOST {
            return;
        }
        let answer = (call.file, call.result);
        if self.asked.insert(key, answer) == Some(answer) {
            let waste = self.again.of(context.process.program, call.file);
            waste.add(call);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.asked.retain(|(process, _), _| *process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let opened = self.wastes.whole(registry);
        let again = self.again.whole(registry);
        let opened = opened.iter().filter(|group| group.waste.times >= FEWEST);
        let opened = opened.map(|group| finding(group, registry));
        opened.chain(again.iter().map(|group| asked_again(group, registry))).collect()
    }
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
