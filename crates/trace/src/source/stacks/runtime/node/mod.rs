//! The functions of a program in Node.js, from the notes of what was loaded into it
//! (`source/preload/node.cjs`): which functions asked for what the thread does. For the threads
//! that do what was asked for asynchronously, libuv's request says which of the notes is meant.
//!
//! | module | what is in it |
//! |---|---|
//! | `notes` | reads the notes |
//! | `request` | from a thread of libuv's to the number of the request that it works on |

mod notes;
mod request;
#[cfg(test)]
mod tests;

use self::notes::Notes;
use self::request::Requests;
use super::super::StoppedThread;
use super::super::words::Word;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::preload;
use crate::source::registers::Registers;

/// Node.js: the program, or the library that distributions make of it.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "JavaScript",
    is_file: |name| name.starts_with(b"node") || name.starts_with(b"libnode"),
    needs: &["node_module_register"],
    also: &[],
    // What V8 calls functions in C++ by, through which all system calls are made.
    runs: &[
        "Builtins_CallApiCallback", "Builtins_CallApiCallbackGeneric",
        "Builtins_CallApiCallbackOptimized", "Builtins_CallApiCallbackOptimizedNoProfiling",
        "Builtins_CEntry_Return1_ArgvOnStack_BuiltinExit",
        "Builtins_CEntry_Return1_DontSaveFPRegs_ArgvOnStack_BuiltinExit",
        "Builtins_CEntry_Return1_DontSaveFPRegs_ArgvOnStack_NoBuiltinExit",
        "Builtins_CEntry_Return1_ArgvOnStack_NoBuiltinExit",
    ],
    begin,
};

/// Node.js in an address space.
#[derive(Default)]
struct Node {
    /// The notes of each thread that runs JavaScript: the program's first one, and workers.
    threads: Vec<(libc::pid_t, Notes)>,
    requests: Requests,
}

fn begin(process: libc::pid_t, _loaded: &Loaded) -> Begun {
    match preload::is_loaded_into(process) {
        true => Ok(Box::new(Node::default())),
        false => Err("they can be seen only in programs that are started with `fewer why`".into()),
    }
}

impl Unwinder for Node {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let thread = stopped.thread;
        let threads = &mut self.threads;
        let found = match threads.iter_mut().find(|known| known.0 == thread) {
            Some((_, notes)) => notes.present(thread, frames),
            None => self.requests.find(thread, registers.sp, threads).and_then(|request| {
                let notes = &mut threads.get_mut(request.notes)?.1;
                notes.stack(thread, request.site, frames)
            }),
        };
        let frames = found.unwrap_or_default();
        let last = frames.len();
        let script = |(at, &frame): (usize, &_)| Script { frame, is_last: at + 1 == last };
        frames.iter().enumerate().map(script).collect()
    }

    fn noted(&mut self, thread: libc::pid_t, address: u64) {
        self.threads.retain(|known| known.0 != thread);
        self.threads.push((thread, Notes::at(address)));
    }

    fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        // What another thread does was asked for by a request, whose number is a `double`.
        let (_, notes) = self.threads.iter().find(|known| known.0 == thread)?;
        notes.words(thread, words)
    }

    fn needs_run(&self, stopped: StoppedThread) -> bool {
        self.threads.iter().any(|known| known.0 == stopped.thread)
    }
}
