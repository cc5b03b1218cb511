//! Checks that engines print what they claim, before anything is timed.
//!
//! This holds whole outputs in memory. The runner never does it itself but starts itself anew: a
//! child's peak memory is never reported below that of the process that started it.

use std::path::Path;
use std::process::Stdio;

use crate::definition::Unit;
use crate::engine::{Claim, Contender};
use crate::measure;
use crate::tree::Subject;

/// The lines of an output that are compared. Of paths: without the tree's name in front and a `/`
/// behind.
pub(crate) struct Paths {
    text: Vec<u8>,
    /// (from, to) in `text`
    lines: Vec<(u32, u32)>,
}

impl Paths {
    fn new(text: Vec<u8>, tree: &str) -> Result<Self, String> {
        let length = u32::try_from(text.len()).map_err(|_| "more than 4 GiB of output")?;
        let mut lines = Vec::new();
        let mut start = 0;
        while start < length {
            let rest = &text[start as usize..];
            let end = start + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()) as u32;
            let line = &text[start as usize..end as usize];
            let below = line.strip_prefix(tree.as_bytes()).unwrap_or(line);
            let from = end - below.len() as u32;
            lines.push((from, end - u32::from(below.ends_with(b"/"))));
            start = end + 1;
        }
        Ok(Paths { text, lines })
    }

    /// Of a long listing or a list of names: the names alone. Headings and totals do not count.
    fn of_rows(text: Vec<u8>) -> Result<Self, String> {
        let mut rows = Paths::new(text, "")?;
        let text = &rows.text;
        rows.lines.retain_mut(|(from, to)| {
            let line = &text[*from as usize..*to as usize];
            let arrow =
                [&b" -> "[..], " ⇒ ".as_bytes()].into_iter().find_map(|arrow| find(line, arrow));
            let name_end = arrow.unwrap_or(line.len());
            let name = line[..name_end].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            *to = *from + name_end as u32;
            *from = *to - name.len() as u32;
            !(line.is_empty() || line.starts_with(b"total ") || line.ends_with(b":"))
        });
        Ok(rows)
    }

    fn line(&self, at: usize) -> &[u8] {
        let (from, to) = self.lines[at];
        &self.text[from as usize..to as usize]
    }

    fn sort(&mut self) {
        let text = &self.text;
        self.lines.sort_unstable_by_key(|&(from, to)| &text[from as usize..to as usize]);
    }

    /// Whether it is depth first with each directory's names in byte order: then a `/` sorts
    /// before everything else.
    fn is_ordered(&self) -> bool {
        let key = |at: usize| self.line(at).iter().map(|&b| if b == b'/' { 0 } else { b });
        (1..self.lines.len()).all(|at| key(at - 1).lt(key(at)))
    }
}

/// The output that everything is compared to, from a program that is known to be right. What the
/// tree's plan says of it must be so.
pub(crate) enum Reference {
    /// Of find.
    Paths { all: Paths, files: Paths },
    /// Of a lister, and the names in it; or of any other program, on a text.
    Whole { text: Vec<u8>, rows: Paths },
    /// The bytes that du sums up, which the plan does not know.
    Sum(u64),
    /// A number or numbers, which are those of the plan.
    Planned,
}

impl Reference {
    pub(crate) fn new(truth: &Contender, trees: &Path) -> Result<Self, String> {
        match truth.claim {
            Claim::All => Self::of_find(truth, trees),
            Claim::Same => {
                Self::whole(output(truth, &truth.arguments_once(truth.tree.name()), trees)?, truth)
            }
            Claim::Sum => {
                let text = output(truth, &truth.arguments(), trees)?;
                let sum = std::str::from_utf8(number(&text)).ok().and_then(|sum| sum.parse().ok());
                sum.map(Reference::Sum).ok_or(format!("{} prints no number", truth.label))
            }
            _ => match Reference::Planned.difference(truth, trees) {
                None => Ok(Reference::Planned),
                Some(difference) => Err(format!("{}: {difference}", truth.label)),
            },
        }
    }

    fn of_find(find: &Contender, trees: &Path) -> Result<Self, String> {
        let (tree, mut arguments) = (find.tree.name(), find.arguments());
        let mut all = Paths::new(output(find, &arguments, trees)?, tree)?;
        arguments.extend(["-type".into(), "f".into()]);
        let mut files = Paths::new(output(find, &arguments, trees)?, tree)?;
        all.sort();
        files.sort();
        let found = (all.lines.len() as u64, files.lines.len() as u64);
        let planned = match find.tree {
            Subject::Tree(shape) => (shape.entries(), u64::from(shape.files)),
            other => (other.counted() + 1, other.counted()),
        };
        if found != planned {
            return Err(format!("find sees {found:?} entries and files, planned are {planned:?}"));
        }
        Ok(Reference::Paths { all, files })
    }

