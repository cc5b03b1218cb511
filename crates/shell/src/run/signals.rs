//! Signals by their numbers, and what is said of them.

/// HUP, INT, TERM: what was written has to be written out before they end it.
pub(crate) const ENDING: [i32; 3] = [1, 2, 15];

/// The C library's words for what ended a child.
pub(crate) fn description(signal: i32) -> &'static str {
    match signal {
        1 => "Hangup",
        3 => "Quit",
        4 => "Illegal instruction",
        5 => "Trace/breakpoint trap",
        6 => "Aborted",
        7 => "Bus error",
        8 => "Floating point exception",
        9 => "Killed",
        10 => "User defined signal 1",
        11 => "Segmentation fault",
        12 => "User defined signal 2",
        14 => "Alarm clock",
        15 => "Terminated",
        24 => "CPU time limit exceeded",
        25 => "File size limit exceeded",
        _ => "Unknown signal",
    }
}

/// SIGCHLD
pub(crate) const CHILD: i32 = 17;
/// SIGQUIT
pub(crate) const QUIT: i32 = 3;
/// SIGPIPE: this process ignores it, so that its own writes fail instead.
pub(crate) const PIPE: i32 = 13;
/// SIGINT
pub(crate) const INTERRUPT: i32 = 2;

/// A signal in a set of signals.
pub(crate) const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// The first of the signals that came and have not been handled.
pub(crate) fn first_pending() -> Option<i32> {
    let pending = sys::pending();
    (1..=64).find(|signal| pending & bit(*signal) != 0)
}
