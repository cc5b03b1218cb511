//! The functions of a Python program, read from the interpreter's own frames: which function, which
//! file, which line. Nothing has to be switched on in the program.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | how its structures are laid out: 3.8 to 3.14 |
//! | `chain` | from a thread to its frames, in one copy where they are those of last time |
//! | `code` | from a code object to function, file and line |
//! | `lines` | its table of lines |
//!
//! Whatever looks odd ends it: then there are no such frames, and the interpreter's remain.

mod chain;
mod code;
mod layout;
mod lines;

use std::collections::HashMap;

use self::chain::{Chain, Link};
use self::layout::Layout;
use super::super::StoppedThread;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::registers::Registers;

/// CPython: a program or a library with `python` in its name.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Python",
    is_file: |name| memchr::memmem::find(name, b"python").is_some(),
    // From `_PyRuntime` all else is found.
    needs: &["_PyRuntime", "_PyEval_EvalFrameDefault"],
    // Since 3.11.
    also: &["Py_Version"],
    runs: &["_PyEval_EvalFrameDefault"],
    begin,
};

/// The interpreter of an address space.
struct Python {
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

/// Begins to read an interpreter. Its version must be known.
fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    let runtime = loaded.address("_PyRuntime").unwrap_or_default();
    let layout = Layout::of(process, loaded)?;
    Ok(Box::new(Python { layout, runtime, chains: HashMap::new(), known: HashMap::new() }))
}

impl Unwinder for Python {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
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
            let frame = frames(location);
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
