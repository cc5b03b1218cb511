//! Error messages, and the calls that were made.

use std::fmt::Display;

use sys::Errno;

use crate::{exit_status, terminal};

/// Prints an error message to standard error. If that fails, there is nowhere to report it.
pub(crate) fn complain(message: &dyn Display) {
    let _ = sys::write_all(sys::STDERR, format!("fewer: {message}\n").as_bytes());
}

/// Complains, and gives the status of total failure.
pub(crate) fn fail(message: &dyn Display) -> u8 {
    complain(message);
    exit_status::FAILED
}

/// What the parser of the command line has to say: help on standard output, or what is wrong.
pub(crate) fn parser(answer: &clap::Error) -> u8 {
    if answer.use_stderr() {
        let _ = answer.print();
        return exit_status::FAILED;
    }
    let text = answer.render();
    let text = if terminal::shows_color() { text.ansi().to_string() } else { text.to_string() };
    print(text.as_bytes())
}

/// Prints to standard output; back comes the exit status.
pub(crate) fn print(bytes: &[u8]) -> u8 {
    match sys::write_all(sys::STDOUT, bytes) {
        Ok(()) => exit_status::OK,
        Err(errno) => cannot_write(errno),
    }
}

/// What happens when standard output takes no more. A reader that has gone is a quiet end.
pub(crate) fn cannot_write(errno: Errno) -> u8 {
    if errno == Errno::PIPE {
        sys::die_of_sigpipe();
    }
    fail(&fewer::Error::new(errno, "write to", b"standard output"))
}

/// Says on standard error which calls this process has made.
pub(crate) fn calls(json: bool) {
    let calls = sys::calls();
    let rows = std::iter::once(("total", calls.total())).chain(calls.by_name());
    let text = if json {
        let rows: Vec<_> = rows.map(|(name, count)| format!("\"{name}\":{count}")).collect();
        format!("{{\"v\":1,\"calls\":{{{}}}}}\n", rows.join(","))
    } else {
        rows.map(|(name, count)| format!("{count:>8} {name}\n")).collect()
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}
