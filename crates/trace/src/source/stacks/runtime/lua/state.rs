//! The states on a native stack, and their calls. Offsets are those of `lstate.h` and `lobject.h`
//! of Lua 5.4 where a pointer has eight bytes.

use super::super::super::maps;
use super::super::super::words::Address;
use super::super::copies::{Memory, word};
use rustc_hash::FxHashSet;

/// Kinds of objects, as their headers have them, and as values have those that are collected.
const THREAD: u64 = 8;
const PROTOTYPE: u64 = 10;
const CLOSURE: u64 = 6 + 64;

/// In a state: its kind, its status, its innermost call; the call that runs its main function or
/// was the host's; in how many calls of C functions and states it is. So much of it is needed.
const KIND: usize = 8;
const STATUS: usize = 10;
const INNERMOST: usize = 32;
const BASE: usize = 96;
const DEPTH: usize = 176;
const STATE: usize = 184;

/// In a call: the outer one; the instruction behind the one that runs; its status.
const OUTER: usize = 16;
const INSTRUCTION: usize = 32;
const CALL_STATUS: usize = 62;
const CALL: usize = 64;

/// In a closure: its prototype. Of that so much is needed, and of this these words.
const PROTOTYPE_OF: u64 = 24;
const PROTOTYPE_SIZE: usize = 120;
const CONTENT: [usize; 6] = [2, 3, 5, 8, 11, 14];

/// The calls of C functions have this in their status.
const C_FUNCTION: u8 = 1 << 1;

/// Memory is there or not in pieces of this size. So many of the native stack are looked through,
/// and if there is no state in them so many more.
const PAGE: u64 = 4096;
const NEAR: usize = 2;
const FAR: usize = 12;

/// No state has a stack of more bytes.
const LARGEST: u64 = 1 << 30;

/// So many pages are looked for that are not known.
const MOST_UNKNOWN: usize = 256;

/// What is mapped may change: after so many calls it is looked at anew.
const KEPT: u32 = 1 << 10;

/// The functions of so many calls, the innermost ones, may be made anew each time.
const FRESH: usize = 4;

/// So many of the steps from line to line before an instruction show that they are the same.
const STEPS: u64 = 256;

/// No memory of a process is from here on.
const END: u64 = 1 << 47;

/// Finds the states of a process.
#[derive(Debug, Default)]
pub(super) struct States {
    /// What is mapped, in order, as far as it is known.
    parts: Vec<Part>,
    /// Pages that were looked for, and are not mapped.
    unknown: FxHashSet<u64>,
    /// For how many calls that has been believed.
    calls: u32,
}

/// A part of a process's memory.
#[derive(Debug)]
struct Part {
    start: u64,
    end: u64,
    /// Whether states can be in it.
    is_heap: bool,
}

/// A state that is running: a program's only one, or that of a coroutine, or of one that waits for
/// another.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Where the native stack has its address.
    place: u64,
    at: u64,
    call: u64,
    stack: (u64, u64),
    depth: u64,
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
        self.calls += 1;
        if self.calls > KEPT {
            *self = States::default();
        }
        let mut found = self.on_stack(memory, sp, NEAR);
        if found.is_empty() {
            found = self.on_stack(memory, sp, FAR);
        }
        if found.is_empty() {
            // There may be one the next time.
            memory.doubt();
        }
        // Each counts on from the one that has resumed it.
        found.sort_by_key(|state| std::cmp::Reverse(state.depth));
        found
    }

    fn on_stack(&mut self, memory: &mut Memory, sp: u64, pages: usize) -> Vec<State> {
        let (mut candidates, mut at): (Vec<(u64, u64)>, _) = (Vec::new(), sp);
        for _ in 0..pages {
            let length = (PAGE - at % PAGE) as usize;
            let Some(bytes) = memory.parts(at, length, &[]) else { break };
            for (place, bytes) in (at..).step_by(8).zip(bytes.as_chunks().0) {
                let word = u64::from_ne_bytes(*bytes);
                if !self.may_be_state(memory.thread(), word) {
                    continue;
                }
                match candidates.iter_mut().find(|(_, known)| *known == word) {
                    // Further in it may be what a call before has left there.
                    Some((known, _)) => *known = place,
                    None => candidates.push((place, word)),
                }
            }
            at = at.saturating_add(length as u64);
        }
        let state = |(place, at): (u64, u64)| State::read(memory, place, at);
        candidates.into_iter().filter_map(state).collect()
    }

    /// Whether a state may lie at an address. Where nothing is known to be mapped, it is looked
    /// what is by now.
    fn may_be_state(&mut self, process: libc::pid_t, at: u64) -> bool {
        let first = self.parts.first().map_or(PAGE, |first| first.start);
        if !at.is_multiple_of(8) || !(first..END).contains(&at) {
            return false;
        }
        if self.part(at).is_none()
            && self.unknown.len() < MOST_UNKNOWN
            && self.unknown.insert(at / PAGE)
        {
            self.look_around(process);
        }
        self.part(at).is_some_and(|part| part.is_heap && part.end - at >= STATE as u64)
    }

    fn part(&self, at: u64) -> Option<&Part> {
        let behind = self.parts.partition_point(|part| part.start <= at);
        self.parts[..behind].last().filter(|part| at < part.end)
    }

    fn look_around(&mut self, process: libc::pid_t) {
        let table = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
        let part = |it: maps::Mapping| {
            let is_heap = it.inode == 0 && !it.executable && matches!(&*it.name, b"" | b"[heap]");
            Part { start: it.start, end: it.end, is_heap }
        };
        self.parts = maps::parse(&table).map(part).collect();
    }
}

