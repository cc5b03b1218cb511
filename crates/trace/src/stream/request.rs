//! One request of io_uring. It is no system call: it is asked for and answered in memory that the
//! program shares with the kernel.

use serde::{Deserialize, Serialize};

use crate::{Operation, PathId, StackId};

/// What a program asked for through a ring. In JSON with short names, and without what is 0.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// What is to be done.
    #[serde(rename = "o")]
    pub operation: Operation,
    /// When the `io_uring_enter` began that submitted it: nanoseconds since the recording began.
    #[serde(rename = "t", skip_serializing_if = "is_zero")]
    pub start: u64,
    /// The process that submitted it.
    #[serde(rename = "p", skip_serializing_if = "is_zero")]
    pub process: u32,
    /// The thread.
    #[serde(rename = "h", skip_serializing_if = "is_zero")]
    pub thread: u32,
    /// What the path said, byte for byte.
    #[serde(rename = "x", skip_serializing_if = "is_zero")]
    pub path: PathId,
    /// The absolute path of the file meant; what the descriptor or the registered file stands for.
    #[serde(rename = "f", skip_serializing_if = "is_zero")]
    pub file: PathId,
    /// The same for the second path or descriptor.
    #[serde(rename = "g", skip_serializing_if = "is_zero")]
    pub second: PathId,
    /// `len` of the submission: bytes wanted, or how many blocks.
    #[serde(rename = "l", skip_serializing_if = "is_zero")]
    pub length: u32,
    /// `off` of the submission: where in the file.
    #[serde(rename = "e", skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// How many were submitted by the same `io_uring_enter`; 0 if the kernel took them by itself.
    #[serde(rename = "b", skip_serializing_if = "is_zero")]
    pub batch: u32,
    /// What the first completion said; below zero it is a negative errno. `None`: none was seen.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub result: Option<i32>,
    /// Bytes read or written, by all its completions.
    #[serde(rename = "m", skip_serializing_if = "is_zero")]
    pub moved: u64,
    /// From where it was submitted.
    #[serde(rename = "s", skip_serializing_if = "is_zero")]
    pub stack: StackId,
}

/// All that is left out is 0, and that is the default of each.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Request {
    /// Whether it failed, as far as that was seen.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.result.is_some_and(|result| result < 0)
    }
}
