//! The functions of a PHP program, read from the engine's own frames: which function, which file,
//! and the line of the instruction.
//!
//! Functions are called as PHP calls them: `load`, `Store::load`, `{closure}`; the file that was
//! started is `{main}`, one that is loaded `include` or `require`, a text `eval`. PHP's own
//! functions are left out: they are on the native stack.

mod names;
#[cfg(test)]
mod tests;

use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::{Memory, word};
use super::seen::Seen;
use super::threads::{FUNCTIONS, Threads};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::Location;
use crate::source::registers::Registers;

/// php, php-cgi, php-fpm, or libphp.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "PHP",
    is_file: |name| memchr::memmem::find(name, b"php").is_some(),
    needs: &["execute_ex"],
    // One that was built for threads has none.
    also: &["executor_globals"],
    runs: &["execute_ex"],
    begin,
};

/// At most so many frames: there are PHP's own functions among them.
const FRAMES: usize = 1 << 10;

/// So many calls without one between them that makes sense show that it is laid out in another way.
const PATIENCE: u32 = 256;

/// In the engine's globals: the innermost frame (`current_execute_data`). The same from 7.4 to 8.4.
const CURRENT: u64 = 488;

/// In a frame (`zend_execute_data`): the instruction, the function, flags, the outer frame.
mod frame {
    pub(super) const INSTRUCTION: usize = 0;
    pub(super) const FUNCTION: usize = 24;
    pub(super) const FLAGS: usize = 40;
    pub(super) const OUTER: usize = 48;
    pub(super) const SIZE: usize = 56;
    pub(super) const NEEDED: [(usize, usize); 4] =
        [(INSTRUCTION, 8), (FUNCTION, 8), (FLAGS, 4), (OUTER, 8)];
    /// A flag: the engine was called anew for it.
    pub(super) const IS_LAST: u32 = 1 << 17;
}

/// In a function (`zend_function`): its kind, its name, its class. Behind them only functions of
/// the program have more.
mod function {
    pub(super) const KIND: usize = 0;
    pub(super) const NAME: usize = 8;
    pub(super) const CLASS: usize = 16;
    pub(super) const SIZE: usize = 24;
    pub(super) const NEEDED: [(usize, usize); 3] = [(KIND, 1), (NAME, 8), (CLASS, 8)];
    pub(super) const MORE: usize = 184;
    pub(super) const IS_OF_PROGRAM: u8 = 2;
    pub(super) const IS_EVALUATED: u8 = 4;
}

/// In an instruction (`zend_op`): what is loaded and how; its line; what it does.
mod instruction {
    pub(super) const HOW: u64 = 16;
    pub(super) const SIZE: u64 = 32;
    pub(super) const IS_LOADING: u8 = 73;
}

/// In the second half of a value's head (`zend_refcounted_h`): its kind.
const KINDS: u64 = 15;
const IS_TEXT: u64 = 6;

/// In a function of the program (`zend_op_array`), which differs from version to version: the
/// number of instructions, the instructions, the file.
#[derive(Clone, Copy, Debug)]
struct Layout {
    count: usize,
    instructions: usize,
    file: usize,
}

/// From the headers of 7.4, 8.1, 8.3, 8.2 and 8.4 (64 bits); 8.0 is laid out as 8.1 is. Which it is
/// is told by where the instructions and the file are.
const LAYOUTS: [Layout; 5] = [
    Layout { count: 60, instructions: 64, file: 136 },
    Layout { count: 68, instructions: 72, file: 144 },
    Layout { count: 76, instructions: 80, file: 144 },
    Layout { count: 80, instructions: 88, file: 152 },
    Layout { count: 96, instructions: 104, file: 168 },
];

/// The engine of an address space.
struct Php {
    /// Where the innermost frame is kept.
    current: u64,
    threads: Threads,
    seen: Seen,
    /// How many calls made no sense, since the last one that did.
    odd: u32,
}

/// A function of the program that a thread is in.
struct Link {
    function: u64,
    /// Its name, class and file: their addresses.
    named: [u64; 3],
    kind: Kind,
    instruction: u64,
    line: u32,
    is_last: bool,
}

/// What stands for a function.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Function,
    /// The file that was started.
    Main,
    /// What was loaded, how.
    Loaded(u32),
    Evaluated,
}

/// Begins to read an engine.
fn begin(_process: libc::pid_t, loaded: &Loaded) -> Begun {
    let globals = loaded.address("executor_globals").ok_or_else(|| {
        "it was built for threads (ZTS), where each has its own globals".to_owned()
    })?;
    let current = globals.wrapping_add(CURRENT);
    Ok(Box::new(Php { current, threads: Threads::default(), seen: Seen::default(), odd: 0 }))
}

impl Unwinder for Php {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Php { current, threads, seen, odd } = self;
        let thread = stopped.thread;
        let scripts = threads.read(thread, |memory| {
            let script = |link: Link| {
                let (key, content) = link.identity();
                let frame = seen.frame(key, &content, frames, || link.location(thread))?;
                Some(Script { frame, is_last: link.is_last })
            };
            let links = links(memory, *current);
            *odd = match &links {
                None => odd.saturating_add(1),
                // Before and behind the program there are no functions.
                Some(links) if links.is_empty() => *odd,
                Some(_) => 0,
            };
            links?.into_iter().map(script).collect()
        });
        scripts.unwrap_or_default()
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.threads.words(thread, words)
    }

    fn gave_up(&self) -> Option<String> {
        let why = "its frames are not laid out as in 7.4 to 8.4; its version is not known";
        (self.odd >= PATIENCE).then(|| why.to_owned())
    }
}

