//! Processes: those that a script starts, and its own.
//!
//! | module | what is in it |
//! |---|---|
//! | `start` | a program as a child, in this one's place; a copy of this process |
//! | `signals` | names and numbers, `kill -l`, what `trap` can be set on |
//! | `umask` | the umask, octal and symbolic |
//! | `limits` | `ulimit` |
//! | `wait` | what became of a child, while what it writes is collected |

mod limits;
mod signals;
mod start;
mod umask;
mod wait;

pub use limits::{Limit, Which};
pub use signals::{Condition, explain_signal, list_signals, signal_name, signal_number};
pub use start::{Forked, Run, exec, fork, spawn};
pub use sys::Process;
pub use umask::{Umask, WrongMask, octal_mask, parse_mask, symbolic_mask};
pub use wait::{wait, wait_any, wait_first, wait_unless_caught};
