//! The methods of a Java program, and of others that run on HotSpot: which method, which file,
//! which line; interpreted ones, and compiled ones with what was compiled into them. Nothing has to
//! be switched on in the program: HotSpot's library has tables about its own structures, for tools
//! that look at it from outside.
//!
//! | module | what is in it |
//! |---|---|
//! | `tables` | HotSpot's tables |
//! | `layout` | from them, how its structures are laid out |
//! | `read` | reading one thing from memory |
//! | `threads` | from the kernel's number of a thread to the machine's |
//! | `walk` | from a thread outwards, frame by frame |
//! | `code` | from an instruction to the methods that are compiled there |
//! | `method` | from an instruction of a method to function, file and line |
//! | `packed` | integers in few bytes |
//!
//! A thread that makes a call has left Java, and has written down where. Whatever looks odd ends
//! it: then what is further out remains unknown.

mod code;
mod layout;
mod method;
mod packed;
mod read;
mod tables;
#[cfg(test)]
mod tests;
mod threads;
mod walk;

use rustc_hash::FxHashMap;

use self::code::{Cache, Piece};
use self::layout::Layout;
use self::method::{Constant, Position};
use self::tables::{Integer, Tables};
use self::threads::Threads;
use self::walk::{DEEPEST, Visitor};
use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::Memory;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::FrameId;
use crate::source::registers::Registers;

/// HotSpot. Other machines have a library of that name, too, but not its tables.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Java",
    is_file: |name| name == b"libjvm.so",
    needs: &["JNI_CreateJavaVM"],
    also: tables::SYMBOLS,
    runs: &[],
    begin,
};

/// Places in code, and instructions of methods, that are kept. When there are more, all are
/// forgotten.
const KEPT: usize = 1 << 14;

/// A method's constant part begins with so many bytes of a number that is worked out late.
const LATE: usize = 8;

/// The machine of an address space.
struct Java {
    layout: Layout,
    /// Where code is, once it is set up.
    cache: Option<Cache>,
    threads: Threads,
    known: Known,
}

/// What was seen before. Memory is used again: what is kept is the same as long as something is
/// that identifies it.
#[derive(Default)]
struct Known {
    compiled: FxHashMap<u64, Compiled>,
    interpreted: FxHashMap<(u64, u64), Interpreted>,
}

/// An instruction of compiled code.
struct Compiled {
    /// Where the compiled method is, and the number that no other has.
    method: Option<(u64, u64)>,
    size: u64,
    given_up: Option<u64>,
    frames: Vec<FrameId>,
}

/// An instruction of a method that the interpreter runs.
struct Interpreted {
    /// The method's constant part: where it is, and what is in it.
    constant: u64,
    head: Vec<u8>,
    frame: Option<FrameId>,
}

/// Begins to read a machine. Its tables are set up by the library's own constructors.
fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    if loaded.address("gHotSpotVMStructs").is_none() {
        return Err("it is not HotSpot, or lacks its tables".to_owned());
    }
    let tables = Tables::read(process, loaded)
        .ok_or_else(|| "HotSpot's tables cannot be read".to_owned())?;
    let layout = Layout::of(&tables, version(process, &tables)?)?;
    let (cache, known) = (None, Known::default());
    Ok(Box::new(Java { layout, cache, threads: Threads::default(), known }))
}

/// The number of its release: 17. Before 10 it counted otherwise, and lacked tables.
fn version(process: libc::pid_t, tables: &Tables) -> Result<u64, String> {
    let at = tables.address("Abstract_VM_Version._vm_major_version")?;
    let version = read::integer(process, at, Integer { at: 0, length: 4 });
    version.filter(|version| *version > 9).ok_or_else(|| "its version is not known".to_owned())
}

impl Unwinder for Java {
    fn knows_compiled(&self) -> bool {
        true
    }

    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Java { layout, cache, threads, known } = self;
        let mut found = Vec::new();
        threads.of(stopped.thread).with(stopped.thread, &layout.threads, |memory, thread| {
            if cache.is_none() {
                *cache = Cache::read(stopped.thread, layout);
            }
            let Some(cache) = cache else { return memory.doubted() };
            let mut names = Names { layout, cache, known, frames, found: &mut found };
            walk::outwards(memory, layout, cache, thread, &mut names)
        });
        found.truncate(DEEPEST);
        found.into_iter().map(|frame| Script { frame, is_last: false }).collect()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.threads.words(thread, words)
    }
}

/// Names what a walk meets.
struct Names<'a> {
    layout: &'a Layout,
    cache: &'a Cache,
    known: &'a mut Known,
    frames: Frames<'a>,
    found: &'a mut Vec<FrameId>,
}

impl Visitor for Names<'_> {
    fn interpreted(&mut self, memory: &mut Memory, method: u64, instruction: u64) -> Option<()> {
        let shape = &self.layout.method;
        let constant = memory.word(method.checked_add(shape.constant)?)?;
        let size = usize::try_from(shape.size).ok()?;
        let head = memory.parts(constant, size, &[(LATE, size.checked_sub(LATE)?)])?;
        let key = (method, instruction);
        let known = self.known.interpreted.get(&key);
        if let Some(known) = known.filter(|known| known.is(constant, &head)) {
            self.found.extend(known.frame);
            return Some(());
        }
        // A native method has no instructions.
        let position = Some(Position::Address(instruction)).filter(|_| instruction != 0);
        let at = Constant { at: constant, head: &head };
        let location = method::location(memory.thread(), self.layout, &at, position);
        let Some(location) = location else { return memory.doubted() };
        let frame = location.map(&mut self.frames);
        self.found.extend(frame);
        if self.known.interpreted.len() > KEPT {
            self.known.interpreted.clear();
        }
        self.known.interpreted.insert(key, Interpreted { constant, head, frame });
        Some(())
    }

    fn compiled(&mut self, memory: &mut Memory, pc: u64) -> Option<(u64, Option<u64>)> {
        let field = self.layout.compiled.number;
        if let Some(known) = self.known.compiled.get(&pc) {
            let is = match known.method {
                Some((method, number)) => read::integer_of(memory, method, field) == Some(number),
                None => true,
            };
            if is {
                self.found.extend(&known.frames);
                return Some((known.size, known.given_up));
            }
        }
        let piece = self.cache.piece(memory.thread(), self.layout, pc);
        let Some(piece) = piece else { return memory.doubted() };
        let Piece { frame: size, compiled, locations, given_up } = piece;
        let mut number = |at| Some((at, read::integer_of(memory, at, field)?));
        let method = match compiled {
            Some(at) => Some(number(at)?),
            None => None,
        };
        let frames: Vec<FrameId> = locations.into_iter().map(&mut self.frames).collect();
        self.found.extend(&frames);
        if self.known.compiled.len() > KEPT {
            self.known.compiled.clear();
        }
        self.known.compiled.insert(pc, Compiled { method, size, given_up, frames });
        Some((size, given_up))
    }

    fn is_enough(&self) -> bool {
        self.found.len() >= DEEPEST
    }
}

impl Interpreted {
    /// Whether it still is what it was.
    fn is(&self, constant: u64, head: &[u8]) -> bool {
        self.constant == constant && self.head.get(LATE..) == head.get(LATE..)
    }
}
