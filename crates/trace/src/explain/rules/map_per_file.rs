//! Small files mapped into memory one by one.

use super::prelude::*;

pub(super) const ID: &str = "map-per-file";

/// Processes that are counted one by one.
const MOST: usize = 1 << 12;
/// What starts a process maps fewer small files: locales, caches of libraries.
const FEW: u64 = 64;

/// Mappings of small files.
#[derive(Default)]
pub(crate) struct MapPerFile {
    by_process: FxHashMap<u32, (u64, ByFile)>,
    wastes: ByFile,
}

impl Rule for MapPerFile {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let is_opened = session.opened_at.is_some();
        let Some(call) = session.patterns.mapped.as_deref().filter(|_| is_opened) else { return };
        let process = context.process;
        // The loader maps its cache for every process.
        let is_loaders = context.registry.path(session.file).ends_with(b"/ld.so.cache");
        let is_file = context.kind(session.file) == FileKind::File;
        let is_ours = is_file && !session.repeats.is_some() && !is_loaders;
        if !is_ours || self.by_process.len() >= MOST && !self.by_process.contains_key(&process.id) {
            return;
        }
        let (count, wastes) = self.by_process.entry(process.id).or_default();
        *count += 1;
        let waste = wastes.of(process.program, session.file);
        waste.times += 1;
        // `mmap` and `munmap` vanish, and a `read` comes.
        waste.tally.count(call, 1);
        // The first look at each page makes the kernel map it: as dear as an opening.
        let (name, file) = (Name::Openat, session.file);
        waste.tally.spare(Act::Call { name, file, moved: 0, failed: false }, 1);
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        let gone = self.by_process.remove(&context.process.id);
        if let Some((_, wastes)) = gone.filter(|(count, _)| *count > FEW) {
            self.wastes.absorb(wastes);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("file", registry), words::times(group.waste.times));
    let verdict = format!("{was} mapped into memory {times}, though a read would have done");
    group.finding(ID, None, verdict, registry)
}
