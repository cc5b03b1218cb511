//! The calls that the loading of a program makes, from the first that names its file to the one by
//! which it says that it is ready. They are followed like others, and not reported.

use crate::source::memory;
use crate::source::ptrace::Pid;
use crate::{Call, Name};
use rustc_hash::FxHashMap;

/// A loaded program writes to this descriptor, which no program has, to say that it is ready.
const MARK: u64 = 0x7fff_fffe;

/// What it writes begins so.
const MAGIC: [u8; 8] = *b"fewer-js";

/// Loading makes fewer calls. Behind so many something is wrong, and they are reported again.
const MOST: u32 = 1000;

/// What a call has to do with loading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Loading {
    /// Nothing.
    Not,
    /// It belongs to it.
    Hidden,
    /// It ends it: the program's notes are at this address.
    Ready(u64),
}

/// The threads that are loading, and how many calls each has made meanwhile.
#[derive(Default)]
pub(super) struct Hiding {
    threads: FxHashMap<Pid, u32>,
}

impl Hiding {
    /// A thread begins a call. `names_it`: it names the file of a program that is loaded.
    pub(super) fn call(&mut self, thread: Pid, call: &Call, names_it: bool) -> Loading {
        if call.name == Name::Write && call.arguments[0] == MARK {
            let is_ready = memory::array(thread, call.arguments[1]) == Some(MAGIC);
            self.threads.remove(&thread);
            return if is_ready { Loading::Ready(call.arguments[1]) } else { Loading::Not };
        }
        if names_it && call.name != Name::Execve {
            self.threads.entry(thread).or_default();
        }
        match self.threads.get_mut(&thread) {
            Some(calls) if *calls < MOST && call.name != Name::Execve => {
                *calls += 1;
                Loading::Hidden
            }
            Some(_) => {
                self.threads.remove(&thread);
                Loading::Not
            }
            None => Loading::Not,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: Name, arguments: [u64; 6]) -> Call {
        Call { name, arguments, ..Call::default() }
    }

    #[test]
    fn calls_are_hidden_from_the_first_that_names_the_file_to_the_mark() {
        let this = std::process::id().cast_signed();
        let (open, write) = (call(Name::Openat, [0; 6]), |descriptor, bytes: &[u8; 16]| {
            call(Name::Write, [descriptor, bytes.as_ptr() as u64, 16, 0, 0, 0])
        });
        let mut hiding = Hiding::default();
        assert_eq!(hiding.call(this, &open, false), Loading::Not);
        assert_eq!(hiding.call(this, &open, true), Loading::Hidden);
        assert_eq!(hiding.call(this, &open, false), Loading::Hidden);
        assert_eq!(hiding.call(this + 1, &open, false), Loading::Not);
        assert_eq!(hiding.call(this, &write(1, b"fewer-js........"), false), Loading::Hidden);
        let (notes, other) = (b"fewer-js........", b"something else..");
        let address = notes.as_ptr() as u64;
        assert_eq!(hiding.call(this, &write(MARK, notes), false), Loading::Ready(address));
        assert_eq!(hiding.call(this, &open, false), Loading::Not);
        assert_eq!(hiding.call(this, &write(MARK, other), false), Loading::Not);
    }

    #[test]
    fn what_is_never_ready_is_reported_again() {
        let mut hiding = Hiding::default();
        let open = call(Name::Openat, [0; 6]);
        for _ in 0..MOST {
            assert_eq!(hiding.call(1, &open, true), Loading::Hidden);
        }
        assert_eq!(hiding.call(1, &open, false), Loading::Not);
        hiding.call(2, &open, true);
        assert_eq!(hiding.call(2, &call(Name::Execve, [0; 6]), false), Loading::Not);
        assert_eq!(hiding.call(2, &open, false), Loading::Not);
    }
}
