//! The runtimes that are mapped in an address space.

use std::collections::VecDeque;

use super::StoppedThread;
use super::images::{ImageId, Images};
use super::runtime::{Begun, Frames, Loaded, Script, Unwinder};
use super::words::Word;
use crate::source::registers::Registers;
use fewer::path::base_name;

/// How many calls a runtime is given until it can be read.
const PATIENCE: u32 = 256;

/// A runtime's file that is mapped.
struct Mapped {
    image: ImageId,
    slide: u64,
    state: State,
}

enum State {
    /// It could not be read yet, at so many calls.
    Waiting(u32),
    Readable(Box<dyn Unwinder>),
    /// It cannot be read, which has been said.
    Unreadable,
}

/// All runtimes of an address space.
#[derive(Default)]
pub(super) struct Runtimes {
    mapped: Vec<Mapped>,
    /// Whether any of them waits, or has given up.
    is_waiting: bool,
    /// Where what was loaded into a program keeps notes for a thread, the last ones.
    notes: VecDeque<(libc::pid_t, u64)>,
    /// How many of those that are mapped were asked for functions last.
    asked: usize,
}

/// So many threads are remembered that have notes.
const THREADS: usize = 1 << 10;

impl Runtimes {
    /// The same, with nothing known of what is mapped.
    pub(super) fn anew(&mut self) -> Runtimes {
        Runtimes { notes: std::mem::take(&mut self.notes), ..Runtimes::default() }
    }

    /// A thread's notes are at this address.
    pub(super) fn noted(&mut self, thread: libc::pid_t, address: u64) {
        self.notes.retain(|note| note.0 != thread);
        if self.notes.len() == THREADS {
            self.notes.pop_front();
        }
        self.notes.push_back((thread, address));
        for mapped in &mut self.mapped {
            if let State::Readable(unwinder) = &mut mapped.state {
                unwinder.noted(thread, address);
            }
        }
    }

    /// Where a thread's notes are.
    pub(super) fn notes_of(&self, thread: libc::pid_t) -> Option<u64> {
        self.notes.iter().find(|note| note.0 == thread).map(|note| note.1)
    }

    /// Takes in what is mapped now: files, and how far up each lies.
    pub(super) fn mapped(&mut self, files: Vec<(ImageId, u64)>) {
        for (image, slide) in files {
            if !self.mapped.iter().any(|known| known.image == image) {
                self.mapped.push(Mapped { image, slide, state: State::Waiting(0) });
                self.is_waiting = true;
            }
        }
    }

    /// Begins to read those that can be read by now. `unreadable` takes why one never will be.
    pub(super) fn begin(
        &mut self,
        process: libc::pid_t,
        images: &Images,
        unreadable: &mut dyn FnMut(String),
    ) {
        if !self.is_waiting {
            return;
        }
        self.is_waiting = false;
        let files = self.mapped.iter().filter_map(|mapped| images.runtime(mapped.image));
        let whole: Vec<&str> =
            files.filter(|file| file.missing().is_none()).map(|file| file.runtime.name).collect();
        for mapped in &mut self.mapped {
            let Some(file) = images.runtime(mapped.image) else { continue };
            let loaded = Loaded { file, slide: mapped.slide, path: images.name(mapped.image) };
            let (calls, begun) = match &mapped.state {
                State::Waiting(calls) => (*calls, begin(process, &loaded)),
                State::Readable(unwinder) => match unwinder.gave_up() {
                    Some(why) => (PATIENCE, Err(why)),
                    None => continue,
                },
                State::Unreadable => continue,
            };
            mapped.state = match begun {
                Ok(mut unwinder) => {
                    self.notes.iter().for_each(|note| unwinder.noted(note.0, note.1));
                    State::Readable(unwinder)
                }
                Err(_) if calls < PATIENCE => State::Waiting(calls + 1),
                // The program is a few lines, and the runtime its library, or the other way round.
                Err(_) if file.missing().is_some() && whole.contains(&file.runtime.name) => {
                    State::Unreadable
                }
                Err(why) => {
                    let name = String::from_utf8_lossy(base_name(loaded.path));
                    unreadable(format!("{name}: no functions of {}: {why}", file.runtime.name));
                    State::Unreadable
                }
            };
            self.is_waiting |= matches!(mapped.state, State::Waiting(_));
        }
    }

    /// Whether it can be said of all on which words of memory it depends what they give.
    pub(super) fn depend_on_words(&self) -> bool {
        self.mapped.iter().all(|mapped| match &mapped.state {
            State::Readable(unwinder) => unwinder.depends_on_words(),
            State::Waiting(_) => false,
            State::Unreadable => true,
        })
    }

    /// The words of memory that the functions depend on which were given last: those of this
    /// thread. `None` if they depend on anything else, too.
    pub(super) fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        if self.is_waiting {
            return None;
        }
        for mapped in &self.mapped[..self.asked] {
            if let State::Readable(unwinder) = &mapped.state {
                unwinder.words(thread, words)?;
            }
        }
        Some(())
    }

    /// Whether one is read whose functions are all those in code that lies in no file.
    pub(super) fn know_compiled(&self) -> bool {
        self.mapped.iter().any(|mapped| match &mapped.state {
            State::Readable(unwinder) => unwinder.knows_compiled(),
            State::Waiting(_) | State::Unreadable => false,
        })
    }

    /// The functions of the program that a stopped thread is in, innermost first: those of the
    /// first runtime that has any. The pair is what the native stack says: where it comes to
    /// code that lies in no ELF file, and whether it may lead into a runtime's program.
    pub(super) fn functions(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        (compiled, runs): (Option<Registers>, bool),
        frames: Frames,
    ) -> Vec<Script> {
        let mut functions = Vec::new();
        self.asked = 0;
        for mapped in &mut self.mapped {
            self.asked += 1;
            if let State::Readable(unwinder) = &mut mapped.state
                && (runs || !unwinder.needs_run(stopped))
            {
                unwinder.compiled(compiled);
                functions = unwinder.functions(stopped, registers, frames);
                self.is_waiting |= functions.is_empty() && unwinder.gave_up().is_some();
            }
            if !functions.is_empty() {
                break;
            }
        }
        functions
    }
}

/// Begins to read a runtime, if its file has what that needs.
fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    match loaded.file.missing() {
        Some(symbol) => Err(format!("it has no symbol {symbol}; it may be stripped")),
        None => (loaded.file.runtime.begin)(process, loaded),
    }
}
