//! How a process ended, and the exit statuses by which shells tell it.

use std::fmt;

/// The exit status of a shell for a command that was found and could not be run (POSIX, "Exit
/// Status for Commands").
pub const NOT_RUN: u8 = 126;

/// The exit status of a shell for a command that was not found.
pub const NOT_FOUND: u8 = 127;

/// The exit status of a shell for a command that a signal ended: 128 and the signal's number. (ksh
/// has 256 in the place of 128.) Free.
#[must_use]
pub const fn status_of_signal(signal: i32) -> i32 {
    128 + signal
}

/// How a child ended: on Unix the status as `wait` gives it, on Windows the whole of its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExitStatus(i32);

/// Whether the number is an exit code, and nothing else.
const IS_CODE: bool = cfg!(windows);

impl ExitStatus {
    /// From the number that [`wait`](crate::wait) and [`wait_for_any`](crate::wait_for_any) give.
    /// Free.
    #[must_use]
    pub const fn from_wait(status: i32) -> ExitStatus {
        ExitStatus(status)
    }

    /// Whether it ended by itself, with status 0.
    #[must_use]
    pub fn success(self) -> bool {
        self.0 == 0
    }

    /// Its exit status; `None` if a signal ended it.
    #[must_use]
    pub fn code(self) -> Option<i32> {
        self.signal().is_none().then_some(self.own())
    }

    /// What it ended with, if it did so by itself.
    fn own(self) -> i32 {
        if IS_CODE { self.0 } else { self.0 >> 8 & 0xff }
    }

    /// The signal that ended it; none on Windows, where what is ended by force has an exit code.
    #[must_use]
    pub fn signal(self) -> Option<i32> {
        let signal = if IS_CODE { 0 } else { self.0 & 0x7f };
        (signal != 0).then_some(signal)
    }

    /// Whether a signal ended it that made the kernel write its memory to a file.
    #[must_use]
    pub fn dumped_core(self) -> bool {
        !IS_CODE && self.0 & 0x80 != 0
    }

    /// The exit status that a shell has for it: its own, or [`status_of_signal`].
    #[must_use]
    pub fn in_shell(self) -> i32 {
        self.signal().map_or(self.own(), status_of_signal)
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code(), self.signal()) {
            (Some(code), _) => write!(f, "exit status {code}"),
            (None, signal) => write!(f, "signal {}", signal.unwrap_or_default()),
        }
    }
}

impl fmt::Debug for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExitStatus({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    /// The layout of a status is the same on every architecture (wait(2), sys/wait.h).
    #[test]
    fn a_status_is_an_exit_or_a_signal() {
        let exit = ExitStatus(3 << 8);
        assert_eq!((exit.code(), exit.signal(), exit.success()), (Some(3), None, false));
        let killed = ExitStatus(9);
        assert_eq!((killed.code(), killed.signal(), killed.success()), (None, Some(9), false));
        let dumped = ExitStatus(11 | 0x80);
        assert_eq!((dumped.code(), dumped.signal(), dumped.dumped_core()), (None, Some(11), true));
        assert!(ExitStatus(0).success() && !killed.dumped_core());
        assert_eq!(format!("{exit:?}, {killed}"), "ExitStatus(exit status 3), signal 9");
    }

    #[cfg(windows)]
    #[test]
    fn an_exit_code_has_32_bits() {
        let statuses = [0, 3, 255, 256, 0xc000_0005_u32.cast_signed()].map(ExitStatus::from_wait);
        assert_eq!(statuses.map(|it| it.code().unwrap()), [0, 3, 255, 256, -1_073_741_819]);
        assert_eq!(statuses.map(ExitStatus::signal), [None; 5]);
        assert_eq!(statuses.map(ExitStatus::success), [true, false, false, false, false]);
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_adds_128_to_a_signal() {
        let statuses = [0, 3 << 8, 255 << 8, 2, 11 | 0x80].map(ExitStatus::from_wait);
        assert_eq!(statuses.map(ExitStatus::in_shell), [0, 3, 255, 130, 139]);
    }
}
