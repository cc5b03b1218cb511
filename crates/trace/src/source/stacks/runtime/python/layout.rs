//! How an interpreter's structures are laid out. Facts from the headers of CPython 3.8.18, 3.9.18,
//! 3.10.13, 3.11.7 and 3.12.1 (`Include/cpython`, `Include/internal`, 64 bits); they are the same
//! in all releases of a minor version. CPython says it itself since 3.13 (`_Py_DebugOffsets`, at
//! the beginning of `_PyRuntime`).

use fewer::path::base_name;

use super::super::Loaded;
use super::lines::LineTable;
use crate::source::memory;

/// Distances in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    /// In `_PyRuntime`: the first interpreter.
    pub(super) interpreters: usize,
    /// In an interpreter: the next one, and its first thread.
    pub(super) next_interpreter: usize,
    pub(super) threads: usize,
    /// In a thread's state: the next one, and the number of the thread.
    pub(super) next_thread: usize,
    pub(super) number: usize,
    /// Whose number that is.
    pub(super) numbered_by: NumberedBy,
    /// In a thread's state: the innermost frame; or in 3.11 and 3.12 a structure that has it.
    pub(super) current: usize,
    pub(super) current_in: Option<usize>,
    /// In a frame.
    pub(super) frame: FrameLayout,
    /// In a code object.
    pub(super) code: CodeLayout,
    /// Where the characters of a text begin: of ASCII alone, and of others.
    pub(super) ascii: usize,
    pub(super) compact: usize,
}

/// What a thread's number is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum NumberedBy {
    /// The kernel's number.
    Kernel,
    /// The C library's, which is the thread pointer.
    CLibrary,
}

/// In a frame: `_PyInterpreterFrame`; up to 3.10 `PyFrameObject`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FrameLayout {
    /// Bytes of a frame that are needed.
    pub(super) size: usize,
    pub(super) code: usize,
    pub(super) previous: usize,
    pub(super) position: Position,
    pub(super) end: RunEnd,
}

/// Where a frame has the instruction that it stands at.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Position {
    /// A pointer to it.
    Pointer(usize),
    /// Its number as an `int`, and how many such numbers an instruction takes; -1 before the first.
    Index(usize, u64),
}

/// How it shows that the interpreter was called anew for a frame.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum RunEnd {
    /// It is for each frame.
    Each,
    /// By a byte of the frame and its value then.
    Function(usize, u8),
    /// By an empty frame behind that of the function, in which a byte has this value.
    Empty(usize, u8),
}

impl FrameLayout {
    /// What of a frame its function depends on, apart from the frame before: distances and sizes.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        let position = match self.position {
            Position::Pointer(at) => (at, 8),
            Position::Index(at, _) => (at, 4),
        };
        let end = match self.end {
            RunEnd::Each => (0, 0),
            RunEnd::Function(at, _) | RunEnd::Empty(at, _) => (at, 1),
        };
        // The position differs most.
        [position, (self.code, 8), end].into_iter()
    }
}

/// In a code object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct CodeLayout {
    pub(super) first_line: usize,
    /// A number that no other code object of the process has, unless it is 0: since 3.12.
    pub(super) version: Option<usize>,
    pub(super) file: usize,
    pub(super) name: usize,
    pub(super) lines: usize,
    pub(super) table: LineTable,
    /// Where instructions begin, if a frame points to them.
    pub(super) instructions: usize,
}

impl CodeLayout {
    /// What of a code object its function depends on, apart from what lies behind its pointers:
    /// distances and sizes.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        let version = self.version.map(|at| (at, 4));
        // The number of its instructions, which is not needed if a frame has no pointer to one.
        let all = [(16, 8), (self.first_line, 4), (self.file, 8), (self.name, 8), (self.lines, 8)];
        version.into_iter().chain(all)
    }

    /// Whether a code object with this head has a number of its own.
    pub(super) fn has_version(&self, head: &[u8]) -> bool {
        let version = self.version.and_then(|at| at.checked_sub(HEAD.0));
        let bytes = version.and_then(|at| head.get(at..at + 4));
        bytes.is_some_and(|bytes| bytes != [0; 4])
    }
}

/// A code object's head: what is needed, without the counter of references in front.
pub(super) const HEAD: (usize, usize) = (16, 144);

/// 3.8 and 3.9 are the same in all that is needed.
const LAYOUT_3_9: Layout = Layout {
    interpreters: 32,
    next_interpreter: 0,
    threads: 8,
    next_thread: 8,
    number: 176,
    numbered_by: NumberedBy::CLibrary,
    current: 24,
    current_in: None,
    frame: FrameLayout {
        size: 112,
        code: 32,
        previous: 24,
        // `f_lasti` counts bytes; an instruction has two.
        position: Position::Index(104, 2),
        end: RunEnd::Each,
    },
    code: CodeLayout {
        first_line: 40,
        version: None,
        file: 104,
        name: 112,
        lines: 120,
        table: LineTable::Increments,
        instructions: 0,
    },
    ascii: 48,
    compact: 72,
};

