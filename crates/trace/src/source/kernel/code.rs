//! Where the code of a program lies that has just begun: its own, and that of its interpreter (the
//! dynamic linker). What is mapped later is seen by the calls that map it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::source::stacks::Codes;

/// How much of a file is read for its headers.
const HEADERS: u64 = 4096;

/// In the auxiliary vector: where the interpreter lies.
const AT_BASE: u64 = 7;

const PT_LOAD: u32 = 1;
const PT_INTERP: u32 = 3;
const EXECUTABLE: u32 = 1;

/// A part of a file that is mapped.
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    size: u64,
}

/// The code of a program: its file, where the first of its code lies, and its auxiliary vector.
pub(super) fn of_program(program: &[u8], start: u64, vector: &[u8]) -> Codes {
    let mut codes = Codes::default();
    let Some((file, segments)) = segments(program) else { return codes };
    let lowest = code(&segments).map(|segment| segment.address).min();
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
    let is_code = |it: &&Segment| it.kind == PT_LOAD && it.flags & EXECUTABLE != 0;
    segments.iter().filter(is_code)
}

/// The kernel maps whole pages.
const PAGE: u64 = 4096;

fn add(codes: &mut Codes, name: &[u8], segments: &[Segment], bias: u64) {
    for segment in code(segments) {
        let before = segment.address % PAGE;
        let start = segment.address.wrapping_add(bias).wrapping_sub(before);
        let length = (segment.size + before).next_multiple_of(PAGE);
        codes.add(start, length, name, segment.offset.saturating_sub(before));
    }
}

/// The interpreter that a program names, without links on the way, as the kernel has it.
fn interpreter(file: &File, segments: &[Segment]) -> Option<Vec<u8>> {
    let segment = segments.iter().find(|segment| segment.kind == PT_INTERP)?;
    let mut name = vec![0; usize::try_from(segment.size.min(HEADERS)).ok()?];
    file.read_exact_at(&mut name, segment.offset).ok()?;
    let name = name.strip_suffix(b"\0").unwrap_or(&name);
    let real = Path::new(OsStr::from_bytes(name)).canonicalize().ok()?;
    Some(real.into_os_string().as_bytes().to_vec())
}

/// The segments of an ELF file of 64 bits.
fn segments(name: &[u8]) -> Option<(File, Vec<Segment>)> {
    let mut file = File::open(Path::new(OsStr::from_bytes(name))).ok()?;
    let mut bytes = Vec::new();
    (&mut file).take(HEADERS).read_to_end(&mut bytes).ok()?;
    if !bytes.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let table = usize::try_from(word(&bytes, 32)?).ok()?;
    let size = usize::from(half(&bytes, 54)?);
    let count = usize::from(half(&bytes, 56)?);
    let segment = |at: usize| {
        Some(Segment {
            kind: u32::try_from(word(&bytes, at)? & 0xffff_ffff).ok()?,
            flags: u32::try_from(word(&bytes, at)? >> 32).ok()?,
            offset: word(&bytes, at + 8)?,
            address: word(&bytes, at + 16)?,
            size: word(&bytes, at + 32)?,
        })
    };
    let segments = (0..count).map_while(|each| segment(table.checked_add(each * size)?)).collect();
    Some((file, segments))
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
