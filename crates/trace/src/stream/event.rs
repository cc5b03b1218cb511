//! What a source emits, in order: definitions first, then the calls that refer to them. A recording
//! is this stream, written down; a sink needs nothing else.

use serde::{Deserialize, Serialize};

use crate::bytes::Text;
use crate::{Call, FrameId, Language, PathId, Request, StackId};

/// One thing that a source emits. What a number stands for comes before its first use, except for
/// `Locations`, `Wanted` and `Program`, which come when the program has ended: names are looked up
/// once.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A path. Numbers begin at 1.
    Path {
        /// Its number.
        id: PathId,
        /// Its bytes.
        path: Text,
    },
    /// A frame: an address in a mapped file.
    Frame {
        /// Its number.
        id: FrameId,
        /// The mapped file, or `[jit]`, `[vdso]`.
        module: PathId,
        /// The address in that file, as its own headers count (in `[jit]`: in memory). A return
        /// address has 1 taken away, so that it lies in the line of the call.
        address: u64,
        /// A process that has it mapped; what `[jit]` is looked up for.
        process: u32,
    },
    /// A stack: from the innermost frame, which made the call, outwards. Numbers begin at 1.
    Stack {
        /// Its number.
        id: StackId,
        /// Its frames.
        frames: Vec<FrameId>,
        /// Whether it goes on where it could not be read.
        truncated: bool,
    },
    /// A process began, or became another program (`execve`). The same number may come again.
    Process(Process),
    /// A process ended.
    Ended {
        /// Which.
        process: u32,
        /// When, in nanoseconds since the recording began.
        at: u64,
        /// Its exit status, as `wait` has it.
        status: i32,
        /// The processor's time that it took, with the children that it waited for, in
        /// nanoseconds; its stops for the tracer are in it. 0 is unknown.
        #[serde(default)]
        processor: u64,
    },
    /// A call was made and came back (or its process ended in it). In JSON with short names, and
    /// without what is 0: there are millions of them.
    #[serde(rename = "c", with = "super::call_json")]
    Call(Call),
    /// A thread has slept by a call that is not watched: its time-out passed (`futex`), or nothing
    /// is known but that it sleeps (`nanosleep`). It is no call.
    Slept {
        /// The process.
        process: u32,
        /// The thread.
        thread: u32,
        /// When it began to, in nanoseconds since the recording began.
        at: u64,
    },
    /// A request of io_uring was completed, or its ring ended. It is no call.
    #[serde(rename = "q")]
    Request(Request),
    /// Where in the source text a frame is. In JSON it is called `places`.
    #[serde(rename = "places")]
    Locations {
        /// The frame.
        frame: FrameId,
        /// The function, and what was inlined into it: innermost first. Empty if nothing is known.
        #[serde(rename = "places")]
        locations: Vec<Location>,
    },
    /// What the source text does with metadata that is asked for from a frame.
    Wanted {
        /// The frame.
        frame: FrameId,
        /// Whether it is nothing but the kind of the file.
        only_kind: bool,
    },
    /// What a program is.
    Program {
        /// Its executable.
        path: PathId,
        /// What it is written in, or interprets.
        language: Language,
    },
    /// Something that could not be seen, and must be said: a 32-bit process, requests of io_uring
    /// that the kernel took by itself, a setuid program that ran without its privilege.
    Note(Note),
    /// The end: everything was seen up to here. A recording without it was cut off.
    End {
        /// When, in nanoseconds since the recording began.
        at: u64,
    },
}

/// A program in a process.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// The process that made it; 0 for the first one.
    pub parent: u32,
    /// Nanoseconds since the recording began.
    pub start: u64,
    /// The executable, absolute.
    pub program: PathId,
    /// The words it was started with.
    pub arguments: Vec<Text>,
    /// The working directory.
    pub directory: PathId,
}

/// A function, file and line of the source text.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Location {
    /// The function, demangled.
    pub function: String,
    /// Its file, as the debug information has it; empty if there is none.
    pub file: String,
    /// Its line; 0 if it is unknown.
    pub line: u32,
}

/// Something that was not seen.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// A stable word: `foreign`, `io-uring`, `setuid`, `untraced`, `limit`, `debuginfod`.
    pub id: String,
    /// The process it was noticed in.
    pub process: u32,
    /// In plain words.
    pub text: String,
}
