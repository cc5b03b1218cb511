//! What each record of the kernel's means: a call, or the life of a process.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use ::agent::layout::record;

use super::code;
use super::session::Session;
use crate::source::decode::Program;
use crate::source::proc;
use crate::source::ptrace::{Pid, Stop};
use crate::source::registers::Registers;
use crate::source::stacks::StoppedThread;
use crate::source::tracees::Thread;
use crate::{Error, Machine, Name, PathId, StackId, Text};

// As in `calls.bpf.c`: the kinds of records,
const CALL: u32 = 0;
const UNFINISHED: u32 = 1;
const FORK: u32 = 2;
const EXEC: u32 = 3;
const EXIT: u32 = 4;
const SIGNAL: u32 = 5;

// where a record has what the agent's has not,
const KIND: usize = record::LENGTH;
const PROCESS: usize = record::LENGTH + 4;
const THREAD: usize = record::STACK;

// and the addresses of pieces that are no memory of the program's.
const STACK: u64 = 1;
const INTERPRETER: u64 = 3;
const WORDS: u64 = 4;
const PLACES: u64 = 5;

/// What is before the copy of a stack: four registers.
const STACK_HEAD: usize = 32;

impl Session<'_> {
    /// Something was recorded.
    pub(super) fn recorded(&mut self) -> Result<(), Error> {
        let kind = self.record.half(KIND);
        let process = self.record.half(PROCESS).cast_signed();
        let id = self.record.half(THREAD).cast_signed();
        let arguments = self.record.arguments();
        #[expect(clippy::cast_possible_truncation, reason = "numbers of processes, and statuses")]
        let int = |at: usize| arguments[at] as i32;
        match kind {
            CALL | UNFINISHED => self.call(kind == UNFINISHED, process, id),
            FORK => {
                self.know(process, id);
                self.forked(id, int(0), int(1));
            }
            EXEC => {
                self.know(process, int(0));
                self.became(id, int(0));
            }
            EXIT if arguments[0] != 0 => {
                if id != process {
                    self.gone(id, 0, Duration::ZERO)?;
                }
                self.gone(process, int(1), Duration::from_nanos(arguments[2]))?;
                self.arguments.remove(&process.cast_unsigned());
            }
            // The first thread stands for the process until all have ended.
            EXIT if id != process => self.gone(id, 0, Duration::ZERO)?,
            EXIT => {
                if let Some(thread) = self.tracer.threads.get_mut(&id) {
                    let ended = Thread { pending: thread.pending.take(), ..thread.sibling() };
                    self.tracer.decoder.unfinished(Some(ended));
                }
            }
            SIGNAL if process == self.tracer.first => self.tracer.first_got(int(0)),
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, is_unfinished: bool, process: Pid, id: Pid) {
        self.know(process, id);
        let tracer = &mut self.tracer;
        let is_first = process == tracer.first && !tracer.has_begun && !tracer.is_attached;
        // What the child does before it becomes the command is not the command's.
        if is_first && !is_unfinished {
            return;
        }
        let stack = self.stack(id);
        self.record.set_stack(stack.0);
        let tracer = &mut self.tracer;
        let Some(thread) = tracer.threads.get_mut(&id) else { return };
        if is_unfinished {
            tracer.decoder.begun(id, thread, &mut self.record, &self.clock);
            return;
        }
        tracer.decoder.recorded(id, thread, &mut self.record, &self.clock);
        let name = Name::of(u32::try_from(self.record.number()).unwrap_or(u32::MAX), Machine::HERE);
        let text = match name {
            Name::IoUringSetup if self.record.result() >= 0 => {
                "uses io_uring: what it asks for through that is not seen by --tier kernel"
            }
            Name::Mmap => {
                let executable = self.record.arguments()[2] & libc::PROT_EXEC as u64 != 0;
                if executable && self.record.result() > 0 {
                    self.mapped(id);
                }
                return;
            }
            _ if self.record.number() >> 32 != 0 => {
                "makes calls of another kind (a 32-bit program): they are counted, without their \
                 paths"
            }
            _ => return,
        };
        tracer.decoder.note("kernel", thread, text);
    }

    /// The number of the stack in the record.
    fn stack(&mut self, id: Pid) -> StackId {
        let Session { tracer, record, .. } = self;
        let Some(bytes) = record.piece(STACK).filter(|_| tracer.decoder.has_stacks) else {
            return StackId::NONE;
        };
        let Some(thread) = tracer.threads.get(&id) else { return StackId::NONE };
        let Some((head, copy)) = bytes.split_at_checked(STACK_HEAD) else { return StackId::NONE };
        let (words, _) = head.as_chunks::<8>();
        let [ip, sp, fp, lr] = [0, 1, 2, 3].map(|at| u64::from_ne_bytes(words[at]));
        let of =
            StoppedThread { space: thread.space.number, process: thread.process.id, thread: id };
        let decoder = &mut tracer.decoder;
        let at = Registers { ip, sp, fp, lr };
        decoder.stacks.copied(of, &at, copy, &mut decoder.paths, &mut decoder.events)
    }

    /// A thread has mapped code.
    fn mapped(&mut self, id: Pid) {
        let Some(thread) = self.tracer.threads.get(&id) else { return };
        let of =
            StoppedThread { space: thread.space.number, process: thread.process.id, thread: id };
        let decoder = &mut self.tracer.decoder;
        let Some(codes) = self.codes.get_mut(&of.space) else {
            decoder.stacks.mapped(of.space);
            return;
        };
        let [_, length, _, flags, descriptor, offset] = self.record.arguments();
        let start = self.record.result().cast_unsigned();
        let is_anonymous = flags & libc::MAP_ANONYMOUS as u64 != 0;
        #[expect(clippy::cast_possible_truncation, reason = "an int is the lower half")]
        let open = thread.descriptors.borrow().is_open(descriptor as i32);
        let file = open.filter(|_| !is_anonymous).map_or(PathId::NONE, |open| open.path);
        codes.add(start, length, decoder.paths.bytes(file), offset);
        decoder.stacks.has_codes(of, codes);
    }

    /// A thread is watched of which nothing was said: it was there before, or that was lost.
    fn know(&mut self, process: Pid, id: Pid) {
        let tracer = &mut self.tracer;
        if tracer.threads.contains_key(&id) {
            return;
        }
        let of_process = |other: &&Thread| other.process.id == process.cast_unsigned();
        let known = match tracer.threads.get(&process) {
            Some(first) => Some(first.sibling()),
            None => tracer.threads.values().find(of_process).map(Thread::sibling),
        };
        let thread = known.unwrap_or_else(|| {
            let alive = proc::living_thread(process);
            let thread = tracer.stranger(process, alive, true);
            let place = *thread.path_base.borrow();
            tracer.decoder.process(alive, &thread.process, 0, &place);
            thread
        });
        tracer.threads.insert(id, thread);
    }

    /// A thread made another one, or a process.
    fn forked(&mut self, id: Pid, child: Pid, group: Pid) {
        let arguments = self.record.arguments();
        let number = u32::try_from(arguments[3]).unwrap_or(u32::MAX);
        let flags = match Name::of(number, Machine::HERE) {
            _ if arguments[2] == 0 => 0,
            Name::Clone => arguments[4],
            Name::Clone3 => arguments[5],
            Name::Vfork => (libc::CLONE_VM | libc::CLONE_VFORK) as u64,
            _ => 0,
        };
        let parent = self.record.half(PROCESS);
        // Whatever was said: a thread of the same process it is, or a process.
        let thread = libc::CLONE_THREAD as u64;
        let flags = if group.cast_unsigned() == parent { flags | thread } else { flags & !thread };
        let arguments = self.arguments.get(&parent).cloned().unwrap_or_default();
        if group.cast_unsigned() != parent {
            self.arguments.insert(group.cast_unsigned(), arguments.clone());
        }
        self.tracer.decoder.program = Some(Program { path: None, arguments });
        self.tracer.made(id, child, flags);
        self.tracer.decoder.program = None;
        let space = |id: Pid| self.tracer.threads.get(&id).map(|thread| thread.space.number);
        if let (Some(before), Some(space)) = (space(id), space(child))
            && before != space
            && let Some(codes) = self.codes.get(&before).cloned()
            && let Some(thread) = self.tracer.threads.get(&child)
        {
            let of = StoppedThread { space, process: thread.process.id, thread: child };
            self.tracer.decoder.stacks.has_codes(of, &codes);
            self.codes.insert(space, codes);
        }
    }

    /// A thread's program was replaced.
    fn became(&mut self, id: Pid, former: Pid) {
        let words = self.record.piece(WORDS).unwrap_or_default();
        let words = words.strip_suffix(b"\0").unwrap_or(words);
        let arguments: Vec<Text> = words.split(|byte| *byte == 0).map(Text::from).collect();
        let path = self.executable(id, former);
        let places = self.record.piece(PLACES).unwrap_or_default();
        let start = self.record.arguments()[1];
        let codes = path.as_ref().map(|path| code::of_program(path, start, places));
        let program = Program { path, arguments: arguments.clone() };
        self.forget_space(former);
        self.keep_arguments(id.cast_unsigned(), arguments);
        self.tracer.decoder.program = Some(program);
        self.tracer.became(id, former);
        self.tracer.decoder.program = None;
        if let (Some(codes), Some(thread)) = (codes, self.tracer.threads.get(&id)) {
            let (space, process) = (thread.space.number, thread.process.id);
            let of = StoppedThread { space, process, thread: id };
            self.tracer.decoder.stacks.has_codes(of, &codes);
            self.codes.insert(space, codes);
        }
    }

    /// What a process runs, without links on the way. It may run something else by now.
    fn executable(&self, id: Pid, former: Pid) -> Option<Vec<u8>> {
        let name = self.record.piece(INTERPRETER)?;
        let name = Path::new(OsStr::from_bytes(name.strip_suffix(b"\0").unwrap_or(name)));
        let thread = self.tracer.threads.get(&former)?;
        let directory = self.tracer.decoder.paths.bytes(thread.path_base.borrow().directory);
        let whole = Path::new(OsStr::from_bytes(directory)).join(name);
        let real = whole.canonicalize().ok();
        let now = proc::program(id).map(|path| PathBuf::from(std::ffi::OsString::from_vec(path)));
        let is_it = |now: &PathBuf| {
            let name = now.file_name();
            real.as_ref().is_none_or(|real| real.file_name() == name) || whole.file_name() == name
        };
        let path = now.filter(is_it).or(real).unwrap_or(whole);
        Some(path.into_os_string().into_vec())
    }

    /// Remembers what a process was started with.
    pub(super) fn keep_arguments(&mut self, process: u32, arguments: Vec<Text>) {
        self.arguments.insert(process, arguments);
    }

    /// A thread, or with its last one a process, is no more.
    pub(super) fn gone(
        &mut self,
        thread: Pid,
        status: i32,
        processor: Duration,
    ) -> Result<(), Error> {
        self.forget_space(thread);
        self.tracer.gone(&Stop { thread, status, processor })
    }

    /// A thread leaves its address space: if it is the last there, its code is forgotten.
    fn forget_space(&mut self, thread: Pid) {
        let Some(thread) = self.tracer.threads.get(&thread) else { return };
        if Rc::strong_count(&thread.space) == 1 {
            self.codes.remove(&thread.space.number);
        }
    }
}
