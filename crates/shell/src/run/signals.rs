//! Signals that end a shell.

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

use super::Shell;

/// SIGCHLD
pub(crate) const CHILD: i32 = 17;
/// SIGQUIT
pub(crate) const QUIT: i32 = 3;
/// SIGPIPE: this process ignores it, so that its own writes fail instead.
pub(crate) const PIPE: i32 = 13;

impl Shell {
    /// What ends a shell is caught from the start, so that what was written is not lost; what is
    /// ignored stays so, but for the end of children, which would have no status.
    pub(crate) fn start_signals(&mut self) {
        let child = sys::set_signal(CHILD, sys::Action::Default);
        let traps = std::rc::Rc::make_mut(&mut self.traps);
        traps.asked |= 1 << (CHILD - 1);
        // dash and ksh give it back to scripts, too.
        if child == Ok(sys::Action::Ignore) && self.dialect == crate::Dialect::Bash {
            traps.ignored_at_start |= 1 << (CHILD - 1);
        }
        // Rust has it ignored in every program.
        traps.asked |= 1 << (PIPE - 1);
        if sys::was_pipe_ignored() {
            traps.ignored_at_start |= 1 << (PIPE - 1);
        }
        if self.dialect == crate::Dialect::Bash {
            self.ignore_quit();
        }
        for signal in ENDING {
            let before = sys::set_signal(signal, sys::Action::Catch);
            let traps = std::rc::Rc::make_mut(&mut self.traps);
            traps.asked |= 1 << (signal - 1);
            if before == Ok(sys::Action::Ignore) {
                let _ = sys::set_signal(signal, sys::Action::Ignore);
                traps.ignored_at_start |= 1 << (signal - 1);
            } else {
                traps.caught |= 1 << (signal - 1);
            }
        }
    }

    /// bash cannot be ended by SIGQUIT; its children can.
    fn ignore_quit(&mut self) {
        let before = sys::set_signal(QUIT, sys::Action::Ignore);
        let traps = std::rc::Rc::make_mut(&mut self.traps);
        traps.asked |= 1 << (QUIT - 1);
        if before == Ok(sys::Action::Ignore) {
            traps.ignored_at_start |= 1 << (QUIT - 1);
        } else {
            traps.caught |= 1 << (QUIT - 1);
        }
    }
}
