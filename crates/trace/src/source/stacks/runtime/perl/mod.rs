//! The functions of a Perl program, read from the interpreter's own contexts: which function, which
//! file, and the line of the statement in it.
//!
//! | module | what is in it |
//! |---|---|
//! | `layout` | how its structures are laid out |
//! | `names` | what functions, packages and files are called |
//!
//! Functions are called as `caller` calls them: `main::load`, `Store::__ANON__`. A block of `eval`
//! is part of its function; a text that is evaluated is `(eval)`, a file that is loaded `require`,
//! and the file that was started `main`.

mod layout;
mod names;
#[cfg(test)]
mod tests;

use self::layout::{Contexts, FIELDS, Layout, Reach, context, stack_info};
use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::{Memory, word};
use super::seen::Seen;
use super::threads::{FUNCTIONS, Threads};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder, own_variable};
use crate::Location;
use crate::source::memory;
use crate::source::registers::Registers;
use rustc_hash::FxHashSet;

/// perl, or libperl.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Perl",
    is_file: |name| memchr::memmem::find(name, b"perl").is_some(),
    needs: &["Perl_runops_standard"],
    // One built for threads has the first interpreter, and since 5.36 each thread has its own one
    // in a variable. One that is not has an interpreter's fields.
    also: &[
        "PL_curinterp", "PL_current_context", "PL_curcop", "PL_curstack", "PL_curstackinfo",
        "PL_mainstack", "PL_defstash",
    ],
    runs: &["Perl_runops_standard"],
    begin,
};

/// At most so many contexts, and so many stacks.
const CONTEXTS: usize = 1 << 10;
const STACKS: usize = 64;

/// So many names of files are kept. When there are more, all are forgotten.
const FILES: usize = 1 << 14;

/// Contexts are copied so many at a time.
const TOGETHER: usize = 16;

/// How often it is looked for where a thread keeps the address of its interpreter.
const LOOKS: u32 = 32;

/// The perl of an address space.
struct Perl {
    layout: Layout,
    /// The first interpreter.
    first: u64,
    /// Where each thread's own interpreter lies in its block, if it says so.
    own: Option<u64>,
    threads: Threads,
    seen: Seen,
    /// Where the names of files lie. Those of texts that are evaluated come and go.
    files: FxHashSet<u64>,
}

/// A function that a thread is in.
struct Link {
    function: Function,
    /// The statement, and what is in it.
    statement: u64,
    copy: Vec<u8>,
    /// Whether it is the outermost one on its stack.
    is_last: bool,
}

/// What stands for a function.
#[derive(Clone, Copy)]
enum Function {
    /// Its body, and what it is named by.
    Named { body: u64, by: u64 },
    /// A text or a file that was loaded.
    Evaluated,
    /// The file that was started.
    FileLevel,
}

/// Begins to read a perl.
fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    let unknown = || "its layout is not known, or it has not begun".to_owned();
    // One without threads has a symbol for the only interpreter, too, which says nothing.
    let fields = ["PL_curcop", "PL_curstack", "PL_curstackinfo", "PL_mainstack", "PL_defstash"]
        .map(|symbol| loaded.address(symbol));
    let (layout, first) = if fields.iter().all(Option::is_some) {
        (Layout::of_fields(process, fields.map(Option::unwrap_or_default)), 0)
    } else {
        let at = loaded.address("PL_curinterp").unwrap_or_default();
        let first = memory::array(process, at).map(u64::from_ne_bytes).unwrap_or_default();
        (Layout::of_interpreter(process, first), first)
    };
    let layout = layout.ok_or_else(unknown)?;
    let own = loaded.file.address("PL_current_context");
    let (threads, seen, files) = Default::default();
    Ok(Box::new(Perl { layout, first, own, threads, seen, files }))
}

