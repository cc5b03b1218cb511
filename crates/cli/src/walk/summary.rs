//! What there is in the trees of a walk, as a table or as JSON.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;

use fewer::compact;
use fewer::disk_usage::{Event, Space};
use fewer::present::escaped;
use fewer::present::lossless::push_json;
use fewer::summary::{Extension, Extreme};
use fewer::{Action, Answer, Summary, Zone};

use super::Request;
use crate::json::{push_space, push_time};
use crate::progress::Progress;
use crate::{exit_status, report};
use fewer::present::Scale;

/// How many extensions the table has: those of the most bytes, and then those of the most files.
const EXTENSIONS: usize = 10;

/// Prints the summary of a walk, and returns the exit status.
pub(super) fn run(request: &Request<'_>) -> u8 {
    let progress = Progress::before_results().unless_unwanted(request.flags);
    let failed = Mutex::new((false, 0_usize));
    let summary = Summary::of(&request.walk, |event| {
        match event {
            Event::Counted { entries, directories } => progress.add_tree(entries, directories),
            Event::Failed(error) => {
                if let Ok(mut failed) = failed.lock() {
                    failed.0 = true;
                    failed.1 += usize::from(error.action() == Action::ACCESS);
                }
                progress.clear();
                report::complain(&error);
            }
        }
        Answer::Continue
    });
    progress.clear();
    let out = match request.flags.get_flag("json") {
        true => json(&summary),
        false => table(&summary).into_bytes(),
    };
    let status = match failed.into_inner() {
        Ok((false, _)) => exit_status::OK,
        Ok((true, roots)) if roots >= request.roots.len() => exit_status::FAILED,
        _ => exit_status::SOME_FAILED,
    };
    status.max(report::print(&out))
}

fn groups(summary: &Summary) -> [(&'static str, Space); 5] {
    let Summary { directories, files, links, other, .. } = *summary;
    let all = summary.all();
    [
        ("directories", directories),
        ("files", files),
        ("links", links),
        ("other", other),
        ("all", all),
    ]
}

fn human(bytes: u64) -> String {
    let mut out = Vec::new();
    Scale::Human(1024).push(bytes, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn table(summary: &Summary) -> String {
    let mut out = format!("{:<12} {:>10} {:>9} {:>9}\n", "", "entries", "size", "allocated");
    let push_row = |name: &str, space: Space, out: &mut String| {
        let Space { entries, size, allocated } = space;
        let (size, allocated) = (human(size), human(allocated));
        // Writing to memory does not fail.
        let _ = writeln!(out, "{name:<12} {entries:>10} {size:>9} {allocated:>9}");
    };
    for (name, space) in groups(summary) {
        push_row(name, space, &mut out);
    }
    let mut extensions: Vec<&Extension> = summary.extensions.iter().collect();
    let mut heading = |title: &str, extensions: &[&Extension]| {
        let _ = writeln!(out, "\n{title}");
        for extension in extensions.iter().take(EXTENSIONS) {
            let name = match &extension.name {
                Some(name) if name.is_empty() => "(none)".to_owned(),
                Some(name) => format!(".{}", escaped(name)),
                None => "(others)".to_owned(),
            };
            push_row(&name, extension.space, &mut out);
        }
    };
    if !extensions.is_empty() {
        heading("extensions by size", &extensions);
        compact::sort_by_key(&mut extensions, |it| std::cmp::Reverse(it.space.entries));
        heading("extensions by files", &extensions);
    }
    if !summary.largest.is_empty() {
        out.push_str("\nlargest files\n");
    }
    for Extreme { value, path, .. } in &summary.largest {
        let _ = writeln!(out, "{:>9} {}", human(*value), escaped(path));
    }
    push_single_entries(summary, &mut out);
    out
}

/// The deepest and the longest path, the newest and the oldest file.
fn push_single_entries(summary: &Summary, out: &mut String) {
    let numbers = [("deepest", "levels", &summary.deepest), ("longest", "bytes", &summary.longest)];
    out.push('\n');
    for (name, unit, extreme) in numbers {
        if let Some(Extreme { value, path, .. }) = extreme {
            let _ = writeln!(out, "{name}  {value} {unit}  {}", escaped(path));
        }
    }
    let (zone, times) = (Zone::local(), [("newest", &summary.newest), ("oldest", &summary.oldest)]);
    for (name, extreme) in times {
        if let Some(Extreme { value, path, .. }) = extreme {
            let mut time = Vec::new();
            zone.write(b"%Y-%m-%d %H:%M:%S", *value, &mut time);
            let time = String::from_utf8_lossy(&time);
            let _ = writeln!(out, "{name}   {time}  {}", escaped(path));
        }
    }
}

fn json(summary: &Summary) -> Vec<u8> {
    let mut out = b"{\"v\":1".to_vec();
    let member = |name: &str, out: &mut Vec<u8>| {
        // Writing to memory does not fail.
        let _ = write!(out, ",\"{name}\":");
    };
    for (name, space) in groups(summary) {
        member(name, &mut out);
        push_object(&mut out, |out| push_space(space, out));
    }
    member("extensions", &mut out);
    push_list(&summary.extensions, &mut out, |extension, out| {
        out.extend_from_slice(b",\"extension\":");
        match &extension.name {
            Some(name) => push_json(name, out),
            None => out.extend_from_slice(b"null"),
        }
        push_space(extension.space, out);
    });
    let number = |name: &str, value: u64, path: &[u8], out: &mut Vec<u8>| {
        push_path(path, out);
        let _ = write!(out, ",\"{name}\":{value}");
    };
    member("largest", &mut out);
    push_list(&summary.largest, &mut out, |it, out| number("size", it.value, &it.path, out));
    let places = [("deepest", "depth", &summary.deepest), ("longest", "bytes", &summary.longest)];
    for (name, unit, extreme) in places {
        if let Some(it) = extreme {
            member(name, &mut out);
            push_object(&mut out, |out| number(unit, it.value as u64, &it.path, out));
        }
    }
    for (name, extreme) in [("newest", &summary.newest), ("oldest", &summary.oldest)] {
        if let Some(it) = extreme {
            member(name, &mut out);
            push_object(&mut out, |out| {
                push_path(&it.path, out);
                push_time("modified", it.value, out);
            });
        }
    }
    out.extend_from_slice(b"}\n");
    out
}

fn push_path(path: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"path\":");
    push_json(path, out);
}

/// An object of members that each begin with a comma.
fn push_object(out: &mut Vec<u8>, members: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'{');
    let first = out.len();
    members(out);
    if out.get(first) == Some(&b',') {
        out.remove(first);
    }
    out.push(b'}');
}

fn push_list<T>(all: &[T], out: &mut Vec<u8>, each: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (number, one) in all.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        push_object(out, |out| each(one, out));
    }
    out.push(b']');
}
