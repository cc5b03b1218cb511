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

use self::chain::{Chain, Link};
use self::code::Texts;
use self::layout::Layout;
use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::Memory;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::registers::Registers;
use rustc_hash::FxHashMap;

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
    chains: FxHashMap<libc::pid_t, Chain>,
    known: FxHashMap<(u64, u64), Known>,
}

/// An instruction of a code object that was seen. Memory is used again, and that of the names and
/// tables of a function often for those of the next one: it is the same as long as what is in the
/// object's head is the same, with a number that no other one has, or else with the same texts.
struct Known {
    head: Vec<u8>,
    texts: Option<Texts>,
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
    Ok(Box::new(Python {
        layout,
        runtime,
        chains: FxHashMap::default(),
        known: FxHashMap::default(),
    }))
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
        let Python { layout, runtime, chains, known } = self;
        let chain = chains.entry(stopped.thread).or_default();
        let scripts = chain.read(stopped.thread, layout, *runtime, |memory, links| {
            links.iter().map(|link| script(memory, layout, known, link, frames)).collect()
        });
        scripts.unwrap_or_default()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.chains.get(&thread)?.words(words)
    }
}

/// The function of a frame. `None` if anything looks odd.
fn script(
    memory: &mut Memory,
    layout: &Layout,
    known: &mut FxHashMap<(u64, u64), Known>,
    link: &Link,
    frames: Frames,
) -> Option<Script> {
    let Link { code, instruction, head, is_last } = link;
    let key = (*code, *instruction);
    if let Some(known) = known.get(&key)
        && known.head == *head
        && known.texts.as_ref().is_none_or(|texts| texts.are_there(memory))
    {
        return Some(Script { is_last: *is_last, ..known.script });
    }
    let (location, texts) = code::location(memory, layout, *code, *instruction, head)?;
    let script = Script { frame: frames(location), is_last: *is_last };
    if known.len() > KEPT {
        known.clear();
    }
    let texts = (!layout.code.has_version(head)).then_some(texts);
    texts.iter().for_each(|texts| texts.use_of(memory));
    known.insert(key, Known { head: head.clone(), texts, script });
    Some(script)
}
