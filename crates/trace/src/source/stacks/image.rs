//! What a mapped file says about unwinding: read once, for all processes that map it.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use framehop::{
    CacheNative, ExplicitModuleSectionInfo, FrameAddress, MayAllocateDuringUnwind, Module,
    Unwinder as _, UnwinderNative,
};
use gimli::{BaseAddresses, EhFrame, EhFrameHdr, LittleEndian, UnwindSection as _};
use object::Endianness;
use object::elf::{FileHeader64, PF_X, PT_LOAD};
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::read::{ReadCache, ReadRef};

use super::functions::{Functions, MOST_CODE};
use super::goroutine::Goroutines;
use super::machine;
use super::prologue::Frame;
use super::sections::{LARGEST_SECTION, uncompressed};
use super::step::Step;
use crate::source::registers::Registers;
use rustc_hash::FxHashMap;

type Header = FileHeader64<Endianness>;

/// What is in a section.
pub(super) type Bytes = Rc<[u8]>;

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
    unwinder: UnwinderNative<Bytes, MayAllocateDuringUnwind>,
    cache: CacheNative<MayAllocateDuringUnwind>,
    segments: Vec<Segment>,
    described: bool,
    goroutines: Option<Goroutines>,
    /// The file, if it is one.
    path: Option<PathBuf>,
    /// Where the program begins.
    entry: u64,
    functions: Option<Functions>,
    /// `.eh_frame_hdr` and `.eh_frame`, with their addresses.
    frames_of_functions: Option<[(u64, Bytes); 2]>,
    /// By addresses: the frame there of a function that nothing is said about.
    bare_frames: FxHashMap<u64, Option<Frame>>,
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
            entry: 0,
            functions: None,
            frames_of_functions: None,
            bare_frames: FxHashMap::default(),
        }
    }

    /// Whether it came from headers of ELF.
    pub(super) fn is_elf(&self) -> bool {
        !self.segments.is_empty()
    }

    /// Code with its sections, at the addresses that its headers count.
    pub(super) fn new(segments: Vec<Segment>, sections: ExplicitModuleSectionInfo<Bytes>) -> Image {
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
        let part = |range: &Option<Range<u64>>, bytes: &Option<Bytes>| {
            Some((range.as_ref()?.start, bytes.clone()?))
        };
        image.frames_of_functions = (|| {
            let header = part(&sections.eh_frame_hdr_svma, &sections.eh_frame_hdr);
            let header = header.unwrap_or_default();
            Some([header, part(&sections.eh_frame_svma, &sections.eh_frame)?])
        })();
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
        let mut found = ExplicitModuleSectionInfo::<Bytes>::default();
        let table = header.sections(endian, data).ok()?;
        let (mut debug_frame, mut is_go) = (None, false);
        for section in table.iter() {
            let start = section.sh_addr(endian);
            let range = Some(start..start.saturating_add(section.sh_size(endian)));
            let bytes = || {
                let few = section.sh_size(endian) <= LARGEST_SECTION;
                let bytes =
                    section.data(endian, data).ok().filter(|bytes| few && !bytes.is_empty());
                bytes.map(Bytes::from)
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
            found.debug_frame = debug_frame
                .and_then(|section| uncompressed(section, endian, data))
                .map(Bytes::from);
        }
        let goroutines = if is_go { Goroutines::of(path) } else { None };
        let (path, entry) = (Some(path.to_owned()), header.e_entry(endian));
        Some(Image { goroutines, path, entry, ..Image::new(segments, found) })
    }

    /// How goroutines say where they were created, if it is a program in Go.
    pub(super) fn goroutines(&self) -> Option<Goroutines> {
        self.goroutines
    }

    /// Beginning and end of the function that an address is in.
    pub(super) fn function(&mut self, address: u64) -> Option<Range<u64>> {
        self.functions()?.at(address)
    }

    /// Whether any jump from elsewhere leads to one of these addresses in a function. `None`: that
    /// is not known.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_jumped_into(&mut self, inside: &Range<u64>) -> Option<bool> {
        let functions = self.functions()?;
        functions.is_jumped_into(&functions.at(inside.start)?, inside)
    }

    fn functions(&mut self) -> Option<&Functions> {
        let path = self.path.as_deref()?;
        Some(self.functions.get_or_insert_with(|| Functions::of(path)))
    }

    /// Whether anything is said about how the function is unwound that an address is in.
    fn describes(&mut self, address: u64) -> bool {
        match &self.frames_of_functions {
            None => self.described,
            Some([(_, header), _]) if header.is_empty() => {
                self.functions().is_none_or(|functions| functions.is_described(address))
            }
            Some(sections) => is_described(sections, address),
        }
    }

    /// The frame of a function that nothing is said about, at an address in it, if its code tells.
    pub(super) fn bare_frame(&mut self, address: u64) -> Option<Frame> {
        if let Some(known) = self.bare_frames.get(&address) {
            return *known;
        }
        let frame = if self.describes(address) { None } else { self.frame_from_code(address) };
        self.bare_frames.insert(address, frame);
        frame
    }

    /// The code at an address was understood wrongly. Whether it was at all.
    pub(super) fn is_not_bare(&mut self, address: u64) -> bool {
        self.bare_frames.insert(address, None).is_some_and(|frame| frame.is_some())
    }

    fn frame_from_code(&mut self, address: u64) -> Option<Frame> {
        // To read all of such a file would be in vain.
        let lengths = self.segments.iter().map(|it| it.offset.end - it.offset.start);
        if lengths.max() > Some(MOST_CODE + PAGE) {
            return None;
        }
        let function = self.function(address)?;
        if function.start == self.entry {
            return Some(Frame::OUTERMOST);
        }
        let functions = self.functions()?;
        let code = functions.code_of(&function)?;
        Frame::at(address, function.start, code, functions.is_named(address))
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
        if let Some(frame) = self.bare_frame(lookup) {
            return frame.step(at, stack);
        }
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

/// Whether `.eh_frame` has anything about an address, by the table in `.eh_frame_hdr`.
fn is_described([header, frames]: &[(u64, Bytes); 2], address: u64) -> bool {
    let bases = BaseAddresses::default().set_eh_frame_hdr(header.0).set_eh_frame(frames.0);
    let parsed = EhFrameHdr::new(&header.1, LittleEndian).parse(&bases, 8);
    let frames = EhFrame::new(&frames.1, LittleEndian);
    parsed.is_ok_and(|parsed| {
        let table = parsed.table();
        table.is_none_or(|table| {
            table.fde_for_address(&frames, &bases, address, EhFrame::cie_from_offset).is_ok()
        })
    })
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