/// Where a thread keeps the address of its interpreter. `offset` is how far behind the beginning of
/// its block, if that is known.
fn own(thread: libc::pid_t, layout: Layout, offset: Option<u64>) -> Option<u64> {
    let Reach::Fields { statement } = layout.reach else { return None };
    let is_own = |at: u64| {
        let at = memory::array(thread, at).map(u64::from_ne_bytes);
        let fields = at
            .filter(|at| at % 8 == 0)
            .and_then(|at| memory::array::<FIELDS>(thread, at.checked_add(statement)?));
        let is = |fields: [u8; FIELDS]| layout::is_interpreter(thread, &fields, layout.contexts);
        fields.and_then(is) == Some(true)
    };
    let variable = offset.and_then(|offset| own_variable::address(thread, offset, is_own));
    variable.or_else(|| own_variable::by_key(thread, is_own))
}

impl Unwinder for Perl {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let thread = stopped.thread;
        // The first interpreter runs in the first thread, if that does not say anything else.
        let is_first = stopped.process == thread.unsigned_abs();
        let Perl { layout, first, own: offset, threads, seen, files } = self;
        let (layout, offset, first) = (*layout, *offset, is_first.then_some(*first));
        let look = || own(thread, layout, offset);
        let scripts = threads.with(thread, LOOKS, look, |memory, own| {
            let interpreter = own.map_or(first, |at| memory.word(at))?;
            let links = links(memory, layout, interpreter)?;
            let script = |link: Link| {
                let (key, mut content) = link.identity();
                if layout.has_texts() {
                    content.extend(evaluated(memory, files, &link.copy)?);
                }
                let locate = || link.location(thread, layout);
                let frame = seen.frame(key, &content, frames, locate)?;
                Some(Script { frame, is_last: link.is_last })
            };
            links.into_iter().map(script).collect()
        });
        scripts.unwrap_or_default()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.threads.words(thread, words)
    }
}

impl Link {
    /// What distinguishes it, and what must be the same as long as it is the same.
    fn identity(&self) -> ((u64, u64), Vec<u8>) {
        let mut content = self.copy.clone();
        let function = match self.function {
            Function::Named { body, by } => {
                content.extend(by.to_ne_bytes());
                body
            }
            Function::Evaluated => 1,
            Function::FileLevel => 0,
        };
        ((function, self.statement), content)
    }

    fn location(&self, thread: libc::pid_t, layout: Layout) -> Option<Location> {
        let position = names::position(thread, layout.has_texts(), &self.copy)?;
        let function = match self.function {
            Function::Named { body, .. } => names::function(thread, body, layout.is_name_inside)?,
            Function::Evaluated if position.file.starts_with(names::TEXT_FILE) => {
                names::TEXT.to_owned()
            }
            Function::Evaluated => names::FILE.to_owned(),
            Function::FileLevel => names::FILE_LEVEL.to_owned(),
        };
        Some(Location { function, ..position })
    }
}

/// What a text is called that is evaluated, if a statement is in one. That may lie where another
/// lay.
fn evaluated(memory: &mut Memory, files: &mut FxHashSet<u64>, statement: &[u8]) -> Option<Vec<u8>> {
    let file = word(statement, names::statement::FILE)?;
    if files.contains(&file) {
        return Some(Vec::new());
    }
    let name = memory.text(file)?;
    if name.starts_with(names::TEXT_FILE.as_bytes()) {
        return Some(name);
    }
    if files.len() >= FILES {
        files.clear();
    }
    files.insert(file);
    Some(Vec::new())
}

