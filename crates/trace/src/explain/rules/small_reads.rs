//! A file read a little at a time.

use super::by_file::{ByFile, Group};
use crate::explain::caller::{self, IoStyle};
use crate::explain::draft::Draft;
use crate::explain::finding::{Act, Finding};
use crate::explain::history::{Context, DescriptorSession, FileKind, Reads};
use crate::explain::rules::Rule;
use crate::explain::tally::Tally;
use crate::explain::words;
use crate::figures;
use crate::quick::Map;
use crate::{Language, Name, PathId, Registry};

const ID: &str = "small-reads";

/// A read of this size would do; larger ones are hardly faster.
const ENOUGH: u64 = 64 * 1024;

/// Reads that a larger buffer would spare.
#[derive(Default)]
pub(crate) struct SmallReads {
    files: ByFile,
    /// From pipes, a byte at a time: only of interest in shells.
    pipes: ByFile,
    /// Of files, and of pipes.
    sizes: Map<(PathId, bool), Sizes>,
}

#[derive(Clone, Copy, Default)]
struct Sizes {
    bytes: u64,
    largest: u64,
}

impl Rule for SmallReads {
    fn id(&self) -> &'static str {
        ID
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(reads) = &session.reads else { return };
        // It is not known what it is: it may give a little at a time.
        if !session.file.is_some() {
            return;
        }
        let kind = context.kind(session.file);
        let is_pipe = kind == FileKind::Pipe;
        let is_ours =
            matches!(kind, FileKind::File | FileKind::Nothing) || is_pipe && all_single(reads);
        if session.again || !is_ours || reads.jumps * 2 > reads.tally.count {
            return;
        }
        let needed = reads.bytes.saturating_sub(reads.back).div_ceil(ENOUGH).max(1);
        let Some(wasted) = reads.tally.count.checked_sub(needed).filter(|wasted| *wasted > 0)
        else {
            return;
        };
        // Pipes have numbers for names, a new one each time.
        let files = if is_pipe { &mut self.pipes } else { &mut self.files };
        let file = if is_pipe { PathId::NONE } else { session.file };
        let waste = files.of(context.process.program, file);
        waste.times += reads.tally.count;
        waste.tally.absorb(&less(&reads.tally, wasted));
        // What is spared is the call, not the copying of bytes.
        let act = Act::Call { name: Name::Read, file: session.file, moved: 1, failed: false };
        waste.tally.spare(act, wasted);
        let sizes = self.sizes.entry((context.process.program, is_pipe)).or_default();
        sizes.bytes += reads.bytes;
        sizes.largest = sizes.largest.max(reads.largest);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let shells = self.pipes.groups(registry);
        let shells =
            shells.iter().filter(|group| registry.language(group.program) == Language::Shell);
        let groups = self.files.groups(registry);
        groups.iter().chain(shells).map(|group| finding(group, &self.sizes, registry)).collect()
    }
}

fn all_single(reads: &Reads) -> bool {
    reads.single == reads.tally.count
}

/// The special case of the remedy by how the calls are made: advice about streams is for programs
/// that use them.
pub(super) fn case_by_io_style(
    language: Language,
    tally: &Tally,
    registry: &Registry,
) -> Option<&'static str> {
    let is_c = matches!(language, Language::C | Language::Cpp)
        || caller::is_interpreters_own(language, tally, registry);
    match caller::io_style(tally, registry) {
        IoStyle::Bare => is_c.then_some("bare"),
        IoStyle::Streams => (language == Language::Cpp).then_some("stdio"),
        IoStyle::CppStreams => None,
    }
}

/// The same tally with fewer calls.
pub(super) fn less(tally: &Tally, count: u64) -> Tally {
    let mut less = Tally::default();
    let mut left = count;
    for (stack, calls) in tally.callers() {
        let calls = calls.min(left);
        left -= calls;
        if calls > 0 {
            less.blame(stack, calls);
        }
    }
    tally.examples().iter().for_each(|call| less.show(call));
    less
}

fn finding(group: &Group, sizes: &Map<(PathId, bool), Sizes>, registry: &Registry) -> Finding {
    let reads = group.waste.times;
    let sizes = sizes.get(&(group.program, !group.file.is_some())).copied().unwrap_or_default();
    let what = group.subject(registry);
    let were = if group.is_one() { "was" } else { "were" };
    let size = match sizes.largest {
        1 => "one byte".to_owned(),
        largest => format!("at most {}", words::some(largest, "byte")),
    };
    let needed = figures::count(reads - group.waste.tally.count);
    let verdict = format!(
        "{what} {were} read {}, {size} at a time, where {needed} would do",
        words::times(reads)
    );
    let tally = &group.waste.tally;
    let case = match registry.language(group.program) {
        Language::Shell => Some("loop"),
        language => case_by_io_style(language, tally, registry),
    };
    Draft { id: ID, case, program: group.program, tally, verdict }.finding(registry)
}
