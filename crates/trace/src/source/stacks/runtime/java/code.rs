//! From an instruction to the piece of code that it is in, and to the methods there: a compiled
//! method has those that were compiled into it.

use super::layout::Layout;
use super::method::{self, Constant, Position};
use super::packed::Packed;
use super::read::{bytes, integer, pointer, start};
use crate::Location;
use crate::source::memory;

/// More heaps of code are not looked through.
const HEAPS: u64 = 64;

/// A method is followed at most so far through those it was compiled into.
const DEEPEST: usize = 64;

/// Where code is, in one process.
#[derive(Debug, Default)]
pub(super) struct Cache {
    heaps: Vec<Heap>,
    /// The interpreter's.
    interpreter: std::ops::Range<u64>,
    /// What Java returns to where it was called from outside.
    pub(super) entry_return: u64,
}

#[derive(Debug)]
struct Heap {
    memory: std::ops::Range<u64>,
    segments: u64,
    shift: u32,
}

/// A piece of code at an instruction.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Piece {
    /// Bytes of its frame, with what it returns to.
    pub(super) frame: u64,
    /// If it is a compiled method: where it is.
    pub(super) compiled: Option<u64>,
    /// The methods there, innermost first.
    pub(super) locations: Vec<Location>,
    /// If frames that return here are not valid any more: how far up a frame has its instruction.
    pub(super) given_up: Option<u64>,
}

impl Cache {
    /// Where code is now. `None` if the machine is not set up yet.
    pub(super) fn read(process: libc::pid_t, layout: &Layout) -> Option<Cache> {
        let cache = &layout.cache;
        let entry_return = pointer(process, cache.entry_return)?;
        let stubs = pointer(process, cache.interpreter)?;
        let first = pointer(process, stubs.checked_add(cache.first)?)?;
        let interpreter = first..first.checked_add(integer(process, stubs, cache.bytes)?)?;
        let list = pointer(process, cache.heaps)?;
        let count = integer(process, list, cache.count)?.min(HEAPS);
        let addresses = pointer(process, list.checked_add(cache.list)?)?;
        let heap = |number: u64| {
            let heap = pointer(process, addresses.checked_add(8 * number)?)?;
            let of_heap = |at: u64| pointer(process, heap.checked_add(at)?);
            let shift = u32::try_from(integer(process, heap, cache.shift)?).ok()?;
            Some(Heap {
                memory: of_heap(cache.memory.checked_add(cache.low)?)?
                    ..of_heap(cache.memory.checked_add(cache.high)?)?,
                segments: of_heap(cache.segments.checked_add(cache.low)?)?,
                shift: Some(shift).filter(|shift| (3..24).contains(shift))?,
            })
        };
        let heaps = (0..count).map(heap).collect::<Option<Vec<Heap>>>()?;
        (entry_return != 0 && !interpreter.is_empty()).then_some(Cache {
            heaps,
            interpreter,
            entry_return,
        })
    }

    /// Whether an instruction is the interpreter's.
    pub(super) fn is_interpreter(&self, instruction: u64) -> bool {
        self.interpreter.contains(&instruction)
    }

    /// The beginning of the piece of code that an instruction is in: each segment says how far back
    /// to go, 0 where it begins (`memory/heap.cpp`).
    fn blob(&self, process: libc::pid_t, layout: &Layout, instruction: u64) -> Option<u64> {
        const UNUSED: u8 = 0xff;
        let heap = self.heaps.iter().find(|heap| heap.memory.contains(&instruction))?;
        let mut segment = (instruction - heap.memory.start) >> heap.shift;
        loop {
            let [back] = memory::array(process, heap.segments.checked_add(segment)?)?;
            match back {
                0 => break,
                UNUSED => return None,
                _ => segment = segment.checked_sub(back.into())?,
            }
        }
        let block = heap.memory.start.checked_add(segment << heap.shift)?;
        block.checked_add(layout.cache.header)
    }

