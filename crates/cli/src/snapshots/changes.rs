//! `fewer changes`: what changed since a snapshot was made.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use clap::ArgMatches;
use fewer::Kind;
use fewer::present::escape;
use fewer::present::lossless::push_json;
use fewer::snapshot::{Change, ChangeKind, Changes, Level, Snapshot};

use super::make::record;
use super::{Filters, SnapshotFile};
use crate::{flags, report, terminal};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = changes(flags).unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn changes(flags: &ArgMatches) -> Result<u8, String> {
    let path = flags.get_one::<OsString>("snapshot").map(PathBuf::from).unwrap_or_default();
    let before = Snapshot::read(&path).map_err(|error| error.to_string())?;
    let (level, stat, update) = (before.level(), flags.get_flag("stat"), flags.get_flag("update"));
    if stat && level == Level::Names {
        return Err(format!("'{}' has names only: make it with --stat", path.display()));
    }
    let wrong = || format!("'{}' has filters of another version of fewer", path.display());
    let filters = Filters::of_text(before.options()).ok_or_else(wrong)?;
    let roots = roots(&before, flags)?;
    if update && roots.len() < before.roots().len() {
        return Err("--update takes all directories of the snapshot".to_owned());
    }
    let level = if stat || update { level } else { Level::Names };
    let file = SnapshotFile::new(path, Some(before)).recording(level, &filters.to_text());
    let status = record(&file, &filters, &roots, flags)?;
    file.say_what_is_not_proven();
    let (Some(since), Some(recording)) = (&file.since, &file.recording) else { return Ok(status) };
    let left_out: HashSet<Vec<u8>> = recording.left_out().into_iter().collect();
    let Some(after) = file.recorded()? else { return Ok(status) };
    let found = Changes::between(since.snapshot(), &after).map_err(|defect| defect.to_string())?;
    let style = Style::from_flags(flags);
    let mut out = Vec::new();
    let is_wanted = |path: &[u8]| !left_out.contains(path) && is_below(path, &roots);
    for change in found.filter_map(|change| wanted(change, is_wanted)) {
        style.push(&change, &mut out);
    }
    let status = status.max(report::print(&out));
    Ok(if update { status.max(file.write(&after)) } else { status })
}

/// The roots that the flags name, or all of the snapshot.
fn roots(snapshot: &Snapshot, flags: &ArgMatches) -> Result<Vec<PathBuf>, String> {
    let all = snapshot.roots().map(|root| PathBuf::from(OsString::from_vec(root.path.to_vec())));
    let all: Vec<PathBuf> = all.collect();
    let given = flags::paths(flags);
    match given.iter().find(|root| !all.contains(root)) {
        Some(root) => {
            let names: Vec<_> = all.iter().map(|root| format!("'{}'", root.display())).collect();
            let (root, names) = (root.display(), names.join(", "));
            Err(format!("the snapshot is not of '{root}', but of {names}"))
        }
        None => Ok(if given.is_empty() { all } else { given }),
    }
}

/// Whether a path is that of a root, or one below it.
fn is_below(path: &[u8], roots: &[PathBuf]) -> bool {
    roots.iter().any(|root| {
        let root = root.as_os_str().as_bytes();
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || root.ends_with(b"/"))
    })
}

/// A change as it is to be printed, if it is: what is renamed to or from a path that is left out
/// has come or gone.
fn wanted(change: Change, is_wanted: impl Fn(&[u8]) -> bool) -> Option<Change> {
    let Change { kind, entry, path, from } = change;
    let to = is_wanted(&path);
    Some(match from {
        Some(from) => match (is_wanted(&from), to) {
            (true, true) => Change { kind, entry, path, from: Some(from) },
            (true, false) => Change { kind: ChangeKind::Removed, entry, path: from, from: None },
            (false, true) => Change { kind: ChangeKind::Added, entry, path, from: None },
            (false, false) => return None,
        },
        None if to => Change { kind, entry, path, from: None },
        None => return None,
    })
}

/// How changes are printed.
#[derive(Clone, Copy)]
enum Style {
    /// As lines; for a terminal escaped, and in colours.
    Lines { escape: bool, color: bool },
    /// With a NUL behind each path.
    Null,
    /// As JSON Lines.
    Json,
}

impl Style {
    fn from_flags(flags: &ArgMatches) -> Style {
        let color = match flags.get_one::<String>("color").map(String::as_str) {
            Some("always") => true,
            Some("never") => false,
            _ => terminal::shows_color(),
        };
        match (flags.get_flag("json"), flags.get_flag("null")) {
            (true, _) => Style::Json,
            (_, true) => Style::Null,
            _ => Style::Lines { escape: terminal::is_stdout(), color },
        }
    }

    fn push(self, change: &Change, out: &mut Vec<u8>) {
        let Change { kind, entry, path, from } = change;
        let (letter, color) = match kind {
            ChangeKind::Added => (b'A', "32"),
            ChangeKind::Removed => (b'D', "31"),
            ChangeKind::Renamed => (b'R', "36"),
            ChangeKind::Changed => (b'M', "33"),
        };
        match self {
            Style::Json => push_object(change, *entry, out),
            Style::Null => {
                out.extend([letter, b' ']);
                for path in from.iter().chain([path]) {
                    out.extend_from_slice(path);
                    out.push(0);
                }
            }
            Style::Lines { escape: escapes, color: colors } => {
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

fn push_object(change: &Change, entry: Kind, out: &mut Vec<u8>) {
    let head = format!("{{\"v\":1,\"change\":\"{}\",\"path\":", change.kind.name());
    out.extend_from_slice(head.as_bytes());
    push_json(&change.path, out);
    if let Some(from) = &change.from {
        out.extend_from_slice(b",\"from\":");
        push_json(from, out);
    }
    out.extend_from_slice(format!(",\"kind\":\"{}\"}}\n", entry.name()).as_bytes());
}