/// The functions of an interpreter, innermost first. `None` if anything looks odd.
fn links(memory: &mut Memory, layout: Layout, interpreter: u64) -> Option<Vec<Link>> {
    let (mut at, mut info) = match layout.reach {
        Reach::Symbols { statement, stack_info } => {
            (memory.word(statement)?, memory.word(stack_info)?)
        }
        Reach::Fields { statement } => {
            let at = interpreter.checked_add(statement)?;
            let fields = memory.parts(at, FIELDS, &[(0, 8), (layout::STACK_INFO, 8)])?;
            (word(&fields, 0)?, word(&fields, layout::STACK_INFO)?)
        }
    };
    let mut links: Vec<Link> = Vec::new();
    let mut left = CONTEXTS;
    for _ in 0..STACKS {
        let needed = [
            (stack_info::CONTEXTS, 8),
            (stack_info::OUTER, 8),
            (stack_info::INNERMOST, 4),
            (layout.contexts.reason, 4),
        ];
        let bytes = memory.parts(info, stack_info::SIZE, &needed)?;
        let number = |at: usize| Some(i32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let count = usize::try_from(number(stack_info::INNERMOST)?.checked_add(1)?).ok()?;
        let contexts = word(&bytes, stack_info::CONTEXTS)?;
        let before = links.len();
        let of_stack = Stack { layout: layout.contexts, contexts, count };
        if !of_stack.functions(memory, &mut at, &mut links, &mut left)? {
            return Some(links);
        }
        if number(layout.contexts.reason)? == stack_info::IS_OUTERMOST {
            links.push(Link::new(memory, Function::FileLevel, at, true)?);
            return Some(links);
        }
        if links.len() > before
            && let Some(link) = links.last_mut()
        {
            link.is_last = true;
        }
        info = word(&bytes, stack_info::OUTER)?;
    }
    None
}

impl Link {
    fn new(memory: &mut Memory, function: Function, at: u64, is_last: bool) -> Option<Link> {
        let copy =
            memory.bytes(at.checked_add(names::statement::BEGIN)?, names::statement::SIZE)?;
        Some(Link { function, statement: at, copy, is_last })
    }
}

/// One of an interpreter's stacks: its contexts.
struct Stack {
    layout: Contexts,
    contexts: u64,
    count: usize,
}

impl Stack {
    /// Its functions; the innermost statement is `at`, and then `at` is the one that led to the
    /// stack. Whether there may be more behind them.
    fn functions(
        &self,
        memory: &mut Memory,
        at: &mut u64,
        links: &mut Vec<Link>,
        left: &mut usize,
    ) -> Option<bool> {
        let size = self.layout.size;
        let mut end = self.count;
        while end > 0 {
            let begin = end.saturating_sub(TOGETHER);
            let start = self.contexts.checked_add((begin * size) as u64)?;
            // What else is in a context changes with each turn of a loop.
            let bytes = memory.parts(start, (end - begin) * size, &[])?;
            for (number, one) in bytes.chunks_exact(size).enumerate().rev() {
                let at_one = start + (number * size) as u64;
                memory.use_parts(at_one, one, &[(context::KIND, 1)]);
                if let Some(function) = self.function(memory, one)? {
                    let parts = [(context::STATEMENT, 8), (self.layout.function, 8)];
                    memory.use_parts(at_one, one, &parts);
                    links.push(Link::new(memory, function, *at, false)?);
                    *at = word(one, context::STATEMENT)?;
                }
                *left -= 1;
                if links.len() == FUNCTIONS || *left == 0 {
                    return Some(false);
                }
            }
            end = begin;
        }
        Some(true)
    }

    /// The function of a context, if it stands for one.
    fn function(&self, memory: &mut Memory, one: &[u8]) -> Option<Option<Function>> {
        let kind = one[context::KIND];
        Some(match kind & context::KINDS {
            context::IS_FUNCTION if kind & context::IS_IN_EXPRESSION != 0 => None,
            context::IS_FUNCTION | context::IS_FORMAT => {
                let body = memory.word(word(one, self.layout.function)?)?;
                let by = memory.word(body.checked_add(names::FUNCTION_NAMED_BY)?)?;
                Some(Function::Named { body, by })
            }
            context::IS_EVAL if kind & context::IS_BLOCK == 0 => Some(Function::Evaluated),
            _ => None,
        })
    }
}
