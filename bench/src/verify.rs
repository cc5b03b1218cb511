//! Checks that engines print what they claim, before anything is timed.
//!
//! This holds whole outputs in memory. The runner never does it itself but starts itself anew: a
//! child's peak memory is never reported below that of the process that started it.

use std::path::Path;
use std::process::Stdio;

use crate::engine::{Claim, Contender};
use crate::measure;
use crate::tree::Shape;

/// The paths of an output: without the tree's name in front and a `/` behind.
struct Paths {
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

/// The outputs of find that everything is compared to.
pub(crate) struct Reference {
    all: Paths,
    files: Paths,
}

impl Reference {
    /// Asks find; its numbers must be those of the tree's plan.
    pub(crate) fn new(find: &Contender, trees: &Path, shape: &Shape) -> Result<Self, String> {
        let mut arguments = find.arguments(shape.name);
        let mut all = Paths::new(output(find, &arguments, trees)?, shape.name)?;
        arguments.extend(["-type".into(), "f".into()]);
        let mut files = Paths::new(output(find, &arguments, trees)?, shape.name)?;
        all.sort();
        files.sort();
        let found = (all.lines.len() as u64, files.lines.len() as u64);
        let planned = (shape.entries(), u64::from(shape.files));
        if found != planned {
            return Err(format!("find sees {found:?} entries and files, planned are {planned:?}"));
        }
        Ok(Reference { all, files })
    }

    /// None if the contender prints what it claims, else how it differs.
    pub(crate) fn difference(
        &self,
        who: &Contender,
        trees: &Path,
        shape: &Shape,
    ) -> Option<String> {
        let text = match output(who, &who.arguments(shape.name), trees) {
            Ok(text) => text,
            Err(error) => return Some(error),
        };
        match who.claim {
            Claim::Nothing if text.is_empty() => None,
            Claim::Nothing => Some("prints something".into()),
            Claim::Count => {
                let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
                let number = String::from_utf8_lossy(&text[..digits]).into_owned();
                (number != shape.entries().to_string())
                    .then(|| format!("counts {number} instead of {}", shape.entries()))
            }
            claim => match Paths::new(text, shape.name) {
                Ok(paths) => self.paths_difference(paths, claim),
                Err(error) => Some(error),
            },
        }
    }

    fn paths_difference(&self, mut paths: Paths, claim: Claim) -> Option<String> {
        if claim == Claim::Ordered && !paths.is_ordered() {
            return Some("is not in order".into());
        }
        paths.sort();
        match claim {
            // The root is the empty path, which sorts first.
            Claim::Below => compare(&self.all, 1, &paths),
            Claim::Files => compare(&self.files, 0, &paths),
            _ => compare(&self.all, 0, &paths),
        }
    }
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

fn output(who: &Contender, arguments: &[String], trees: &Path) -> Result<Vec<u8>, String> {
    let output = measure::command(arguments, trees)
        .stderr(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if who.succeeded(output.status) { Ok(output.stdout) } else { Err(output.status.to_string()) }
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
}