const LAYOUT_3_10: Layout = Layout {
    // Here it counts instructions.
    frame: FrameLayout { position: Position::Index(96, 1), ..LAYOUT_3_9.frame },
    code: CodeLayout { table: LineTable::Ranges, ..LAYOUT_3_9.code },
    ..LAYOUT_3_9
};

const LAYOUT_3_11: Layout = Layout {
    interpreters: 40,
    next_interpreter: 0,
    threads: 16,
    next_thread: 8,
    number: 160,
    numbered_by: NumberedBy::Kernel,
    current: 56,
    current_in: Some(8),
    frame: FrameLayout {
        size: 80,
        code: 32,
        previous: 48,
        position: Position::Pointer(56),
        // `is_entry`
        end: RunEnd::Function(68, 1),
    },
    code: CodeLayout {
        first_line: 72,
        version: None,
        file: 112,
        name: 128,
        lines: 136,
        table: LineTable::Entries,
        instructions: 184,
    },
    ascii: 48,
    compact: 72,
};

const LAYOUT_3_12: Layout = Layout {
    threads: 72,
    number: 144,
    current_in: Some(0),
    frame: FrameLayout {
        size: 80,
        code: 0,
        previous: 8,
        position: Position::Pointer(56),
        // `owner` is `FRAME_OWNED_BY_CSTACK`
        end: RunEnd::Empty(70, 3),
    },
    code: CodeLayout { first_line: 68, version: Some(92), instructions: 192, ..LAYOUT_3_11.code },
    ascii: 40,
    compact: 56,
    ..LAYOUT_3_11
};

impl Layout {
    /// The layout of an interpreter, or why it is not known.
    pub(super) fn of(process: libc::pid_t, loaded: &Loaded) -> Result<Layout, String> {
        let Some(place) = loaded.address("Py_Version") else {
            return Layout::by_name(base_name(loaded.path));
        };
        let mut bytes = Vec::new();
        memory::ranges(process, &[(place, 8)], &mut bytes);
        let version = bytes.as_slice().try_into().map(u64::from_ne_bytes).unwrap_or_default();
        // `PY_VERSION_HEX`: 3.11.7 is 0x030b07f0. Only releases.
        let released = (version & 0xf0 == 0xf0).then_some(version >> 16);
        let layout = match released {
            Some(0x030b) => Some(LAYOUT_3_11),
            Some(0x030c) => Some(LAYOUT_3_12),
            Some(0x030d | 0x030e) => {
                let runtime = loaded.address("_PyRuntime").unwrap_or_default();
                memory::ranges(process, &[(runtime, OFFSETS)], &mut bytes);
                self_described(version, &bytes)
            }
            _ => None,
        };
        layout.ok_or_else(|| {
            format!("the structures of its version, {}, are not known", text(version))
        })
    }

    /// The layout of one that does not say its version: only the name of its file does.
    fn by_name(name: &[u8]) -> Result<Layout, String> {
        let has = |version: &[u8]| {
            let behind = memchr::memmem::find(name, version).map(|at| at + version.len());
            behind.is_some_and(|at| !name.get(at).is_some_and(u8::is_ascii_digit))
        };
        if has(b"python3.8") || has(b"python3.9") {
            Ok(LAYOUT_3_9)
        } else if has(b"python3.10") {
            Ok(LAYOUT_3_10)
        } else {
            Err("its version is before 3.8, or its name does not say which".to_owned())
        }
    }
}

/// A version, for readers.
fn text(version: u64) -> String {
    format!("{}.{}", version >> 24 & 0xff, version >> 16 & 0xff)
}

/// The size of what is needed of `_Py_DebugOffsets` in 3.14, which has more than 3.13.
const OFFSETS: usize = 8 * 84;

/// What 3.14 has more than 3.13 in the structures of `_Py_DebugOffsets`.
struct More {
    interpreter: usize,
    frame: usize,
    code: usize,
    objects: usize,
}

const SINCE_3_13: More = More { interpreter: 0, frame: 0, code: 0, objects: 0 };

/// `threads_main`, before what is needed, and two at the end; `stackpointer` and `tlbc_index`;
/// `co_tlbc`; the offsets of sets.
const SINCE_3_14: More = More { interpreter: 3, frame: 2, code: 1, objects: 4 };

