//! What an executable says about debug information that is not in it: a build id, a table of
//! functions that is packed into it, and the file that several share.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use fewer::compact;
use object::Endianness;
use object::elf::{FileHeader64, SHT_NOBITS, STT_FUNC};
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};
use object::read::{ReadCache, ReadRef as _};

use super::executable::Executable;
use crate::Location;

/// No more than this is read of a section, nor unpacked from it.
const MOST_BYTES: u64 = 64 << 20;

/// What the sections of an ELF file of 64 bits say. Empty where there is none.
#[derive(Debug, Default)]
pub(super) struct Separate {
    /// The id that the linker gave the program, in hexadecimal digits.
    pub(super) build_id: String,
    /// The build id of the file with the debug information that several programs share
    /// (`.gnu_debugaltlink`, as `dwz` makes it).
    pub(super) shared: String,
    /// Whether its debug information is in the file itself.
    pub(super) has_debug_info: bool,
    /// `.gnu_debugdata`: an ELF file with a table of functions, packed by xz.
    packed_functions: Vec<u8>,
}

impl Separate {
    /// Price: `openat`, `statx`, `close`, and an `lseek` and a `read` for each piece.
    pub(super) fn of(path: &[u8]) -> Option<Separate> {
        let data = ReadCache::new(Executable::open(path).ok()?);
        let data = &data;
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, data).ok()?;
        let mut found = Separate::default();
        for section in table.iter().filter(|section| section.sh_type(endian) != SHT_NOBITS) {
            let bytes = || {
                let size = section.sh_size(endian).min(MOST_BYTES);
                data.read_bytes_at(section.sh_offset(endian), size).unwrap_or_default()
            };
            match table.section_name(endian, section).unwrap_or_default() {
                b".debug_info" | b".zdebug_info" => found.has_debug_info = true,
                b".note.gnu.build-id" => found.build_id = build_id(bytes()),
                b".gnu_debugdata" => found.packed_functions = bytes().to_vec(),
                // A path, a NUL, a build id.
                b".gnu_debugaltlink" => {
                    let id = bytes().splitn(2, |byte| *byte == 0).nth(1);
                    found.shared = hexadecimal(id.unwrap_or_default());
                }
                _ => {}
            }
        }
        Some(found)
    }

    /// The functions of `.gnu_debugdata` at these addresses, without lines. Empty where there is
    /// none.
    pub(super) fn packed_functions(&self, addresses: &[u64]) -> Vec<Vec<Location>> {
        let functions = unpacked(&self.packed_functions);
        let functions = functions.and_then(|data| functions_of(&data)).unwrap_or_default();
        let at = |address: &u64| {
            let behind = functions.partition_point(|(start, ..)| start <= address);
            let (start, size, name) = functions[..behind].last()?;
            (address - start < *size).then(|| super::elf::function(name))
        };
        addresses.iter().map(|address| at(address).into_iter().collect()).collect()
    }
}

/// Where the debug file of a build id lies in a folder: `.build-id/ab/cdef.debug`.
pub(super) fn by_build_id(folder: &Path, build_id: &str) -> Option<PathBuf> {
    let (first, rest) = build_id.split_at_checked(2).filter(|(_, rest)| !rest.is_empty())?;
    Some(folder.join(".build-id").join(first).join(format!("{rest}.debug")))
}

/// The id in a note: three lengths and numbers of 4 bytes, `GNU` and a NUL, the id.
fn build_id(note: &[u8]) -> String {
    const LARGEST: usize = 64;
    let size = note.get(4..8).and_then(|size| size.try_into().ok()).map_or(0, u32::from_le_bytes);
    let id = note.get(16..).and_then(|id| id.get(..size as usize)).unwrap_or_default();
    if id.len() > LARGEST { String::new() } else { hexadecimal(id) }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a text does not fail
        text
    })
}

/// What the first block of a file of xz holds, packed by LZMA2 and no other filter. That is all of
/// it, as such tables are far smaller than a block. `None` if it is damaged.
///
/// The container is described in <https://tukaani.org/xz/xz-file-format.txt>.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    const FLAGS_AND_CHECKSUM_BYTES: usize = 6;
    const LZMA2: &[u8] = &[0x21, 1];
    let blocks = packed.strip_prefix(b"\xfd7zXZ\0")?.get(FLAGS_AND_CHECKSUM_BYTES..)?;
    let (header, data) = blocks.split_at_checked((usize::from(*blocks.first()?) + 1) * 4)?;
    let (flags, mut filters) = (header.get(1)?, header.get(2..)?);
    // Numbers end with a byte below 128: the size packed, the size unpacked.
    for _ in 0..(flags >> 6).count_ones() {
        let end = filters.iter().position(|byte| *byte < 0x80)?;
        filters = filters.get(end + 1..)?;
    }
    let size = *filters.strip_prefix(LZMA2).filter(|_| flags & 3 == 0)?.first()?;
    let window_bytes = (2 | u32::from(size) & 1).checked_shl(u32::from(size) / 2 + 11)?;
    let reader = (u64::from(window_bytes) <= MOST_BYTES)
        .then(|| lzma_rust2::Lzma2Reader::new(data, window_bytes, None))?;
    let mut bytes = Vec::new();
    reader.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Start, size and name of each function of an ELF file, sorted.
fn functions_of(data: &[u8]) -> Option<Vec<(u64, u64, String)>> {
    let header = FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, data).ok()?;
    let symbols = sections.symbols(endian, data, object::elf::SHT_SYMTAB).ok()?;
    let functions = symbols.iter().filter(|symbol| symbol.st_type() == STT_FUNC);
    let mut functions: Vec<_> = functions
        .filter_map(|symbol| {
            let name = symbol.name(endian, symbols.strings()).ok()?;
            let name = String::from_utf8_lossy(name).into_owned();
            Some((symbol.st_value(endian), symbol.st_size(endian), name))
        })
        .collect();
    compact::sort_by(&mut functions, Ord::cmp);
    Some(functions)
}
