//! A change as a line, as `changes` and `watch` print it.

use clap::ArgMatches;
use fewer::present::escape;
use fewer::present::lossless::push_json;
use fewer::snapshot::{Change, ChangeKind};

use crate::terminal;

/// How changes are printed.
#[derive(Clone, Copy)]
pub(crate) enum ChangePrinter {
    /// As lines; for a terminal escaped, and in colours.
    Lines { escape: bool, color: bool },
    /// With a NUL behind each path.
    Null,
    /// As JSON Lines.
    Json,
}

impl ChangePrinter {
    /// After the flags `--json`, `-0` and `--color`.
    pub(crate) fn from_flags(flags: &ArgMatches) -> ChangePrinter {
        let color = match flags.get_one::<String>("color").map(String::as_str) {
            Some("always") => true,
            Some("never") => false,
            _ => terminal::shows_color(),
        };
        match (flags.get_flag("json"), flags.get_flag("null")) {
            (true, _) => ChangePrinter::Json,
            (_, true) => ChangePrinter::Null,
            _ => ChangePrinter::Lines { escape: terminal::is_stdout(), color },
        }
    }

    /// Prints the change.
    pub(crate) fn print(self, change: &Change, out: &mut Vec<u8>) {
        let Change { kind, path, from, .. } = change;
        let (letter, color) = letter(*kind);
        match self {
            ChangePrinter::Json => push_object(change, out),
            ChangePrinter::Null => {
                out.extend([letter, b' ']);
                for path in from.iter().chain([path]) {
                    out.extend_from_slice(path);
                    out.push(0);
                }
            }
            ChangePrinter::Lines { escape: escapes, color: colors } => {
                if colors {
                    out.extend_from_slice(format!("\x1b[{color}m").as_bytes());
                }
                out.extend([letter, b' ']);
                for (at, path) in from.iter().chain([path]).enumerate() {
                    out.extend_from_slice(if at > 0 { b" -> " } else { b"" });
                    match escapes {
                        true => escape(path, out),
                        false => out.extend_from_slice(path),
                    }
                }
                out.extend_from_slice(if colors { b"\x1b[m\n" } else { b"\n" });
            }
        }
    }
}

/// Those of git's `--name-status`, and its colours.
fn letter(change: ChangeKind) -> (u8, &'static str) {
    match change {
        ChangeKind::Added => (b'A', "32"),
        ChangeKind::Removed => (b'D', "31"),
        ChangeKind::Renamed => (b'R', "36"),
        ChangeKind::Changed => (b'M', "33"),
    }
}

fn push_object(change: &Change, out: &mut Vec<u8>) {
    let Change { kind, entry, path, from } = change;
    out.extend_from_slice(format!("{{\"v\":1,\"change\":\"{}\"", kind.name()).as_bytes());
    if let Some(from) = from {
        out.extend_from_slice(b",\"from\":");
        push_json(from, out);
    }
    out.extend_from_slice(b",\"path\":");
    push_json(path, out);
    out.extend_from_slice(format!(",\"kind\":\"{}\"}}\n", entry.name()).as_bytes());
}