impl Link {
    /// What distinguishes it, and what must be the same as long as it is the same.
    fn identity(&self) -> ((u64, u64), Vec<u8>) {
        let words = self.named.iter().flat_map(|word| word.to_ne_bytes());
        let loaded = if let Kind::Loaded(how) = self.kind { how } else { 0 };
        let numbers = [self.line, loaded].into_iter().flat_map(u32::to_ne_bytes);
        ((self.function, self.instruction), words.chain(numbers).collect())
    }

    fn location(&self, thread: libc::pid_t) -> Option<Location> {
        let [name, class, file] = self.named;
        let function = match self.kind {
            Kind::Function => names::function(thread, name, class)?,
            Kind::Main => "{main}".to_owned(),
            Kind::Loaded(how) => names::loading(how).to_owned(),
            Kind::Evaluated => "eval".to_owned(),
        };
        Some(Location { function, file: names::text(thread, file)?, line: self.line })
    }
}

/// The functions of the program, innermost first. `None` if anything looks odd.
fn links(memory: &mut Memory, current: u64) -> Option<Vec<Link>> {
    let mut at = memory.word(current)?;
    let mut links: Vec<Link> = Vec::new();
    for _ in 0..FRAMES {
        if at == 0 || links.len() == FUNCTIONS {
            break;
        }
        let bytes = memory.parts(at, frame::SIZE, &frame::NEEDED)?;
        let function = word(&bytes, frame::FUNCTION)?;
        // A generator that runs inside another one has a frame without a function.
        if function != 0
            && let Some(link) = link(memory, &bytes, function)?
        {
            if let Kind::Loaded(how) = how_loaded(memory, &link)?
                && let Some(inner) = links.last_mut()
                && inner.kind == Kind::Main
            {
                inner.kind = Kind::Loaded(how);
            }
            links.push(link);
        }
        at = word(&bytes, frame::OUTER)?;
    }
    Some(links)
}

/// The function of a frame, unless it is one of PHP's own.
fn link(memory: &mut Memory, frame: &[u8], at: u64) -> Option<Option<Link>> {
    let head = memory.parts(at, function::SIZE, &function::NEEDED)?;
    let kind = head[function::KIND];
    if kind != function::IS_OF_PROGRAM && kind != function::IS_EVALUATED {
        return Some(None);
    }
    let more = memory.parts(at, function::MORE, &[])?;
    let instruction = word(frame, frame::INSTRUCTION)?;
    let mut fitting = LAYOUTS.iter().filter(|layout| layout.has(&more, instruction));
    let (layout, file) = fitting.find_map(|layout| {
        let file = word(&more, layout.file)?;
        is_text(memory, file).then_some((layout, file))
    })?;
    memory.use_parts(at, &more, &layout.needed());
    let (name, class) = (word(&head, function::NAME)?, word(&head, function::CLASS)?);
    let flags = frame.get(frame::FLAGS..frame::FLAGS + 4)?;
    Some(Some(Link {
        function: at,
        named: [name, class, file],
        kind: match (kind, name) {
            (function::IS_EVALUATED, _) => Kind::Evaluated,
            (_, 0) => Kind::Main,
            _ => Kind::Function,
        },
        instruction,
        line: how_and_line(memory, instruction)?.1,
        is_last: u32::from_ne_bytes(flags.try_into().ok()?) & frame::IS_LAST != 0,
    }))
}

impl Layout {
    /// What matters of a function.
    fn needed(&self) -> [(usize, usize); 3] {
        [(self.count, 4), (self.instructions, 8), (self.file, 8)]
    }

    /// Whether an instruction is one of a function's, if functions are laid out like this.
    fn has(&self, function: &[u8], instruction: u64) -> bool {
        let count = function.get(self.count..self.count + 4).and_then(|it| it.try_into().ok());
        let count = count.map_or(0, u32::from_ne_bytes);
        let first = word(function, self.instructions).unwrap_or(u64::MAX);
        let behind = instruction.checked_sub(first);
        behind.is_some_and(|behind| {
            behind % instruction::SIZE == 0 && behind / instruction::SIZE < u64::from(count)
        })
    }
}

/// Whether a text lies at an address: its kind is in its head, behind how often it is used.
fn is_text(memory: &mut Memory, at: u64) -> bool {
    let head = memory.parts(at, 8, &[(4, 4)]).and_then(|bytes| word(&bytes, 0));
    head.is_some_and(|head| head >> 32 & KINDS == IS_TEXT)
}

/// An instruction: how something is loaded by it, its line, what it does.
fn how_and_line(memory: &mut Memory, instruction: u64) -> Option<(u32, u32, u8)> {
    let bytes = memory.bytes(instruction.checked_add(instruction::HOW)?, 16)?;
    let number = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some((number(4)?, number(8)?, bytes[12]))
}

/// How a function has loaded the file or text that runs inside it.
fn how_loaded(memory: &mut Memory, link: &Link) -> Option<Kind> {
    let (how, _, operation) = how_and_line(memory, link.instruction)?;
    let is_loading = operation == instruction::IS_LOADING;
    Some(if is_loading { Kind::Loaded(how) } else { link.kind })
}
