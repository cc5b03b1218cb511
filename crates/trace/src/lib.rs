//! What a program asks of the file system, which of it was wasted, from where, and the remedy.
//!
//! | module | what is in it |
//! |---|---|
//! | `name`, `class` | the system calls: one table of numbers, shapes and classes |
//! | `call`, `event` | what every source emits, in order |
//! | `source` | from a running program: ptrace, descriptors, stacks |
//! | `strace` | from a log of strace |
//! | `recording` | from a file, and into it |
//! | `symbols` | from addresses to functions and lines; what a program is written in |
//! | `registry` | what the numbers in calls stand for |
//! | `own_frame` | which frame of a stack is the program's own |
//! | `explain` | from calls to findings, by rules; pure |
//! | `price` | what a finding saves on this machine |
//! | `watch` | from a source to event sinks |
//! | `count` | calls by name, by path, by caller |
//! | `report` | text, JSON, HTML |
//!
//! Events flow one way: source → (`symbols`) → `registry` → `explain` → `price` → `report`.

mod bytes;
mod call;
mod call_json;
mod class;
pub mod count;
mod error;
mod event;
pub mod explain;
pub mod figures;
mod file;
mod i386;
mod language;
mod name;
mod own_frame;
pub mod price;
mod quick;
pub mod recording;
mod registry;
pub mod report;
pub mod source;
pub mod strace;
pub mod symbols;
pub mod watch;

pub use bytes::{Text, base_name};
pub use call::{Call, FrameId, PathId, StackId};
pub use class::Class;
pub use error::Error;
pub use event::{Event, Location, Note, Process};
pub use file::read_file;
pub use language::Language;
pub use name::{Machine, Name, Shape};
pub use own_frame::{OwnFrame, own_frame};
pub use registry::{Frame, Registry};
