//! From registers and memory to a `Call`, in two steps: its arguments when it begins, its result
//! when it ends.
//!
//! | module | what is in it |
//! |---|---|
//! | `decoder` | the state that decoding needs, and the events that it emits |
//! | `entry` | the beginning of a call: which one, which paths, from where |
//! | `predicted` | calls whose result is known from the start: their end is not waited for |
//! | `requests` | what is asked for through io_uring |
//! | `preloading` | calls that have to do with what is loaded into programs |
//! | `visibility` | calls that change what tracing sees |
//! | `recorded` | calls that the agent, or the kernel, has recorded |
//! | `exit` | the end of a call: its result goes to the modules below |
//! | `new_descriptor` | calls that make, copy and close descriptors |
//! | `answer` | calls that ask about a file |
//! | `address` | calls that connect and send to an address |
//! | `transfer` | calls that read and write |
//! | `path_base` | calls that change where relative paths begin |

mod address;
mod answer;
mod decoder;
mod entry;
mod exit;
mod new_descriptor;
mod path_base;
mod predicted;
mod preloading;
mod recorded;
mod requests;
mod transfer;
mod visibility;

pub(crate) use answer::{ANSWER, STAT, STATFS, STATX};
pub(crate) use decoder::Decoder;
#[cfg(feature = "kernel")]
pub(crate) use decoder::Program;
pub(crate) use exit::is_made_anew;
