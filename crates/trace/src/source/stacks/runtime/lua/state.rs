//! The states on a native stack, and their calls. Offsets are those of `lstate.h` and `lobject.h`
//! of Lua 5.4 where a pointer has eight bytes.

use super::super::super::maps;
use super::super::copies::Memory;

/// Kinds of objects, as their headers have them, and as values have those that are collected.
const THREAD: u64 = 8;
const PROTOTYPE: u64 = 10;
const CLOSURE: u64 = 6 + 64;

/// In a state: the call that runs its main function or was the host's; in how many calls of C
/// functions and states it is.
const BASE: u64 = 96;
const DEPTH: u64 = 176;

/// The calls of C functions have this in their status.
const C_FUNCTION: u64 = 1 << 1;

/// Memory is there or not in pieces of this size. So many of the native stack are looked through,
/// and if there is no state in them so many more.
const PAGE: u64 = 4096;
const NEAR: usize = 2;
const FAR: usize = 12;

/// No state has a stack of more bytes.
const LARGEST: u64 = 1 << 30;

/// Finds the states of a process.
#[derive(Debug, Default)]
pub(super) struct States {
    /// The memory that they can be in.
    heap: Vec<(u64, u64)>,
}

/// A state that is running: a program's only one, or that of a coroutine, or of one that waits for
/// another.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    at: u64,
    call: u64,
    stack: (u64, u64),
    depth: i32,
}

/// A call of a function of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The function's prototype, as it is called.
    pub(super) function: u64,
    /// Its words.
    pub(super) words: [u64; 15],
    /// Which of its instructions it is at.
    pub(super) at: u64,
}

impl States {
    /// The states that run, the one of the innermost coroutine first.
    pub(super) fn running(&mut self, memory: &mut Memory, sp: u64) -> Vec<State> {
        let mut found = self.on_stack(memory, sp, NEAR);
        if found.is_empty() {
            self.look_around(memory.thread());
            found = self.on_stack(memory, sp, FAR);
        }
        // Each counts on from the one that has resumed it.
        found.sort_by_key(|state| std::cmp::Reverse(state.depth));
        found
    }

    fn on_stack(&self, memory: &mut Memory, sp: u64, pages: usize) -> Vec<State> {
        let (mut candidates, mut at) = (Vec::new(), sp);
        for _ in 0..pages {
            let length = (PAGE - at % PAGE) as usize;
            let Some(bytes) = memory.bytes(at, length) else { break };
            for word in bytes.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)) {
                let is_in = |(start, end): &(u64, u64)| (*start..*end).contains(&word);
                if word % 8 == 0 && self.heap.iter().any(is_in) && !candidates.contains(&word) {
                    candidates.push(word);
                }
            }
            at = at.saturating_add(length as u64);
        }
        candidates.into_iter().filter_map(|at| State::read(memory, at)).collect()
    }

    /// Which memory may hold states.
    fn look_around(&mut self, process: libc::pid_t) {
        let table = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
        let is_heap = |part: &maps::Mapping| {
            part.inode == 0 && !part.executable && matches!(&*part.name, b"" | b"[heap]")
        };
        self.heap =
            maps::parse(&table).filter(is_heap).map(|part| (part.start, part.end)).collect();
    }
}

impl State {
    /// The state at an address, if there is one and it runs.
    fn read(memory: &mut Memory, at: u64) -> Option<State> {
        let [_, head, top, global, call, end, stack] = memory.words(at)?;
        // Whoever waits or has failed has a status.
        let is_thread = head & 0xff == THREAD && head >> 16 & 0xff == 0;
        let is_stack = stack < top && top <= end && end - stack <= LARGEST;
        if !is_thread || !is_stack || global == 0 {
            return None;
        }
        let [function, _, previous] = memory.words(at.checked_add(BASE)?)?;
        let is_base = function == stack && previous == 0;
        let depth = memory.int(at.checked_add(DEPTH)?)? & 0xffff;
        let runs = is_base && call != at + BASE;
        runs.then_some(State { at, call, stack: (stack, end), depth })
    }

    /// Its calls of functions of the program, innermost first.
    pub(super) fn calls(&self, memory: &mut Memory, most: usize) -> Vec<Call> {
        let (mut calls, mut at) = (Vec::new(), self.call);
        for _ in 0..most {
            if at == self.at + BASE {
                break;
            }
            let Some([function, _, previous, _, saved, _, _, status]) = memory.words(at) else {
                break;
            };
            if status >> 48 & C_FUNCTION == 0 {
                let Some(call) = self.call(memory, function, saved) else { break };
                calls.push(call);
            }
            at = previous;
        }
        calls
    }

    fn call(&self, memory: &mut Memory, function: u64, saved: u64) -> Option<Call> {
        if !(self.stack.0..self.stack.1).contains(&function) {
            return None;
        }
        let [closure, kind] = memory.words(function)?;
        if kind & 0xff != CLOSURE {
            return None;
        }
        let function = memory.word(closure.checked_add(24)?)?;
        let words: [u64; 15] = memory.words(function)?;
        let call = Call { function, words, at: 0 };
        // It is behind the instruction that calls.
        let at = (saved.checked_sub(words[8])? / 4).checked_sub(1)?;
        let is_code = words[1] & 0xff == PROTOTYPE && at < call.instructions();
        is_code.then_some(Call { at, ..call })
    }
}

impl Call {
    /// How many instructions there are, and bytes that tell their lines.
    pub(super) fn instructions(&self) -> u64 {
        self.words[3] & u64::from(u32::MAX)
    }

    pub(super) fn line_bytes(&self) -> u64 {
        self.words[3] >> 32
    }

    /// How many instructions have their lines in full.
    pub(super) fn full_lines(&self) -> u64 {
        self.words[5] & u64::from(u32::MAX)
    }

    /// The line where the function begins; 0 if it is a whole file.
    pub(super) fn begins(&self) -> u32 {
        (self.words[5] >> 32) as u32
    }

    pub(super) fn line_table(&self) -> u64 {
        self.words[11]
    }

    pub(super) fn full_table(&self) -> u64 {
        self.words[12]
    }

    pub(super) fn source(&self) -> u64 {
        self.words[14]
    }

    /// What shows that it is still the same.
    pub(super) fn content(&self) -> Vec<u8> {
        [2, 3, 5, 8, 11, 14].iter().flat_map(|word| self.words[*word].to_ne_bytes()).collect()
    }
}
