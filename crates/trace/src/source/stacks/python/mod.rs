//! The functions of a Python program, read from the interpreter's own frames: which function, which
//! file, which line. Nothing has to be switched on in the program.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | how its structures are laid out: 3.11, 3.12, 3.13 |
//! | `chain` | from a thread to its frames, in one copy where they are those of last time |
//! | `code` | from a code object to function, file and line |
//!
//! Whatever looks odd ends it: then there are no such frames, and the interpreter's remain.

mod chain;
mod code;
mod layout;

use std::collections::HashMap;

use self::chain::{Chain, Link};
use self::layout::Layout;
use super::StoppedThread;
use super::interner::{Interner, Script};
use super::python_symbols::Marks;
use crate::Event;
use crate::source::paths::Paths;

/// The interpreter of an address space.
pub(super) struct Python {
    layout: Layout,
    runtime: u64,
    chains: HashMap<libc::pid_t, Chain>,
    known: HashMap<(u64, u64), Known>,
}

/// An instruction of a code object that was seen. Memory is used again: it is the same as long as
/// what is in the object's head is the same.
struct Known {
    head: Vec<u8>,
    script: Script,
}

/// Instructions kept. When there are more, all are forgotten.
const KEPT: usize = 1 << 14;

/// Threads followed at the same time. When there are more, all are looked for anew.
const THREADS: usize = 1 << 10;

impl Python {
    /// The interpreter whose symbols are `marks`, and lie `slide` further up in memory. `None` if
    /// it is of a version that is not known.
    pub(super) fn new(process: libc::pid_t, marks: &Marks, slide: u64) -> Option<Python> {
        let runtime = marks.runtime.wrapping_add(slide);
        let version = marks.version.wrapping_add(slide);
        let layout = Layout::of(process, version, runtime)?;
        Some(Python { layout, runtime, chains: HashMap::new(), known: HashMap::new() })
    }

    /// The functions that a stopped thread is in, innermost first. Empty if it is in none, or if
    /// they are not certain.
    pub(super) fn functions(
        &mut self,
        stopped: StoppedThread,
        interner: &mut Interner,
        paths: &mut Paths,
        events: &mut Vec<Event>,
    ) -> Vec<Script> {
        if self.chains.len() > THREADS {
            self.chains.clear();
        }
        let thread = stopped.thread;
        let chain = self.chains.entry(thread).or_default();
        let Some(links) = chain.read(thread, &self.layout, self.runtime) else {
            return Vec::new();
        };
        let mut scripts = Vec::with_capacity(links.len());
        for Link { code, instruction, head, is_last } in links {
            let key = (code, instruction);
            if let Some(known) = self.known.get(&key)
                && known.head == head
            {
                scripts.push(Script { is_last, ..known.script });
                continue;
            }
            let Some(location) = code::location(thread, &self.layout, code, instruction, &head)
            else {
                return Vec::new();
            };
            let frame = interner.location(location, stopped.process, paths, events);
            let script = Script { frame, is_last };
            if self.known.len() > KEPT {
                self.known.clear();
            }
            self.known.insert(key, Known { head, script });
            scripts.push(script);
        }
        scripts
    }
}
