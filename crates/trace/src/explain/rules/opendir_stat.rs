//! A directory that is asked what it is right after it was opened as one, and then listed.
//!
//! O_DIRECTORY opens nothing else, and its inode stands in the listing above it. `opendir` asks all
//! the same.

use super::prelude::*;
use super::purposes;

pub(super) const ID: &str = "opendir-stat";

/// Looks at directories that had just been opened.
#[derive(Default)]
pub(crate) struct OpendirStat {
    wastes: ByFile,
}

impl Rule for OpendirStat {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(look) = session.probes.after_opening.as_deref() else { return };
        let is_listed = session.listing.calls + session.listing.ends > 0;
        let is_ours = session.origin == DescriptorOrigin::Opened
            && is_listed
            && !session.repeats.is_some()
            && !session.probes.no_terminal
            && opens_directories(session.flags);
        // Of a look by path and this one, one may be needed; the other is counted by another rule.
        let by_path = [Question::Stat, Question::Lstat]
            .iter()
            .any(|question| context.process.knows(Key::new(session.file, *question, 0xfff)));
        let is_entry = context.process.has_listed(context.parent(session.file));
        if !is_ours || by_path && !is_entry {
            return;
        }
        let waste = self.wastes.of(context.process.program, session.file);
        waste.times += 1;
        waste.tally.count(look, 1);
        // Whatever it is called, it asks about an open file.
        let act = Act::Call { name: Name::Fstat, file: session.file, moved: 0, failed: false };
        waste.tally.spare(act, 1);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry).into_iter();
        let theirs = groups.filter(|it| purposes::reads_directories(it.program, registry));
        theirs.map(|group| finding(&group, registry)).collect()
    }
}

/// Whether these flags of `open` open directories alone (asm/fcntl.h: Arm has a number of its own).
pub(super) fn opens_directories(flags: i32) -> bool {
    let o_directory = match Machine::HERE {
        Machine::X86_64 => 0o200_000,
        Machine::Aarch64 => 0o40_000,
    };
    flags & o_directory != 0
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let verdict = if group.is_one() {
        let times = words::times(group.waste.times);
        format!("{path} was asked {times} what it is, right after it was opened as a directory")
    } else {
        let directories = group.some("directory");
        format!(
            "{directories}, {path} among them, were asked what they are right after they were \
             opened as directories"
        )
    };
    group.finding(ID, None, verdict, registry)
}
