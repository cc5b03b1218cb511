//! What a program asks of the file system, which of it was wasted, from where, and the remedy.
//!
//! A call goes one way, from a source to a report:
//!
//! | module | what is in it |
//! |---|---|
//! | `source` | events of a running program: ptrace, descriptors, stacks |
//! | `strace`, `recording` | events of a log of strace, of a file; and into a file |
//! | `stream` | what all of these emit: `Event`s, `Call`s, and what their numbers stand for |
//! | `watch` | hands each event to all event sinks, on a thread of its own |
//! | `explain` | an event sink: from calls to findings, by rules; pure |
//! | `price` | what a finding saves on this machine |
//! | `prove` | whether a remedy saves that, by runs with and without it |
//! | `report` | text, JSON, HTML |
//!
//! What these share:
//!
//! | module | what is in it |
//! |---|---|
//! | `syscall` | one table of all system calls: numbers, arguments, classes |
//! | `symbols`, `language` | from addresses to functions and lines; what a program is written in |
//! | `lisp_core` | whether a Lisp has been saved behind a program |
//! | `own_frame` | which frame of a stack is the program's own |
//! | `count` | an event sink: calls by name, by path, by caller |
//! | `served` | an event sink: the requests that a server answers |
//! | `content_hash` | the hash of contents that recordings hold |
//! | `bytes`, `figures`, `file` | bytes in JSON, numbers for readers, a file read whole |
//! | `packed` | texts that are seldom read |

mod bytes;
mod content_hash;
pub mod count;
mod error;
pub mod explain;
pub mod figures;
mod file;
mod language;
mod lisp_core;
mod own_frame;
mod packed;
pub mod price;
pub mod prove;
pub mod recording;
pub mod report;
pub mod served;
pub mod source;
pub mod strace;
mod stream;
pub mod symbols;
mod syscall;
pub mod watch;

pub use bytes::Text;
pub use error::Error;
pub use file::read_file;
pub use language::Language;
pub use own_frame::{OwnFrame, own_frame};
pub use stream::{
    Call, Event, Frame, FrameId, Location, Note, PathId, Process, Registry, Request, StackId,
};
pub use syscall::{Class, Machine, Name, Operand, Operation, Shape};
