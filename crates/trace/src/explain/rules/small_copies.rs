//! A file copied through small blocks.

use super::prelude::*;
use crate::explain::history::Copies;

pub(super) const ID: &str = "small-copies";

/// Larger blocks are hardly faster.
const ENOUGH: u64 = 256 * 1024;
/// Programs that were asked for the size of their blocks, or whose files consist of such.
const BY_BLOCKS: &[&[u8]] = &[b"dd", b"tar", b"bsdtar", b"gtar", b"star", b"cpio", b"pax", b"ar"];

/// Reads and writes that larger blocks would spare.
#[derive(Default)]
pub(crate) struct SmallCopies {
    wastes: ByFile,
    /// The largest block, and a file that was written to, by program and file.
    blocks: FxHashMap<(PathId, PathId), Blocks>,
}

#[derive(Default)]
struct Blocks {
    count: u64,
    needed: u64,
    largest: u64,
    into: PathId,
    /// Whether another process reads what is written.
    is_stream: bool,
}

impl Rule for SmallCopies {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let program = context.process.program;
        let Some(copies) = session.patterns.copies.as_deref().filter(|_| session.is_copied())
        else {
            return;
        };
        let needed = copies.bytes.div_ceil(ENOUGH).max(1);
        let wasted = copies.reads.count.saturating_sub(needed);
        let name = base_name(context.registry.path(program));
        if session.repeats.is_some() || wasted == 0 || BY_BLOCKS.contains(&name) {
            return;
        }
        let waste = self.wastes.of(program, session.file);
        waste.times += copies.reads.count;
        for tally in [&copies.reads, &copies.writes] {
            waste.tally.absorb(&tally.cut(wasted));
        }
        let into = copies.last.as_deref().map_or(PathId::NONE, |call| call.file);
        // What is spared is the calls, not the copying of bytes.
        for (name, file) in [(Name::Read, session.file), (Name::Write, into)] {
            waste.tally.spare(Act::Call { name, file, moved: 1, failed: false }, wasted);
        }
        self.note((program, session.file), copies, needed, into, context);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.groups(registry);
        groups.iter().map(|group| finding(group, &self.blocks, registry)).collect()
    }
}

impl SmallCopies {
    fn note(
        &mut self,
        key: (PathId, PathId),
        copies: &Copies,
        needed: u64,
        into: PathId,
        context: Context,
    ) {
        const MOST: usize = 1 << 16;
        if self.blocks.len() >= MOST && !self.blocks.contains_key(&key) {
            return;
        }
        let blocks = self.blocks.entry(key).or_default();
        blocks.count += copies.reads.count;
        blocks.needed += needed;
        blocks.largest = blocks.largest.max(copies.largest);
        blocks.into = into;
        blocks.is_stream = context.kind(into) != FileKind::File;
    }
}

fn finding(
    group: &Group,
    blocks: &FxHashMap<(PathId, PathId), Blocks>,
    registry: &Registry,
) -> Finding {
    let unknown = Blocks::default();
    let most = blocks.get(&(group.program, group.file)).unwrap_or(&unknown);
    let into = match (group.is_one(), most.is_stream) {
        (_, true) => " to a pipe or socket".to_owned(),
        (true, false) => format!(" to {}", words::path(most.into, registry)),
        (false, false) => String::new(),
    };
    let verdict = format!(
        "{} copied{into} in {} of at most {}, where {} would do",
        group.subject_was("file", registry),
        words::some(group.waste.times, "block"),
        words::some(most.largest, "byte"),
        figures::count(group.waste.times - group.waste.tally.count / 2),
    );
    group.finding(ID, most.is_stream.then_some("stream"), verdict, registry)
}
