//! From a thread outwards, frame by frame (`runtime/frame_x86.cpp`, `frame_aarch64.cpp`).

use super::super::copies::{Memory, word};
use super::code::Cache;
use super::layout::Layout;

/// At most so many frames.
pub(super) const DEEPEST: usize = 128;

/// At most so many steps outwards: there are frames without a function of the program.
const STEPS: usize = 4 * DEEPEST;

/// A word, in bytes.
const WORD: u64 = 8;

/// In a frame of the interpreter, how far below the frame pointer: the caller's stack pointer, the
/// method, the instruction (`frame_x86.hpp`, `frame_aarch64.hpp`; since 9).
const SENDER: u64 = WORD;
const METHOD: u64 = 3 * WORD;
const INSTRUCTION: u64 = 8 * WORD;

/// A frame.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct At {
    sp: u64,
    fp: Saved,
    pc: u64,
}

/// A frame pointer, and where it was saved. It is right where the interpreter's frames need it;
/// compiled code keeps anything there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Saved {
    place: u64,
    value: u64,
}

impl Saved {
    /// It is needed.
    fn get(self, memory: &mut Memory) -> u64 {
        memory.use_of(self.place, &self.value.to_ne_bytes());
        self.value
    }
}

/// What a walk asks for.
pub(super) trait Visitor {
    /// The interpreter runs a method: the method, the address of the instruction.
    fn interpreted(&mut self, memory: &mut Memory, method: u64, instruction: u64) -> Option<()>;

    /// Code that is compiled, or what the machine has made for itself: what it returns to. What its
    /// frame has beyond the stack pointer; and if it is not valid any more, how far its instruction
    /// is from there.
    fn compiled(&mut self, memory: &mut Memory, pc: u64) -> Option<(u64, Option<u64>)>;

    /// Whether there are enough.
    fn is_enough(&self) -> bool;
}

/// Goes from where a thread left Java outwards. It ends where something looks odd.
pub(super) fn outwards(
    memory: &mut Memory,
    layout: &Layout,
    cache: &Cache,
    thread: u64,
    visitor: &mut impl Visitor,
) -> Option<()> {
    let mut at = anchor(memory, layout, thread.checked_add(layout.threads.anchor)?)?;
    for _ in 0..STEPS {
        if visitor.is_enough() {
            break;
        }
        let next = if at.pc == cache.entry_return {
            let distance = layout.threads.wrapper.checked_mul(8)?;
            let wrapper = at.fp.get(memory).checked_add_signed(distance)?;
            let wrapper = memory.word(wrapper)?;
            anchor(memory, layout, wrapper.checked_add(layout.threads.outer)?)?
        } else if cache.is_interpreter(at.pc) {
            interpreted(memory, at, visitor)?
        } else {
            compiled(memory, at, visitor)?
        };
        if next.sp <= at.sp {
            break;
        }
        at = next;
    }
    Some(())
}

/// From where a thread left Java. `None` if it did not.
fn anchor(memory: &mut Memory, layout: &Layout, anchor: u64) -> Option<At> {
    let fields = &layout.threads;
    let [sp_at, pc_at, fp_at] = [fields.sp, fields.pc, fields.fp].map(usize::try_from);
    let (sp_at, pc_at, fp_at) = (sp_at.ok()?, pc_at.ok()?, fp_at.ok()?);
    let length = sp_at.max(pc_at).max(fp_at).checked_add(WORD as usize)?;
    let bytes = memory.parts(anchor, length, &[(sp_at, 8), (pc_at, 8)])?;
    let (sp, pc) = (word(&bytes, sp_at)?, word(&bytes, pc_at)?);
    let fp = Saved { place: anchor.checked_add(fields.fp)?, value: word(&bytes, fp_at)? };
    if sp == 0 {
        return None;
    }
    // Where it is not written down, it is what the call has put on the stack.
    let pc = if pc == 0 { memory.word(sp.checked_sub(WORD)?)? } else { pc };
    Some(At { sp, fp, pc })
}

fn interpreted(memory: &mut Memory, at: At, visitor: &mut impl Visitor) -> Option<At> {
    let fp = at.fp.get(memory);
    let lowest = fp.checked_sub(INSTRUCTION)?;
    let needed = [SENDER, METHOD, INSTRUCTION].map(|below| ((INSTRUCTION - below) as usize, 8));
    let bytes = memory.parts(lowest, (INSTRUCTION + 2 * WORD) as usize, &needed)?;
    let return_at = (INSTRUCTION + WORD) as usize;
    memory.use_of(fp + WORD, bytes.get(return_at..)?);
    let field = |below: u64| word(&bytes, (INSTRUCTION - below) as usize);
    let (method, instruction) = (field(METHOD)?, field(INSTRUCTION)?);
    visitor.interpreted(memory, method, instruction)?;
    let (fp, pc) = (Saved { place: fp, value: field(0)? }, word(&bytes, return_at)?);
    Some(At { sp: field(SENDER)?, fp, pc })
}

fn compiled(memory: &mut Memory, at: At, visitor: &mut impl Visitor) -> Option<At> {
    let (mut size, given_up) = visitor.compiled(memory, at.pc)?;
    if let Some(distance) = given_up {
        let pc = memory.word(at.sp.checked_add(distance)?)?;
        let (again, given_up) = visitor.compiled(memory, pc)?;
        if given_up.is_some() {
            return None;
        }
        size = again;
    }
    let end = at.sp.checked_add(size)?;
    let place = end.checked_sub(2 * WORD)?;
    let bytes = memory.parts(place, 2 * WORD as usize, &[(WORD as usize, 8)])?;
    let fp = Saved { place, value: word(&bytes, 0)? };
    Some(At { sp: end, fp, pc: word(&bytes, WORD as usize)? })
}