    /// The piece of code at an instruction. `None` if it is none that is known.
    pub(super) fn piece(
        &self,
        process: libc::pid_t,
        layout: &Layout,
        instruction: u64,
    ) -> Option<Piece> {
        let blob = self.blob(process, layout, instruction)?;
        // In words; an `int` that is negative is none.
        let frame = integer(process, blob, layout.blob.frame)?;
        let frame = Some(frame.saturating_mul(8)).filter(|frame| (8..1 << 24).contains(frame))?;
        let mut name = [0; 16];
        let at = pointer(process, blob.checked_add(layout.blob.name)?)?;
        let read = memory::read(process, at, &mut name).ok()?;
        let name = name[..read].split(|byte| *byte == 0).next()?;
        let is_native = name == b"native nmethod";
        if !is_native && name != b"nmethod" {
            return Some(Piece { frame, compiled: None, locations: Vec::new(), given_up: None });
        }
        let compiled = &layout.compiled;
        if instruction == start(process, blob, compiled.given_up)? {
            let given_up = Some(integer(process, blob, compiled.instruction)?);
            return Some(Piece { frame, compiled: Some(blob), locations: Vec::new(), given_up });
        }
        let scopes = if is_native { None } else { scopes(process, layout, blob, instruction) };
        let scopes = match scopes {
            Some(scopes) => scopes,
            None => vec![(pointer(process, blob.checked_add(compiled.method)?)?, None)],
        };
        let mut locations = Vec::with_capacity(scopes.len());
        for (method, position) in scopes {
            let constant = pointer(process, method.checked_add(layout.method.constant)?)?;
            let head = bytes(process, constant, usize::try_from(layout.method.size).ok()?)?;
            let constant = Constant { at: constant, head: &head };
            locations.extend(method::location(process, layout, &constant, position)?);
        }
        Some(Piece { frame, compiled: Some(blob), locations, given_up: None })
    }
}

/// The methods at an instruction of a compiled one, innermost first, and where in them it is
/// (`code/pcDesc.hpp`, `code/scopeDesc.cpp`). `None` if nothing is known of the instruction.
fn scopes(
    process: libc::pid_t,
    layout: &Layout,
    blob: u64,
    instruction: u64,
) -> Option<Vec<(u64, Option<Position>)>> {
    const ENTRY: usize = 16;
    let compiled = &layout.compiled;
    let first = start(process, blob, compiled.places.0)?;
    let end = start(process, blob, compiled.places.1)?;
    let table = bytes(process, first, usize::try_from(end.checked_sub(first)?).ok()?)?;
    let offset = instruction.checked_sub(start(process, blob, layout.blob.code)?)?;
    let number =
        |entry: &[u8], at| u32::from_ne_bytes([0, 1, 2, 3].map(|byte: usize| entry[at + byte]));
    let mut entries = table.chunks_exact(ENTRY);
    let entry = entries.find(|entry| u64::from(number(entry, 0)) == offset)?;
    let mut scope = number(entry, 4);
    let scopes = start(process, blob, compiled.scopes)?;
    let methods = start(process, blob, compiled.methods)?;
    let mut found = Vec::new();
    while scope != 0 && found.len() < DEEPEST {
        let mut packed = [0; 3 * 5];
        let read = memory::read(process, scopes.checked_add(scope.into())?, &mut packed).ok()?;
        let mut packed = Packed::new(&packed[..read], compiled.without_zero);
        let (outer, method) = (packed.unsigned()?, packed.unsigned()?);
        // One more: what comes before the first instruction counts as that.
        let position = Position::Number(packed.unsigned()?.saturating_sub(1).into());
        let method = methods.checked_add(8 * u64::from(method.checked_sub(1)?))?;
        found.push((pointer(process, method)?, Some(position)));
        // Outer ones were written before: whatever is not so is damaged.
        scope = Some(outer).filter(|outer| *outer < scope)?;
    }
    Some(found)
}