impl State {
    /// The state at an address, if there is one and it runs.
    fn read(memory: &mut Memory, place: u64, at: u64) -> Option<State> {
        let bytes = memory.parts(at, STATE, &[])?;
        let [_, head, top, global, call, end, stack] =
            std::array::from_fn(|number| word(&bytes, 8 * number).unwrap_or_default());
        // Whoever waits or has failed has a status.
        let is_thread = head & 0xff == THREAD && head >> 16 & 0xff == 0;
        let is_stack = stack < top && top <= end && end - stack <= LARGEST;
        if !is_thread || !is_stack || global == 0 {
            return None;
        }
        let (function, outer) = (word(&bytes, BASE)?, word(&bytes, BASE + OUTER)?);
        let is_base = function == stack && outer == 0;
        let depth = word(&bytes, DEPTH)? & 0xffff;
        let runs = is_base && call != at + BASE as u64;
        if runs {
            // All that matters is looked for from here on: a coroutine that is made anew each time
            // lies elsewhere each time.
            memory.use_at(Address::Pointer(place), &[]);
            for (at, length) in [(KIND, 1), (STATUS, 1), (DEPTH, 2)] {
                memory.use_at(Address::Behind(at as u64), &bytes[at..at + length]);
            }
        }
        runs.then_some(State { place, at, call, stack: (stack, end), depth })
    }

    /// Its calls of functions of the program, innermost first.
    pub(super) fn calls(&self, memory: &mut Memory, most: usize) -> Vec<Call> {
        let (mut calls, mut at) = (Vec::new(), self.call);
        self.lead_to(memory, 0);
        for number in 0..most {
            if at == self.at + BASE as u64 {
                // Nothing is further out than that one.
                memory.use_at(Address::Behind(OUTER as u64), &[0; 8]);
                break;
            }
            let Some(bytes) = memory.parts(at, CALL, &[]) else {
                memory.doubt();
                break;
            };
            let field = |at: usize| word(&bytes, at).unwrap_or_default();
            let status = Address::Behind(CALL_STATUS as u64);
            memory.use_at(status, &bytes[CALL_STATUS..=CALL_STATUS]);
            if bytes[CALL_STATUS] & C_FUNCTION == 0 {
                let instruction = Address::Behind(INSTRUCTION as u64);
                memory.use_at(instruction, &field(INSTRUCTION).to_ne_bytes());
                let Some(call) = self.call(memory, number, field(0), field(INSTRUCTION)) else {
                    memory.doubt();
                    break;
                };
                calls.push(call);
            }
            memory.use_at(Address::PointerBehind(OUTER as u64), &[]);
            at = field(OUTER);
        }
        calls
    }

    /// What is behind the pointers along which a call is reached matters, and not where they lead
    /// to.
    fn lead_to(&self, memory: &mut Memory, number: usize) {
        memory.use_at(Address::Pointer(self.place), &[]);
        memory.use_at(Address::PointerBehind(INNERMOST as u64), &[]);
        (0..number).for_each(|_| memory.use_at(Address::PointerBehind(OUTER as u64), &[]));
    }

    /// A call, by its number, of a function that lies on the stack.
    fn call(&self, memory: &mut Memory, number: usize, function: u64, saved: u64) -> Option<Call> {
        if !(self.stack.0..self.stack.1).contains(&function) {
            return None;
        }
        let value = memory.parts(function, 16, &[])?;
        let closure = word(&value, 0)?;
        if word(&value, 8)? & 0xff != CLOSURE {
            return None;
        }
        let of = closure.checked_add(PROTOTYPE_OF)?;
        let prototype = memory.parts(of, 8, &[])?;
        if number < FRESH {
            memory.use_at(Address::PointerBehind(0), &[]);
            memory.use_at(Address::PointerBehind(0), &[]);
            memory.use_at(Address::Behind(PROTOTYPE_OF), &prototype);
            self.lead_to(memory, number);
        } else {
            memory.use_at(Address::Behind(0), &function.to_ne_bytes());
            memory.use_of(function, &value[..8]);
            memory.use_of(of, &prototype);
        }
        let function = word(&prototype, 0)?;
        let bytes = memory.parts(function, PROTOTYPE_SIZE, &[(8, 1)])?;
        memory.use_parts(function, &bytes, &CONTENT.map(|word| (8 * word, 8)));
        let words = std::array::from_fn(|number| word(&bytes, 8 * number).unwrap_or_default());
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
    pub(super) fn content(&self, memory: &mut Memory) -> Vec<u8> {
        let words = CONTENT.iter().flat_map(|word| self.words[*word].to_ne_bytes());
        let mut content: Vec<u8> = words.collect();
        // Of a text that is made anew nothing else says where its lines are.
        if self.begins() == 0 {
            let first = self.at.saturating_sub(STEPS);
            let length = usize::try_from(self.at - first).unwrap_or(0) + 1;
            let steps = memory.any(self.line_table().wrapping_add(first), length);
            content.extend(steps.unwrap_or_default());
        }
        content
    }
}