/// The layout that an interpreter of version 3.13 or 3.14 has at the beginning of `_PyRuntime`.
fn self_described(version: u64, bytes: &[u8]) -> Option<Layout> {
    let word = |at: usize| {
        let word = bytes.get(8 * at..8 * at + 8)?;
        Some(u64::from_ne_bytes(word.try_into().ok()?))
    };
    // A distance in a structure: none is large.
    let distance = |at| usize::try_from(word(at)?).ok().filter(|distance| *distance < 1 << 20);
    // The words: cookie, version, free_threaded; then one structure after the other, each with its
    // size first.
    const RUNTIME: usize = 3;
    const INTERPRETER: usize = RUNTIME + 3;
    let more = if version >> 16 == 0x030d { SINCE_3_13 } else { SINCE_3_14 };
    let thread = INTERPRETER + 13 + more.interpreter;
    let frame = thread + 9;
    let code = frame + 6 + more.frame;
    let text = code + 10 + more.code + 2 + 4 + 3 + 3 + more.objects + 3 + 2 + 3 + 3;
    if bytes.get(..8)? != b"xdebugpy" || word(1)? != version || word(2)? != 0 {
        return None;
    }
    let (at_instruction, at_owner) = (distance(frame + 3)?, distance(frame + 5)?);
    let frame = FrameLayout {
        size: 80,
        previous: distance(frame + 1)?,
        code: distance(frame + 2)?,
        position: Position::Pointer(at_instruction),
        // `FRAME_OWNED_BY_CSTACK` in 3.13, `FRAME_OWNED_BY_INTERPRETER` in 3.14
        end: RunEnd::Empty(at_owner, 3),
    };
    let file = distance(code + 1)?;
    let code = CodeLayout {
        file,
        // It does not say this one: three of its fields lie between, of 4, 8 and 8 bytes.
        version: file.checked_sub(20),
        name: distance(code + 3)?,
        lines: distance(code + 4)?,
        first_line: distance(code + 5)?,
        table: LineTable::Entries,
        instructions: distance(code + 9)?,
    };
    let ascii = distance(text + 3)?;
    let layout = Layout {
        interpreters: distance(RUNTIME + 2)?,
        next_interpreter: distance(INTERPRETER + 2)?,
        threads: distance(INTERPRETER + 3)?,
        next_thread: distance(thread + 2)?,
        current: distance(thread + 4)?,
        current_in: None,
        number: distance(thread + 6)?,
        numbered_by: NumberedBy::Kernel,
        frame,
        code,
        ascii,
        compact: ascii + 16,
    };
    let inside = [frame.previous, frame.code, at_instruction].map(|at| at + 8);
    let of_code = [code.file, code.name, code.lines, code.first_line].map(|at| (at, at + 8));
    let fits = code.version >= Some(HEAD.0)
        && inside.iter().all(|end| *end <= frame.size)
        && at_owner < frame.size
        && of_code.iter().all(|(start, end)| *start >= HEAD.0 && *end <= HEAD.1);
    fits.then_some(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As CPython 3.13.0 has them, printed by a program that was linked with it.
    fn offsets_of_3_13() -> Vec<u64> {
        let mut words = vec![u64::from_ne_bytes(*b"xdebugpy"), 51_183_856, 0];
        words.extend([283_320, 608, 632]); // runtime_state
        words.extend([194_968, 7_272, 7_264, 7_344, 7_400, 7_656, 7_640, 7_648, 16, 7_752, 0]);
        words.extend([7_768, 7_760]); // interpreter_state, to here
        words.extend([304, 0, 8, 16, 72, 152, 160, 232, 32]); // thread_state
        words.extend([80, 8, 0, 56, 72, 70]); // interpreter_frame
        words.extend([208, 112, 120, 128, 136, 68, 52, 96, 104, 200]); // code_object
        words.extend([16, 8, 416, 24, 88, 168, 32, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16]);
        words.extend([32, 16, 24, 40, 16, 32]); // other objects, to here
        words.extend([64, 32, 16, 40]); // unicode_object
        words.extend([240, 200]); // gc
        words
    }

    fn bytes(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn what_3_13_says_is_taken_if_it_is_of_that_version() {
        let mut words = offsets_of_3_13();
        let layout = self_described(0x030d_00f0, &bytes(&words)).unwrap();
        assert_eq!((layout.interpreters, layout.threads, layout.current), (632, 7_344, 72));
        assert_eq!((layout.number, layout.code.first_line), (160, 68));
        assert_eq!(layout.code.version, Some(92));
        assert_eq!(layout.frame.end, RunEnd::Empty(70, 3));
        assert_eq!((layout.code.instructions, layout.ascii, layout.compact), (200, 40, 56));
        assert_eq!(self_described(0x030d_01f0, &bytes(&words)), None);
        assert_eq!(self_described(0x030d_00f0, &bytes(&words[..40])), None);
        words[2] = 1; // Free-threaded: another layout altogether.
        assert_eq!(self_described(0x030d_00f0, &bytes(&words)), None);
        words[2] = 0;
        words[30] = 1 << 40;
        assert_eq!(self_described(0x030d_00f0, &bytes(&words)), None);
    }
}
