//! An address space: which code lies where. Read from /proc when it is needed.

use super::goroutine::Goroutines;
use super::images::{ImageId, Images};
use super::maps::{self, Mapping};

/// Code that is mapped.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Code {
    start: u64,
    end: u64,
    offset: u64,
    device: u64,
    inode: u64,
    image: ImageId,
    /// What to take away from an address to get that of the file's own headers.
    slide: u64,
}

impl Code {
    fn is(&self, mapping: &Mapping) -> bool {
        (self.start, self.end, self.offset, self.device, self.inode)
            == (mapping.start, mapping.end, mapping.offset, mapping.device, mapping.inode)
    }
}

/// What lies at an address.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Spot {
    pub(super) image: ImageId,
    /// The address as the file's headers count; in memory without a file, the address there.
    pub(super) address: u64,
}

/// The code of an address space, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    codes: Vec<Code>,
    /// The program in Go that is among them.
    goroutines: Option<ImageId>,
}

/// What happened to the code of a space since the last time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Change {
    /// Nothing.
    Nothing,
    /// All that was there is still there, and there is more.
    More,
    /// Something else.
    Other,
}

impl Space {
    /// What code lies at an address. `None` if there is none.
    pub(super) fn find(&self, address: u64) -> Option<Spot> {
        let behind = self.codes.partition_point(|code| code.start <= address);
        let code = self.codes[..behind].last().filter(|code| address < code.end)?;
        Some(Spot { image: code.image, address: address.wrapping_sub(code.slide) })
    }

    /// The runtimes that are mapped: which file each is, and how far up it lies.
    pub(super) fn runtimes(&self, images: &Images) -> Vec<(ImageId, u64)> {
        let codes = self.codes.iter().filter(|code| images.runtime(code.image).is_some());
        let mut found: Vec<_> = codes.map(|code| (code.image, code.slide)).collect();
        found.dedup();
        found
    }

    /// How goroutines say where they were created, if the program is in Go.
    pub(super) fn goroutines(&self, images: &Images) -> Option<Goroutines> {
        self.goroutines.and_then(|id| images.goroutines(id))
    }

    /// Looks at what a process has mapped now.
    pub(super) fn refresh(&mut self, process: libc::pid_t, images: &mut Images) -> Change {
        let Ok(table) = std::fs::read(format!("/proc/{process}/maps")) else {
            return Change::Nothing;
        };
        self.take(process, maps::parse(&table), images)
    }

    /// The same, with what is mapped, in order.
    pub(super) fn take(
        &mut self,
        process: libc::pid_t,
        mappings: impl Iterator<Item = Mapping>,
        images: &mut Images,
    ) -> Change {
        let mut codes = Vec::with_capacity(self.codes.len());
        let mut beginning: Option<Mapping> = None;
        for mapping in mappings {
            if mapping.offset == 0 && (mapping.inode != 0 || mapping.name == b"[vdso]") {
                beginning = Some(mapping.clone());
            }
            if !mapping.executable {
                continue;
            }
            let same = self.codes.binary_search_by_key(&mapping.start, |code| code.start);
            if let Some(code) = same.ok().map(|at| &self.codes[at]).filter(|c| c.is(&mapping)) {
                codes.push(code.clone());
                continue;
            }
            let of_this =
                |first: &&Mapping| (first.device, first.inode) == (mapping.device, mapping.inode);
            let base = beginning.as_ref().filter(of_this).map(|first| first.start);
            let (image, slide) = images.of(process, &mapping, base);
            let Mapping { start, end, offset, device, inode, .. } = mapping;
            codes.push(Code { start, end, offset, device, inode, image, slide });
        }
        let kept = self.codes.iter().all(|code| codes.contains(code));
        let change = match (kept, codes.len() == self.codes.len()) {
            (true, true) => Change::Nothing,
            (true, false) => Change::More,
            (false, _) => Change::Other,
        };
        let is_go = |code: &&Code| images.goroutines(code.image).is_some();
        self.goroutines = codes.iter().find(is_go).map(|code| code.image);
        self.codes = codes;
        change
    }
}
