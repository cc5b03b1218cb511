//! The functions of a Ruby program, read from the control frames of the thread's execution context:
//! which method or block, which file, which line.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | how its structures are laid out: 2.7 to 3.4 |
//! | `code` | from code and an instruction to label, file and line |
//!
//! Functions are called as `caller_locations` calls them up to 3.3: `load`, `block in load`,
//! `<main>`. Methods that are written in C are left out: they are on the native stack.

mod code;
mod layout;
#[cfg(test)]
mod tests;

use self::layout::{Layout, context, frame};
use super::super::StoppedThread;
use super::super::words::{Address, Word};
use super::copies::{Memory, word};
use super::seen::Seen;
use super::threads::{FUNCTIONS, Threads};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder, own_variable};
use crate::source::memory;
use crate::source::ptrace;
use crate::source::registers::Registers;

/// ruby, or libruby.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Ruby",
    is_file: |name| memchr::memmem::find(name, b"ruby").is_some(),
    needs: &["ruby_api_version"],
    // The execution context: since 3.0 each thread has its own in a variable, which has a symbol
    // up to 3.2.
    also: &["ruby_current_ec", "ruby_current_execution_context_ptr"],
    runs: &["rb_vm_exec"],
    begin,
};

/// At most so many frames.
const FRAMES: u64 = 1 << 10;

/// Frames are copied so many at a time.
const TOGETHER: u64 = 16;

/// How often it is looked for where a thread keeps its execution context.
const LOOKS: u32 = 512;

/// The Ruby of an address space.
struct Ruby {
    layout: Layout,
    current: Current,
    threads: Threads,
    seen: Seen,
}

/// Where an execution context is found.
#[derive(Clone, Copy)]
enum Current {
    /// In a variable of each thread: so far behind the beginning of its block, if that is known.
    Own(Option<u64>),
    /// There is one variable, for the thread that runs.
    Only(u64),
}

/// A function that a thread is in.
struct Link {
    code: u64,
    instruction: u64,
    /// What is in the body of its code.
    body: Vec<u8>,
    is_last: bool,
}

/// Begins to read a Ruby. Its version must be known.
fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    let version = loaded.address("ruby_api_version").unwrap_or_default();
    let version: [u8; 8] = memory::array(process, version).ok_or("its version is not known")?;
    let number = |at: usize| version[at..at + 4].try_into().map_or(0, u32::from_ne_bytes);
    let (major, minor) = (number(0), number(4));
    let layout = Layout::of(major, minor)
        .ok_or_else(|| format!("its version, {major}.{minor}, is not known"))?;
    let current = match loaded.address("ruby_current_execution_context_ptr") {
        Some(at) => Current::Only(at),
        None => Current::Own(loaded.file.address("ruby_current_ec")),
    };
    Ok(Box::new(Ruby { layout, current, threads: Threads::default(), seen: Seen::default() }))
}

impl Current {
    /// Where a thread keeps the address of its execution context.
    fn own(self, thread: libc::pid_t) -> Option<u64> {
        let is_own = |at: u64| {
            let context = memory::array(thread, at).map(u64::from_ne_bytes);
            context.is_some_and(|at| is_context(thread, at) == Some(true))
        };
        match self {
            Current::Own(Some(offset)) => own_variable::address(thread, offset, is_own),
            Current::Own(None) => own_variable::any(thread, is_own),
            Current::Only(at) => Some(at),
        }
    }

    /// Whether an execution context is a thread's own, where that is not certain.
    fn is_own(self, thread: libc::pid_t, memory: &mut Memory, at: u64) -> Option<bool> {
        let Current::Only(_) = self else { return Some(true) };
        memory.doubt();
        let of = memory.word(at.checked_add(context::THREAD)?)?;
        let number = ptrace::thread_pointer(thread)?;
        let bytes = memory.bytes(of, context::THREAD_SIZE)?;
        let has =
            |value: u64| bytes.as_chunks().0.iter().any(|it| u64::from_ne_bytes(*it) == value);
        Some(has(number) && has(at))
    }
}