    fn whole(text: Vec<u8>, truth: &Contender) -> Result<Self, String> {
        let mut rows = Paths::of_rows(text.clone())?;
        rows.sort();
        let (found, planned) = (rows.lines.len() as u64, truth.tree.units(Unit::Entry));
        if !matches!(truth.tree, Subject::Text(_)) && found != planned {
            return Err(format!("{} shows {found} names, planned are {planned}", truth.label));
        }
        Ok(Reference::Whole { text, rows })
    }

    /// None if the contender prints what it claims, else how it differs.
    pub(crate) fn difference(&self, contender: &Contender, trees: &Path) -> Option<String> {
        match output(contender, &contender.arguments_once(contender.tree.name()), trees) {
            Ok(text) => self.text_difference(text, contender),
            Err(error) => Some(error),
        }
    }

    fn text_difference(&self, text: Vec<u8>, contender: &Contender) -> Option<String> {
        let paths = match contender.claim {
            Claim::Anything => return None,
            Claim::Nothing => return (!text.is_empty()).then(|| "prints something".into()),
            Claim::Count => return number_difference(&text, contender.tree.counted()),
            Claim::Sum => {
                let Reference::Sum(wanted) = self else { return self.cannot(contender) };
                return sum_difference(&text, *wanted);
            }
            Claim::Invalid => return invalid_difference(&text, &contender.tree.invalid_lines()),
            Claim::Same => {
                let Reference::Whole { text: wanted, .. } = self else {
                    return self.cannot(contender);
                };
                return line_difference(&text, wanted);
            }
            Claim::Rows => Paths::of_rows(text),
            _ => Paths::new(text, contender.tree.name()),
        };
        match paths {
            Ok(paths) => self.paths_difference(paths, contender),
            Err(error) => Some(error),
        }
    }

    fn paths_difference(&self, mut paths: Paths, contender: &Contender) -> Option<String> {
        if contender.claim == Claim::Ordered && !paths.is_ordered() {
            return Some("is not in order".into());
        }
        paths.sort();
        match (contender.claim, self) {
            (Claim::Rows, Reference::Whole { rows, .. }) => compare(rows, 0, &paths),
            // The root is the empty path, which sorts first.
            (Claim::Below, Reference::Paths { all, .. }) => compare(all, 1, &paths),
            (Claim::Files, Reference::Paths { files, .. }) => compare(files, 0, &paths),
            (Claim::All | Claim::Ordered, Reference::Paths { all, .. }) => compare(all, 0, &paths),
            _ => self.cannot(contender),
        }
    }

    /// A definition whose truth is about something else.
    fn cannot(&self, contender: &Contender) -> Option<String> {
        Some(format!("{} claims what the definition's truth does not show", contender.label))
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|part| part == what)
}

/// The number that the text begins with.
fn number(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|byte| byte.is_ascii_digit()).count()]
}

fn number_difference(text: &[u8], wanted: u64) -> Option<String> {
    let number = String::from_utf8_lossy(number(text.trim_ascii_start()));
    (number != wanted.to_string()).then(|| format!("counts {number} instead of {wanted}"))
}

/// Programs show a sum in many ways: it must be one of the numbers that are printed.
fn sum_difference(text: &[u8], wanted: u64) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let numbers = text.split(|letter: char| !letter.is_ascii_digit());
    let mut numbers = numbers.filter_map(|digits| digits.parse::<u64>().ok());
    (!numbers.any(|number| number == wanted)).then(|| format!("does not say {wanted}"))
}

/// Each line begins with the number of one that is not UTF-8.
fn invalid_difference(text: &[u8], wanted: &[u64]) -> Option<String> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let numbers =
        lines.map(|line| String::from_utf8_lossy(number(line.trim_ascii_start())).parse());
    let numbers: Vec<u64> = numbers.map(|number| number.unwrap_or(0)).collect();
    (numbers != wanted).then(|| format!("shows lines {numbers:?} instead of {wanted:?}"))
}

