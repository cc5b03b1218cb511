//! The threads that the library starts, told from those of the test runner.

use std::fs::DirEntry;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The threads that are started on behalf of one.
pub(crate) struct LibraryThreads(String);

impl LibraryThreads {
    /// Gives this thread a name that no other has. Threads without a name of their own, as the
    /// library's are, have that of the thread that starts them.
    pub(crate) fn of_this_thread() -> LibraryThreads {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("test-{}", NEXT.fetch_add(1, Relaxed));
        std::fs::write("/proc/thread-self/comm", &name).unwrap();
        LibraryThreads(name)
    }

    /// How many there are; all of them take no signals.
    pub(crate) fn count(&self) -> usize {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        tasks.filter(|task| self.has(task.as_ref().unwrap())).count()
    }

    fn has(&self, task: &DirEntry) -> bool {
        // One that has gone meanwhile is none.
        let status = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let is = |name: &str, what: &dyn Fn(&str) -> bool| {
            status.lines().any(|line| line.strip_prefix(name).is_some_and(what))
        };
        is("Name:\t", &|name| name == self.0) && is("SigBlk:\t", &|held| held.starts_with("ffff"))
    }

    /// Whether all of them have ended. They have been waited for; the kernel removes them a little
    /// later.
    pub(crate) fn have_ended(&self) -> bool {
        (0..10_000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            self.count() == 0
        })
    }
}
