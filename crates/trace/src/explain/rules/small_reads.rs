//! A file read a little at a time.

use super::prelude::*;
use crate::explain::caller::{self, IoStyle};

pub(super) const ID: &str = "small-reads";

/// A read of this size would do; larger ones are hardly faster.
const ENOUGH: u64 = 64 * 1024;

/// Files whose largest reads are known.
const MOST: usize = 1 << 16;

/// What is read.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
enum Source {
    File(PathId),
    Any { is_pipe: bool },
}

/// Reads that a larger buffer would spare.
#[derive(Default)]
pub(crate) struct SmallReads {
    files: ByFile,
    /// From pipes, a byte at a time: only of interest in shells.
    pipes: ByFile,
    /// The largest read of each file, and of all files and pipes of a program.
    largest: FxHashMap<(PathId, Source), u64>,
}

impl Rule for SmallReads {
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
        let is_others = session.repeats.is_some() || session.is_copied();
        if is_others || !is_ours || reads.jumps * 2 > reads.tally.count {
            return;
        }
        let needed = reads.bytes.saturating_sub(reads.back).div_ceil(ENOUGH).max(1);
        // Pipes have numbers for names, a new one each time.
        let files = if is_pipe { &mut self.pipes } else { &mut self.files };
        let file = if is_pipe { PathId::NONE } else { session.file };
        // What is spared is the call, not the copying of bytes.
        let act = Act::Call { name: Name::Read, file: session.file, moved: 1, failed: false };
        let program = context.process.program;
        if files.add_beyond((program, file), &reads.tally, needed, act) {
            let one = (self.largest.len() < MOST && !is_pipe).then_some(Source::File(file));
            for source in one.into_iter().chain([Source::Any { is_pipe }]) {
                let largest = self.largest.entry((program, source)).or_default();
                *largest = reads.largest.max(*largest);
            }
            if session.is_put_back() {
                // Without the reads there is nothing to put back.
                let seeks = &session.patterns.seeks;
                let waste = files.of(program, file);
                waste.tally.absorb(&seeks.idle);
                waste.tally.absorb(&seeks.paired);
                waste.tally.absorb(&session.probes.terminal_again);
            }
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let shells = self.pipes.groups(registry);
        let shells =
            shells.iter().filter(|group| registry.language(group.program) == Language::Shell);
        let groups = self.files.groups(registry);
        groups.iter().chain(shells).map(|group| finding(group, &self.largest, registry)).collect()
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
    // An interpreter's own calls are made in C.
    let is_interpreters = caller::is_interpreters_own(language, tally, registry);
    let language = if is_interpreters { Language::C } else { language };
    match caller::io_style(language, tally, registry) {
        IoStyle::Flushed => Some("flushed"),
        IoStyle::Bare => Some("bare"),
        IoStyle::Streams => (language == Language::Cpp).then_some("stdio"),
        IoStyle::CppStreams | IoStyle::Usual => None,
    }
}

fn finding(
    group: &Group,
    largest: &FxHashMap<(PathId, Source), u64>,
    registry: &Registry,
) -> Finding {
    let reads = group.waste.times;
    let of = |source| largest.get(&(group.program, source)).copied();
    let of_file = of(Source::File(group.file)).filter(|_| group.is_one());
    let of_any = || of(Source::Any { is_pipe: !group.file.is_some() });
    let size = match of_file.or_else(of_any) {
        Some(1) => "one byte".to_owned(),
        largest => format!("at most {}", words::some(largest.unwrap_or_default(), "byte")),
    };
    // The seeks behind the reads are wasted as well.
    let is_read = |act: &Act| matches!(act, Act::Call { name: Name::Read, .. });
    let spared = group.waste.tally.spared();
    let spared: u64 = spared.iter().filter(|it| is_read(&it.act)).map(|it| it.count).sum();
    let needed = figures::count(reads.saturating_sub(spared));
    let verdict = format!(
        "{} read {}, {size} at a time, where {needed} would do",
        group.stream_was(registry),
        words::times(reads)
    );
    let case = match registry.language(group.program) {
        Language::Shell => Some("loop"),
        language => case_by_io_style(language, &group.waste.tally, registry),
    };
    group.finding(ID, case, verdict, registry)
}
