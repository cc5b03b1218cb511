//! Properties of standard output and standard error: whether they are terminals that show colours.

use std::sync::OnceLock;

/// Whether standard output is a terminal.
///
/// Price: one `ioctl`, the first time.
pub(crate) fn is_stdout() -> bool {
    static IS: OnceLock<bool> = OnceLock::new();
    *IS.get_or_init(|| sys::is_terminal(sys::STDOUT))
}

/// Whether standard error is a terminal on which the cursor can be moved.
///
/// Price: one `ioctl`.
pub(crate) fn is_stderr_with_cursor() -> bool {
    sys::is_terminal(sys::STDERR) && !is_dumb()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Without a flag, colours are for terminals; NO_COLOR and CLICOLOR_FORCE (no-color.org,
/// bixense.com/clicolors) count if they are not empty.
pub(crate) fn shows_color() -> bool {
    shows_color_on(is_stdout)
}

/// The same for standard error.
pub(crate) fn shows_color_on_stderr() -> bool {
    shows_color_on(|| sys::is_terminal(sys::STDERR))
}

fn shows_color_on(is_terminal: impl FnOnce() -> bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("NO_COLOR") {
        return false;
    }
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
    forced || (is_terminal() && !is_dumb())
}

/// Whether dircolors(1) lists the terminal as one with colours, or COLORTERM is set.
pub(crate) fn is_known_for_color() -> bool {
    const NAMES: [&str; 19] = [
        "Eterm", "ansi", "cons25", "console", "cygwin", "dtterm", "gnome", "hurd", "jfbterm",
        "konsole", "kterm", "linux", "linux-c", "mlterm", "putty", "st", "terminator", "vt100",
        "vt220",
    ];
    const BEGINNINGS: [&str; 4] = ["rxvt", "screen", "tmux", "xterm"];
    if std::env::var_os("COLORTERM").is_some_and(|value| !value.is_empty()) {
        return true;
    }
    let Ok(term) = std::env::var("TERM") else { return false };
    let console = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest
                .find('x')
                .is_some_and(|x| rest[x + 1..].starts_with(|c: char| c.is_ascii_digit()))
    };
    NAMES.contains(&&*term)
        || BEGINNINGS.iter().any(|beginning| term.starts_with(beginning))
        || term.contains("color")
        || term.contains("direct")
        || term.strip_prefix("con").is_some_and(console)
}
