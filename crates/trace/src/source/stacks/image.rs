//! What a mapped file says about unwinding: read once, for all processes that map it.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use framehop::{
    CacheNative, ExplicitModuleSectionInfo, FrameAddress, MayAllocateDuringUnwind, Module,
    Unwinder as _, UnwinderNative,
};
use object::Endianness;
use object::elf::{FileHeader64, PF_X, PT_LOAD};
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::read::{ReadCache, ReadRef};

use super::functions::Functions;
use super::goroutine::Goroutines;
use super::machine;
use super::sections::{LARGEST_SECTION, uncompressed};
use crate::source::registers::Registers;

type Header = FileHeader64<Endianness>;

/// A part of a file that is mapped as it is.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Where in the file.
    pub(super) offset: Range<u64>,
    /// The address of its beginning, as the file's own headers count.
    pub(super) address: u64,
}

/// A file's code, at the addresses that its own headers count. What was found out about unwinding
/// at an address is kept here, so that all processes that run this file have a part in it.
pub(super) struct Image {
    unwinder: UnwinderNative<Vec<u8>, MayAllocateDuringUnwind>,
    cache: CacheNative<MayAllocateDuringUnwind>,
    segments: Vec<Segment>,
    described: bool,
    goroutines: Option<Goroutines>,
    /// The file, if it is one.
    path: Option<PathBuf>,
    functions: Option<Functions>,
}

/// What a step outwards led to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// The caller.
    To(Registers),
    /// This was the outermost function.
    End,
    /// That is not known.
    Lost,
}

impl Image {
    /// Code that says nothing about itself.
    pub(super) fn nothing() -> Image {
        Image {
            unwinder: UnwinderNative::new(),
            cache: CacheNative::new(),
            segments: Vec::new(),
            described: false,
            goroutines: None,
            path: None,
            functions: None,
        }
    }

    /// Whether it came from headers of ELF.
    pub(super) fn is_elf(&self) -> bool {
        !self.segments.is_empty()
    }

    /// Code with its sections, at the addresses that its headers count.
    pub(super) fn new(
        segments: Vec<Segment>,
        sections: ExplicitModuleSectionInfo<Vec<u8>>,
    ) -> Image {
        let described = sections.eh_frame.is_some() || sections.debug_frame.is_some();
        let base = segments.iter().map(|segment| segment.address).min().unwrap_or(0);
        let end = segments
            .iter()
            .map(|segment| {
                segment.address.saturating_add(segment.offset.end - segment.offset.start)
            })
            .max()
            .unwrap_or(0);
        let sections = ExplicitModuleSectionInfo { base_svma: base, ..sections };
        let mut image = Image { segments, described, ..Image::nothing() };
        image.unwinder.add_module(Module::new(String::new(), base..end, base, sections));
        image
    }

    /// The image of an ELF file, from its section headers. `None` if it is none.
    pub(super) fn open(path: &Path) -> Option<Image> {
        let data = ReadCache::new(File::open(path).ok()?);
        let data = &data;
        let header = Header::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let segments = segments(header, data)?;
        let mut found = ExplicitModuleSectionInfo::<Vec<u8>>::default();
        let table = header.sections(endian, data).ok()?;
        let (mut debug_frame, mut is_go) = (None, false);
        for section in table.iter() {
            let start = section.sh_addr(endian);
            let range = Some(start..start.saturating_add(section.sh_size(endian)));
            let bytes = || {
                let few = section.sh_size(endian) <= LARGEST_SECTION;
                let bytes =
                    section.data(endian, data).ok().filter(|bytes| few && !bytes.is_empty());
                bytes.map(<[u8]>::to_vec)
            };
            match table.section_name(endian, section).unwrap_or_default() {
                b".text" => found.text_svma = range,
                b".got" => found.got_svma = range,
                b".eh_frame" => (found.eh_frame_svma, found.eh_frame) = (range, bytes()),
                b".eh_frame_hdr" => {
                    (found.eh_frame_hdr_svma, found.eh_frame_hdr) = (range, bytes())
                }
                b".debug_frame" => debug_frame = Some(section),
                b".go.buildinfo" => is_go = true,
                _ => {}
            }
        }
        if found.eh_frame.is_none() {
            found.debug_frame = debug_frame.and_then(|section| uncompressed(section, endian, data));
        }
        let goroutines = if is_go { Goroutines::of(path) } else { None };
        let path = Some(path.to_owned());
        Some(Image { goroutines, path, ..Image::new(segments, found) })
    }

