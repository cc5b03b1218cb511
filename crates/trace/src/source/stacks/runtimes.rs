//! The runtimes that are mapped in an address space.

use super::StoppedThread;
use super::images::{ImageId, Images};
use super::runtime::{Frames, Loaded, Script, Unwinder};
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
    /// Whether any of them waits.
    is_waiting: bool,
}

impl Runtimes {
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
        mut unreadable: impl FnMut(String),
    ) {
        if !self.is_waiting {
            return;
        }
        self.is_waiting = false;
        for mapped in &mut self.mapped {
            let State::Waiting(calls) = mapped.state else { continue };
            let Some(file) = images.runtime(mapped.image) else { continue };
            let loaded = Loaded { file, slide: mapped.slide, path: images.name(mapped.image) };
            mapped.state = match (file.runtime.begin)(process, &loaded) {
                Ok(unwinder) => State::Readable(unwinder),
                Err(_) if calls < PATIENCE => State::Waiting(calls + 1),
                Err(why) => {
                    let name = String::from_utf8_lossy(base_name(loaded.path));
                    unreadable(format!("{name}: no functions of {}: {why}", file.runtime.name));
                    State::Unreadable
                }
            };
            self.is_waiting |= matches!(mapped.state, State::Waiting(_));
        }
    }

    /// Whether one is read whose functions are all those in code that lies in no file.
    pub(super) fn know_compiled(&self) -> bool {
        self.mapped.iter().any(|mapped| match &mapped.state {
            State::Readable(unwinder) => unwinder.knows_compiled(),
            State::Waiting(_) | State::Unreadable => false,
        })
    }

    /// The functions of the program that a stopped thread is in, innermost first: those of the
    /// first runtime that has any. `compiled` is where the stack comes to code that lies in no ELF
    /// file.
    pub(super) fn functions(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        compiled: Option<Registers>,
        frames: Frames,
    ) -> Vec<Script> {
        let mut functions = Vec::new();
        for mapped in &mut self.mapped {
            if let State::Readable(unwinder) = &mut mapped.state {
                unwinder.compiled(compiled);
                functions = unwinder.functions(stopped, registers, frames);
            }
            if !functions.is_empty() {
                break;
            }
        }
        functions
    }
}
