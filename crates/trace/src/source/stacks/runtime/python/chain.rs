//! From a thread to its frames.

use super::super::super::words::{Address, Word};
use super::super::copies::{Copies, Memory, word};
use super::layout::{HEAD, Layout, NumberedBy, Position, RunEnd};
use crate::source::{memory, ptrace};

/// At most so many frames.
const DEEPEST: usize = 128;

/// At most so many interpreters and threads are looked through.
const MOST: usize = 1 << 12;

/// Where a thread's frames were last time.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The thread's state; 0 for not known.
    state: u64,
    /// What the interpreter numbers the thread by.
    number: u64,
    copies: Copies,
}

/// A function that a thread is in.
pub(super) struct Link {
    /// The code object.
    pub(super) code: u64,
    /// The instruction: its address, or its number.
    pub(super) instruction: u64,
    /// What is in the code object's head.
    pub(super) head: Vec<u8>,
    /// Whether the interpreter was called anew for it: the functions further out belong to an
    /// outer run of the interpreter.
    pub(super) is_last: bool,
}

impl Chain {
    /// The functions that a stopped thread is in, from the innermost outwards: what `name` makes of
    /// them. `None` if there are none, or something looks odd.
    pub(super) fn read<T>(
        &mut self,
        thread: libc::pid_t,
        layout: &Layout,
        runtime: u64,
        name: impl FnOnce(&mut Memory, Vec<Link>) -> Option<T>,
    ) -> Option<T> {
        let Chain { state: known, number, copies } = self;
        copies.with(thread, |memory| {
            if !is_of(memory, *known, *number, layout) {
                *number = match layout.numbered_by {
                    NumberedBy::Kernel => u64::from(thread.unsigned_abs()),
                    NumberedBy::CLibrary => ptrace::thread_pointer(thread).unwrap_or(0),
                };
                *known = state(thread, *number, layout, runtime).unwrap_or(0);
                memory.forget();
                is_of(memory, *known, *number, layout);
            }
            if *known == 0 {
                // It was looked for in all threads.
                memory.doubt();
                return None;
            }
            let links = links(memory, *known, layout)?;
            name(memory, links).or_else(|| memory.doubted())
        })
    }

    /// The words of memory that it depends on which functions were read last.
    pub(super) fn words(&self, words: &mut Vec<Word>) -> Option<()> {
        self.copies.words(words)
    }
}

/// Whether a thread's state is that of a thread.
fn is_of(memory: &mut Memory, state: u64, number: u64, layout: &Layout) -> bool {
    state != 0 && memory.word(state.wrapping_add(layout.number as u64)) == Some(number)
}

/// Looks for the state of a thread.
fn state(thread: libc::pid_t, number: u64, layout: &Layout, runtime: u64) -> Option<u64> {
    let pointer_in = |at: u64, distance: usize| {
        let mut bytes = Vec::new();
        memory::ranges(thread, &[(at.checked_add(distance as u64)?, 8)], &mut bytes);
        word(&bytes, 0)
    };
    let mut left = MOST;
    let mut interpreter = pointer_in(runtime, layout.interpreters)?;
    while interpreter != 0 {
        let mut state = pointer_in(interpreter, layout.threads)?;
        while state != 0 {
            if pointer_in(state, layout.number)? == number {
                return Some(state);
            }
            left = left.checked_sub(1)?;
            state = pointer_in(state, layout.next_thread)?;
        }
        left = left.checked_sub(1)?;
        interpreter = pointer_in(interpreter, layout.next_interpreter)?;
    }
    None
}

fn links(memory: &mut Memory, state: u64, layout: &Layout) -> Option<Vec<Link>> {
    let current = state.wrapping_add(layout.current as u64);
    let mut frame = pointer(memory, Address::Pointer(current), current)?;
    if let Some(distance) = layout.current_in {
        let distance = distance as u64;
        frame = pointer(memory, Address::PointerBehind(distance), frame.wrapping_add(distance))?;
    }
    let mut links: Vec<Link> = Vec::new();
    for _ in 0..2 * DEEPEST {
        if frame == 0 || links.len() == DEEPEST {
            return (!links.is_empty()).then_some(links);
        }
        let shape = &layout.frame;
        if !frame.is_multiple_of(8) {
            memory.doubt();
            return None;
        }
        let bytes = memory.look(frame, shape.size)?;
        // What else is in a frame changes all the time; and where it lies, if it is that of a
        // generator.
        for (at, size) in shape.parts() {
            memory.use_at(Address::Behind(at as u64), bytes.get(at..at + size)?);
        }
        let (is_empty, is_last) = match shape.end {
            RunEnd::Each => (false, true),
            RunEnd::Function(at, value) => (false, bytes[at] == value),
            RunEnd::Empty(at, value) => (bytes[at] == value, true),
        };
        if is_empty {
            if let Some(link) = links.last_mut() {
                link.is_last = true;
            }
        } else {
            let is_last = is_last && !matches!(shape.end, RunEnd::Empty(..));
            // The lowest bits of a reference say since 3.14 whether it is counted.
            let code = word(&bytes, shape.code)? & !7;
            let instruction = instruction(&bytes, shape.position)?;
            let at = code.checked_add(HEAD.0 as u64)?;
            let head = memory.look(at, HEAD.1 - HEAD.0)?;
            for (part, size) in layout.code.parts() {
                let part = part.checked_sub(HEAD.0)?;
                memory.use_of(at.wrapping_add(part as u64), head.get(part..part + size)?);
            }
            links.push(Link { code, instruction, head, is_last });
        }
        frame = word(&bytes, shape.previous)?;
        let previous = shape.previous as u64;
        match frame {
            0 => memory.use_at(Address::Behind(previous), &[0; 8]),
            _ => memory.use_at(Address::PointerBehind(previous), &[]),
        }
    }
    None
}

/// A pointer to what matters.
fn pointer(memory: &mut Memory, address: Address, at: u64) -> Option<u64> {
    let bytes = memory.look(at, 8)?;
    memory.use_at(address, &[]);
    let to = word(&bytes, 0).filter(|to| to.is_multiple_of(8) && *to != 0);
    if to.is_none() {
        memory.doubt();
    }
    to
}

/// The instruction that a frame stands at.
fn instruction(frame: &[u8], position: Position) -> Option<u64> {
    match position {
        Position::Pointer(at) => word(frame, at),
        Position::Index(at, each) => {
            let index = i32::from_ne_bytes(frame.get(at..at + 4)?.try_into().ok()?);
            // Before the first one: the function is just being entered.
            u64::try_from(index.max(0)).ok().map(|index| index / each)
        }
    }
}