    /// How goroutines say where they were created, if it is a program in Go.
    pub(super) fn goroutines(&self) -> Option<Goroutines> {
        self.goroutines
    }

    /// Beginning and end of the function that an address is in.
    pub(super) fn function(&mut self, address: u64) -> Option<(u64, u64)> {
        let path = self.path.as_deref()?;
        self.functions.get_or_insert_with(|| Functions::of(path)).at(address)
    }

    /// Where the byte at an offset in the file lies, as its own headers count.
    pub(super) fn address(&self, offset: u64) -> Option<u64> {
        let segment = self.segments.iter().find(|segment| segment.offset.contains(&offset))?;
        Some(segment.address.wrapping_add(offset - segment.offset.start))
    }

    /// Whether a part of the file is, or has in it, a part of what its headers describe.
    pub(super) fn has_segment_in(&self, offset: u64, length: u64) -> bool {
        let end = offset.saturating_add(length);
        self.segments.iter().any(|it| it.offset.start < end && offset < it.offset.end)
    }

    /// Whether it says anything about unwinding.
    pub(super) fn is_described(&self) -> bool {
        self.described
    }

    /// One step outwards: `lookup` is the address of the code, as the file's headers count; `first`
    /// is the innermost function, or one that a signal interrupted. `stack` reads the stack.
    pub(super) fn step(
        &mut self,
        lookup: u64,
        first: bool,
        at: &Registers,
        stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
    ) -> Step {
        let address = if first {
            FrameAddress::from_instruction_pointer(lookup)
        } else {
            match FrameAddress::from_return_address(lookup.wrapping_add(1)) {
                Some(address) => address,
                None => return Step::Lost,
            }
        };
        let mut registers = machine::to_framehop(at);
        let mut stack = stack;
        match self.unwinder.unwind_frame(address, &mut registers, &mut self.cache, &mut stack) {
            Ok(Some(ip)) => Step::To(machine::from_framehop(ip, &registers)),
            Ok(None) => Step::End,
            Err(_) => Step::Lost,
        }
    }
}

/// The parts of an ELF file that hold code. `None` if there is none.
pub(super) fn segments<'d, R: ReadRef<'d>>(header: &Header, data: R) -> Option<Vec<Segment>> {
    let endian = header.endian().ok()?;
    let segments: Vec<Segment> = header
        .program_headers(endian, data)
        .ok()?
        .iter()
        .filter(|part| part.p_type(endian) == PT_LOAD)
        .filter(|part| part.p_flags(endian).contains(PF_X))
        .map(|part| {
            let offset = part.p_offset(endian);
            let end = offset.saturating_add(part.p_filesz(endian));
            // The kernel maps whole pages.
            let before = offset % PAGE;
            Segment {
                offset: offset - before..end.checked_next_multiple_of(PAGE).unwrap_or(end),
                address: part.p_vaddr(endian).wrapping_sub(before),
            }
        })
        .collect();
    (!segments.is_empty()).then_some(segments)
}

/// The smallest page that Linux has.
const PAGE: u64 = 4096;

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::trial::Folder;
    use super::*;

    #[test]
    fn what_only_debug_information_describes_is_read_however_it_is_packed() {
        let text: String =
            (0..99).map(|i| format!("int f{i}(int a) {{ return a * {i}; }}\n")).collect();
        let folder = Folder::new("packed");
        let flags = ["-g", "-fno-asynchronous-unwind-tables", "-shared", "-nostdlib"];
        let program = folder.c("library", &text, &flags);
        for format in ["none", "zlib", "zstd"] {
            let mut pack = Command::new("objcopy");
            pack.arg(format!("--compress-debug-sections={format}")).arg(&program);
            assert!(pack.status().unwrap().success(), "{format}");
            assert!(Image::open(&program).unwrap().described, "{format}");
        }
    }
}