/// The first line that is not the same, byte for byte.
fn line_difference(text: &[u8], wanted: &[u8]) -> Option<String> {
    if text == wanted {
        return None;
    }
    let lines = |text: &[u8]| -> Vec<String> {
        text.split(|&byte| byte == b'\n').map(|l| String::from_utf8_lossy(l).into_owned()).collect()
    };
    let (text, wanted) = (lines(text), lines(wanted));
    let at = text.iter().zip(&wanted).take_while(|(text, wanted)| text == wanted).count();
    let show =
        |lines: &[String]| lines.get(at).map_or("nothing".into(), |line| format!("{line:?}"));
    Some(format!("line {} is {} instead of {}", at + 1, show(&text), show(&wanted)))
}

/// Compares two sorted outputs, the wanted one from the given line on.
fn compare(wanted: &Paths, start: usize, got: &Paths) -> Option<String> {
    let (mut missing, mut extra) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (start, 0);
    while left < wanted.lines.len() || right < got.lines.len() {
        let order = match (left < wanted.lines.len(), right < got.lines.len()) {
            (true, true) => wanted.line(left).cmp(got.line(right)),
            (true, false) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        if order.is_lt() {
            missing.push(left);
        } else if order.is_gt() {
            extra.push(right);
        }
        left += usize::from(order.is_le());
        right += usize::from(order.is_ge());
    }
    let say = |what: &str, paths: &Paths, which: &[usize]| {
        let example = which.first().map(|&at| String::from_utf8_lossy(paths.line(at)).into_owned());
        example.map(|path| format!("{} {what}, such as {path:?}", which.len()))
    };
    let parts = [say("missing", wanted, &missing), say("too many", got, &extra)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn output(contender: &Contender, arguments: &[String], trees: &Path) -> Result<Vec<u8>, String> {
    let output = measure::command(arguments, trees)
        .stderr(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if contender.succeeded(output.status) {
        Ok(output.stdout)
    } else {
        Err(output.status.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Paths {
        let mut paths = Paths::new(text.as_bytes().to_vec(), "t").unwrap();
        paths.sort();
        paths
    }

    #[test]
    fn equal_sets_do_not_differ_whatever_order_and_slashes() {
        assert_eq!(compare(&paths("t\nt/a\nt/a/b\n"), 0, &paths("t/a/b\nt\nt/a/\n")), None);
        assert_eq!(compare(&paths("t\nt/a\n"), 1, &paths("t/a\n")), None);
    }

    #[test]
    fn differences_are_counted_and_shown() {
        let text = compare(&paths("t\nt/a\nt/b\n"), 0, &paths("t\nt/b\nt/c\nt/c\n")).unwrap();
        assert_eq!(text, "1 missing, such as \"/a\"; 2 too many, such as \"/c\"");
    }

    #[test]
    fn order_puts_children_right_after_their_directory() {
        let ordered = |text: &str| Paths::new(text.into(), "t").unwrap().is_ordered();
        assert!(ordered("t\nt/a\nt/a/x\nt/a.b\n"));
        assert!(!ordered("t\nt/a\nt/a.b\nt/a/x\n"));
        assert!(!ordered("t\nt/a\nt/a\n"));
    }

    #[test]
    fn rows_are_names_without_headings_totals_and_what_links_say() {
        let text =
            "d:\ntotal 4\n-rw-r--r-- 1 a b 3 Jan  1  2020 x.c\nl 1 a b 3 y -> ../z\n\nd/e:\nw\n";
        let mut rows = Paths::of_rows(text.into()).unwrap();
        rows.sort();
        let names: Vec<&[u8]> = (0..rows.lines.len()).map(|at| rows.line(at)).collect();
        assert_eq!(names, [&b"w"[..], b"x.c", b"y"]);
    }

    #[test]
    fn the_first_other_line_is_shown() {
        assert_eq!(line_difference(b"a\nb\n", b"a\nb\n"), None);
        let text = line_difference(b"a\nb\n", b"a\nc\n").unwrap();
        assert_eq!(text, "line 2 is \"b\" instead of \"c\"");
        let text = line_difference(b"a\n", b"a").unwrap();
        assert_eq!(text, "line 2 is \"\" instead of nothing");
    }

    #[test]
    fn numbers_are_those_of_the_plan() {
        assert_eq!(number_difference(b"  300 x\n", 300), None);
        assert!(number_difference(b"301\n", 300).is_some());
        assert_eq!(sum_difference("  4.0K a\n 40960 B ├ b".as_bytes(), 40_960), None);
        assert!(sum_difference(b"140960 b\n40961\n", 40_960).is_some());
        assert_eq!(invalid_difference(b"2: x\n17\n", &[2, 17]), None);
        assert!(invalid_difference(b"2\n", &[2, 17]).is_some());
        assert!(invalid_difference(b"x\n", &[2]).is_some());
    }
}
