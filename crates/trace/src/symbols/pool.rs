//! Functions that do, on a thread of a pool, what an asynchronous task of Rust has asked for. The
//! task waits elsewhere, and nothing leads from the thread's stack to it.

use crate::{Event, Note};

/// Modules whose functions hand each call to a pool.
const MODULES: [&str; 3] = ["async_fs::", "async_std::fs::", "tokio::fs::"];

/// What such functions have in their names on the pool's threads: the call is in a closure.
const INSIDE: &str = "{{closure}}";

/// The module that a function hands calls to a pool for, if it does.
pub(super) fn of(function: &str) -> Option<&'static str> {
    let module = MODULES.into_iter().find(|module| function.starts_with(module))?;
    function.contains(INSIDE).then_some(module)
}

/// That the callers of a module's functions are not known.
pub(super) fn note(module: &str, process: u32) -> Event {
    let module = module.trim_end_matches("::");
    let text = format!(
        "which task asked for what {module} does: a thread of its pool does it, and the task is \
         not on that thread's stack"
    );
    Event::Note(Note { id: "pool".to_owned(), process, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_done_on_a_pool_hides_its_task() {
        for (function, module) in [
            ("tokio::fs::metadata::metadata::{{closure}}::{{closure}}", Some("tokio::fs::")),
            ("async_std::fs::read::read::{{closure}}", Some("async_std::fs::")),
            ("tokio::fs::OpenOptions::new", None),
            ("tool::tokio::fs::{{closure}}", None),
            ("tool::load::{{closure}}", None),
        ] {
            assert_eq!(of(function), module, "{function}");
        }
        let Event::Note(note) = note("tokio::fs::", 7) else { panic!() };
        assert!(note.process == 7 && note.text.contains(" tokio::fs does: "), "{}", note.text);
    }
}
