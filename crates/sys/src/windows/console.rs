//! Consoles: what is written there is text in UTF-16, and may have colours.

use std::os::windows::io::AsRawHandle;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode,
    GetConsoleScreenBufferInfo, SetConsoleMode, WriteConsoleW,
};

use super::descriptor::handle_of;
use super::errno::last_error;
use super::{AsFile, BorrowedFile};
use crate::Errno;
use crate::counter::{Call, count};

/// The mode of a console; `None` for anything else.
fn mode(file: BorrowedFile<'_>) -> Option<u32> {
    let mut mode = 0;
    // SAFETY: the handle is open as long as `file` is borrowed; the mode is written there.
    let is_console = unsafe { GetConsoleMode(handle_of(file), &raw mut mode) } != 0;
    is_console.then_some(mode)
}

/// Whether a standard file is a console. Free for any other file, to which a console is not given.
pub(super) fn is_console(file: BorrowedFile<'_>) -> bool {
    (file.as_raw_handle().addr() as isize) < 0 && mode(file).is_some()
}

/// Whether `file` is a terminal. A console is told to understand the sequences for colours.
///
/// Price: some `NtDeviceIoControlFile`, which are not counted.
#[must_use]
pub fn is_terminal(file: impl AsFile) -> bool {
    let file = file.as_file();
    let Some(mode) = mode(file) else { return false };
    // SAFETY: the handle is open as long as `file` is borrowed; takes a number.
    unsafe { SetConsoleMode(handle_of(file), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) };
    true
}

fn size(file: BorrowedFile<'_>) -> Option<(u16, u16)> {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: the handle is open as long as `file` is borrowed; the answer is written there.
    let done = unsafe { GetConsoleScreenBufferInfo(handle_of(file), &raw mut info) } != 0;
    let window = info.srWindow;
    let extent = |from: i16, to: i16| u16::try_from(i32::from(to) - i32::from(from) + 1).ok();
    let size = (extent(window.Left, window.Right)?, extent(window.Top, window.Bottom)?);
    done.then_some(size)
}

/// How many columns the terminal `file` has; `None` if it is none.
///
/// Price: as [`is_terminal`].
#[must_use]
pub fn terminal_columns(file: impl AsFile) -> Option<u16> {
    size(file.as_file()).map(|size| size.0)
}

/// The same for its rows.
///
/// Price: as [`is_terminal`].
#[must_use]
pub fn terminal_rows(file: impl AsFile) -> Option<u16> {
    size(file.as_file()).map(|size| size.1)
}

/// The beginning of a character whose rest has not been written yet.
static BEGUN: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Writes text; bytes that are no text are shown as U+FFFD. A character may come in two parts.
pub(super) fn write(file: BorrowedFile<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    /// The console takes no more at once.
    const MOST_BYTES: usize = 8 << 10;
    let taken = &bytes[..bytes.len().min(MOST_BYTES)];
    let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = std::mem::take(&mut *begun);
    text.extend_from_slice(taken);
    let whole = text.len() - unfinished(&text);
    *begun = text.split_off(whole);
    let units: Vec<u16> = String::from_utf8_lossy(&text).encode_utf16().collect();
    let mut rest = &units[..];
    while !rest.is_empty() {
        let mut written = 0;
        count(Call::WriteFile);
        // SAFETY: the handle is open as long as `file` is borrowed; the call reads at most the
        // length of `rest`.
        let done = unsafe {
            WriteConsoleW(
                handle_of(file),
                rest.as_ptr(),
                rest.len() as u32,
                &raw mut written,
                std::ptr::null(),
            )
        };
        if done == 0 {
            return Err(last_error());
        }
        rest = rest.get(written as usize..).unwrap_or_default();
    }
    Ok(taken.len())
}

/// How many bytes at the end are the beginning of a character.
fn unfinished(text: &[u8]) -> usize {
    match std::str::from_utf8(text.get(text.len().saturating_sub(3)..).unwrap_or_default()) {
        Ok(_) => 0,
        Err(_) => {
            let lead = text.iter().rev().take(3).position(|byte| *byte >= 0xc0);
            let Some(behind) = lead else { return 0 };
            let needed = match text[text.len() - 1 - behind] {
                0xf0.. => 4,
                0xe0.. => 3,
                _ => 2,
            };
            if behind + 1 < needed { behind + 1 } else { 0 }
        }
    }
}
