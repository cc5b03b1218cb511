//! The functions of programs that a runtime interprets or compiles while it runs: read from the
//! runtime's own structures in the memory of a stopped process, so that nothing has to be switched
//! on in the program; or from notes that something loaded into the program leaves there
//! (`source/preload`).
//!
//! | module | what is in it |
//! |---|---|
//! | `symbols` | where a mapped file has what a runtime's unwinder needs |
//! | `copies` | copies of memory that was needed last time too |
//! | `seen` | the locations that were seen before |
//! | `own_variable` | where a thread has a variable of its own |
//! | `threads` | what is kept for each thread that has a state of its own |
//! | `perl` | perl |
//! | `java` | HotSpot, which runs Java, Kotlin, Scala |
//! | `php` | PHP |
//! | `ruby` | Ruby |
//! | `python` | CPython |
//! | `sbcl` | SBCL |
//! | `bash` | bash |
//! | `dash` | dash |
//! | `zsh` | zsh |
//! | `node` | Node.js |
//! | `lua` | Lua |
//! | `others` | interpreters that are known, and not read |
//!
//! A runtime is one row of [`RUNTIMES`], and a module with its [`Unwinder`]. CONTRIBUTING.md has
//! the recipe for the next one.

mod bash;
mod copies;
mod dash;
mod java;
mod lua;
mod node;
mod others;
mod own_variable;
mod perl;
mod php;
mod python;
mod ruby;
mod sbcl;
mod seen;
mod symbols;
mod threads;
#[cfg(test)]
mod trial;
mod zsh;

use super::StoppedThread;
use super::words::Word;
use crate::source::registers::Registers;
use crate::{FrameId, Location};

pub(super) use self::symbols::RuntimeFile;

/// All runtimes that are known.
const RUNTIMES: &[&Runtime] = &[
    &bash::RUNTIME,
    &dash::RUNTIME,
    &java::RUNTIME,
    &lua::RUNTIME,
    &node::RUNTIME,
    &others::RUNTIME,
    &perl::RUNTIME,
    &php::RUNTIME,
    &python::RUNTIME,
    &ruby::RUNTIME,
    &sbcl::RUNTIME,
    &zsh::RUNTIME,
];

/// What is known of a runtime before a process runs it.
pub(super) struct Runtime {
    /// Its name, for readers.
    pub(super) name: &'static str,
    /// Whether a mapped file may hold it, by the last component of its path.
    pub(super) is_file: fn(&[u8]) -> bool,
    /// The symbols that must all be there for a file to be it. [`RuntimeFile::address`] gives
    /// their addresses.
    pub(super) needs: &'static [&'static str],
    /// Symbols that are asked for as well, and that some versions lack.
    pub(super) also: &'static [&'static str],
    /// The functions that run the functions of a program. Each of their frames on the native stack
    /// stands for the functions of one run; where there is none on the stack, the functions of the
    /// program stand behind what was unwound.
    pub(super) runs: &'static [&'static str],
    /// Begins to read it in a process. The reason, in words, if it cannot be read: "its version,
    /// 3.8, is not known". It is tried again for a while: a runtime that has just been mapped may
    /// not have set up its own structures yet.
    pub(super) begin: fn(libc::pid_t, &Loaded) -> Begun,
}

/// What reads a runtime in a process, or in words why nothing does.
pub(super) type Begun = Result<Box<dyn Unwinder>, String>;

/// A runtime's file in an address space.
pub(super) struct Loaded<'f> {
    /// The file.
    pub(super) file: &'f RuntimeFile,
    /// How far up in memory it lies: what is added to an address of the file's own headers.
    pub(super) slide: u64,
    /// Its path, as the process has it mapped.
    pub(super) path: &'f [u8],
}

impl Loaded<'_> {
    /// Where a symbol lies in memory; `None` if the file lacks it.
    pub(super) fn address(&self, symbol: &str) -> Option<u64> {
        Some(self.file.address(symbol)?.wrapping_add(self.slide))
    }
}

/// A function of the program, as a frame.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Script {
    pub(super) frame: FrameId,
    /// Whether the functions further out belong to an outer run of the interpreter.
    pub(super) is_last: bool,
}

/// Gives a function, file and line its number as a frame; new ones are defined.
pub(super) type Frames<'f> = &'f mut dyn FnMut(Location) -> FrameId;

/// Reads one runtime in one address space. What it keeps is bounded.
pub(super) trait Unwinder: Send {
    /// Whether it also gives the functions that the runtime has compiled, so that the native stack
    /// need not be followed through code that lies in no file.
    fn knows_compiled(&self) -> bool {
        false
    }

    /// The functions of the program that a stopped thread is in, innermost first. Empty if it is in
    /// none, or if they are not certain.
    fn functions(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        frames: Frames,
    ) -> Vec<Script>;

    /// Comes before `functions`: the registers of the innermost frame on the native stack whose
    /// code lies in no ELF file, for a runtime that makes such code.
    fn compiled(&mut self, _entry: Option<Registers>) {}

    /// What was loaded into the program has said that its notes for a thread are at this address.
    fn noted(&mut self, _thread: libc::pid_t, _address: u64) {}

    /// Why it cannot be read after all, in words, once that has turned out: then it is asked no
    /// more.
    fn gave_up(&self) -> Option<String> {
        None
    }

    /// Whether functions depend on memory alone. If they do so no longer, as what was seen before
    /// matters, no stack is recognised by words any more.
    fn depends_on_words(&self) -> bool {
        true
    }

    /// The words of memory that the functions depend on which were given last, for this thread: as
    /// long as they are the same, a call from there need not stop. `None` if there is anything else
    /// that they depend on.
    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()>;

    /// Whether what is known of a thread's functions holds only while its native stack leads into
    /// the program.
    fn needs_run(&self, _stopped: StoppedThread) -> bool {
        false
    }
}