/// Whether an execution context lies at an address, as far as can be seen: its innermost frame is
/// a whole number of words below the end of its stack.
fn is_context(thread: libc::pid_t, at: u64) -> Option<bool> {
    if at == 0 || !at.is_multiple_of(8) {
        return Some(false);
    }
    let bytes: [u8; context::SIZE] = memory::array(thread, at)?;
    let [stack, size, frame] =
        [context::STACK, context::STACK_SIZE, context::FRAME].map(|at| word(&bytes, at));
    let (stack, size, frame) = (stack?, size?, frame?);
    let is_size = (1 << 8..=1 << 32).contains(&size);
    Some(
        is_size && stack.is_multiple_of(8) && frame.is_multiple_of(8) && {
            let end = stack.saturating_add(8 * size);
            stack != 0 && (stack..end).contains(&frame)
        },
    )
}

impl Unwinder for Ruby {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Ruby { layout, current, threads, seen } = self;
        let thread = stopped.thread;
        let look = || current.own(thread);
        let scripts = threads.with(thread, LOOKS, look, |memory, own| {
            let at = memory.word(own?)?;
            if current.is_own(thread, memory, at) != Some(true) {
                return None;
            }
            let script = |Link { code, instruction, body, is_last }: Link| {
                let locate = || code::location(thread, layout, code, instruction);
                let frame = seen.frame((code, instruction), &body, frames, locate)?;
                Some(Script { frame, is_last })
            };
            links(memory, layout, at)?.into_iter().map(script).collect()
        });
        scripts.unwrap_or_default()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.threads.words(thread, words)
    }
}

/// The functions of an execution context, innermost first. `None` if anything looks odd.
fn links(memory: &mut Memory, layout: &Layout, context: u64) -> Option<Vec<Link>> {
    let bytes = memory.bytes(context, context::SIZE)?;
    let (stack, length) = (word(&bytes, context::STACK)?, word(&bytes, context::STACK_SIZE)?);
    let end = stack.checked_add(length.checked_mul(8)?)?;
    let size = usize::try_from(layout.frame).ok()?;
    let mut at = word(&bytes, context::FRAME)?;
    let mut left = (end.checked_sub(at)? / layout.frame).min(FRAMES);
    let mut links: Vec<Link> = Vec::new();
    while left > 0 {
        let some = left.min(TOGETHER);
        let bytes = memory.parts(at, usize::try_from(some).ok()? * size, &[])?;
        for (place, one) in (at..).step_by(size).zip(bytes.chunks_exact(size)) {
            memory.use_parts(place, one, &[(frame::INSTRUCTION, 8), (frame::CODE, 8)]);
            let flags = flags(memory, place, word(one, frame::ENVIRONMENT)?)?;
            let (instruction, code) = (word(one, frame::INSTRUCTION)?, word(one, frame::CODE)?);
            let is_last = flags & frame::IS_LAST != 0;
            if flags & frame::IS_OF_C == 0 && code != 0 && instruction != 0 {
                let body = memory.word(code.checked_add(layout::BODY)?)?;
                let body = memory.bytes(body, layout::BODY_NEEDED)?;
                // The code of the outermost binding: too short to call anything.
                if word(&body, 0)? >> 32 > layout::EMPTY {
                    links.push(Link { code, instruction, body, is_last });
                }
            } else if is_last && let Some(link) = links.last_mut() {
                link.is_last = true;
            }
            if links.len() == FUNCTIONS {
                return Some(links);
            }
        }
        at = at.checked_add(some * layout.frame)?;
        left -= some;
    }
    Some(links)
}

/// The flags of a frame: where its environment lies does not matter, a block's that is kept lies
/// elsewhere each time.
fn flags(memory: &mut Memory, frame: u64, environment: u64) -> Option<u64> {
    let flags = memory.parts(environment, 8, &[])?;
    memory.use_at(Address::Pointer(frame + frame::ENVIRONMENT as u64), &[]);
    memory.use_at(Address::Behind(0), flags.get(..frame::FLAGS)?);
    word(&flags, 0)
}
