//! A change as a line.

use clap::ArgMatches;
use fewer::present::escape;
use fewer::present::lossless::push_json;
use fewer::snapshot::{Change, ChangeKind};

use crate::terminal;

/// How changes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Printer {
    /// For programs: the bytes as they are.
    Plain,
    /// For people: control characters are escaped.
    Terminal,
    /// NUL behind each path.
    Null,
    Json,
}

impl Printer {
    pub(super) fn from_flags(flags: &ArgMatches) -> Printer {
        match () {
            () if flags.get_flag("json") => Printer::Json,
            () if flags.get_flag("null") => Printer::Null,
            () if terminal::is_stdout() => Printer::Terminal,
            () => Printer::Plain,
        }
    }

    /// Prints the change.
    pub(super) fn print(self, change: &Change, out: &mut Vec<u8>) {
        if self == Printer::Json {
            return json(change, out);
        }
        out.push(letter(change.kind));
        out.push(b' ');
        if let Some(from) = &change.from {
            self.path(from, out);
            out.extend_from_slice(if self == Printer::Null { b"\0" } else { b" -> " });
        }
        self.path(&change.path, out);
        out.push(if self == Printer::Null { 0 } else { b'\n' });
    }

    fn path(self, path: &[u8], out: &mut Vec<u8>) {
        match self {
            Printer::Terminal => escape(path, out),
            _ => out.extend_from_slice(path),
        }
    }
}

/// Those of git's `--name-status`.
fn letter(change: ChangeKind) -> u8 {
    match change {
        ChangeKind::Added => b'A',
        ChangeKind::Removed => b'D',
        ChangeKind::Renamed => b'R',
        ChangeKind::Changed => b'M',
    }
}

fn json(change: &Change, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"change\":\"");
    out.extend_from_slice(change.kind.name().as_bytes());
    if let Some(from) = &change.from {
        out.extend_from_slice(b"\",\"from\":");
        push_json(from, out);
        out.extend_from_slice(b",\"path\":");
    } else {
        out.extend_from_slice(b"\",\"path\":");
    }
    push_json(&change.path, out);
    out.extend_from_slice(b",\"kind\":\"");
    out.extend_from_slice(change.entry.name().as_bytes());
    out.extend_from_slice(b"\"}\n");
}
