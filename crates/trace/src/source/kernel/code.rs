//! Where the code of a program lies that has just begun: its own, and that of its interpreter (the
//! dynamic linker). What is mapped later is seen by the calls that map it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

use object::LittleEndian as Little;
use object::elf::{FileHeader64, PF_X, PT_INTERP, PT_LOAD, ProgramHeader64};
use object::read::elf::{FileHeader as _, ProgramHeader as _};

use crate::source::stacks::Codes;

/// How much of a file is read for its headers.
const HEADERS: u64 = 4096;

/// In the auxiliary vector: where the interpreter lies.
const AT_BASE: u64 = 7;

/// A part of a file that is mapped.
type Segment = ProgramHeader64<Little>;

/// The code of a program: its file, where the first of its code lies, and its auxiliary vector.
pub(super) fn of_program(program: &[u8], start: u64, vector: &[u8]) -> Codes {
    let mut codes = Codes::default();
    let Some((file, segments)) = segments(program) else { return codes };
    let lowest = code(&segments).map(|segment| segment.p_vaddr(Little)).min();
    let bias = start.wrapping_sub(lowest.unwrap_or_default());
    add(&mut codes, program, &segments, bias);
    let (words, _) = vector.as_chunks::<8>();
    let mut words = words.iter().map(|word| u64::from_ne_bytes(*word));
    let pairs = std::iter::from_fn(|| Some((words.next()?, words.next()?)));
    let base = pairs.into_iter().find(|pair| pair.0 == AT_BASE).map(|pair| pair.1);
    if let Some(base) = base.filter(|base| *base != 0)
        && let Some(interpreter) = interpreter(&file, &segments)
        && let Some((_, segments)) = self::segments(&interpreter)
    {
        add(&mut codes, &interpreter, &segments, base);
    }
    codes
}

fn code(segments: &[Segment]) -> impl Iterator<Item = &Segment> {
    let is_code = |it: &&Segment| it.p_type(Little) == PT_LOAD && it.p_flags(Little).contains(PF_X);
    segments.iter().filter(is_code)
}

/// The kernel maps whole pages.
const PAGE: u64 = 4096;

fn add(codes: &mut Codes, name: &[u8], segments: &[Segment], bias: u64) {
    for segment in code(segments) {
        let (address, size) = (segment.p_vaddr(Little), segment.p_filesz(Little));
        let before = address % PAGE;
        let start = address.wrapping_add(bias).wrapping_sub(before);
        let length = size.saturating_add(before).checked_next_multiple_of(PAGE).unwrap_or(size);
        codes.add(start, length, name, segment.p_offset(Little).saturating_sub(before));
    }
}

/// The interpreter that a program names, without links on the way, as the kernel has it.
fn interpreter(file: &File, segments: &[Segment]) -> Option<Vec<u8>> {
    let segment = segments.iter().find(|segment| segment.p_type(Little) == PT_INTERP)?;
    let length = segment.p_filesz(Little).min(HEADERS);
    let mut name = vec![0; usize::try_from(length).ok()?];
    file.read_exact_at(&mut name, segment.p_offset(Little)).ok()?;
    let name = name.strip_suffix(b"\0").unwrap_or(&name);
    let real = Path::new(OsStr::from_bytes(name)).canonicalize().ok()?;
    Some(real.into_os_string().as_bytes().to_vec())
}

/// The segments of an ELF file of 64 bits.
fn segments(name: &[u8]) -> Option<(File, Vec<Segment>)> {
    let mut file = File::open(Path::new(OsStr::from_bytes(name))).ok()?;
    let mut bytes = Vec::new();
    (&mut file).take(HEADERS).read_to_end(&mut bytes).ok()?;
    let header = FileHeader64::<Little>::parse(&*bytes).ok()?;
    let segments = header.program_headers(Little, &*bytes).ok()?.to_vec();
    Some((file, segments))
}
