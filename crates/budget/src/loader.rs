//! Which calls are the loader's: those that are made before the program's own code runs.
//!
//! What the loader asks depends on the libraries of the machine and on how it finds them, not on
//! the program. Its calls are known by their stacks: while none of a process's calls has had a
//! frame in the program's executable, each of them comes from the loader, or from what libraries do
//! when they are loaded. The first call from the executable (its `_start` is at the outer end of
//! every stack of the first thread) ends that. What the program loads later, it loads itself.

use std::collections::HashMap;

use trace::{Call, Class, PathId, Process, Registry};

#[derive(Debug, Default)]
pub(crate) struct Loader {
    /// The program of each process, as long as it has not begun; `None` once it has.
    loading: HashMap<u32, Option<PathId>>,
    has_seen: bool,
    made: u64,
}

impl Loader {
    /// A process begins, or becomes another program. One that was made by a running program runs
    /// the same program, and has no loader.
    pub(crate) fn begins(&mut self, process: &Process) {
        let is_new = !self.loading.contains_key(&process.id);
        let of_parent = self.loading.get(&process.parent).copied();
        let state = match of_parent {
            Some(state) if is_new => state,
            _ => Some(process.program),
        };
        self.loading.insert(process.id, state);
    }

    pub(crate) fn ends(&mut self, process: u32) {
        self.loading.remove(&process);
    }

    /// Whether the loader makes this call. What starts the command counts as its loader's, too.
    pub(crate) fn makes(&mut self, call: &Call, registry: &Registry) -> bool {
        let is_first = !std::mem::replace(&mut self.has_seen, true);
        let is_execute = call.name.class() == Class::Execute;
        let of_loader = if is_execute {
            is_first
        } else if let Some(Some(program)) = self.loading.get(&call.process) {
            let mut frames = registry.stack(call.stack).peekable();
            // Without a stack nothing is known: then it is the program's.
            frames.peek().is_some() && !frames.any(|frame| frame.module == *program)
        } else {
            false
        };
        if !of_loader && !is_execute {
            self.loading.insert(call.process, None);
        }
        self.made += u64::from(of_loader);
        of_loader
    }

    /// How many calls it made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }
}

#[cfg(test)]
mod tests {
    use crate::stream::Stream;

    #[test]
    fn what_comes_before_the_program_is_set_aside() {
        let mut stream = Stream::new("/a/prog");
        stream.call("execve", "/a/prog", &[]);
        stream.call("openat", "/etc/ld.so.cache", &["/lib/ld-linux.so.2"]);
        // A library's constructor: called by the loader, not by the program.
        stream.call("openat", "/proc/filesystems", &["/lib/libx.so", "/lib/ld-linux.so.2"]);
        stream.call("openat", "data", &["/lib/libc.so.6", "/a/prog"]);
        // What the program loads while it runs, it loads itself; other threads have other ends.
        stream.call("openat", "/lib/y.so", &["/lib/ld-linux.so.2", "/a/prog"]);
        stream.call("openat", "z", &["/lib/liby.so", "/lib/libc.so.6"]);
        let measured = stream.measured();
        assert_eq!((measured.set_aside, measured.total()), (3, 3));
    }

    #[test]
    fn each_program_of_a_process_has_its_own_loader() {
        let mut stream = Stream::new("/a/prog");
        stream.call("openat", "data", &["/a/prog"]);
        stream.process(2, 1, "/a/prog");
        // The child is a copy: it has begun.
        stream.call_of(2, "openat", "x", &["/lib/libx.so"]);
        stream.process(2, 1, "/b/tool");
        stream.call_of(2, "execve", "/b/tool", &["/lib/libc.so.6", "/a/prog"]);
        stream.call_of(2, "openat", "/etc/ld.so.cache", &["/lib/ld-linux.so.2"]);
        stream.call_of(2, "openat", "y", &["/b/tool"]);
        let measured = stream.measured();
        assert_eq!((measured.set_aside, measured.total()), (1, 4));
    }

    #[test]
    fn without_stacks_nothing_is_set_aside() {
        let mut stream = Stream::new("/a/prog");
        stream.call("openat", "/etc/ld.so.cache", &[]);
        assert_eq!(stream.measured().total(), 1);
    }
}
