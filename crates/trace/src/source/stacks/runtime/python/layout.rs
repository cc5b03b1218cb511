//! How an interpreter's structures are laid out. Facts from the headers of CPython 3.11.7 and
//! 3.12.1 (`Include/cpython`, `Include/internal`, 64 bits); they are the same in all releases of a
//! minor version. CPython 3.13 says itself (`_Py_DebugOffsets`, at the beginning of `_PyRuntime`).

use crate::source::memory;

/// Distances in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    /// In `_PyRuntime`: the first interpreter.
    pub(super) interpreters: usize,
    /// In an interpreter: the next one, and its first thread.
    pub(super) next_interpreter: usize,
    pub(super) threads: usize,
    /// In a thread's state: the next one, and the kernel's number of the thread.
    pub(super) next_thread: usize,
    pub(super) number: usize,
    /// In a thread's state: the innermost frame; or up to 3.12 a structure that has it.
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

/// In a frame: `_PyInterpreterFrame`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FrameLayout {
    pub(super) code: usize,
    pub(super) previous: usize,
    pub(super) instruction: usize,
    /// A byte that says how a run of the interpreter ends, and its value then.
    pub(super) end: (usize, u8),
    /// Whether the frame with that byte is a function's, or an empty one behind the last.
    pub(super) end_is_function: bool,
}

/// In a code object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct CodeLayout {
    pub(super) first_line: usize,
    pub(super) file: usize,
    pub(super) name: usize,
    pub(super) lines: usize,
    pub(super) instructions: usize,
}

/// Bytes of a frame that are needed.
pub(super) const FRAME: usize = 80;

/// A code object's head: what is needed, without the counter of references in front.
pub(super) const HEAD: (usize, usize) = (16, 144);

const FRAME_3_11: FrameLayout = FrameLayout {
    code: 32,
    previous: 48,
    instruction: 56,
    // `is_entry`
    end: (68, 1),
    end_is_function: true,
};

const FRAME_3_12: FrameLayout = FrameLayout {
    code: 0,
    previous: 8,
    instruction: 56,
    // `owner` is `FRAME_OWNED_BY_CSTACK`
    end: (70, 3),
    end_is_function: false,
};

const LAYOUT_3_11: Layout = Layout {
    interpreters: 40,
    next_interpreter: 0,
    threads: 16,
    next_thread: 8,
    number: 160,
    current: 56,
    current_in: Some(8),
    frame: FRAME_3_11,
    code: CodeLayout { first_line: 72, file: 112, name: 128, lines: 136, instructions: 184 },
    ascii: 48,
    compact: 72,
};

const LAYOUT_3_12: Layout = Layout {
    threads: 72,
    number: 144,
    current_in: Some(0),
    frame: FRAME_3_12,
    code: CodeLayout { first_line: 68, instructions: 192, ..LAYOUT_3_11.code },
    ascii: 40,
    compact: 56,
    ..LAYOUT_3_11
};

impl Layout {
    /// The layout of the interpreter with its version and its `_PyRuntime` at these addresses.
    pub(super) fn of(process: libc::pid_t, version: u64, runtime: u64) -> Option<Layout> {
        let mut bytes = Vec::new();
        memory::ranges(process, &[(version, 8)], &mut bytes);
        // `PY_VERSION_HEX`: 3.11.7 is 0x030b07f0. Only releases.
        let version = u64::from_ne_bytes(bytes.as_slice().try_into().ok()?);
        if version & 0xf0 != 0xf0 {
            return None;
        }
        match version >> 16 {
            0x030b => Some(LAYOUT_3_11),
            0x030c => Some(LAYOUT_3_12),
            0x030d => {
                memory::ranges(process, &[(runtime, OFFSETS)], &mut bytes);
                self_described(version, &bytes)
            }
            _ => None,
        }
    }
}

/// The size of `_Py_DebugOffsets` in 3.13.
const OFFSETS: usize = 8 * 73;

/// The layout that an interpreter of version 3.13 has at the beginning of `_PyRuntime`.
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
    const THREAD: usize = INTERPRETER + 13;
    const FRAME_OFFSETS: usize = THREAD + 9;
    const CODE: usize = FRAME_OFFSETS + 6;
    const TEXT: usize = CODE + 10 + 2 + 4 + 3 + 3 + 3 + 2 + 3 + 3;
    if bytes.get(..8)? != b"xdebugpy" || word(1)? != version || word(2)? != 0 {
        return None;
    }
    let frame = FrameLayout {
        previous: distance(FRAME_OFFSETS + 1)?,
        code: distance(FRAME_OFFSETS + 2)?,
        instruction: distance(FRAME_OFFSETS + 3)?,
        end: (distance(FRAME_OFFSETS + 5)?, 3),
        end_is_function: false,
    };
    let code = CodeLayout {
        file: distance(CODE + 1)?,
        name: distance(CODE + 3)?,
        lines: distance(CODE + 4)?,
        first_line: distance(CODE + 5)?,
        instructions: distance(CODE + 9)?,
    };
    let ascii = distance(TEXT + 3)?;
    let layout = Layout {
        interpreters: distance(RUNTIME + 2)?,
        next_interpreter: distance(INTERPRETER + 2)?,
        threads: distance(INTERPRETER + 3)?,
        next_thread: distance(THREAD + 2)?,
        current: distance(THREAD + 4)?,
        current_in: None,
        number: distance(THREAD + 6)?,
        frame,
        code,
        ascii,
        compact: ascii + 16,
    };
    let inside = [frame.previous, frame.code, frame.instruction].map(|at| at + 8);
    let of_code = [code.file, code.name, code.lines, code.first_line].map(|at| (at, at + 8));
    let fits = inside.iter().all(|end| *end <= FRAME)
        && frame.end.0 < FRAME
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
        assert_eq!((layout.number, layout.frame.end, layout.code.first_line), (160, (70, 3), 68));
        assert_eq!((layout.code.instructions, layout.ascii, layout.compact), (200, 40, 56));
        assert_eq!(words.len() * 8, OFFSETS);
        assert_eq!(self_described(0x030d_01f0, &bytes(&words)), None);
        assert_eq!(self_described(0x030d_00f0, &bytes(&words[..40])), None);
        words[2] = 1; // Free-threaded: another layout altogether.
        assert_eq!(self_described(0x030d_00f0, &bytes(&words)), None);
        words[2] = 0;
        words[35] = 1 << 40;
        assert_eq!(self_described(0x030d_00f0, &bytes(&words)), None);
    }
}
