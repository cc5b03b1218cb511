//! The stream that every source emits: definitions first, then the calls that refer to them.
//!
//! | module | what is in it |
//! |---|---|
//! | `event` | one thing that a source emits |
//! | `call`, `call_json` | a system call as rules see it, and as recordings have it |
//! | `path_table` | a value for each path |
//! | `request` | one request of io_uring, which is no call |
//! | `registry` | what the numbers in calls stand for, as far as the stream has come |

mod call;
mod call_json;
mod event;
mod path_table;
mod registry;
mod request;

pub use call::{Call, FrameId, PathId, StackId};
pub use event::{Event, Location, Note, Process};
pub(crate) use path_table::PathTable;
pub use registry::{Frame, Registry};
pub use request::Request;
