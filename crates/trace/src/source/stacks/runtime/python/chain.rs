//! From a thread to its frames. Most often they lie where they lay last time, and one copy of those
//! places shows it; what does not is fetched one by one.

use super::layout::{FRAME, HEAD, Layout};
use crate::source::memory;

/// At most so many frames.
const DEEPEST: usize = 128;

/// At most so many interpreters and threads are looked through.
const MOST: usize = 1 << 12;

/// Where a thread's frames were last time.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The thread's state; 0 for not known.
    state: u64,
    /// The ranges that were needed.
    ranges: Vec<(u64, usize)>,
    copy: Vec<u8>,
}

/// A function that a thread is in.
pub(super) struct Link {
    /// The code object.
    pub(super) code: u64,
    /// The instruction.
    pub(super) instruction: u64,
    /// What is in the code object's head.
    pub(super) head: Vec<u8>,
    /// Whether the interpreter was called anew for it: the functions further out belong to an
    /// outer run of the interpreter.
    pub(super) is_last: bool,
}

/// Memory: the ranges that were copied at once, and the rest.
struct Memory<'a> {
    thread: libc::pid_t,
    copied: Vec<(u64, &'a [u8])>,
    /// Where among them the next one probably is.
    next: usize,
    needed: Vec<(u64, usize)>,
}

impl Memory<'_> {
    fn bytes(&mut self, at: u64, length: usize) -> Option<Vec<u8>> {
        if at == 0 || !at.is_multiple_of(8) {
            return None;
        }
        self.needed.push((at, length));
        let is = |(start, bytes): &(u64, &[u8])| *start == at && bytes.len() == length;
        let expected = self.copied.get(self.next).is_some_and(is).then_some(self.next);
        if let Some(found) = expected.or_else(|| self.copied.iter().position(is)) {
            self.next = found + 1;
            return Some(self.copied[found].1.to_vec());
        }
        let mut bytes = Vec::new();
        memory::ranges(self.thread, &[(at, length)], &mut bytes);
        (bytes.len() == length).then_some(bytes)
    }

    fn pointer(&mut self, at: u64) -> Option<u64> {
        word(&self.bytes(at, 8)?, 0)
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

impl Chain {
    /// The functions that a stopped thread is in, from the innermost outwards. `None` if there are
    /// none, or something looks odd.
    pub(super) fn read(
        &mut self,
        thread: libc::pid_t,
        layout: &Layout,
        runtime: u64,
    ) -> Option<Vec<Link>> {
        let mut copy = std::mem::take(&mut self.copy);
        memory::ranges(thread, &self.ranges, &mut copy);
        let (mut copied, mut rest) = (Vec::with_capacity(self.ranges.len()), copy.as_slice());
        for &(start, length) in &self.ranges {
            let Some((bytes, after)) = rest.split_at_checked(length) else { break };
            copied.push((start, bytes));
            rest = after;
        }
        let mut memory = Memory { thread, copied, next: 0, needed: Vec::new() };
        if !is_of(&mut memory, self.state, thread, layout) {
            self.state = state(thread, layout, runtime).unwrap_or(0);
            memory.needed.clear();
            is_of(&mut memory, self.state, thread, layout);
        }
        let links = if self.state == 0 { None } else { links(&mut memory, self.state, layout) };
        self.ranges = memory.needed;
        self.copy = copy;
        links
    }
}

/// Whether a thread's state is that of a thread.
fn is_of(memory: &mut Memory, state: u64, thread: libc::pid_t, layout: &Layout) -> bool {
    state != 0
        && memory.pointer(state.wrapping_add(layout.number as u64))
            == Some(u64::from(thread.unsigned_abs()))
}

/// Looks for the state of a thread.
fn state(thread: libc::pid_t, layout: &Layout, runtime: u64) -> Option<u64> {
    let pointer = |at: u64, distance: usize| {
        let mut bytes = Vec::new();
        memory::ranges(thread, &[(at.checked_add(distance as u64)?, 8)], &mut bytes);
        word(&bytes, 0)
    };
    let mut left = MOST;
    let mut interpreter = pointer(runtime, layout.interpreters)?;
    while interpreter != 0 {
        let mut state = pointer(interpreter, layout.threads)?;
        while state != 0 {
            if pointer(state, layout.number)? == u64::from(thread.unsigned_abs()) {
                return Some(state);
            }
            left = left.checked_sub(1)?;
            state = pointer(state, layout.next_thread)?;
        }
        left = left.checked_sub(1)?;
        interpreter = pointer(interpreter, layout.next_interpreter)?;
    }
    None
}

fn links(memory: &mut Memory, state: u64, layout: &Layout) -> Option<Vec<Link>> {
    let mut frame = memory.pointer(state.wrapping_add(layout.current as u64))?;
    if let Some(distance) = layout.current_in {
        frame = memory.pointer(frame.wrapping_add(distance as u64))?;
    }
    let mut links: Vec<Link> = Vec::new();
    for _ in 0..2 * DEEPEST {
        if frame == 0 || links.len() == DEEPEST {
            return (!links.is_empty()).then_some(links);
        }
        let bytes = memory.bytes(frame, FRAME)?;
        let shape = &layout.frame;
        let is_last = bytes[shape.end.0] == shape.end.1;
        if is_last && !shape.end_is_function {
            if let Some(link) = links.last_mut() {
                link.is_last = true;
            }
        } else {
            let code = word(&bytes, shape.code)?;
            let instruction = word(&bytes, shape.instruction)?;
            let head = memory.bytes(code.checked_add(HEAD.0 as u64)?, HEAD.1 - HEAD.0)?;
            links.push(Link { code, instruction, head, is_last });
        }
        frame = word(&bytes, shape.previous)?;
    }
    None
}
