//! The picture of a report that README.md shows: made from what `fewer why` prints in colour about
//! a program of `cases/why`, with the prices of that folder, so that it is the same at every run.
//! The chore fails if the picture in the repository shows something else; `--write` renews it.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::checkout;
use crate::tally::Tally;

const PICTURE: &str = "docs/report.svg";
/// What the picture calls the folder that the program ran in.
const SHOWN_FOLDER: &str = "/tmp/demo";
const FILES: usize = 10_000;
/// Size of a character and a line, and the space around, in pixels.
const CHARACTER: f64 = 7.83;
const LINE: usize = 18;
const MARGIN: usize = 16;

pub(crate) fn run(words: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let scratch = std::env::temp_dir().join(format!("fewer-picture-{}", std::process::id()));
    let made = report(&root, &scratch).map(|text| picture(&text));
    // Files that stay behind in the temporary folder do no harm.
    let _ = fs::remove_dir_all(&scratch);
    let (made, file) = (made?, root.join(PICTURE));
    if words.iter().any(|word| word == "--write") {
        fs::write(&file, &made).map_err(|error| format!("{PICTURE}: {error}"))?;
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    let is_same = essence(&kept).eq(essence(&made));
    if !is_same {
        println!(
            "failed: {PICTURE} is not what is printed now: cargo run -p tools -- picture --write"
        );
    }
    let mut tally = Tally::default();
    tally.count(is_same);
    Ok(tally)
}

/// What does not depend on the version of the C library: its frames and all numbers do.
fn essence(picture: &str) -> impl Iterator<Item = String> {
    let lines = picture.lines().filter(|line| !line.contains("libc.so") && !line.contains("... "));
    lines.map(|line| line.replace(|sign: char| sign.is_ascii_digit(), ""))
}

/// What is printed about a small ls that asks for the time of each file.
fn report(root: &Path, scratch: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", scratch.display());
    fs::create_dir_all(scratch.join("d")).map_err(failed)?;
    for number in 0..FILES {
        fs::write(scratch.join(format!("d/f{number}")), "").map_err(failed)?;
    }
    let source = root.join("cases/why/same-stat/list-clock.c");
    fs::copy(&source, scratch.join("lister.c")).map_err(failed)?;
    let mut compiler = Command::new("gcc");
    let words = ["-g", "-O1", "-o", "lister", "lister.c"];
    let place = format!("-ffile-prefix-map={}={SHOWN_FOLDER}", scratch.display());
    checkout::output(compiler.current_dir(scratch).args(words).arg(place))?;
    let mut fewer = Command::new(checkout::target(root)?.join("release/fewer"));
    // How many calls do not stop depends on the C library.
    let words = ["why", "--color", "always", "--tier", "ptrace", "-o", "report", "--prices"];
    fewer.args(words).arg(root.join("cases/why/prices.toml")).args(["--", "./lister", "d"]);
    let clean = fewer.current_dir(scratch).env_clear().env("PATH", "/usr/bin:/bin");
    checkout::output(clean.env("LC_ALL", "C"))?;
    let text = fs::read_to_string(scratch.join("report")).map_err(failed)?;
    // The last line says that there are no times, because the prices were given.
    let shown: Vec<&str> = text.lines().filter(|line| !line.contains("How long")).collect();
    Ok(shown.join("\n").trim_end().replace(&scratch.display().to_string(), SHOWN_FOLDER))
}

/// Text with a terminal's colours as a picture.
fn picture(text: &str) -> String {
    let (lines, mut rows) = (text.lines().count(), String::new());
    let mut columns = 0;
    for (at, line) in text.lines().enumerate() {
        let (row, width) = row(line);
        columns = columns.max(width);
        let y = MARGIN + LINE * (at + 1) - 5;
        let _ = writeln!(rows, "<text x=\"{MARGIN}\" y=\"{y}\">{row}</text>");
    }
    let width = (columns as f64 * CHARACTER).ceil() as usize + 2 * MARGIN;
    let height = lines * LINE + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<style>\n\
         text {{ font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #d7dae0; \
         white-space: pre }}\n\
         .strong {{ font-weight: bold; fill: #ffffff }}\n\
         .id {{ font-weight: bold; fill: #e5c07b }}\n\
         .own {{ font-weight: bold; fill: #98c379 }}\n\
         .faint {{ fill: #8a919e }}\n.code {{ fill: #56b6c2 }}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>\n{rows}</svg>\n"
    )
}

/// A line with its colours as spans, and its width in columns.
fn row(line: &str) -> (String, usize) {
    let (mut row, mut columns, mut is_open) = (String::new(), 0, false);
    for (at, piece) in line.split("\x1b[").enumerate() {
        let (code, shown) = match at {
            0 => ("", piece),
            _ => piece.split_once('m').unwrap_or((piece, "")),
        };
        if at > 0 && std::mem::take(&mut is_open) {
            row.push_str("</tspan>");
        }
        if let Some(class) = class(code) {
            let _ = write!(row, "<tspan class=\"{class}\">");
            is_open = true;
        }
        columns += shown.chars().count();
        row.push_str(&shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
    }
    if is_open {
        row.push_str("</tspan>");
    }
    (row, columns)
}

fn class(code: &str) -> Option<&'static str> {
    let classes =
        [("1", "strong"), ("1;33", "id"), ("1;32", "own"), ("2", "faint"), ("36", "code")];
    classes.iter().find(|(known, _)| *known == code).map(|(_, class)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_spans() {
        let line = "\x1b[1m1.\x1b[0m a<b \x1b[36mx\x1b[0m";
        let shown =
            "<tspan class=\"strong\">1.</tspan> a&lt;b <tspan class=\"code\">x</tspan>".to_owned();
        assert_eq!(row(line), (shown, 8));
        assert_eq!(row("plain"), ("plain".to_owned(), 5));
    }

    #[test]
    fn a_picture_is_compared_without_the_frames_of_the_c_library() {
        let one = picture("a\n  0xc536e libc.so.6\n  ... 2 frames of it\nb");
        let other = picture("a\n  0x27249 libc.so.6\n  ... 3 frames of it\nb");
        assert!(essence(&one).eq(essence(&other)));
        assert!(!essence(&one).eq(essence(&picture("a\nx\n... \nc"))));
    }
}
