//! The same file looked at twice in a row.

use super::prelude::*;

pub(super) const ID: &str = "double-stat";

/// No more calls of the process than this lie between two looks for different fields.
const SOON: u64 = 8;
/// Threads whose last look is known.
const MOST: usize = 4096;

/// Second looks.
#[derive(Default)]
pub(crate) struct DoubleStat {
    wastes: ByFile,
    /// What a thread looked at last: how, for which fields, and when.
    latest: FxHashMap<u32, (PathId, Question, u32, u64)>,
}

impl Rule for DoubleStat {
    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        let now = context.process.calls;
        let known = self.latest.len() < MOST || self.latest.contains_key(&call.thread);
        let latest = match known {
            true => self.latest.insert(call.thread, (call.file, asked.question, fields(call), now)),
            false => None,
        };
        // Asked for other fields, and so a new question: the first could have had them all.
        let more = asked.novelty == Novelty::New
            && matches!(asked.question, Question::Stat | Question::Lstat)
            && call.succeeded()
            && latest.is_some_and(|(file, question, known, when)| {
                (file, question) == (call.file, asked.question)
                    && known != fields(call)
                    && now.checked_sub(when).is_some_and(|calls| calls <= SOON)
            });
        if (asked.answered_by_fstat || more)
            && !asked.entry_of.is_some()
            && !asked.ends_path
            && !context.kind(call.file).is_database()
        {
            let waste = self.wastes.of(context.process.program, call.file);
            waste.add(call);
        }
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let is_ours = session.probes.stats_again.count > 0
            && !session.repeats.is_some()
            && !session.probes.no_terminal
            && !context.kind(session.file).is_database();
        if is_ours {
            let waste = self.wastes.of(context.process.program, session.file);
            waste.tally.absorb(&session.probes.stats_again);
            waste.times += session.probes.stats_again.count;
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.wastes.add_asked_again(context, Repetition::Double, 0);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let verdict = if group.is_one() {
        format!(
            "{path} was looked at again {}, right after a look",
            words::times(group.waste.times)
        )
    } else {
        let (files, times) = (group.some("file"), words::times(group.waste.times));
        format!("{files}, {path} among them, were looked at again right after a look, {times}")
    };
    group.finding(ID, None, verdict, registry)
}
