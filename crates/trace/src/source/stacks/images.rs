//! The images of all address spaces: each distinct file once.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use rustc_hash::FxHashMap;

use super::goroutine::Goroutines;
use super::image::Image;
use super::mapped;
use super::maps::Mapping;
use super::runtime::RuntimeFile;
use crate::content_hash;
use crate::source::memory;

/// The number of an image.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub(super) struct ImageId(u32);

impl ImageId {
    /// Code without a file: what a JIT has made. It says nothing about itself.
    pub(super) const JIT: ImageId = ImageId(0);
}

/// Which file it is. An inode may come again, with another time.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Identity {
    File { device: u64, inode: u64, changed: (i64, i64), size: u64 },
    Memory { device: u64, inode: u64, beginning: u64 },
}

struct Held {
    image: Image,
    name: Box<[u8]>,
    /// If it holds a runtime.
    runtime: Option<RuntimeFile>,
}

/// All images.
pub(super) struct Images {
    list: Vec<Held>,
    known: FxHashMap<Identity, ImageId>,
}

impl Images {
    pub(super) fn new() -> Images {
        let jit = Held { image: Image::nothing(), name: b"[jit]"[..].into(), runtime: None };
        Images { list: vec![jit], known: FxHashMap::default() }
    }

    pub(super) fn image(&mut self, id: ImageId) -> &mut Image {
        &mut self.list[id.0 as usize].image
    }

    /// Whether it is an ELF file, and not code that a runtime has made or kept.
    pub(super) fn is_elf(&self, id: ImageId) -> bool {
        self.list[id.0 as usize].image.is_elf()
    }

    /// How goroutines say where they were created, if it is a program in Go.
    pub(super) fn goroutines(&self, id: ImageId) -> Option<Goroutines> {
        self.list[id.0 as usize].image.goroutines()
    }

    /// The file, or `[vdso]`, `[jit]`.
    pub(super) fn name(&self, id: ImageId) -> &[u8] {
        &self.list[id.0 as usize].name
    }

    /// The runtime that it holds.
    pub(super) fn runtime(&self, id: ImageId) -> Option<&RuntimeFile> {
        self.list[id.0 as usize].runtime.as_ref()
    }

    /// The image of what a process has mapped, and what to take away from an address to get that of
    /// the file's own headers. `base` is where the file's beginning is mapped.
    pub(super) fn of(
        &mut self,
        process: libc::pid_t,
        mapping: &Mapping,
        base: Option<u64>,
    ) -> (ImageId, u64) {
        let id = self
            .in_file(process, mapping)
            .or_else(|| self.in_memory(process, mapping, base?))
            .unwrap_or(ImageId::JIT);
        let length = mapping.end - mapping.start;
        // Behind its own segments a program may keep code that a runtime made: Lisp saves such.
        if id == ImageId::JIT
            || self.is_elf(id) && !self.image(id).has_segment_in(mapping.offset, length)
        {
            return (ImageId::JIT, 0);
        }
        // What is no ELF file has no headers: its addresses are the places in it.
        let address = self.image(id).address(mapping.offset).unwrap_or(mapping.offset);
        (id, mapping.start.wrapping_sub(address))
    }

    fn in_file(&mut self, process: libc::pid_t, mapping: &Mapping) -> Option<ImageId> {
        if !mapping.name.starts_with(b"/") {
            return None;
        }
        // The name is as the process sees it; of one behind `chroot`, as this process does.
        let inside = [format!("/proc/{process}/root").as_bytes(), &*mapping.name].concat();
        let paths = [inside, mapping.name.to_vec()].map(OsString::from_vec).map(PathBuf::from);
        let (path, file) = paths.into_iter().find_map(|path| {
            let file = std::fs::metadata(&path).ok()?;
            (file.ino() == mapping.inode && file.is_file()).then_some((path, file))
        })?;
        let changed = (file.ctime(), file.ctime_nsec());
        let (device, inode, size) = (file.dev(), file.ino(), file.size());
        self.known_or(Identity::File { device, inode, changed, size }, &mapping.name, || {
            let image = Image::open(&path).unwrap_or_else(Image::nothing);
            Some((image, RuntimeFile::of(&path, &mapping.name)))
        })
    }

    fn in_memory(&mut self, process: libc::pid_t, mapping: &Mapping, base: u64) -> Option<ImageId> {
        let mut beginning = Vec::new();
        memory::ranges(process, &[(base, mapped::HEADERS)], &mut beginning);
        if !beginning.starts_with(b"\x7fELF") {
            return None;
        }
        let beginning = content_hash::of(&beginning);
        let (device, inode) = (mapping.device, mapping.inode);
        self.known_or(Identity::Memory { device, inode, beginning }, &mapping.name, || {
            Some((mapped::image(process, base)?, None))
        })
    }

    fn known_or(
        &mut self,
        identity: Identity,
        name: &[u8],
        image: impl FnOnce() -> Option<(Image, Option<RuntimeFile>)>,
    ) -> Option<ImageId> {
        if let Some(&id) = self.known.get(&identity) {
            return Some(id);
        }
        let id = ImageId(u32::try_from(self.list.len()).ok()?);
        let (image, runtime) = image()?;
        self.list.push(Held { image, name: name.into(), runtime });
        self.known.insert(identity, id);
        Some(id)
    }
}
