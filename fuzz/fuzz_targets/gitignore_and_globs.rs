//! Patterns as they come from the command line and from ignore files, matched against any path: no
//! panic and no endless work.
#![no_main]

#[path = "../../crates/fewer/src/walk/ignored/pattern.rs"]
mod pattern;
#[path = "../../crates/fewer/src/walk/ignored/wildmatch.rs"]
mod wildmatch;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use fewer::filter::{Names, Size};
use globset::GlobBuilder;
use libfuzzer_sys::fuzz_target;
use pattern::Patterns;

// The first line is the path, the others are patterns.
fuzz_target!(|input: &[u8]| {
    let (path, patterns) = match input.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, input),
    };
    arguments(path, patterns);
    ignore_file(path, patterns);
});

/// As `-g`, `-r`, `-e`, `-E`, `--size` and `--newer` take them: text only.
fn arguments(path: &[u8], patterns: &[u8]) {
    let Ok(text) = std::str::from_utf8(patterns) else { return };
    let lines: Vec<&str> = text.lines().take(4).collect();
    let ignore_case = !path.len().is_multiple_of(2);
    let names = Names::new().ignore_case(ignore_case).extensions(&lines);
    let _ = names.clone().globs(&lines).and_then(|names| names.exclude_globs(&lines));
    for line in lines {
        let _ = line.parse::<Size>();
        let _ = fewer::filter::parse_time(line);
        let glob = GlobBuilder::new(line).literal_separator(true).backslash_escape(true).build();
        if let Ok(glob) = glob {
            let _ = glob.compile_matcher().is_match(OsStr::from_bytes(path));
        }
    }
    // Compiling a regular expression takes long, so only some of the runs do it.
    if path.len().is_multiple_of(8) {
        let _ = names.regexes(&[text]);
        if let Ok(regex) = regex::bytes::Regex::new(text) {
            let _ = regex.is_match(path);
        }
    }
}

/// As `--gitignore` reads the lines of a file, whatever they are.
fn ignore_file(path: &[u8], text: &[u8]) {
    // The walk hands over paths from the kernel: relative, and without NUL or empty parts.
    let relative = !path.is_empty() && !path.starts_with(b"/") && !path.contains(&0);
    let name = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    for (fold, is_directory) in [(false, false), (false, true), (true, true)] {
        let patterns = Patterns::parse(text, fold);
        if relative && !patterns.is_empty() {
            let _ = patterns.verdict(path, name, is_directory);
        }
        assert!(!fold || patterns.fold);
    }
}
