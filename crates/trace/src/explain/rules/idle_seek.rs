//! Seeks that did nothing, or only prepared one read or write.

use super::prelude::*;

pub(super) const ID: &str = "idle-seek";

/// Changes of the position of open files that could have been left out.
#[derive(Default)]
pub(crate) struct IdleSeek {
    idle: ByFile,
    paired: ByFile,
}

impl Rule for IdleSeek {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        const O_CLOEXEC: i32 = 0o200_0000;
        // Where another descriptor or a child shares the position, it may have been moved.
        let is_own = session.origin == DescriptorOrigin::Opened
            && !session.duplicated
            && (session.flags & O_CLOEXEC != 0 || session.forks == context.process.forks);
        let is_others = session.repeats.is_some()
            || session.is_put_back()
            || session.listing.calls > 0
            || context.kind(session.file).is_database();
        if !is_own || is_others {
            return;
        }
        let seeks = &session.patterns.seeks;
        let program = context.process.program;
        for (wastes, tally) in [(&mut self.idle, &seeks.idle), (&mut self.paired, &seeks.paired)] {
            if tally.count > 0 {
                let waste = wastes.of(program, session.file);
                waste.tally.absorb(tally);
                waste.times += tally.count;
            }
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let (idle, paired) = (self.idle.whole(registry), self.paired.whole(registry));
        let idle = idle.iter().map(|group| {
            let (what, times) = (group.subject("file", registry), words::times(group.waste.times));
            let verdict =
                format!("the position in {what} was set or asked for {times} without any effect");
            group.finding(ID, None, verdict, registry)
        });
        let paired = paired.iter().map(|group| {
            let (what, times) = (group.subject("file", registry), words::times(group.waste.times));
            let verdict = format!(
                "the position in {what} was set {times} for one read or write each, which can say \
                 where it begins"
            );
            group.finding(ID, Some("pair"), verdict, registry)
        });
        idle.chain(paired).collect()
    }
}
