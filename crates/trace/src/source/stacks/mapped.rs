//! What mapped code says about unwinding where no file can be opened: the kernel's own `[vdso]`, a
//! file that is deleted, or below another root. Everything needed lies in memory as well.

use framehop::ExplicitModuleSectionInfo;
use object::Endianness;
use object::elf::{FileHeader64, PT_GNU_EH_FRAME, PT_LOAD};
use object::read::elf::{FileHeader as _, ProgramHeader as _};

use super::image::{Bytes, Image, segments};
use super::sections::LARGEST_SECTION;
use crate::source::memory;

/// The headers are looked for in the first page.
pub(super) const HEADERS: usize = 4096;

/// The image of an ELF file whose beginning is mapped at `base`.
pub(super) fn image(process: libc::pid_t, base: u64) -> Option<Image> {
    let mut headers = Vec::new();
    memory::ranges(process, &[(base, HEADERS)], &mut headers);
    let data = headers.as_slice();
    let header = FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let parts = header.program_headers(endian, data).ok()?;
    let loaded = || parts.iter().filter(|part| part.p_type(endian) == PT_LOAD);
    let first = loaded().find(|part| part.p_offset(endian) < HEADERS as u64)?;
    let bias = base.wrapping_sub(first.p_vaddr(endian).wrapping_sub(first.p_offset(endian)));
    let segments = segments(header, data)?;
    let mut sections = ExplicitModuleSectionInfo::<Bytes>::default();
    if let Some(index) = parts.iter().find(|part| part.p_type(endian) == PT_GNU_EH_FRAME) {
        let fetch = |start: u64, end: u64| {
            let length = end.checked_sub(start).filter(|length| *length <= LARGEST_SECTION)?;
            let mut bytes = Vec::new();
            let length = usize::try_from(length).ok()?;
            memory::ranges(process, &[(start.wrapping_add(bias), length)], &mut bytes);
            (bytes.len() == length).then_some(Bytes::from(bytes))
        };
        let start = index.p_vaddr(endian);
        let end = start.checked_add(index.p_memsz(endian))?;
        let table = fetch(start, end)?;
        let frames = frames(start, &table)?;
        let holds = |from: u64, to: u64| from <= frames && frames < to;
        let part = loaded().find(|part| {
            let start = part.p_vaddr(endian);
            holds(start, start.saturating_add(part.p_filesz(endian)))
        })?;
        let last = part.p_vaddr(endian).checked_add(part.p_filesz(endian))?;
        sections.eh_frame_hdr_svma = Some(start..end);
        sections.eh_frame_hdr = Some(table);
        sections.eh_frame_svma = Some(frames..last);
        sections.eh_frame = Some(fetch(frames, last)?);
    }
    Some(Image::new(segments, sections))
}

/// Where `.eh_frame` begins, as `.eh_frame_hdr` says: version 1, and a distance from there in four
/// bytes, which is how all linkers write it.
fn frames(start: u64, table: &[u8]) -> Option<u64> {
    const FROM_HERE_IN_4_BYTES: u8 = 0x1b;
    let (head, rest) = table.split_at_checked(4)?;
    if head[0] != 1 || head[1] != FROM_HERE_IN_4_BYTES {
        return None;
    }
    let distance = i32::from_ne_bytes(rest.get(..4)?.try_into().ok()?);
    start.checked_add(4)?.checked_add_signed(distance.into())
}
