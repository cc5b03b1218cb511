//! Errors: number, message, action and path.

use std::ffi::{CString, c_char};

use fewer::filter::PatternError;
use fewer::lines::LineError;
use fewer::snapshot::Defect;
use fewer::{Action, Errno, Error};

use crate::boundary::{close, guard, put};

/// `fewer_error`
#[derive(Debug)]
pub struct Failed {
    number: i32,
    message: CString,
    action: Action,
    /// The words of the action.
    words: CString,
    /// With a NUL behind it.
    path: Vec<u8>,
    position: Position,
}

/// `fewer_position`
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Position {
    pub line: u64,
    pub offset: u64,
    pub column: u64,
}

impl Failed {
    pub(crate) fn new(number: i32, message: String, action: Action, path: &[u8]) -> Failed {
        // Messages are escaped and actions are constants: neither has a NUL in it.
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let (message, words) = (text(&message), text(action.words()));
        let path = [path, b"\0"].concat();
        Failed { number, message, action, words, path, position: Position::default() }
    }

    /// An error that has nothing to do with a path.
    #[cold]
    pub(crate) fn of(errno: Errno, action: &'static str) -> Failed {
        Failed::new(errno.raw_os_error(), format!("cannot {action}: {errno}"), action.into(), b"")
    }

    /// A glob or another pattern that is invalid.
    #[cold]
    pub(crate) fn of_pattern(error: &PatternError) -> Failed {
        let number = Errno::INVAL.raw_os_error();
        let message = CString::new(error.to_string()).unwrap_or_default();
        Failed { message, ..Failed::new(number, String::new(), "read a glob".into(), b"") }
    }

    /// A snapshot that cannot be used, though it could be read.
    #[cold]
    pub(crate) fn of_defect(defect: Defect, action: &'static str) -> Failed {
        let number = Errno::BADMSG.raw_os_error();
        Failed::new(number, format!("cannot {action}: {defect}"), action.into(), b"")
    }

    #[cold]
    pub(crate) fn of_panic() -> Failed {
        let text =
            "there is a mistake in libfewer; what was being done is not done to its end".to_owned();
        Failed::new(Errno::NOTRECOVERABLE.raw_os_error(), text, "go on".into(), b"")
    }

    pub(crate) fn number(&self) -> i32 {
        self.number
    }
}

impl From<Error> for Failed {
    #[cold]
    fn from(error: Error) -> Failed {
        let path = error.path().as_os_str().as_encoded_bytes();
        Failed::new(error.errno().raw_os_error(), error.to_string(), error.action(), path)
    }
}

impl From<LineError> for Failed {
    #[cold]
    fn from(error: LineError) -> Failed {
        let message = error.to_string();
        match error {
            LineError::Failed(error) => error.into(),
            LineError::NotUtf8 { ref path, number: line, offset, column } => Failed {
                position: Position { line, offset, column },
                ..Failed::new(error.errno().raw_os_error(), message, Action::DECODE, path)
            },
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_number(error: *const Failed) -> i32 {
    // SAFETY: an error, or NULL.
    unsafe { error.as_ref() }.map_or(0, |error| error.number)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_message(error: *const Failed) -> *const c_char {
    // SAFETY: an error, or NULL.
    unsafe { error.as_ref() }.map_or(c"".as_ptr(), |error| error.message.as_ptr())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_action(error: *const Failed) -> u32 {
    // SAFETY: an error, or NULL.
    unsafe { error.as_ref() }.map_or(0, |error| error.action.number().into())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_action_words(error: *const Failed) -> *const c_char {
    // SAFETY: an error, or NULL.
    unsafe { error.as_ref() }.map_or(c"".as_ptr(), |error| error.words.as_ptr())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_path(
    error: *const Failed,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: an error, or NULL.
    let path = unsafe { error.as_ref() }.map_or(&b"\0"[..], |error| &error.path);
    if !length.is_null() {
        // SAFETY: it may be written to.
        unsafe { length.write(path.len() - 1) };
    }
    path.as_ptr().cast()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_position(error: *const Failed, position: *mut Position) {
    // SAFETY: an error, or NULL.
    let found = unsafe { error.as_ref() }.map_or(Position::default(), |error| error.position);
    // SAFETY: it may be written to. If it is NULL nothing is written.
    let _ = guard(Ok(()), || unsafe { put(position, found) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_error_free(error: *mut Failed) {
    // SAFETY: it came from `answer`.
    unsafe { close(error) };
}
